import type { MessageKind, Role } from '../../model/chat.ts'
import { KINDS, ROLES } from '../archive.ts'
import { ByteReader, ByteWriter } from './index-bytes.ts'

/** Role and kind in one byte. */
export function labelOf(role: Role, kind: MessageKind): number {
  return ROLES.indexOf(role) * 16 + KINDS.indexOf(kind)
}

/**
 * A list has no more messages than these, which take 66 kB: what a thread gives back is kept by the allocator up to twice the size of
 * the largest piece that was ever given back.
 */
export const MOST_IN_LIST = 8_192

/**
 * What ranking needs of a segment's messages stands in lists, and in each column by column, so that a process which begins to
 * search copies most of it as it is:
 *
 *   how many messages;
 *   how many runs of keys in a row, and of each its distance from the end of the run before and its length;
 *   how many runs of messages of one chat, and of each the difference to the chat before and its length;
 *   a byte for each message: its label, then the codes of its lengths said, thought and in tools;
 *   four bytes for each message, the lowest first: its time in seconds since 1970.
 */
export class MessageListWriter {
  #keys = new Runs()
  #chats = new Runs()
  readonly #bytes = [new ByteWriter(), new ByteWriter(), new ByteWriter(), new ByteWriter()] as const
  readonly #times = new ByteWriter()
  readonly #most: number
  #lists: Uint8Array[] = []
  #count = 0

  constructor(most = MOST_IN_LIST) {
    this.#most = most
  }

  add(
    key: number,
    chat: number,
    label: number,
    at: number,
    said: number,
    thought: number,
    tools: number,
  ): void {
    if (this.#count === this.#most) this.#close()
    const [labels, ofSaid, ofThought, ofTools] = this.#bytes
    this.#keys.addInRow(key)
    this.#chats.addSame(chat)
    labels.byte(label)
    ofSaid.byte(said)
    ofThought.byte(thought)
    ofTools.byte(tools)
    this.#times.fixed(at)
    this.#count++
  }

  /** The lists, none where there are no messages. */
  take(): Uint8Array[] {
    this.#close()
    const lists = this.#lists
    this.#lists = []
    return lists
  }

  #close(): void {
    if (this.#count === 0) return
    const columns = [...this.#bytes, this.#times]
    this.#lists.push(
      written(
        this.#count,
        this.#keys,
        this.#chats,
        columns.map(({ bytes, length }) => [bytes.subarray(0, length)]),
      ),
    )
    for (const column of columns) column.length = 0
    this.#keys = new Runs()
    this.#chats = new Runs()
    this.#count = 0
  }
}

/** The same messages in fewer lists: each has keys above those of the list before, and as many are taken together as one may have. */
export function* fewer(lists: Iterable<MessageList>): Generator<Uint8Array> {
  let together: MessageList[] = []
  let size = 0
  for (const list of lists) {
    if (size > 0 && size + list.size > MOST_IN_LIST) {
      yield joined(together)
      together = []
      size = 0
    }
    if (list.size > MOST_IN_LIST) yield* cut([list])
    else {
      together.push(list)
      size += list.size
    }
  }
  if (size > 0) yield joined(together)
}

/** The same messages in lists that are full, but for the last: for what earlier versions wrote, and wrote for them. */
export function cut(lists: Iterable<MessageList>, most?: number): Uint8Array[] {
  const out = new MessageListWriter(most)
  for (const list of lists)
    list.each((n, key, chat) =>
      out.add(key, chat, list.label[n]!, list.at(n), list.said[n]!, list.thought[n]!, list.tools[n]!),
    )
  return out.take()
}

function joined(lists: MessageList[]): Uint8Array {
  const [keys, chats] = [new Runs(), new Runs()]
  let count = 0
  for (const list of lists) {
    for (let i = 0; i < list.keys.length; i += 2) keys.addInRow(list.keys[i]!, list.keys[i + 1]!)
    for (let i = 0; i < list.chats.length; i += 2) chats.addSame(list.chats[i]!, list.chats[i + 1]!)
    count += list.size
  }
  const columns = (['label', 'said', 'thought', 'tools', 'times'] as const).map((name) =>
    lists.map((list) => list[name]),
  )
  return written(count, keys, chats, columns)
}

/** Each column in its pieces. */
function written(count: number, keys: Runs, chats: Runs, columns: Uint8Array[][]): Uint8Array {
  const head = new ByteWriter()
  head.number(count)
  keys.write(head, (key, end) => head.number(key - end))
  chats.write(head, (chat, _end, before) => head.signed(chat - before))
  const pieces = [head.bytes.subarray(0, head.length), ...columns.flat()]
  const list = new Uint8Array(pieces.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const piece of pieces) {
    list.set(piece, at)
    at += piece.length
  }
  return list
}

export const TIME_BYTES = 4

/** Numbers one after the other, as what each run begins with and how long it is. */
class Runs {
  readonly #runs: number[] = []

  /** The next is one more than the one before. */
  addInRow(first: number, length = 1): void {
    const runs = this.#runs
    const last = runs.length - 2
    if (last >= 0 && runs[last]! + runs[last + 1]! === first) runs[last + 1]! += length
    else runs.push(first, length)
  }

  addSame(value: number, length = 1): void {
    const runs = this.#runs
    const last = runs.length - 2
    if (last >= 0 && runs[last] === value) runs[last + 1]! += length
    else runs.push(value, length)
  }

  write(out: ByteWriter, writeFirst: (first: number, end: number, before: number) => void): void {
    const runs = this.#runs
    out.number(runs.length / 2)
    for (let i = 0, end = 0, before = 0; i < runs.length; i += 2) {
      writeFirst(runs[i]!, end, before)
      out.number(runs[i + 1]!)
      before = runs[i]!
      end = before + runs[i + 1]!
    }
  }
}

/** A list of messages by its columns, which are parts of the given bytes. Keys and chats are pairs: the first of a run, and its length. */
export class MessageList {
  readonly size: number
  readonly keys: Int32Array
  readonly chats: Int32Array
  readonly label: Uint8Array
  readonly said: Uint8Array
  readonly thought: Uint8Array
  readonly tools: Uint8Array
  readonly times: Uint8Array

  constructor(bytes: Uint8Array) {
    const from = new ByteReader(bytes)
    const size = bytes.length === 0 ? 0 : from.number()
    this.size = size
    this.keys = new Int32Array(size === 0 ? 0 : from.number() * 2)
    for (let i = 0, end = 0; i < this.keys.length; i += 2) {
      this.keys[i] = end + from.number()
      this.keys[i + 1] = from.number()
      end = this.keys[i]! + this.keys[i + 1]!
    }
    this.chats = new Int32Array(size === 0 ? 0 : from.number() * 2)
    for (let i = 0, before = 0; i < this.chats.length; i += 2) {
      before += from.signed()
      this.chats[i] = before
      this.chats[i + 1] = from.number()
    }
    const column = (bytesEach = 1) => {
      const start = from.at
      from.at += size * bytesEach
      return bytes.subarray(start, from.at)
    }
    this.label = column()
    this.said = column()
    this.thought = column()
    this.tools = column()
    this.times = column(TIME_BYTES)
  }

  /** Whether keys and chats are of as many messages as there are, and none is below zero. */
  get isWhole(): boolean {
    return lengthOf(this.keys) === this.size && lengthOf(this.chats) === this.size
  }

  /** The key of the last message; -1 where there is none. */
  get last(): number {
    return this.size === 0 ? -1 : this.keys.at(-2)! + this.keys.at(-1)! - 1
  }

  at(n: number): number {
    const { times } = this
    const i = n * TIME_BYTES
    return (times[i]! | (times[i + 1]! << 8) | (times[i + 2]! << 16) | (times[i + 3]! << 24)) >>> 0
  }

  *eachKey(): Generator<number> {
    const { keys } = this
    for (let i = 0; i < keys.length; i += 2)
      for (let key = keys[i]!; key < keys[i]! + keys[i + 1]!; key++) yield key
  }

  /** Each message by its number in the columns. */
  each(visit: (n: number, key: number, chat: number) => void): void {
    const { keys, chats } = this
    let n = 0
    let run = 0
    let left = chats[1] ?? 0
    for (let i = 0; i < keys.length; i += 2)
      for (let key = keys[i]!; key < keys[i]! + keys[i + 1]!; key++) {
        if (left === 0) {
          run += 2
          left = chats[run + 1]!
        }
        visit(n++, key, chats[run]!)
        left--
      }
  }
}

export function writeTitles(titles: { chat: number; code: number }[]): Uint8Array {
  const out = new ByteWriter()
  let before = 0
  for (const { chat, code } of titles) {
    out.number(chat - before)
    out.byte(code)
    before = chat
  }
  return out.take()
}

export function* readTitles(bytes: Uint8Array): Generator<{ chat: number; code: number }> {
  const from = new ByteReader(bytes)
  let chat = 0
  while (from.at < bytes.length) {
    chat += from.number()
    yield { chat, code: bytes[from.at++]! }
  }
}

/** Of all runs; -1 where that of one, or what it begins with, is below zero. */
function lengthOf(runs: Int32Array): number {
  let sum = 0
  for (let i = 1; i < runs.length; i += 2) {
    if (runs[i - 1]! < 0 || runs[i]! < 0) return -1
    sum += runs[i]!
  }
  return sum
}
