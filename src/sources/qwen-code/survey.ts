import { kindName, kinds, lineRecords, type Survey } from '../coverage/survey.ts'
import { object, objects, string, words } from '../json.ts'

export const survey: Survey = {
  used: kinds(`
    user user/mid_turn_user_message user/notification user/cron assistant tool_result
    system/custom_title system/parent_session
    part/text part/functionCall part/functionResponse part/inlineData part/fileData
  `),
  ignored: kinds(`
    system/ui_telemetry system/attribution_snapshot system/chat_compression system/rewind
    system/slash_command system/at_command system/agent_bootstrap system/file_history_snapshot
  `),
  *records({ path: file }, glance) {
    for (const row of lineRecords(file, glance)) {
      const parts = objects(object(row.message)?.parts)
      const isOwn = row.provenance === undefined || row.provenance === 'real_user'
      const isTyped =
        row.type === 'user' &&
        isOwn &&
        row.isSidechain !== true &&
        !/^(notification|cron|goal_)/.test(string(row.subtype) ?? '')
      const said = parts.some((part) => words(part.text) ?? part.inlineData ?? part.fileData)
      yield { kind: kindName(row.type, row.subtype), turns: isTyped && said ? 1 : 0 }
      for (const part of parts) {
        const name = Object.keys(part).find((key) => key !== 'thought' && key !== 'thoughtSignature')
        yield { kind: kindName('part', name) }
      }
    }
  },
}
