import { GLANCE_ROWS, kindName, kinds, type Survey, withDatabase } from '../coverage/survey.ts'
import { words } from '../json.ts'

export const survey: Survey = {
  used: kinds('user assistant tool system'),
  ignored: kinds('session_meta'),
  *records({ path: file }, glance) {
    yield* withDatabase(file, function* (db) {
      const rows = db.prepare(
        'SELECT role, CAST(content AS TEXT) AS content FROM messages ORDER BY rowid DESC LIMIT ?',
      )
      for (const { role, content } of rows.iterate(glance ? GLANCE_ROWS : -1)) {
        const isTyped = role === 'user' && words(content) && !String(content).startsWith('[SYSTEM:')
        yield { kind: kindName(role), turns: isTyped ? 1 : 0 }
      }
    })
  },
}
