import { loop } from './compiled.ts'
import type { Bytes, Doubles, Ints, Shorts, Uints } from './memory.ts'

/** Messages that hold a term: by number, and how often each does. Only the first `size` are meant. */
export interface Postings {
  size: number
  /** Of the messages; for titles, of their chats. */
  keys: Ints
  /** 255 stands for more than 127 times. */
  counts: Bytes
}

/**
 * Adds those messages of a list of the word index (archive/sqlite/index-blocks.ts) that are of one segment: as many as there is room for.
 * Says how many are found then.
 */
export const decode =
  loop<
    [
      from: number,
      to: number,
      first: number,
      isSingle: number,
      slot: number,
      owners: Shorts,
      endOfOwners: number,
      keys: Ints,
      counts: Bytes,
      before: number,
      room: number,
    ]
  >('decode')

export const fillShorts = loop<[list: Shorts, from: number, to: number, value: number]>('fillShorts')

/** How many messages have each code; that of nothing need not be right. `codes` is where they begin. */
export const countCodes = loop<[counts: Ints, codes: number, size: number]>('countCodes')

/**
 * What is made of the columns of many messages: whose each is, what stands before and after it in its chat, and the last message, the words and
 * the newest time of the chat. Keys and chats are pairs, what a run begins with and how long it is. Pairs of messages that are further apart
 * than `far` are told in `fars`, after how many numbers these are. 0 where a chat's messages do not come in the order of their keys.
 * At most so many messages at a time: `state`, four zeros at first, says how to go on, and of how many runs of keys all are taken in. A loop that
 * goes through all at its first call would stay as it is compiled quickly.
 */
export const takeIn =
  loop<
    [
      keys: Ints,
      runs: number,
      chats: Ints,
      chatOf: Ints,
      said: Bytes,
      codes: Ints,
      at: Uints,
      back: Bytes,
      ahead: Bytes,
      far: number,
      lastOf: Ints,
      chatWords: Doubles,
      chatAt: Uints,
      lengths: Doubles,
      fars: Ints,
      state: Ints,
      most: number,
    ]
  >('takeIn')
