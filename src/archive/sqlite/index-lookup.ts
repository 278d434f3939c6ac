import type { Connection } from './connection.ts'
import { readBlock } from './index-blocks.ts'
import { sortable } from './index-bytes.ts'
import { BLOCK_ROW, soundBlock } from './sums.ts'

/** So many bytes of blocks and long lists are kept: who searches asks for the same terms several times. */
const KEPT = 1_500_000
/** A longer list is not worth the many blocks that would go for it. */
const LONGEST_KEPT = KEPT / 8
/** After so many questions it pays to know where all blocks of a field begin: 30 bytes for each. */
const ASKED_OFTEN = 40

/** Where the blocks of one segment's field begin, in order. */
interface Beginnings {
  keys: Float64Array
  /** Their first terms, one after the other, as SQLite orders them; and where each ends. */
  firsts: Buffer
  ends: Uint32Array
}

/** Finds blocks of the word index. To be used as long as the segments are the same: theirs never change. */
export class BlockLookup {
  readonly #connection: Connection
  readonly #beginnings = new Map<number, Beginnings>()
  readonly #asked = new Map<number, number>()
  readonly #blocks = new Map<number, Uint8Array>()
  #kept = 0

  constructor(connection: Connection) {
    this.#connection = connection
  }

  forgetAll(): void {
    this.#beginnings.clear()
    this.#asked.clear()
    this.#blocks.clear()
    this.#kept = 0
  }

  /** The block that would hold a term. */
  find(segment: number, field: number, term: string): Uint8Array | undefined {
    const wanted = sortable(term)
    const part = segment * 4 + field
    const beginnings = this.#beginnings.get(part) ?? this.#learn(part, segment, field)
    if (beginnings) {
      const key = keyIn(beginnings, wanted)
      return key === undefined ? undefined : this.read(key)
    }
    const row = this.#connection
      .prepare(
        `SELECT key, ${BLOCK_ROW} FROM word_block WHERE segment = ? AND field = ? AND first <= ? ORDER BY first DESC LIMIT 1`,
      )
      .get(segment, field, wanted)
    if (!row) return undefined
    const key = Number(row.key)
    return this.#blocks.get(key) ?? this.#keep(key, soundBlock(this.#connection, row))
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

  /** A block, or a long list, by its number. */
  read = (key: number): Uint8Array => {
    const known = this.#blocks.get(key)
    if (!known) return this.#keep(key, readBlock(this.#connection, key))
    // Those asked for last stay longest.
    this.#blocks.delete(key)
    this.#blocks.set(key, known)
    return known
  }

  #keep(key: number, data: Uint8Array): Uint8Array {
    if (data.length > LONGEST_KEPT) return data
    this.#blocks.set(key, data)
    this.#kept += data.length
    for (const [old, { length }] of this.#blocks) {
      if (this.#kept <= KEPT) break
      this.#blocks.delete(old)
      this.#kept -= length
    }
    return data
  }

  #learn(part: number, segment: number, field: number): Beginnings | undefined {
    const asked = (this.#asked.get(part) ?? 0) + 1
    this.#asked.set(part, asked)
    if (asked < ASKED_OFTEN) return undefined
    // As three texts: rows one by one would take longer than what they save.
    const row = this.#connection
      .prepare(
        `SELECT group_concat(key) AS keys, group_concat(hex(first), '') AS firsts, group_concat(length(first)) AS lengths
         FROM (SELECT key, first FROM word_block WHERE segment = ? AND field = ? AND first IS NOT NULL ORDER BY first)`,
      )
      .get(segment, field)
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
