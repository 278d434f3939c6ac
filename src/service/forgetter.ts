import type { ArchivedChat, Forgotten, ForgottenChat } from '../archive/archive.ts'
import type { Deps } from '../capabilities/capability.ts'
import type { Elsewhere } from '../recall/elsewhere.ts'
import type { Unwanted } from '../recall/forgetting.ts'
import type { Service } from './answering.ts'
import type { Caller } from './caller.ts'
import { chatNamed } from './chat-named.ts'
import { passing } from './passing.ts'

/** Erasing chats for good, which only the owner may. */
export type Forgetter = ReturnType<typeof forgetterFor>

export function forgetterFor(service: Service, caller: Caller) {
  const { archive } = service
  // What is shown of a chat has no secrets, and its id may be written like one: it is erased as it was found.
  const found = new Map<number, ArchivedChat>()
  const asFound = (chats: ArchivedChat[]) => chats.map((chat) => found.get(chat.key) ?? chat)
  const does = <T>(work: (deps: Deps) => Promise<T>) => passing(service, caller, ['read', 'forget'], work)
  return {
    /** The chats that are meant. */
    unwanted: (choice: Unwanted): Promise<ArchivedChat[]> =>
      does(async (deps) => {
        const named = await Promise.all((choice.chatIds ?? []).map((id) => chatNamed(deps, id)))
        const chats = await (await forgetting()).unwantedChats(archive, choice, named)
        for (const chat of chats) found.set(chat.key, chat)
        return chats.map((chat) => deps.clean(chat, chat))
      }),
    /** How much would be erased with them. */
    count: (chats: ArchivedChat[]): Promise<{ chats: number; messages: number }> =>
      does(async () => (await forgetting()).countUnwanted(archive, asFound(chats))),
    /** Where their words are besides. */
    elsewhere: (folder: string, chats: ArchivedChat[]): Promise<Elsewhere> =>
      does(async ({ clean }) =>
        (await import('../recall/elsewhere.ts')).wordsElsewhere(archive, folder, asFound(chats), clean),
      ),
    forget: (chats: ArchivedChat[]): Promise<Forgotten> =>
      does(async () =>
        chats.length > 0 ? await archive.forget(asFound(chats)) : { chats: 0, messages: 0, pending: false },
      ),
    forgotten: (): Promise<ForgottenChat[]> => does(() => archive.forgottenChats()),
    /** To be read again by the next sync: by id or a unique beginning of one. */
    letBack: (ids: string[]): Promise<ForgottenChat[]> =>
      does(async () => {
        const all = await archive.forgottenChats()
        const { whichForgotten } = await forgetting()
        const chosen = ids.map((id) => whichForgotten(all, id))
        const back = new Map<string, ForgottenChat>()
        for (const chat of chosen)
          for (const each of await archive.letBack(chat)) back.set(`${each.source}:${each.id}`, each)
        return [...back.values()]
      }),
  }
}

async function forgetting() {
  return await import('../recall/forgetting.ts')
}
