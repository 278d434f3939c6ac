import {
  GLANCE_ROWS,
  kindName,
  kinds,
  lineRecords,
  NO_TYPE,
  type Seen,
  type Survey,
  withDatabase,
} from '../coverage/survey.ts'
import { object, objects, parsed, string, words } from '../json.ts'

export const survey: Survey = {
  used: kinds(`
    session user assistant part/text part/thinking part/reasoning part/image part/toolRequest
    part/frontendToolRequest part/toolResponse part/systemNotification part/contextLengthExceeded
    part/summarizationRequested
  `),
  ignored: kinds('part/toolConfirmationRequest part/redactedThinking part/actionRequired'),
  *records({ path: file }, glance) {
    if (file.endsWith('.jsonl')) {
      for (const record of lineRecords(file, glance)) {
        if (record.role === undefined)
          yield { kind: 'description' in record || 'working_dir' in record ? 'session' : NO_TYPE }
        else yield* seenIn(record.role, record.content, true)
      }
      return
    }
    yield* withDatabase(file, function* (db) {
      const rows = db.prepare(
        `SELECT messages.role, messages.content_json AS content, messages.metadata_json AS metadata, sessions.session_type AS type
         FROM messages JOIN sessions ON sessions.id = messages.session_id
         WHERE sessions.session_type IS NOT 'hidden' ORDER BY messages.id DESC LIMIT ?`,
      )
      for (const row of rows.iterate(glance ? GLANCE_ROWS : -1)) {
        const isSeen = object(parsed(row.metadata))?.userVisible !== false
        const isTyped = row.type !== 'sub_agent' && row.type !== 'scheduled' && isSeen
        yield* seenIn(row.role, parsed(row.content), isTyped)
      }
    })
  },
}

function* seenIn(role: unknown, content: unknown, mayBeTyped: boolean): Generator<Seen> {
  const parts = objects(content)
  const said = parts.some((part) => part.type === 'text' && words(part.text))
  yield { kind: kindName(string(role)), turns: mayBeTyped && role === 'user' && said ? 1 : 0 }
  for (const { type } of parts) yield { kind: kindName('part', type) }
}
