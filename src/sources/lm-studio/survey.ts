import { documentIn, kindName, kinds, type Survey, spoken } from '../coverage/survey.ts'
import { object, objects } from '../json.ts'

export const survey: Survey = {
  used: kinds(`
    user assistant part/text part/file part/image part/toolCallRequest part/toolCallResult
    step/contentBlock step/status version/singleStep version/multiStep
  `),
  ignored: kinds('system step/debugInfoBlock step/toolStatus'),
  *records({ path: file }, glance) {
    for (const { versions } of objects(object(documentIn(file, glance))?.messages))
      for (const version of objects(versions)) {
        yield* spoken(version)
        for (const step of objects(version.steps)) {
          yield { kind: kindName('step', step.type) }
          for (const { type } of objects(step.content)) yield { kind: kindName('part', type) }
        }
      }
  },
}
