import type { ArchivedChat, OwnNotes, SavedSearch } from '../archive/archive.ts'
import { RecollectError } from '../model/errors.ts'
import type { Service } from './answering.ts'
import type { Caller } from './caller.ts'
import { chatNamed } from './chat-named.ts'
import { passing } from './passing.ts'

/** What the owner notes: of chats a name, that they are starred (pinned) or put away; and searches to be asked again. Only the owner may. */
export type Noter = ReturnType<typeof noterFor>

const LONGEST_NAME = 100
const LONGEST_SEARCH = 20_000

export function noterFor(service: Service, caller: Caller) {
  return {
    /** The chat with these notes. What is not given stays as it is; an empty name gives the assistant's title back. */
    note: (reference: string, notes: OwnNotes): Promise<ArchivedChat> =>
      passing(service, caller, ['read', 'configure'], async (deps) => {
        const { archive, clean } = deps
        const chat = await chatNamed(deps, reference)
        await archive.noteOwn(chat, notes)
        const noted = await archive.resolveChat(`${chat.source}:${chat.id}`)
        return clean(noted, noted)
      }),
    /** Keeps a search by a name; one of the same name is replaced. */
    saveSearch: (given: string, input: Record<string, unknown>): Promise<SavedSearch> =>
      passing(service, caller, ['read', 'configure'], async ({ archive }) => {
        const name = given.replace(/\s+/g, ' ').trim()
        if (name === '' || name.length > LONGEST_NAME || JSON.stringify(input).length > LONGEST_SEARCH)
          throw new RecollectError(
            'INVALID_ARGUMENT',
            name === '' ? 'A saved search needs a name.' : 'That is too long to be saved.',
            `Give a name of at most ${LONGEST_NAME} characters.`,
          )
        const { cursor: _, state: __, response_mode: ___, limit_chats: ____, limit: _____, ...kept } = input
        const saved = { name, input: kept, savedAt: Date.now() }
        await archive.saveSearch(saved)
        return saved
      }),
    removeSearch: (name: string): Promise<void> =>
      passing(service, caller, ['read', 'configure'], async ({ archive }) => {
        if (!(await archive.removeSearch(name))) throw notSaved(name, await archive.savedSearches())
      }),
  }
}

/** There is no search of that name. */
export function notSaved(name: string, known: SavedSearch[]): RecollectError {
  const names = known.slice(0, 8).map((each) => `"${each.name}"`)
  return new RecollectError(
    'NOT_FOUND',
    `There is no saved search "${name.slice(0, LONGEST_NAME)}".`,
    names.length > 0 ? `There are ${names.join(', ')}.` : 'Save one with `recollect search … --save <name>`.',
  )
}
