import { buffer } from '../../platform/loops/memory.ts'
import type { Connection } from './connection.ts'
import { sortable } from './index-bytes.ts'
import { Ring } from './ring.ts'
import { BLOCK_ROW, soundBlock } from './sums.ts'

/** So many bytes of blocks and long lists are kept: who searches asks for the same terms several times. */
const KEPT = 1_500_000
/** A longer list is not worth the many blocks that would go for it. */
const LONGEST_KEPT = KEPT / 8
/** After so many questions it pays to know where all blocks of a field begin: 30 bytes for each. */
const ASKED_OFTEN = 40
/** Of a segment with so few messages, as they are written while a sync runs, it pays from the second one on. */
const SMALL = 10_000
const ASKED_TWICE = 2

/** Where the blocks of one segment's field begin, in order. */
interface Beginnings {
  keys: Float64Array
  /** Their first terms, one after the other, as SQLite orders them; and where each ends. */
  firsts: Buffer
  ends: Uint32Array
}

interface Block {
  segment: number
  data: Uint8Array
}

/** Which segment, and how many messages it has. */
type Segment = { key: number; messages: number }

/** Finds blocks of the word index. Those of a segment never change; who uses it says which segments there are. */
export class BlockLookup {
  readonly #connection: Connection
  readonly #beginnings = new Map<number, Beginnings>()
  readonly #asked = new Map<number, number>()
  /** By its number. Its bytes are overwritten when it goes. */
  readonly #blocks = new Map<number, Block>()
  readonly #room = new Ring<number>(KEPT, (key) => this.#blocks.delete(key), buffer)
  /** The term asked for last, which is asked for in every field and segment. */
  #term = { text: '', bytes: sortable('') }

  constructor(connection: Connection) {
    this.#connection = connection
  }

  #sortable(term: string): Uint8Array {
    if (this.#term.text !== term) this.#term = { text: term, bytes: sortable(term) }
    return this.#term.bytes
  }

  /** Forgets what is of other segments than these. */
  keepOnly(segments: { has(key: number): boolean }): void {
    for (const list of [this.#beginnings, this.#asked])
      for (const part of list.keys()) if (!segments.has(part >> 2)) list.delete(part)
    // Their numbers may be given to blocks of other segments.
    for (const [key, { segment }] of this.#blocks) if (!segments.has(segment)) this.#blocks.delete(key)
  }

  /** The block that would hold a term. It is there until the next one is asked for. */
  find(segment: Segment, field: number, term: string): Uint8Array | undefined {
    const wanted = this.#sortable(term)
    const part = segment.key * 4 + field
    const beginnings = this.#beginnings.get(part) ?? this.#learn(part, segment, field)
    if (beginnings) {
      const key = keyIn(beginnings, wanted)
      return key === undefined ? undefined : this.read(key)
    }
    const row = this.#connection
      .prepare(
        `SELECT key, ${BLOCK_ROW} FROM word_block WHERE segment = ? AND field = ? AND first <= ? ORDER BY first DESC LIMIT 1`,
      )
      .get(segment.key, field, wanted)
    if (!row) return undefined
    const key = Number(row.key)
    return this.#blocks.get(key)?.data ?? this.#keep(key, row)
  }

  /** The blocks that may hold terms that begin so, in order. They are not kept: there may be very many. */
  *from(segment: number, field: number, prefix: string): Generator<Uint8Array> {
    const [start, end] = [sortable(prefix), sortable(`${prefix}\uffff`)]
    const rows = this.#connection
      .prepare(
        `SELECT ${BLOCK_ROW} FROM word_block WHERE segment = ? AND field = ? AND first < ? AND first >=
           coalesce((SELECT max(first) FROM word_block WHERE segment = ? AND field = ? AND first <= ?), ?) ORDER BY first`,
      )
      .iterate(segment, field, end, segment, field, start, start)
    for (const row of rows) yield soundBlock(this.#connection, row)
  }

  /** A block, or a long list, by its number; there until the next one is asked for. */
  read = (key: number): Uint8Array =>
    this.#blocks.get(key)?.data ??
    this.#keep(key, this.#connection.prepare(`SELECT ${BLOCK_ROW} FROM word_block WHERE key = ?`).get(key))

  #keep(key: number, row: Record<string, unknown> | undefined): Uint8Array {
    const data = soundBlock(this.#connection, row)
    if (data.length > LONGEST_KEPT) return data
    const kept = this.#room.place(key, data.length)
    kept.set(data)
    this.#blocks.set(key, { segment: Number(row!.segment), data: kept })
    return kept
  }

  #learn(part: number, { key, messages }: Segment, field: number): Beginnings | undefined {
    const asked = (this.#asked.get(part) ?? 0) + 1
    this.#asked.set(part, asked)
    if (asked < (messages <= SMALL ? ASKED_TWICE : ASKED_OFTEN)) return undefined
    // As three texts: rows one by one would take longer than what they save.
    const row = this.#connection
      .prepare(
        `SELECT group_concat(key) AS keys, group_concat(hex(first), '') AS firsts, group_concat(length(first)) AS lengths
         FROM (SELECT key, first FROM word_block WHERE segment = ? AND field = ? AND first IS NOT NULL ORDER BY first)`,
      )
      .get(key, field)
    const numbers = (text: unknown) => (text ? String(text).split(',').map(Number) : [])
    let end = 0
    const beginnings = {
      keys: Float64Array.from(numbers(row?.keys)),
      firsts: Buffer.from(String(row?.firsts ?? ''), 'hex'),
      ends: Uint32Array.from(numbers(row?.lengths), (length) => {
        end += length
        return end
      }),
    }
    this.#beginnings.set(part, beginnings)
    return beginnings
  }
}

/** The last block that begins with the term or one before it. */
function keyIn({ keys, firsts, ends }: Beginnings, wanted: Uint8Array): number | undefined {
  let low = 0
  let high = keys.length
  while (low < high) {
    const middle = (low + high) >> 1
    const start = middle === 0 ? 0 : ends[middle - 1]!
    if (firsts.compare(wanted, 0, wanted.length, start, ends[middle]) <= 0) low = middle + 1
    else high = middle
  }
  return low === 0 ? undefined : keys[low - 1]
}
