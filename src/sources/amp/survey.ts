import { documentIn, kindName, kinds, type Survey, spoken } from '../coverage/survey.ts'
import { object, objects } from '../json.ts'

export const survey: Survey = {
  used: kinds('user assistant part/text part/thinking part/tool_use part/tool_result part/image'),
  ignored: kinds(''),
  *records({ path }, glance) {
    for (const message of objects(object(documentIn(path, glance))?.messages)) {
      const hasResult = objects(message.content).some(({ type }) => type === 'tool_result')
      if (hasResult) yield { kind: kindName(message.role) }
      else yield* spoken(message)
    }
  },
}
