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

/** Messages with the words in them come before those that only stand beside one. */
export function wordsFirst(best: ChatScore['best']): ChatScore['best'] {
  return best.toSorted((a, b) => Number(b.units !== 0) - Number(a.units !== 0) || b.score - a.score)
}
