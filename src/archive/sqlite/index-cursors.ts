import type { Connection } from './connection.ts'
import { BlockReader, compareTerms, type Entry, HEAD, readBlock, termHead } from './index-blocks.ts'

/** The entries of one segment's field, in order, one block in memory at a time. */
export class Cursor {
  readonly input: number
  readonly #connection: Connection
  readonly #base: number
  readonly #blocks: number[]
  #at = 0
  block: BlockReader | undefined
  entry!: Entry
  /** The beginning of the term, as a number: most terms are compared by it. */
  head = 0

  constructor(
    connection: Connection,
    { key, base }: { key: number; base: number },
    field: number,
    input: number,
  ) {
    this.input = input
    this.#connection = connection
    this.#base = base
    this.#blocks = connection
      .prepare(
        'SELECT key FROM word_block WHERE segment = ? AND field = ? AND first IS NOT NULL ORDER BY first',
      )
      .all(key, field)
      .map((row) => Number(row.key))
  }

  next(): boolean {
    while (!this.block?.next()) {
      if (this.#at === this.#blocks.length) return false
      this.block ??= new BlockReader((key) => readBlock(this.#connection, key))
      this.block.open(readBlock(this.#connection, this.#blocks[this.#at++]!), this.#base)
      this.entry = this.block.entry
    }
    this.head = termHead(this.block.termBytes, this.block.termLength)
    return true
  }

  list(): void {
    this.block!.list()
  }
}

/** Cursors by their terms, and of one term by their age: a heap, as there may be hundreds. */
export class Queue {
  readonly #heap: Cursor[] = []

  constructor(cursors: Cursor[]) {
    for (const cursor of cursors) this.put(cursor)
  }

  get least(): Cursor | undefined {
    return this.#heap[0]
  }

  put(cursor: Cursor): void {
    const heap = this.#heap
    let at = heap.push(cursor) - 1
    while (at > 0) {
      const above = (at - 1) >> 1
      if (!isBefore(cursor, heap[above]!)) break
      heap[at] = heap[above]!
      at = above
    }
    heap[at] = cursor
  }

  /** Whether no other has the term of the least. */
  isAlone(): boolean {
    const [least, left, right] = this.#heap
    if (left && compareTermsOf(left, least!) === 0) return false
    return !right || compareTermsOf(right, least!) !== 0
  }

  take(): Cursor {
    const heap = this.#heap
    const taken = heap[0]!
    const last = heap.pop()!
    if (heap.length > 0) this.#sink(last)
    return taken
  }

  /** The least has gone on to its next term. */
  settle(): void {
    this.#sink(this.#heap[0]!)
  }

  /** Puts a cursor where it belongs, from the top on. */
  #sink(last: Cursor): void {
    const heap = this.#heap
    let at = 0
    for (;;) {
      let below = at * 2 + 1
      if (below >= heap.length) break
      if (below + 1 < heap.length && isBefore(heap[below + 1]!, heap[below]!)) below++
      if (!isBefore(heap[below]!, last)) break
      heap[at] = heap[below]!
      at = below
    }
    heap[at] = last
  }
}

function isBefore(a: Cursor, b: Cursor): boolean {
  const order = compareTermsOf(a, b)
  return order < 0 || (order === 0 && a.input < b.input)
}

export function compareTermsOf(a: Cursor, b: Cursor): number {
  if (a.head !== b.head) return a.head - b.head
  const { termBytes, termLength } = a.block!
  const other = b.block!
  if (termLength <= HEAD || other.termLength <= HEAD) return termLength - other.termLength
  return compareTerms(termBytes, termLength, other.termBytes, other.termLength, HEAD)
}
