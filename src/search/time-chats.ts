import type { Documents, SearchView } from '../archive/archive.ts'
import { KINDS } from '../archive/archive.ts'
import { dayOf } from '../model/day.ts'
import { stretchOf } from './explained.ts'
import type { MessageFilter } from './filter.ts'
import { type ChatScore, enoughOf, type Ranking, type RankOptions } from './ranking.ts'
import type { TimeFilter } from './time.ts'

/** The chats in which something was said that passes, the newest first, each with what was asked in it first. */
export function chatsOfTheTime(
  { documents }: SearchView,
  filter: MessageFilter,
  options: Pick<RankOptions, 'most' | 'isEnough' | 'messagesPerChat'>,
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
    if (KINDS[label[key]! & 15] === 'request' && found.best.length < options.messagesPerChat)
      found.best.push({ key, score: 1, units: 0 })
  }
  const newest = [...chats.values()].sort((a, b) => b.at - a.at || b.key - a.key)
  const first = (most: number) =>
    newest.slice(0, most).map((chat, place) => ({ ...chat, score: 1 / (place + 1) }))
  return { chats: enoughOf(newest.length, options, first), total: newest.length, units: 0 }
}

/** A note where no chat is of the time that was asked for. */
export function noneThen({ documents }: SearchView, when: TimeFilter): string[] {
  const nearest = nearestTo(documents, when)
  const other = nearest === undefined ? '' : ` The chat nearest to it is of ${dayOf(nearest)}.`
  const words = 'To search for the words themselves, put them in quotation marks.'
  return [`No chat was found ${inWords(when)} ("${when.words}").${other} ${words}`]
}

function inWords(when: TimeFilter): string {
  const stretch = stretchOf(when)
  return /^\d/.test(stretch) ? (stretch.includes(' to ') ? `from ${stretch}` : `on ${stretch}`) : stretch
}

/** When the chat was last written to that is nearest to a time. */
function nearestTo(
  { chatAt, endOfChats }: Documents,
  { from = Number.NEGATIVE_INFINITY, to = Number.POSITIVE_INFINITY }: TimeFilter,
): number | undefined {
  let nearest: number | undefined
  let least = Number.POSITIVE_INFINITY
  for (let chat = 0; chat < endOfChats; chat++) {
    const at = chatAt[chat]! * 1000
    const away = at > to ? at - to : from - at
    if (at === 0 || away >= least) continue
    least = away
    nearest = at
  }
  return nearest
}
