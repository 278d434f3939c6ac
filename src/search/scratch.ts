import {
  type Bytes,
  bytes,
  type Floats,
  floats,
  type Ints,
  ints,
  type Uints,
  uints,
} from '../platform/loops/memory.ts'
import { clear, clearAt, clearBytesAt } from '../platform/loops/ranking.ts'

/**
 * The memory that searches work in, kept from one to the next: filling megabytes with zeros for each
 * would take longer than the search. A search leaves it as it found it, all zeros but for the lists.
 */
export interface Scratch {
  /** By message: its score, and the parts of the query it holds as bits. */
  score: Floats
  units: Uints
  /**
   * Of those that are listed, which are few: what was never touched takes no memory. Before that, while lists are united, how often a word
   * stands in each, by message or chat.
   */
  final: Floats
  /** The list of messages found, and room for another list of messages. */
  found: Ints
  some: Ints
  /** By chat. */
  chatTimes: Floats
  chatWords: Floats
  chatUnits: Uints
  chatHits: Uints
  chatFlags: Bytes
  chatScore: Floats
  /** When the newest message found in it was said, in seconds, as near as these numbers go. */
  chatNewest: Floats
  /** The best three messages' scores. */
  best: [Floats, Floats, Floats]
  /** Lists of chats. */
  chatMet: Ints
  foundChats: Ints
}

let kept: Scratch | undefined

export function scratchFor(messages: number, chats: number): Scratch {
  if (kept && kept.score.length >= messages && kept.chatWords.length >= chats) return kept
  const m = Math.ceil(Math.max(messages, chats) * 1.05) + 1
  const c = Math.ceil(chats * 1.05) + 1
  kept = {
    score: floats(m),
    units: uints(m),
    final: floats(m),
    found: ints(m),
    some: ints(m),
    chatTimes: floats(c),
    chatWords: floats(c),
    chatUnits: uints(c),
    chatHits: uints(c),
    chatFlags: bytes(c),
    chatScore: floats(c),
    chatNewest: floats(c),
    best: [floats(c), floats(c), floats(c)],
    chatMet: ints(c),
    foundChats: ints(c),
  }
  // A page that is read before it is written to is given out twice by the system.
  for (const list of [kept.score, kept.units]) clear(list, list.byteLength)
  return kept
}

/** Something went wrong in the middle: nothing is known of what it holds. */
export function dropScratch(): void {
  kept = undefined
}

/** Where one in so many messages was found, all is set to zero at once: that is quicker. */
const MANY = 16

/** Zeros again wherever these messages and chats are. */
export function cleanScratch({
  scratch,
  messages,
  chats,
  listed,
}: {
  scratch: Scratch
  messages: number
  chats: number
  listed: number[]
}): void {
  const {
    score,
    units,
    final,
    found,
    chatWords,
    chatUnits,
    chatHits,
    chatFlags,
    chatScore,
    chatNewest,
    best,
    foundChats,
  } = scratch
  for (const key of listed) final[key] = 0
  // Those without words of the query were found last, and have a mark.
  for (let i = messages - 1; i >= 0 && units[found[i]!] === 0; i--) final[found[i]!] = 0
  if (messages > score.length / MANY) for (const list of [score, units]) clear(list, list.byteLength)
  else for (const list of [score, units]) clearAt(list, found, messages)
  const ofChats = [chatWords, chatUnits, chatHits, chatScore, chatNewest, ...best]
  for (const list of ofChats) clearAt(list, foundChats, chats)
  clearBytesAt(chatFlags, foundChats, chats)
}
