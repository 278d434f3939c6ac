import { code } from './compiled.ts'
import type { Bytes, Doubles, Ints, Shorts, Uints } from './memory.ts'

export function fillShorts(list: Shorts, value: number, from: number, to: number): void {
  code.fillShorts(list.byteOffset, from, to, value)
}

/** A list of messages as the word index has it (archive/sqlite/index-blocks.ts). */
export interface PackedList {
  bytes: Bytes
  start: number
  end: number
  /** The first message, and how many there are. */
  first: number
  messages: number
}

/** Messages that hold a term: by number, and how often each does. Only the first `size` are meant. */
export interface Postings {
  size: number
  /** Of the messages; for titles, of their chats. */
  keys: Ints
  /** 255 stands for more than 127 times. */
  counts: Bytes
}

/** Adds those of a list that are of one segment, for which there must be room. */
export function decode(list: PackedList, slot: number, owners: Shorts, found: Postings): void {
  const from = list.bytes.byteOffset
  found.size = code.decode(
    from + list.start,
    from + list.end,
    list.first,
    Number(list.messages === 1),
    slot,
    owners.byteOffset,
    owners.length,
    found.keys.byteOffset,
    found.counts.byteOffset,
    found.size,
    found.keys.length,
  )
}

/** How many messages have each code; that of nothing need not be right. */
export function countCodes(counts: Ints, codes: Bytes, from: number, to: number): void {
  code.countCodes(counts.byteOffset, codes.byteOffset + from, to - from)
}

/** The columns of a table of messages that `takeIn` reads and fills in. */
export interface Columns {
  chat: Ints
  said: Bytes
  at: Uints
  back: Bytes
  ahead: Bytes
  /** By chat: its last message so far, its words, and its newest time. */
  last: Ints
  chatWords: Doubles
  chatAt: Uints
}

/**
 * What is made of the columns of many messages: whose each is, what stands before and after it in its chat, and the words and
 * the newest time of the chat. Keys and chats are pairs, what a run begins with and how long it is. Pairs of messages that are further apart
 * than `far` are told in `fars`, after how many numbers these are. False where a chat's messages do not come in the order of their keys.
 */
export function takeIn(
  keys: Ints,
  chats: Ints,
  { chat, said, at, back, ahead, last, chatWords, chatAt }: Columns,
  codes: Ints,
  lengths: Doubles,
  far: number,
  fars: Ints,
): boolean {
  return (
    code.takeIn(
      keys.byteOffset,
      keys.length / 2,
      chats.byteOffset,
      chat.byteOffset,
      said.byteOffset,
      codes.byteOffset,
      at.byteOffset,
      back.byteOffset,
      ahead.byteOffset,
      far,
      last.byteOffset,
      chatWords.byteOffset,
      chatAt.byteOffset,
      lengths.byteOffset,
      fars.byteOffset,
    ) !== 0
  )
}
