import type { ChatScore } from './rank.ts'

/** Snippets a chat on average; the best chats have more, the others fewer. */
const USUAL = 3
/** No chat has more than so many. */
export const MOST_DEALT = 12

/**
 * Which messages of each chat are shown: one of each, the rest by their scores over all chats. Three of each
 * would leave out what stands fourth in the right chat, and show what nobody looks for in the tenth.
 */
export function dealt(chats: ChatScore[]): ChatScore['best'][] {
  const shown = chats.map(({ best }) => wordsFirst(best).slice(0, 1))
  const rest = chats.flatMap(({ best }, chat) =>
    best.flatMap((message) => (shown[chat]!.includes(message) ? [] : { chat, message })),
  )
  rest.sort((a, b) => b.message.score - a.message.score || a.chat - b.chat || a.message.key - b.message.key)
  let left = chats.length * USUAL - shown.reduce((sum, list) => sum + list.length, 0)
  for (const { chat, message } of rest) {
    if (left === 0) break
    if (shown[chat]!.length === MOST_DEALT) continue
    shown[chat]!.push(message)
    left--
  }
  return shown.map(wordsFirst)
}

/** A page that goes on has so many more chats than a first one, and of each so many messages that were not shown. */
export const MORE_CHATS = 30

/**
 * What an answer leaves for the next: messages of its own chats that it did not show, and the chats after them.
 * `told` says how many chats it had, and how many snippets beside the first of each.
 */
export function leftOf(
  chats: ChatScore[],
  told: { chats: number; snippets: number },
  firstPage: number,
): ChatScore[] {
  const shown = dealt(chats.slice(0, firstPage)).slice(0, told.chats)
  const rest = shown.flatMap((list) => list.slice(1)).sort((a, b) => b.score - a.score)
  const known = new Set([...shown.flatMap((list) => list.slice(0, 1)), ...rest.slice(0, told.snippets)])
  const more = chats.slice(0, told.chats).map((chat) => ({
    ...chat,
    best: chat.best.filter((message) => !known.has(message)),
  }))
  return [...chats.slice(told.chats), ...more.filter(({ best }) => best.length > 0)]
}

/** Messages with the words in them come before those that only stand beside one. */
export function wordsFirst(best: ChatScore['best']): ChatScore['best'] {
  return best.toSorted((a, b) => Number(b.units !== 0) - Number(a.units !== 0) || b.score - a.score)
}
