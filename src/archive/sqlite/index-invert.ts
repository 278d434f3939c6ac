import type { Lexicon } from '../../model/lexicon.ts'
import type { FieldWords } from '../parcel.ts'
import { addToList, type BlockWriter, encodeTerm } from './index-blocks.ts'
import { ByteWriter } from './index-bytes.ts'

interface Document {
  key: number
  /** In words, without stop words. */
  length: number
  /** Its part of the terms gathered. */
  start: number
  end: number
}

/** The words of one field, message by message; written out term by term. */
export class FieldGathering {
  #terms = new Int32Array(1 << 10)
  #counts = new Int32Array(1 << 10)
  #size = 0
  readonly #documents = new Map<number, Document>()

  /** Takes a text in and says how many words it has. What a key was given before is void. */
  add(lexicon: Lexicon, key: number, text: string): number {
    const start = this.#size
    if (text === '') {
      this.#documents.delete(key)
      return 0
    }
    const count = lexicon.read(text)
    const { found, stops } = lexicon
    const places = lexicon.places()
    if (start + count > this.#terms.length) this.#grow(start + count)
    const terms = this.#terms
    const counts = this.#counts
    let size = start
    let length = 0
    for (let i = 0; i < count; i++) {
      const term = found[i]!
      if (stops[term] === 0) length++
      const place = places[term]!
      if (place > 0) counts[start + place - 1]!++
      else {
        terms[size] = term
        counts[size] = 1
        places[term] = ++size - start
      }
    }
    for (let i = start; i < size; i++) places[terms[i]!] = 0
    this.#size = size
    this.#documents.set(key, { key, length, start, end: size })
    return length
  }

  documents(): Document[] {
    return [...this.#documents.values()].sort((a, b) => a.key - b.key)
  }

  /** Writes each term's list. */
  write(lexicon: Lexicon, blocks: BlockWriter, field: number): void {
    const list = new ByteWriter()
    const term = new Uint8Array(4 * LONGEST)
    this.#eachTerm(lexicon, (name, keys, counts, start, end) => {
      list.length = 0
      addKeys(list, keys, counts, start, end)
      const length = encodeTerm(name, term, 0)
      blocks.add(field, term, length, end - start, keys[start]!, keys[end - 1]!, list.bytes, 0, list.length)
    })
  }

  /** The same as bytes and numbers, for another thread to write. */
  words(lexicon: Lexicon): FieldWords {
    const terms = new ByteWriter()
    const lists = new ByteWriter()
    const rows = { termEnds: [], messages: [], firsts: [], lasts: [], listEnds: [] } as Record<
      'termEnds' | 'messages' | 'firsts' | 'lasts' | 'listEnds',
      number[]
    >
    this.#eachTerm(lexicon, (name, keys, counts, start, end) => {
      addKeys(lists, keys, counts, start, end)
      terms.text(name)
      rows.termEnds.push(terms.length)
      rows.messages.push(end - start)
      rows.firsts.push(keys[start]!)
      rows.lasts.push(keys[end - 1]!)
      rows.listEnds.push(lists.length)
    })
    return {
      terms: terms.take(),
      termEnds: new Int32Array(rows.termEnds),
      messages: new Int32Array(rows.messages),
      firsts: new Int32Array(rows.firsts),
      lasts: new Int32Array(rows.lasts),
      lists: lists.take(),
      listEnds: new Int32Array(rows.listEnds),
    }
  }

  /** Sorts by term: a counting sort, with no comparison and no object per word. */
  #eachTerm(
    lexicon: Lexicon,
    visit: (term: string, keys: Int32Array, counts: Int32Array, start: number, end: number) => void,
  ): void {
    const documents = this.documents()
    const terms = this.#terms
    // Terms are numbered anew as they come, so that one appended message does not pay for all words ever seen.
    const places = lexicon.places()
    const used: number[] = []
    let total = 0
    for (const { start, end } of documents) {
      for (let i = start; i < end; i++) if (places[terms[i]!]!++ === 0) used.push(terms[i]!)
      total += end - start
    }
    const starts = new Int32Array(used.length + 1)
    for (let i = 0; i < used.length; i++) {
      starts[i + 1] = starts[i]! + places[used[i]!]!
      places[used[i]!] = i + 1
    }
    const next = starts.slice()
    const keys = new Int32Array(total)
    const counts = new Int32Array(total)
    for (const { key, start, end } of documents) {
      for (let i = start; i < end; i++) {
        const at = next[places[terms[i]!]! - 1]!++
        keys[at] = key
        counts[at] = this.#counts[i]!
      }
    }
    for (const term of inOrder(used, lexicon.terms)) {
      const place = places[term]!
      visit(lexicon.terms[term]!, keys, counts, starts[place - 1]!, starts[place]!)
      places[term] = 0
    }
  }

  #grow(need: number): void {
    const length = Math.max(need, this.#terms.length * 2)
    const terms = new Int32Array(length)
    const counts = new Int32Array(length)
    terms.set(this.#terms)
    counts.set(this.#counts)
    this.#terms = terms
    this.#counts = counts
  }
}

function addKeys(list: ByteWriter, keys: Int32Array, counts: Int32Array, start: number, end: number): void {
  let before = keys[start]!
  for (let i = start; i < end; i++) {
    addToList(list, keys[i]! - before, counts[i]!)
    before = keys[i]!
  }
}

const LONGEST = 64
const RADIX_FROM = 1_000
const RADIX_LETTERS = 5

/**
 * Terms in the order of their letters. By comparison that would be a quarter of indexing: so by
 * buckets for the first letters, from the last of them to the first, then by comparison where those
 * are equal.
 */
function inOrder(terms: number[], names: string[]): Int32Array | number[] {
  const compare = (a: number, b: number) => (names[a]! < names[b]! ? -1 : 1)
  if (terms.length < RADIX_FROM) return terms.slice().sort(compare)
  let from = Int32Array.from(terms)
  let to = new Int32Array(from.length)
  const ends = new Int32Array(65_537)
  for (let letter = RADIX_LETTERS - 1; letter >= 0; letter--) {
    ends.fill(0)
    // The code of a letter that is not there is NaN, which counts as 0.
    for (const term of from) ends[(names[term]!.charCodeAt(letter) | 0) + 1]!++
    for (let code = 0; code < 65_536; code++) ends[code + 1]! += ends[code]!
    for (const term of from) to[ends[names[term]!.charCodeAt(letter) | 0]!++] = term
    ;[from, to] = [to, from]
  }
  for (let start = 0; start < from.length; ) {
    const letters = names[from[start]!]!.slice(0, RADIX_LETTERS)
    let end = start + 1
    while (end < from.length && names[from[end]!]!.startsWith(letters)) end++
    if (end - start > 1) from.subarray(start, end).sort(compare)
    start = end
  }
  return from
}
