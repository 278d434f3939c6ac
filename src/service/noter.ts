import type { ArchivedChat, OwnNotes } from '../archive/archive.ts'
import type { Service } from './answering.ts'
import type { Caller } from './caller.ts'
import { passing } from './passing.ts'

/** What the owner notes of chats: a name, that they are pinned or put away. Only the owner may. */
export type Noter = ReturnType<typeof noterFor>

export function noterFor(service: Service, caller: Caller) {
  return {
    /** The chat with these notes. What is not given stays as it is; an empty name gives the assistant's title back. */
    note: (reference: string, notes: OwnNotes): Promise<ArchivedChat> =>
      passing(service, caller, ['read', 'configure'], async ({ archive, clean }) => {
        const chat = await archive.resolveChat(reference)
        await archive.noteOwn(chat, notes)
        const noted = await archive.resolveChat(`${chat.source}:${chat.id}`)
        return clean(noted, noted)
      }),
  }
}
