import type { Archive } from '../archive/archive.ts'
import type { SearchAnswer } from './answer.ts'
import { uniqueId, wholeName } from './unique-ids.ts'

/** The answer with the chats that it lists or proposes to read named so that no other is meant. */
export async function withUniqueIds(archive: Archive, answer: SearchAnswer): Promise<SearchAnswer> {
  const chats = answer.results.map(({ source, chatId: id }) => ({ source, id }))
  const topChatIds = await Promise.all(chats.map((chat) => uniqueId(archive, chat)))
  const idOf = new Map(chats.map((chat, i) => [wholeName(chat), topChatIds[i]!]))
  const nextActions = answer.guidance.nextActions.map((action) => {
    const { chatIds } = action.args
    if (!Array.isArray(chatIds)) return action
    return { ...action, args: { ...action.args, chatIds: chatIds.map((name) => idOf.get(name) ?? name) } }
  })
  return { ...answer, topChatIds, guidance: { ...answer.guidance, nextActions } }
}
