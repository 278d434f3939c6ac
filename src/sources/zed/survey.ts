import zlib from 'node:zlib'
import { kindName, kinds, type Seen, type Survey, withDatabase } from '../coverage/survey.ts'
import { type Json, list, object, objects, string, words } from '../json.ts'

export const survey: Survey = {
  used: kinds(`
    User Agent part/Text part/Mention part/Image part/Thinking part/ToolUse
    user assistant segment/text segment/thinking
  `),
  ignored: kinds('Resume Compaction system part/RedactedThinking segment/redacted_thinking'),
  *records({ path: file }, glance) {
    yield* withDatabase(file, function* (db) {
      const rows = db.prepare('SELECT data, data_type AS type, id FROM threads ORDER BY rowid DESC LIMIT ?')
      for (const row of rows.iterate(glance ? 10 : -1)) {
        const thread = threadIn(row)
        const isChild = object(thread?.subagent_context) !== undefined
        for (const entry of list(thread?.messages)) yield* zedEntry(entry, !isChild)
      }
    })
  },
}

function threadIn({ data, type }: Json): Json | undefined {
  const bytes = typeof data === 'string' ? Buffer.from(data) : Buffer.from(data as Uint8Array)
  try {
    return object(JSON.parse((type === 'zstd' ? zlib.zstdDecompressSync(bytes) : bytes).toString('utf8')))
  } catch {
    return undefined
  }
}

function* zedEntry(entry: unknown, counts: boolean): Generator<Seen> {
  const record = object(entry)
  const tag = typeof entry === 'string' ? entry : Object.keys(record ?? {})[0]
  const content = objects(object(record?.[tag ?? ''])?.content)
  if (tag === 'User' || tag === 'Agent' || typeof entry === 'string') {
    const said = content.some((part) => words(part.Text) ?? part.Mention)
    yield { kind: kindName(tag), turns: counts && tag === 'User' && said ? 1 : 0 }
    for (const part of content) yield { kind: kindName('part', Object.keys(part)[0]) }
  } else if (record) {
    const role = string(record.role)?.toLowerCase()
    const segments = objects(record.segments)
    const said = words(record.text) ?? segments.some((part) => part.type === 'text' && words(part.text))
    const isTyped =
      role === 'user' && said && record.is_hidden !== true && objects(record.tool_results).length === 0
    yield { kind: kindName(role ?? tag), turns: counts && isTyped ? 1 : 0 }
    for (const { type } of segments) yield { kind: kindName('segment', type) }
  }
}
