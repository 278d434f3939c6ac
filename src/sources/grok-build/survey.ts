import fs from 'node:fs'
import path from 'node:path'
import { kindName, kinds, lineRecords, type Survey } from '../coverage/survey.ts'
import { object, words } from '../json.ts'

export const survey: Survey = {
  used: kinds(
    'user_message_chunk agent_message_chunk agent_thought_chunk tool_call tool_call_update turn_completed',
  ),
  ignored: kinds(`
    plan background_tasks subagent_spawned subagent_finished rewind_marker compaction_checkpoint model_changed
    session_summary_generated available_commands_update current_mode_update config_option_update
    session_info_update usage_update
  `),
  *records({ path: file }, glance) {
    const summary = path.join(path.dirname(file), 'summary.json')
    const isAgents =
      fs.existsSync(summary) && /"session_kind":\s*"subagent/.test(fs.readFileSync(summary, 'utf8'))
    let before: unknown
    for (const record of lineRecords(file, glance)) {
      const update = object(object(record.params)?.update)
      const kind = update?.sessionUpdate
      const isHidden = object(update?._meta)?.hideFromScrollback === true
      const isTyped = kind === 'user_message_chunk' && before !== kind && !isHidden && !isAgents
      yield { kind: kindName(kind), turns: isTyped && words(object(update?.content)?.text) ? 1 : 0 }
      before = kind
    }
  },
}
