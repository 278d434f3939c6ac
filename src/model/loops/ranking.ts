import { code } from './compiled.ts'
import type { Bytes, Doubles, Floats, Ints, Uints } from './memory.ts'
import type { Postings } from './table.ts'

/** How often a term stands in each message of a list. */
export type Counts = Bytes | Floats

/** Zeros in all of it. */
export function clear(list: Bytes | Ints | Uints | Floats): void {
  code.clear(list.byteOffset, list.byteLength)
}

/** Zeros for these. */
export function clearAt(list: Ints | Uints | Floats, keys: Ints, size: number): void {
  code.clearAt(list.byteOffset, keys.byteOffset, size)
}

export function clearBytesAt(list: Bytes, keys: Ints, size: number): void {
  code.clearBytesAt(list.byteOffset, keys.byteOffset, size)
}

/** Adds what a term is worth to the messages of its list. Says how many messages are found then. */
export function addList(
  score: Floats,
  units: Uints,
  found: Ints,
  before: number,
  keys: Ints,
  counts: Counts,
  size: number,
  lengths: Bytes,
  norms: Doubles,
  gain: number,
  bit: number,
): number {
  return code.addList(
    score.byteOffset,
    units.byteOffset,
    found.byteOffset,
    before,
    keys.byteOffset,
    counts.byteOffset,
    areBytes(counts),
    size,
    lengths.byteOffset,
    norms.byteOffset,
    gain,
    bit,
  )
}

/** The same for messages that are found already, and for no others. */
export function raiseList(
  score: Floats,
  units: Uints,
  keys: Ints,
  counts: Counts,
  size: number,
  lengths: Bytes,
  norms: Doubles,
  gain: number,
  bit: number,
): void {
  code.raiseList(
    score.byteOffset,
    units.byteOffset,
    keys.byteOffset,
    counts.byteOffset,
    areBytes(counts),
    size,
    lengths.byteOffset,
    norms.byteOffset,
    gain,
    bit,
  )
}

function areBytes(counts: Counts): number {
  return Number(counts.BYTES_PER_ELEMENT === 1)
}

/** Adds a list, each count by its weight, to others that count as one with it. Says how many messages are in all of them. */
export function uniteList(
  times: Floats,
  united: Ints,
  before: number,
  { keys, counts, size }: Postings,
  weight: number,
): number {
  return code.uniteList(
    times.byteOffset,
    united.byteOffset,
    before,
    keys.byteOffset,
    counts.byteOffset,
    size,
    weight,
  )
}

/** What was added up of these messages, in their order; zeros are left. */
export function takeTimes(times: Floats, keys: Ints, size: number, taken: Floats): void {
  code.takeTimes(times.byteOffset, keys.byteOffset, size, taken.byteOffset)
}

/** Adds up by chat how often a term stands in its messages. Says how many chats have it. */
export function addTimes(
  chatTimes: Floats,
  chatMet: Ints,
  keys: Ints,
  counts: Counts,
  size: number,
  chatOf: Ints,
): number {
  return code.addTimes(
    chatTimes.byteOffset,
    chatMet.byteOffset,
    keys.byteOffset,
    counts.byteOffset,
    areBytes(counts),
    size,
    chatOf.byteOffset,
  )
}

/** Adds what a term is worth to the chats that have it, and leaves `chatTimes` as it was. Says how many chats are found then. */
export function addWords(
  chatTimes: Floats,
  chatMet: Ints,
  met: number,
  chatWords: Floats,
  chatUnits: Uints,
  chatFlags: Bytes,
  foundChats: Ints,
  before: number,
  isFound: number,
  lengths: Doubles,
  titles: Bytes,
  titleLengths: Doubles,
  average: number,
  k1: number,
  b: number,
  gain: number,
  bit: number,
  raises: boolean,
): number {
  return code.addWords(
    chatTimes.byteOffset,
    chatMet.byteOffset,
    met,
    chatWords.byteOffset,
    chatUnits.byteOffset,
    chatFlags.byteOffset,
    foundChats.byteOffset,
    before,
    isFound,
    lengths.byteOffset,
    titles.byteOffset,
    titleLengths.byteOffset,
    average,
    k1,
    b,
    gain,
    bit,
    Number(raises),
  )
}

/** Each message by what kind of message it is, and by how many parts of the query it holds. */
export function weighList(
  score: Floats,
  units: Uints,
  found: Ints,
  messages: number,
  label: Bytes,
  byLabel: Doubles,
  byCount: Doubles,
): void {
  code.weighList(
    score.byteOffset,
    units.byteOffset,
    found.byteOffset,
    messages,
    label.byteOffset,
    byLabel.byteOffset,
    byCount.byteOffset,
  )
}

/** The messages from one key to before another that hold any part of the query. Says how many they are. */
export function withUnits(units: Uints, from: number, to: number, keys: Ints): number {
  return code.withUnits(units.byteOffset, from, to, keys.byteOffset)
}

/** Of the first `size` keys those with the highest scores, in no order; of equals as `isWorse` has it. Says how many they are. */
export function topOf(
  keys: Ints,
  size: number,
  score: Floats,
  most: number,
  times: Uints | undefined,
  top: Ints,
): number {
  return code.topOf(keys.byteOffset, size, score.byteOffset, most, times?.byteOffset ?? 0, top.byteOffset)
}

/** Those of some messages whose chats have just these of the flags in `mask`. Says how many they are. */
export function flagged(
  keys: Ints,
  size: number,
  chatOf: Ints,
  chatFlags: Bytes,
  mask: number,
  wanted: number,
  into: Ints,
): number {
  return code.flagged(
    keys.byteOffset,
    size,
    chatOf.byteOffset,
    chatFlags.byteOffset,
    mask,
    wanted,
    into.byteOffset,
  )
}

/** What is known of messages, for `gatherList`. */
export interface Gathered {
  score: Floats
  units: Uints
  chatOf: Ints
  at: Uints
  /** How far the messages before and after it are, and the distance that stands for all from there on. */
  back: Bytes
  ahead: Bytes
  far: number
}

/** What is made of it for each chat. */
export interface Gathering {
  chatUnits: Uints
  chatFlags: Bytes
  isFound: number
  isGained: number
  chatNewest: Floats
  foundChats: Ints
  best: [Floats, Floats, Floats]
}

/**
 * Of each chat the parts of the query it holds, and its three best messages of these. What is known of a chat is kept at hand until a message of another
 * comes. Which of its three best a message is among is as good as chance: they are put in order by their bits, without a branch, as numbers
 * that are not below zero are ordered. The messages of `gained` are left to be scored with their gains, and those whose neighbours are far
 * away: `left` says first how many they are. Says how many chats are found then.
 */
export function gatherList(
  keys: Ints,
  start: number,
  end: number,
  { score, units, chatOf, at, back, ahead, far }: Gathered,
  { chatUnits, chatFlags, isFound, isGained, chatNewest, foundChats, best }: Gathering,
  chats: number,
  ofBefore: number,
  ofAfter: number,
  gained: Ints,
  gains: number,
  left: Ints,
): number {
  return code.gatherList(
    keys.byteOffset,
    start,
    end,
    score.byteOffset,
    units.byteOffset,
    chatOf.byteOffset,
    at.byteOffset,
    back.byteOffset,
    ahead.byteOffset,
    far,
    chatUnits.byteOffset,
    chatFlags.byteOffset,
    isFound,
    isGained,
    chatNewest.byteOffset,
    foundChats.byteOffset,
    chats,
    best[0].byteOffset,
    best[1].byteOffset,
    best[2].byteOffset,
    ofBefore,
    ofAfter,
    gained.byteOffset,
    gains,
    left.byteOffset,
  )
}
