import type { Connection } from './connection.ts'
import {
  BlockReader,
  compareTerms,
  type Entry,
  HEAD,
  LONGEST_TERM,
  readBlock,
  termHead,
} from './index-blocks.ts'

/** The entries of one segment's field, in order, one block in memory at a time. */
export class Cursor {
  readonly #connection: Connection
  readonly #base: number
  readonly #blocks: number[]
  #at = 0
  readonly block: BlockReader
  readonly entry: Entry

  constructor(connection: Connection, { key, base }: { key: number; base: number }, field: number) {
    this.#connection = connection
    this.#base = base
    this.#blocks = connection
      .prepare(
        'SELECT key FROM word_block WHERE segment = ? AND field = ? AND first IS NOT NULL ORDER BY first',
      )
      .all(key, field)
      .map((row) => Number(row.key))
    this.block = new BlockReader((each) => readBlock(connection, each))
    this.entry = this.block.entry
  }

  next(): boolean {
    while (!this.block.next()) {
      if (this.#at === this.#blocks.length) return false
      this.block.open(readBlock(this.#connection, this.#blocks[this.#at++]!), this.#base)
    }
    return true
  }
}

/**
 * Which of many cursors has the least term, and of one term the oldest of them: a tournament, in which the one that won
 * and went on plays only against those that lost to it. Terms are compared by their first bytes as numbers, nearly always.
 */
export class Tournament {
  readonly #cursors: Cursor[]
  /** By cursor: the beginning of its term, and what follows that; without end where it has none left. */
  readonly #heads: Float64Array
  readonly #tails: Float64Array
  /** By place: the cursor that lost there. */
  readonly #lost: Int32Array
  /** The number of the cursor that has the least term. */
  first = 0
  /** The term that is being merged. */
  readonly term = new Uint8Array(LONGEST_TERM)
  termLength = 0
  #head = 0
  #tail = 0

  constructor(cursors: Cursor[]) {
    this.#cursors = cursors
    this.#heads = new Float64Array(cursors.length)
    this.#tails = new Float64Array(cursors.length)
    this.#lost = new Int32Array(cursors.length).fill(-1)
    for (let i = 0; i < cursors.length; i++) {
      this.#goOn(i)
      this.#play(i)
    }
  }

  /** Whether a term is left; it is the one that is merged then. */
  begin(): boolean {
    const { first } = this
    const head = this.#heads[first] ?? Number.POSITIVE_INFINITY
    if (head === Number.POSITIVE_INFINITY) return false
    const { termBytes, termLength } = this.#cursors[first]!.block
    for (let i = 0; i < termLength; i++) this.term[i] = termBytes[i]!
    this.termLength = termLength
    this.#head = head
    this.#tail = this.#tails[first]!
    return true
  }

  /** The first goes on to its next term. Says whether the one that is first then has the term that is being merged. */
  next(): boolean {
    this.#goOn(this.first)
    this.#play(this.first)
    const { first } = this
    if (this.#heads[first] !== this.#head || this.#tails[first] !== this.#tail) return false
    const { termBytes, termLength } = this.#cursors[first]!.block
    if (termLength <= HEAD * 2 && this.termLength <= HEAD * 2) return true
    return compareTerms(termBytes, termLength, this.term, this.termLength, HEAD * 2) === 0
  }

  #goOn(i: number): void {
    const cursor = this.#cursors[i]!
    if (!cursor.next()) {
      this.#heads[i] = Number.POSITIVE_INFINITY
      return
    }
    const { termBytes, termLength } = cursor.block
    this.#heads[i] = termHead(termBytes, termLength, 0)
    this.#tails[i] = termLength > HEAD ? termHead(termBytes, termLength, HEAD) : 0
  }

  /** From its place upwards. One that meets nobody, while they come in, waits there. */
  #play(i: number): void {
    const lost = this.#lost
    let winner = i
    for (let place = (i + lost.length) >> 1; place > 0; place >>= 1) {
      const other = lost[place]!
      if (other < 0) {
        lost[place] = winner
        return
      }
      if (this.#isBefore(other, winner)) {
        lost[place] = winner
        winner = other
      }
    }
    this.first = winner
  }

  #isBefore(a: number, b: number): boolean {
    const heads = this.#heads
    if (heads[a] !== heads[b]) return heads[a]! < heads[b]!
    const tails = this.#tails
    if (tails[a] !== tails[b]) return tails[a]! < tails[b]!
    if (heads[a] !== Number.POSITIVE_INFINITY) {
      const one = this.#cursors[a]!.block
      const other = this.#cursors[b]!.block
      if (one.termLength > HEAD * 2 || other.termLength > HEAD * 2) {
        const order = compareTerms(one.termBytes, one.termLength, other.termBytes, other.termLength, HEAD * 2)
        if (order !== 0) return order < 0
      }
    }
    return a < b
  }
}
