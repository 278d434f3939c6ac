import { loop } from './compiled.ts'
import type { Bytes, Doubles, Floats, Ints, Uints } from './memory.ts'

/** How often a term stands in each message of a list. The loops are told how many bytes each number has. */
export type Counts = Bytes | Floats

/** Zeros in so many bytes. */
export const clear = loop<[list: Uints | Floats, bytes: number]>('clear')

/** Zeros for these. */
export const clearAt = loop<[list: Uints | Floats, keys: Ints, size: number]>('clearAt')
export const clearBytesAt = loop<[list: Bytes, keys: Ints, size: number]>('clearBytesAt')

/** Adds what a term is worth to the messages of its list. Says how many messages are found then. */
export const addList =
  loop<
    [
      score: Floats,
      units: Uints,
      found: Ints,
      before: number,
      keys: Ints,
      counts: Counts,
      bytesEach: number,
      size: number,
      lengths: Bytes,
      norms: Doubles,
      gain: number,
      bit: number,
    ]
  >('addList')

/** The same for messages that are found already, and for no others. */
export const raiseList =
  loop<
    [
      score: Floats,
      units: Uints,
      keys: Ints,
      counts: Counts,
      bytesEach: number,
      size: number,
      lengths: Bytes,
      norms: Doubles,
      gain: number,
      bit: number,
    ]
  >('raiseList')

/** Adds a list, each count by its weight, to others that count as one with it. Says how many messages are in all of them. */
export const uniteList =
  loop<
    [times: Floats, united: Ints, before: number, keys: Ints, counts: Bytes, size: number, weight: number]
  >('uniteList')

/** What was added up of these messages, in their order; zeros are left. */
export const takeTimes = loop<[times: Floats, keys: Ints, size: number, taken: Floats]>('takeTimes')

/** Adds up by chat how often a term stands in its messages. Says how many chats have it. */
export const addTimes =
  loop<
    [
      chatTimes: Floats,
      chatMet: Ints,
      keys: Ints,
      counts: Counts,
      bytesEach: number,
      size: number,
      chatOf: Ints,
    ]
  >('addTimes')

/** Adds what a term is worth to the chats that have it, and leaves `chatTimes` as it was. Says how many chats are found then. */
export const addWords =
  loop<
    [
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
      raises: number,
    ]
  >('addWords')

/** Each message by what kind of message it is, and by how many parts of the query it holds. */
export const weighList =
  loop<
    [
      score: Floats,
      units: Uints,
      found: Ints,
      messages: number,
      label: Bytes,
      byLabel: Doubles,
      byCount: Doubles,
    ]
  >('weighList')

/** The messages from one key to before another that hold any part of the query. Says how many they are. */
export const withUnits = loop<[units: Uints, from: number, to: number, keys: Ints]>('withUnits')

/**
 * Of the first `size` keys those with the highest scores, in no order; of equals the later one, where times are given (else 0), then the
 * larger key. Says how many they are.
 */
export const topOf =
  loop<[keys: Ints, size: number, score: Floats, most: number, times: Uints | number, top: Ints]>('topOf')

/** Those of some messages whose chats have just these of the flags in `mask`. Says how many they are. */
export const flagged =
  loop<[keys: Ints, size: number, chatOf: Ints, chatFlags: Bytes, mask: number, wanted: number, into: Ints]>(
    'flagged',
  )

/**
 * Of each chat the parts of the query it holds, and its three best messages of these. What is known of a chat is kept at hand until a message of another
 * comes. Which of its three best a message is among is as good as chance: they are put in order by their bits, without a branch, as numbers
 * that are not below zero are ordered. The messages of `gained` are left to be scored with their gains, and those whose neighbours are `far`
 * away: `left` says first how many these are. Says how many chats are found then.
 */
export const gatherList =
  loop<
    [
      keys: Ints,
      start: number,
      end: number,
      score: Floats,
      units: Uints,
      chatOf: Ints,
      at: Uints,
      back: Bytes,
      ahead: Bytes,
      far: number,
      chatUnits: Uints,
      chatFlags: Bytes,
      isFound: number,
      isGained: number,
      chatNewest: Floats,
      foundChats: Ints,
      chats: number,
      first: Floats,
      second: Floats,
      third: Floats,
      ofBefore: number,
      ofAfter: number,
      gained: Ints,
      gains: number,
      left: Ints,
    ]
  >('gatherList')
