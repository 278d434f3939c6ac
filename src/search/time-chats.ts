import type { SearchView } from '../archive/archive.ts'
import { KINDS } from '../archive/archive.ts'
import type { MessageFilter } from './filter.ts'
import type { ChatScore, Ranking } from './rank.ts'

/** The chats in which something was said that passes, the newest first, each with what was asked in it first. */
export function chatsOfTheTime(
  { documents }: SearchView,
  filter: MessageFilter,
  { most, messagesPerChat }: { most: number; messagesPerChat: number },
): Ranking {
  const chats = new Map<number, ChatScore & { at: number }>()
  const { chat: chatOf, said, at, label, chatAt, end } = documents
  for (let key = 0; key < end; key++) {
    if (said[key] === 0 || !filter.passes(key)) continue
    const chat = chatOf[key]!
    let found = chats.get(chat)
    if (!found) {
      found = { key: chat, score: 0, units: 0, hits: 0, inTitle: false, best: [], at: 0 }
      chats.set(chat, found)
    }
    found.hits++
    found.at = Math.max(found.at, at[key] || chatAt[chat]!)
    if (KINDS[label[key]! & 15] === 'request' && found.best.length < messagesPerChat)
      found.best.push({ key, score: 1, units: 0 })
  }
  const newest = [...chats.values()].sort((a, b) => b.at - a.at || b.key - a.key)
  return {
    chats: newest.slice(0, most).map((chat, place) => ({ ...chat, score: 1 / (place + 1) })),
    total: newest.length,
    units: 0,
  }
}
