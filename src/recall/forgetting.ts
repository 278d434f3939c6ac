import type { Archive, ArchivedChat } from '../archive/archive.ts'

/** Which chats are to be erased: named ones, and those of a project or a time. */
export interface Unwanted {
  chatIds?: string[]
  workspace?: string
  /** Those that ended before this moment. */
  before?: number
}

/** Each once; sub-agents' chats are erased with the chat they belong to. */
export async function unwantedChats(
  archive: Archive,
  { chatIds = [], workspace, before }: Unwanted,
): Promise<ArchivedChat[]> {
  const named = await Promise.all(chatIds.map((id) => archive.resolveChat(id)))
  const found =
    workspace || before !== undefined
      ? await archive.listChats({ workspace, subagents: true }, { limit: 1_000_000 })
      : []
  const old = found.filter((chat) => before === undefined || (chat.updatedAt ?? 0) < before)
  return [...new Map([...named, ...old].map((chat) => [chat.key, chat])).values()]
}

/** How much would be erased. */
export async function countUnwanted(
  archive: Archive,
  chats: ArchivedChat[],
): Promise<{ chats: number; messages: number }> {
  const all = new Map(chats.map((chat) => [chat.key, chat.messageCount]))
  for (const chat of chats) {
    const { subagents } = await archive.relatives(chat)
    for (const each of subagents) if (each.subagent) all.set(each.key, each.messageCount)
  }
  return { chats: all.size, messages: [...all.values()].reduce((sum, count) => sum + count, 0) }
}
