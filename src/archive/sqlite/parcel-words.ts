import { KINDS, ROLES } from '../archive.ts'
import { FACT, FACTS, type FieldWords, type Parcel } from '../parcel.ts'
import type { Connection } from './connection.ts'
import { addToList, BlockWriter } from './index-blocks.ts'
import { createSegment, type ReadyWords, titleList } from './index-build.ts'
import { ByteReader, ByteWriter, lengthCode } from './index-bytes.ts'
import { labelOf, MessageListWriter } from './index-docs.ts'

const NONE = -1

/**
 * The words of a parcel's messages on their way into the index. Another thread gathered them by the messages' numbers in
 * the parcel; which key each message has, and which of them are to be found at all, is only known while they are written.
 */
export class ParcelWords implements ReadyWords {
  readonly #parcel: Parcel
  /** By a message's number in the parcel. */
  readonly #keys: Int32Array
  readonly #chats: Int32Array
  #taken = 0

  constructor(parcel: Parcel) {
    this.#parcel = parcel
    this.#keys = new Int32Array(parcel.count).fill(NONE)
    this.#chats = new Int32Array(parcel.count)
  }

  /** A message is found by its words from now on, under this key. One that was told before is to be dropped first. */
  take(ordinal: number, key: number, chat: number): void {
    this.#keys[ordinal] = key
    this.#chats[ordinal] = chat
    this.#taken++
  }

  /** What was told of it before is void. */
  drop(key: number): void {
    if (this.#taken === 0) return
    const earlier = this.#keys.lastIndexOf(key)
    if (earlier < 0) return
    this.#keys[earlier] = NONE
    this.#taken--
  }

  isEmpty(): boolean {
    return this.#taken === 0
  }

  write(
    connection: Connection,
    titles: { key: number; length: number }[],
    addTitles: (blocks: BlockWriter) => void,
  ): void {
    const taken = [...this.#keys.keys()].filter((n) => this.#keys[n] !== NONE)
    const shift = this.#shift(taken)
    if (shift === undefined) taken.sort((a, b) => this.#keys[a]! - this.#keys[b]!)
    const base = Math.min(this.#keys[taken[0]!]!, titles[0]?.key ?? Infinity)
    const segment = createSegment(connection, {
      messages: taken.length,
      base,
      documents: this.#documents(taken),
      titles: titleList(titles),
    })
    const blocks = new BlockWriter(connection, segment, base)
    for (const [field, words] of this.#parcel.words.entries()) {
      if (shift === undefined) this.#mapped(blocks, field, words)
      else shifted(blocks, field, words, shift)
    }
    addTitles(blocks)
    blocks.finish()
  }

  /** What is to be added to each number to have its key, where that is the same for all of them. */
  #shift(taken: number[]): number | undefined {
    if (taken.length < this.#parcel.count) return undefined
    const shift = this.#keys[0]!
    for (let n = 0; n < taken.length; n++) if (this.#keys[n]! - n !== shift) return undefined
    return shift
  }

  #documents(taken: number[]): Uint8Array {
    const { facts } = this.#parcel
    const list = new MessageListWriter()
    for (const n of taken) {
      const row = n * FACTS
      const at = facts[row + FACT.createdAt]!
      list.add(
        this.#keys[n]!,
        this.#chats[n]!,
        labelOf(ROLES[facts[row + FACT.role]!]!, KINDS[facts[row + FACT.kind]!]!),
        Number.isNaN(at) ? 0 : Math.floor(at / 1000),
        lengthCode(facts[row + FACT.said]!),
        lengthCode(facts[row + FACT.thought]!),
        lengthCode(facts[row + FACT.tools]!),
      )
    }
    return list.take()
  }

  /** Where keys are not in a row: each list is written anew. */
  #mapped(blocks: BlockWriter, field: number, words: FieldWords): void {
    const list = new ByteWriter()
    const reader = new ByteReader(words.lists)
    const { terms, termEnds, listEnds } = words
    for (let i = 0; i < termEnds.length; i++) {
      const to = listEnds[i]!
      const kept: [key: number, count: number][] = []
      reader.at = i === 0 ? 0 : listEnds[i - 1]!
      let n = words.firsts[i]!
      while (reader.at < to) {
        const step = reader.number()
        n += step >>> 1
        const count = step & 1 ? reader.number() : 1
        if (this.#keys[n] !== NONE) kept.push([this.#keys[n]!, count])
      }
      if (kept.length === 0) continue
      kept.sort(([a], [b]) => a - b)
      list.length = 0
      let before = kept[0]![0]
      for (const [key, count] of kept) {
        addToList(list, key - before, count)
        before = key
      }
      const start = i === 0 ? 0 : termEnds[i - 1]!
      const length = termEnds[i]! - start
      blocks.add(field, terms, start, length, kept.length, kept[0]![0], before, list.bytes, 0, list.length)
    }
  }
}

/** Where keys are in a row the lists are what they were: they hold distances. */
function shifted(blocks: BlockWriter, field: number, words: FieldWords, shift: number): void {
  const { terms, termEnds, messages, firsts, lasts, lists, listEnds } = words
  let start = 0
  let from = 0
  for (let i = 0; i < termEnds.length; i++) {
    const length = termEnds[i]! - start
    const to = listEnds[i]!
    const [first, last] = [firsts[i]! + shift, lasts[i]! + shift]
    blocks.add(field, terms, start, length, messages[i]!, first, last, lists, from, to)
    start += length
    from = to
  }
}
