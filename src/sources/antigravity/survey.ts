import { kindName, kinds, lineRecords, type Survey } from '../coverage/survey.ts'
import { number, words } from '../json.ts'

export const survey: Survey = {
  used: kinds('USER_INPUT PLANNER_RESPONSE SYSTEM_MESSAGE result'),
  ignored: kinds('CONVERSATION_HISTORY KNOWLEDGE_ARTIFACTS EPHEMERAL_MESSAGE CHECKPOINT'),
  *records({ path }, glance) {
    const typed = new Set<number>()
    for (const record of lineRecords(path, glance)) {
      const isResult = record.source === 'MODEL' && record.type !== 'PLANNER_RESPONSE'
      const step = number(record.step_index)
      const isTyped =
        record.type === 'USER_INPUT' && step !== undefined && !typed.has(step) && words(record.content)
      if (isTyped) typed.add(step)
      yield { kind: isResult ? 'result' : kindName(record.type), turns: isTyped ? 1 : 0 }
    }
  },
}
