import type { Chat } from '../../model/chat.ts'
import { object } from '../json.ts'
import type { Found } from '../source.ts'
import { chatShape, messageShape } from './export-lines.ts'
import type { Import } from './import.ts'
import { labelled } from './labels.ts'

/** Recollect's own export. Each chat is of the source it had. */
export const recollect: Import = {
  ...labelled('recollect'),
  looksFor: "Recollect's own export (JSON lines)",
  recognise: (document) => typeof document.recollect === 'number' && document.kind === 'export',
  *read(elements): Generator<Found> {
    let current: Chat | undefined
    for (const { offset, value, problem } of elements) {
      const line = object(value) ?? {}
      if (problem) yield { problem }
      else if ('recollect' in line) {
        if (line.recollect === 1) continue
        yield { problem: { offset, reason: 'written by a newer Recollect' } }
        return
      } else if ('chat' in line) {
        current = chatShape(line.chat)
        // A command from somebody else's file is not one to offer for a shell.
        if (current) yield { chat: { ...current, resume: undefined } }
        else yield { problem: { offset, reason: 'not a chat' } }
      } else if ('message' in line) {
        const message = messageShape(line.message)
        if (!message) yield { problem: { offset, reason: 'not a message' } }
        else if (!current || current.id !== line.chatId)
          yield { problem: { offset, reason: 'a message that does not follow its chat' } }
        else yield { chatId: current.id, message }
      }
    }
  },
}
