import { kindName, kinds, lineRecords, type Survey } from '../coverage/survey.ts'

export const survey: Survey = {
  used: kinds('session request system answer piece result notice compacted end'),
  ignored: kinds('approval decision begun question answered'),
  *records({ path: file }, glance) {
    for (const { type } of lineRecords(file, glance))
      yield { kind: kindName(type), turns: type === 'request' ? 1 : 0 }
  },
}
