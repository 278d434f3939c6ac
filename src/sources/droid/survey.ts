import { kindName, kinds, lineRecords, type Survey } from '../coverage/survey.ts'
import { object, objects, string, words } from '../json.ts'

export const survey: Survey = {
  used: kinds(`
    session_start message/user message/assistant
    part/text part/thinking part/tool_use part/tool_result part/image
  `),
  ignored: kinds('agent_turn_outcome todo_state compaction_state'),
  *records({ path }, glance) {
    for (const record of lineRecords(path, glance)) {
      const message = object(record.message)
      const { content } = message ?? {}
      const parts = typeof content === 'string' ? [{ type: 'text', text: content }] : objects(content)
      const isTyped =
        message?.role === 'user' &&
        message.visibility === undefined &&
        !string(record.id)?.startsWith('context-') &&
        parts.some(({ type, text }) => type === 'text' && words(text)) &&
        !parts.some(({ type }) => type === 'tool_result')
      yield { kind: kindName(record.type, message?.role), turns: isTyped ? 1 : 0 }
      for (const { type } of parts) yield { kind: kindName('part', type) }
    }
  },
}
