import { eventSeen } from '../coverage/copilot-events.ts'
import { kinds, lineRecords, type Survey } from '../coverage/survey.ts'

export const survey: Survey = {
  used: kinds(`
    partition.created user.message assistant.turn_start assistant.message assistant.turn_end
    tool.execution_start tool.execution_complete
  `),
  // The prompt once more, with what was put around it.
  ignored: kinds('user.message_rendered'),
  *records({ path }, glance) {
    for (const record of lineRecords(path, glance)) yield eventSeen(record)
  },
}
