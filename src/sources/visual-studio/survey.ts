import { kindName, kinds, lineRecords, type Survey } from '../coverage/survey.ts'
import { chatIdOf, spansIn } from './span.ts'

export const survey: Survey = {
  used: kinds('chat execute_tool'),
  ignored: kinds('invoke_agent other'),
  *records({ path }, glance) {
    for (const record of lineRecords(path, glance))
      for (const span of spansIn(record)) {
        const operation = span.attributes.get('gen_ai.operation.name')
        // Whatever else the editor traces is no part of a chat.
        yield { kind: chatIdOf(span) ? kindName(operation) : 'other' }
      }
  },
}
