import { GLANCE_ROWS, kindName, kinds, type Survey, withDatabase } from '../coverage/survey.ts'
import { object, objects, parsed, words } from '../json.ts'

export const survey: Survey = {
  used: kinds(`
    user assistant tool system part/text part/reasoning part/tool_call part/tool_result part/binary
    part/image_url part/shell_command part/finish
  `),
  ignored: kinds(''),
  *records({ path: file }, glance) {
    yield* withDatabase(file, function* (db) {
      const rows = db.prepare(
        `SELECT m.role, CAST(m.parts AS TEXT) AS parts, s.parent_session_id AS parent FROM messages m
         JOIN sessions s ON s.id = m.session_id ORDER BY m.rowid DESC LIMIT ?`,
      )
      for (const row of rows.iterate(glance ? GLANCE_ROWS : -1)) {
        const parts = objects(parsed(row.parts))
        const said = parts.some(({ type, data }) => type === 'text' && words(object(data)?.text))
        yield { kind: kindName(row.role), turns: row.role === 'user' && said && !row.parent ? 1 : 0 }
        for (const { type } of parts) yield { kind: kindName('part', type) }
      }
    })
  },
}
