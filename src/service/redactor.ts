import type { ArchivedChat, AtRest, AtRestOptions, SecretsInChat } from '../archive/archive.ts'
import type { Clean, Deps } from '../capabilities/capability.ts'
import type { Elsewhere } from '../recall/elsewhere.ts'
import type { Service } from './answering.ts'
import type { Caller } from './caller.ts'
import { chatNamed } from './chat-named.ts'
import { passing } from './passing.ts'

/** Which secrets are in the archive, and taking them out of it for good, which only the owner may. */
export type Redactor = ReturnType<typeof redactorFor>

/** What was found, by kind and chat; never the secrets. */
export interface SecretsReport {
  secrets: number
  messages: number
  kinds: Record<string, number>
  chats: {
    /** The archive's own number for it: its id may be masked. */
    key: number
    chatId: string
    source: string
    title: string
    messages: number
    kinds: Record<string, number>
  }[]
}

type Watched = Omit<AtRestOptions, 'chats'>

export function redactorFor(service: Service, caller: Caller) {
  const { archive } = service
  const does = <T>(work: (deps: Deps) => Promise<T>) => passing(service, caller, ['read', 'forget'], work)
  const keysOf = (chats: ArchivedChat[] | undefined) => (chats ? { chats: chats.map(({ key }) => key) } : {})
  const allChats = () => archive.listChats({ subagents: true }, { limit: 1_000_000 })
  return {
    /** As they are called, by which they are found in backups: to be shown to nobody. */
    chosen: (ids: string[]): Promise<ArchivedChat[]> =>
      passing(service, { ...caller, reveal: true }, ['read', 'forget'], async (deps) => {
        const chats: ArchivedChat[] = []
        for (const id of ids) chats.push(await chatNamed(deps, id))
        return chats
      }),
    /** Of these chats, or of all. */
    report: (chats: ArchivedChat[] | undefined, watched: Watched): Promise<SecretsReport> =>
      does(async ({ clean }) => {
        const found = await archive.countSecrets({ ...watched, ...keysOf(chats) })
        return reportOf(found, new Map((await allChats()).map((chat) => [chat.key, chat])), clean)
      }),
    atRest: (chats: ArchivedChat[] | undefined, watched: Watched): Promise<AtRest> =>
      does(() => archive.redactAtRest({ ...watched, ...keysOf(chats) })),
    /** Where the words of these chats are besides. */
    elsewhere: (folder: string, { chats }: SecretsReport): Promise<Elsewhere> =>
      does(async ({ clean }) => {
        const { wordsElsewhere } = await import('../recall/elsewhere.ts')
        const keys = new Set(chats.map(({ key }) => key))
        const found = (await allChats()).filter(({ key }) => keys.has(key))
        return await wordsElsewhere(archive, folder, found, clean)
      }),
  }
}

function reportOf(found: SecretsInChat[], byKey: Map<number, ArchivedChat>, clean: Clean): SecretsReport {
  const kinds = new Map<string, number>()
  for (const each of found)
    for (const [kind, times] of Object.entries(each.kinds)) kinds.set(kind, (kinds.get(kind) ?? 0) + times)
  return {
    secrets: [...kinds.values()].reduce((a, b) => a + b, 0),
    messages: found.reduce((sum, { messages }) => sum + messages, 0),
    kinds: Object.fromEntries([...kinds].sort((a, b) => b[1] - a[1])),
    chats: found.flatMap(({ key, messages, kinds }) => {
      const chat = byKey.get(key)
      if (!chat) return []
      const { title } = clean({ title: chat.title }, { key })
      return [{ key, chatId: chat.id, source: chat.source, title, messages, kinds }]
    }),
  }
}
