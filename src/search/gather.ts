import { afterOf, beforeOf, type Documents, FAR } from '../archive/archive.ts'
import { withGain } from './chat-loops.ts'
import { keepThree, withUnits } from './loops.ts'
import { FOUND, GAINED, type Scores } from './score.ts'
import { weights } from './weights.ts'

/** Where one in so many messages was found, they are gone through in the order in which they lie in memory. */
const MANY = 16
const block = new Int32Array(1 << 12)

/** Of each chat: the parts of the query it holds, and its three best messages of those found. */
export function gatherByChat(scores: Scores, meant: Map<number, number>): void {
  const { documents, messages } = scores
  const { score, chatFlags, found, units, best } = scores.scratch
  const { chat: chatOf, end } = documents
  for (const key of meant.keys()) chatFlags[chatOf[key]!]! |= GAINED
  const gained = Int32Array.from(meant.keys())
  if (messages <= end / MANY) gather(scores, found, 0, messages, gained)
  else {
    // The list has them word by word: what lies around each of them would be waited for.
    for (let from = 0; from < end; from += block.length)
      gather(scores, block, 0, withUnits(units, from, Math.min(end, from + block.length), block), gained)
    // Those that have no words of the query, only its meaning, were found last.
    let wordless = messages
    while (wordless > 0 && units[found[wordless - 1]!] === 0) wordless--
    gather(scores, found, wordless, messages, gained)
  }
  const [first, second, third] = best
  for (const [key, gain] of meant) {
    const sum = withNeighbours(score, documents, key, weights.before, weights.after)
    keepThree(first, second, third, chatOf[key]!, withGain(sum, gain))
  }
}

function gather(scores: Scores, keys: Int32Array, start: number, end: number, gained: Int32Array): void {
  const { score, units, chatUnits, chatFlags, chatNewest, foundChats, best } = scores.scratch
  const { chat, at, before, after } = scores.documents
  scores.chats = gatherList(
    keys,
    start,
    end,
    score,
    units,
    chat,
    at,
    before.steps,
    before.far,
    after.steps,
    after.far,
    chatUnits,
    chatFlags,
    chatNewest,
    foundChats,
    scores.chats,
    bitsOf(best[0]),
    bitsOf(best[1]),
    bitsOf(best[2]),
    weights.before,
    weights.after,
    gained,
  )
}

const sum = new Float32Array(1)
const sumBits = bitsOf(sum)

/** Numbers that are not below zero are ordered as their bits are. */
function bitsOf(numbers: Float32Array): Int32Array {
  return new Int32Array(numbers.buffer, numbers.byteOffset, numbers.length)
}

/**
 * Flat, as those of `loops.ts`. What is known of a chat is kept at hand until a message of another comes. Which of its three best a message is
 * among is as good as chance: they are put in order by their bits, without a branch. The messages of `gained` are left to be scored with their
 * gains. Says how many chats are found then.
 */
function gatherList(
  keys: Int32Array,
  start: number,
  end: number,
  score: Float32Array,
  units: Uint32Array,
  chatOf: Int32Array,
  at: Uint32Array,
  back: Uint8Array,
  farBack: Map<number, number>,
  ahead: Uint8Array,
  farAhead: Map<number, number>,
  chatUnits: Uint32Array,
  chatFlags: Uint8Array,
  chatNewest: Float32Array,
  foundChats: Int32Array,
  chatsBefore: number,
  first: Int32Array,
  second: Int32Array,
  third: Int32Array,
  ofBefore: number,
  ofAfter: number,
  gained: Int32Array,
): number {
  if (start === end) return chatsBefore
  let chats = chatsBefore
  let flags = 0
  let has = 0
  let newest = 0
  let one = 0
  let two = 0
  let three = 0
  let met = -1
  for (let i = start; i < end; i++) {
    const key = keys[i]!
    const chat = chatOf[key]!
    if (chat !== met) {
      if (met !== -1) {
        chatUnits[met] = has
        chatNewest[met] = newest
        first[met] = one
        second[met] = two
        third[met] = three
      }
      met = chat
      flags = chatFlags[chat]!
      foundChats[chats] = chat
      chats += Number((flags & FOUND) === 0)
      chatFlags[chat] = flags | FOUND
      has = chatUnits[chat]!
      newest = chatNewest[chat]!
      one = first[chat]!
      two = second[chat]!
      three = third[chat]!
    }
    has |= units[key]!
    if (at[key]! > newest) newest = Math.fround(at[key]!)
    if ((flags & GAINED) !== 0 && isIn(gained, key)) continue
    // No message has the key 0: its score is 0.
    const left = back[key]!
    const right = ahead[key]!
    const previous = left === 0 ? 0 : left < FAR ? key - left : farBack.get(key)!
    const next = right === 0 ? 0 : right < FAR ? key + right : farAhead.get(key)!
    sum[0] = score[key]! + ofBefore * score[previous]! + ofAfter * score[next]!
    let own = sumBits[0]!
    let less = (one - own) | 0
    less &= less >> 31
    one = (one - less) | 0
    own = (own + less) | 0
    less = (two - own) | 0
    less &= less >> 31
    two = (two - less) | 0
    own = (own + less) | 0
    less = (three - own) | 0
    three = (three - (less & (less >> 31))) | 0
  }
  chatUnits[met] = has
  chatNewest[met] = newest
  first[met] = one
  second[met] = two
  third[met] = three
  return chats
}

function isIn(keys: Int32Array, wanted: number): boolean {
  for (let i = 0; i < keys.length; i++) if (keys[i] === wanted) return true
  return false
}

/** What a message has by its own words and those of the messages beside it, rounded as it was always stored. */
export function withNeighbours(
  score: Float32Array,
  documents: Pick<Documents, 'before' | 'after'>,
  key: number,
  ofBefore: number,
  ofAfter: number,
): number {
  const previous = beforeOf(documents, key)
  const next = afterOf(documents, key)
  let sum = score[key]!
  if (previous !== 0) sum += ofBefore * score[previous]!
  if (next !== 0) sum += ofAfter * score[next]!
  return Math.fround(sum)
}
