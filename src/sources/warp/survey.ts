import { kindName, kinds, type Survey, withDatabase } from '../coverage/survey.ts'
import { fieldsOf, inner } from './protobuf.ts'

/** Message fields: 1, 11, 13 and 14 are about the message, each other one is what it is. */
const ABOUT = new Set([1, 11, 13, 14])

export const survey: Survey = {
  used: kinds('message/2 message/3 message/4 message/5 message/15'),
  // What the terminal asks by itself, summaries and the model's name.
  ignored: kinds('message/9 message/16 message/25'),
  *records({ path: file }) {
    yield* withDatabase(file, function* (db) {
      for (const { task } of db.prepare('SELECT CAST(task AS BLOB) AS task FROM agent_tasks').iterate()) {
        const fields = task instanceof Uint8Array ? fieldsOf(task) : undefined
        const isSubtask = (fields?.get(3)?.length ?? 0) > 0
        for (const message of inner(fields, 5))
          for (const field of message.keys())
            if (!ABOUT.has(field))
              yield { kind: kindName('message', field), turns: field === 2 && !isSubtask ? 1 : 0 }
      }
    })
  },
}
