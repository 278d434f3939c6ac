import { documentIn, kinds, type Survey, spoken } from '../coverage/survey.ts'
import { object, objects } from '../json.ts'

export const survey: Survey = {
  used: kinds('user assistant tool thinking part/text part/imageUrl'),
  ignored: kinds('system'),
  *records({ path: file }, glance) {
    for (const { message } of objects(object(documentIn(file, glance))?.history))
      yield* spoken(object(message) ?? {})
  },
}
