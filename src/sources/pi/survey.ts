import { kindName, kinds, lineRecords, type Seen, type Survey } from '../coverage/survey.ts'
import { type Json, object, objects, words } from '../json.ts'

export const ENTRIES_USED = `
  session session_info compaction branch_summary custom_message
  message/user message/assistant message/toolResult message/bashExecution message/custom
  message/branchSummary message/compactionSummary part/text part/image part/thinking part/toolCall
`
export const ENTRIES_IGNORED = 'model_change thinking_level_change custom label message/system'

export const survey: Survey = {
  used: kinds(ENTRIES_USED),
  ignored: kinds(ENTRIES_IGNORED),
  *records({ path: file }, glance) {
    for (const entry of lineRecords(file, glance)) yield* entrySeen(entry)
  },
}

export function* entrySeen(entry: Json): Generator<Seen> {
  if (entry.type !== 'message') yield { kind: kindName(entry.type) }
  else yield* messageSeen(object(entry.message) ?? {}, 'message')
}

/** A message and its parts. What the person said is text or an image. */
export function* messageSeen({ role, content }: Json, prefix: string): Generator<Seen> {
  const parts = typeof content === 'string' ? [{ type: 'text', text: content }] : objects(content)
  const said = parts.some((part) => part.type === 'image' || (part.type === 'text' && words(part.text)))
  yield { kind: kindName(prefix, role), turns: role === 'user' && said ? 1 : 0 }
  if (role !== 'system') for (const { type } of parts) yield { kind: kindName('part', type) }
}
