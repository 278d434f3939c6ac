import { kindName, kinds, lineRecords, type Survey } from '../coverage/survey.ts'
import { object, words } from '../json.ts'

export const survey: Survey = {
  used: kinds('user_input planner_response step'),
  ignored: kinds(''),
  *records({ path }, glance) {
    for (const record of lineRecords(path, glance)) {
      const type = words(record.type) ?? ''
      const said = type === 'user_input' && words(object(record.user_input)?.user_response)
      const isSaid = type === 'user_input' || type === 'planner_response'
      // Every other step is something that it did, under the name of its type.
      const isStep = !isSaid && object(record[type]) !== undefined
      yield { kind: isStep ? 'step' : kindName(record.type), turns: said ? 1 : 0 }
    }
  },
}
