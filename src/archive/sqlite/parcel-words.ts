import { KINDS, ROLES } from '../archive.ts'
import { FACT, FACTS, type Parcel } from '../parcel.ts'
import type { Connection } from './connection.ts'
import { BlockWriter, ONE_A_PAGE } from './index-blocks.ts'
import { createSegment, type ReadyWords, titleList } from './index-build.ts'
import { lengthCode } from './index-bytes.ts'
import { labelOf, MessageListWriter } from './index-docs.ts'
import { writeGathered } from './index-invert.ts'

const NONE = -1
/** A parcel of so many messages is one of a long sync, at whose end its words are merged with others. */
const MANY = 4_000

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
    if (taken.some((n, i) => i > 0 && this.#keys[n]! < this.#keys[taken[i - 1]!]!))
      taken.sort((a, b) => this.#keys[a]! - this.#keys[b]!)
    const base = Math.min(this.#keys[taken[0]!]!, titles[0]?.key ?? Infinity)
    const segment = createSegment(connection, {
      messages: taken.length,
      base,
      lists: this.#lists(taken),
      titles: titleList(titles),
    })
    const blocks = new BlockWriter(connection, segment, base, taken.length < MANY ? undefined : ONE_A_PAGE)
    for (const [field, words] of this.#parcel.words.entries()) writeGathered(words, this.#keys, blocks, field)
    addTitles(blocks)
    blocks.finish()
  }

  #lists(taken: number[]): Uint8Array[] {
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
}
