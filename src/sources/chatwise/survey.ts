import { GLANCE_ROWS, kindName, kinds, type Survey, withDatabase } from '../coverage/survey.ts'
import { object, parsed } from '../json.ts'

export const survey: Survey = {
  used: kinds('user assistant tool meta/toolCall meta/toolResult meta/parts'),
  ignored: kinds('system'),
  *records({ path: file }, glance) {
    yield* withDatabase(file, function* (db) {
      const rows = db.prepare('SELECT role, content, meta FROM message ORDER BY rowid DESC LIMIT ?')
      for (const row of rows.iterate(glance ? GLANCE_ROWS : -1)) {
        yield { kind: kindName(row.role), turns: row.role === 'user' ? 1 : 0 }
        for (const name of Object.keys(object(parsed(row.meta)) ?? {})) yield { kind: kindName('meta', name) }
      }
    })
  },
}
