import { kindName, kinds, lineRecords, type Survey } from '../coverage/survey.ts'
import { words } from '../json.ts'

export const survey: Survey = {
  used: kinds('user assistant tool system'),
  ignored: kinds(''),
  *records({ path }, glance) {
    for (const { role, content, injected } of lineRecords(path, glance))
      yield { kind: kindName(role), turns: role === 'user' && injected !== true && words(content) ? 1 : 0 }
  },
}
