import { type Ints, ints, longer, release } from '../../platform/loops/memory.ts'
import { countWords } from '../../platform/loops/words.ts'
import type { Lexicon } from '../lexicon.ts'
import type { FieldWords, ParcelRoom } from '../parcel.ts'
import { addToList, type BlockWriter, orderOf, termHead } from './index-blocks.ts'
import { ByteWriter, LOW_FIRST } from './index-bytes.ts'

/** The messages of the term at a place are those from its start to before its end. Holds until the next one is made. */
interface Inverted {
  /** Numbers of terms. */
  order: Int32Array
  starts: Int32Array
  ends: Int32Array
  keys: Int32Array
  counts: Int32Array
}

/** The words of one field, message by message; written out term by term. */
export class FieldGathering {
  #terms: Ints
  #counts: Ints
  #size = 0
  /** By document, in the order in which they were added: key, length in words without stop words, and its part of the terms gathered. */
  #documents = new Int32Array(DOCUMENT << 6)
  #added = 0
  /** Keys were not given in their order, or more than once: the last counts. */
  #isMixed = false
  #names: ByteWriter | undefined

  /** With room for so many terms from the start. */
  constructor(room = FEW) {
    this.#terms = ints(room)
    this.#counts = ints(room)
  }

  /** Starts anew, with the same memory; `most` bounds what is kept of it. */
  clear(most = Number.POSITIVE_INFINITY): void {
    if (this.#terms.length > most) {
      const before = [this.#terms, this.#counts]
      this.#terms = ints(FEW)
      this.#counts = ints(FEW)
      for (const list of before) release(list)
    }
    this.#size = 0
    this.#added = 0
    this.#isMixed = false
  }

  /** Takes a text in and says how many words it has. What a key was given before is void. */
  add(lexicon: Lexicon, key: number, text: string): number {
    const start = this.#size
    if (text === '') {
      if (this.#isKnown(key)) this.#document(key, VOID, start, start)
      return 0
    }
    const count = lexicon.read(text)
    const { found, length } = lexicon
    if (start + count > this.#terms.length) this.#grow(start + count)
    const size = countWords(found, count, lexicon.places(), this.#terms, this.#counts, start)
    this.#size = size
    this.#document(key, length, start, size)
    return length
  }

  /** Those that were given a text, by their keys. */
  documents(): { key: number; length: number }[] {
    const documents = this.#inOrder()
    return Array.from({ length: documents.length / DOCUMENT }, (_, n) => ({
      key: documents[n * DOCUMENT]!,
      length: documents[n * DOCUMENT + 1]!,
    }))
  }

  #document(key: number, length: number, start: number, end: number): void {
    const at = this.#added * DOCUMENT
    if (at > 0 && key <= this.#documents[at - DOCUMENT]!) this.#isMixed = true
    if (at === this.#documents.length) this.#documents = twice(this.#documents)
    const documents = this.#documents
    documents[at] = key
    documents[at + 1] = length
    documents[at + 2] = start
    documents[at + 3] = end
    this.#added++
  }

  /** Whether it may have been added before. */
  #isKnown(key: number): boolean {
    return this.#added > 0 && (this.#isMixed || key <= this.#documents[(this.#added - 1) * DOCUMENT]!)
  }

  /** Of each key what was added last, by their keys. */
  #inOrder(): Int32Array {
    const documents = this.#documents.subarray(0, this.#added * DOCUMENT)
    if (!this.#isMixed) return documents
    const last = new Map<number, Int32Array>()
    for (let at = 0; at < documents.length; at += DOCUMENT)
      last.set(documents[at]!, documents.subarray(at, at + DOCUMENT))
    const kept = [...last.values()].filter(([, length]) => length !== VOID)
    return Int32Array.from(kept.sort((a, b) => a[0]! - b[0]!).flatMap((document) => [...document]))
  }

  /** Writes each term's list. */
  write(lexicon: Lexicon, blocks: BlockWriter, field: number): void {
    const { letters, starts, size } = lexicon
    const terms = { letters, starts, size, places: lexicon.places() }
    writeInverted(this.#inOrder(), this.#terms, this.#counts, terms, blocks, field)
  }

  /** All of it, for another thread to write. Terms are numbered anew, as they come. */
  words(lexicon: Lexicon, room: ParcelRoom): FieldWords {
    this.#names ??= new ByteWriter()
    const names = this.#names
    const { letters, starts } = lexicon
    const places = lexicon.places()
    const size = this.#size
    const terms = this.#terms
    const found = room.ints(size)
    const used = numbers(5, Math.min(size, lexicon.size))
    const ends = numbers(0, Math.min(size, lexicon.size) + 1)
    let count = 0
    ends[0] = 0
    for (let i = 0; i < size; i++) {
      const term = terms[i]!
      let place = places[term]!
      if (place === 0) {
        used[count] = term
        names.append(letters, starts[term]!, starts[term + 1]!)
        place = ++count
        places[term] = place
        ends[place] = names.length
      }
      found[i] = place - 1
    }
    for (let i = 0; i < count; i++) places[used[i]!] = 0
    const written = room.copy(names.bytes.subarray(0, names.length))
    names.length = 0
    return {
      letters: written,
      starts: room.copy(ends.subarray(0, count + 1)),
      documents: room.copy(this.#documents.subarray(0, this.#added * DOCUMENT)),
      found,
      counts: room.copy(this.#counts.subarray(0, size)),
    }
  }

  #grow(need: number): void {
    const length = Math.max(need, this.#terms.length * 2)
    this.#terms = longer(this.#terms, length)
    this.#counts = longer(this.#counts, length)
  }
}

/** Terms by number: where their letters are, and a number for each, all 0, that is left as it was found. */
interface Terms {
  letters: Uint8Array
  starts: Int32Array
  places: Int32Array
  size: number
}

/** Writes what another thread gathered. A message has the key at its number; negative ones are left out. Keys may be in any order. */
export function writeGathered(words: FieldWords, keys: Int32Array, blocks: BlockWriter, field: number): void {
  const { letters, starts, found, counts } = words
  const size = starts.length - 1
  const places = numbers(7, size)
  const documents = withKeys(words.documents, keys)
  writeInverted(documents, found, counts, { letters, starts, places, size }, blocks, field)
}

function withKeys(given: Int32Array, keys: Int32Array): Int32Array {
  const documents = new Int32Array(given.length)
  let end = 0
  let isInOrder = true
  for (let at = 0; at < given.length; at += DOCUMENT) {
    const key = keys[given[at]!]!
    if (key < 0) continue
    if (end > 0 && key < documents[end - DOCUMENT]!) isInOrder = false
    documents[end] = key
    documents[end + 2] = given[at + 2]!
    documents[end + 3] = given[at + 3]!
    end += DOCUMENT
  }
  const kept = documents.subarray(0, end)
  if (isInOrder) return kept
  const rows = Array.from({ length: end / DOCUMENT }, (_, n) => kept.slice(n * DOCUMENT, (n + 1) * DOCUMENT))
  for (const [n, row] of rows.sort((a, b) => a[0]! - b[0]!).entries()) kept.set(row, n * DOCUMENT)
  return kept
}

/** Writes each term's list, of documents by their keys, the terms of each and how often it has them. */
function writeInverted(
  documents: Int32Array,
  found: Int32Array,
  times: Int32Array,
  terms: Terms,
  blocks: BlockWriter,
  field: number,
): void {
  const list = new ByteWriter()
  const { letters, starts: letterStarts } = terms
  const { order, starts, ends, keys, counts } = inverted(documents, found, times, terms)
  for (let i = 0; i < order.length; i++) {
    const start = starts[i]!
    const end = ends[i]!
    list.length = 0
    addKeys(list, keys, counts, start, end)
    const from = letterStarts[order[i]!]!
    blocks.add(
      field,
      letters,
      from,
      letterStarts[order[i]! + 1]! - from,
      end - start,
      keys[start]!,
      keys[end - 1]!,
      list.bytes,
      0,
      list.length,
    )
  }
}

/** Terms in their order, and of each in which messages it is and how often: a counting sort, with no object per word. */
function inverted(documents: Int32Array, terms: Int32Array, times: Int32Array, known: Terms): Inverted {
  // Terms are numbered anew as they come, so that one appended message does not pay for all words ever seen.
  const { places } = known
  let total = 0
  for (let at = 0; at < documents.length; at += DOCUMENT) total += documents[at + 3]! - documents[at + 2]!
  const used = numbers(5, Math.min(total, known.size))
  let found = 0
  for (let at = 0; at < documents.length; at += DOCUMENT) {
    const end = documents[at + 3]!
    for (let i = documents[at + 2]!; i < end; i++) if (places[terms[i]!]!++ === 0) used[found++] = terms[i]!
  }
  const starts = numbers(0, found + 1)
  starts[0] = 0
  const next = numbers(1, found)
  for (let i = 0; i < found; i++) {
    next[i] = starts[i]!
    starts[i + 1] = starts[i]! + places[used[i]!]!
    places[used[i]!] = i + 1
  }
  const keys = numbers(2, total)
  const counts = numbers(3, total)
  for (let at = 0; at < documents.length; at += DOCUMENT) {
    const key = documents[at]!
    const end = documents[at + 3]!
    for (let i = documents[at + 2]!; i < end; i++) {
      const place = next[places[terms[i]!]! - 1]!++
      keys[place] = key
      counts[place] = times[i]!
    }
  }
  const order = inOrder(used.subarray(0, found), known)
  const sorted = { starts: numbers(1, order.length), ends: numbers(4, order.length) }
  for (let i = 0; i < order.length; i++) {
    const place = places[order[i]!]!
    sorted.starts[i] = starts[place - 1]!
    sorted.ends[i] = starts[place]!
    places[order[i]!] = 0
  }
  return { order, ...sorted, keys, counts }
}

/** Room for so many terms at first. */
const FEW = 1 << 10

/** Numbers that are kept of a document. */
const DOCUMENT = 4
/** The length of one that was taken back. */
const VOID = -1

function twice(numbers: Int32Array) {
  const copy = new Int32Array(numbers.length * 2)
  copy.set(numbers)
  return copy
}

/** Memory that is used again and again: what is in it holds until it is asked for the next time. */
const scratch: Int32Array[] = []

function numbers(place: number, length: number): Int32Array {
  const known = scratch[place]
  if (known && known.length >= length) return known
  // A little more, so that it does not grow each time.
  const larger = new Int32Array(Math.max(1 << 10, length + (length >> 2)))
  if (larger.length <= MOST_KEPT) scratch[place] = larger
  return larger
}

const MOST_KEPT = 1 << 21

function addKeys(list: ByteWriter, keys: Int32Array, counts: Int32Array, start: number, end: number): void {
  let before = keys[start]!
  for (let i = start; i < end; i++) {
    addToList(list, keys[i]! - before, counts[i]!)
    before = keys[i]!
  }
}

const SMALL = 64
/** The number of a term among those to be sorted takes the last 16 bits. */
const MOST = 1 << 16

/**
 * Terms in the order of their letters. By comparison that would be a quarter of indexing: so by numbers made of their
 * beginning and their place, which are sorted without asking us, then by comparison where they begin alike.
 */
function inOrder(terms: Int32Array, { letters, starts }: Terms): Int32Array {
  const compare = (a: number, b: number): number => {
    const aEnd = starts[a + 1]!
    const bEnd = starts[b + 1]!
    let i = starts[a]!
    let j = starts[b]!
    while (i < aEnd && j < bEnd) {
      const x = letters[i++]!
      const y = letters[j++]!
      if (x !== y) return orderOf(x) - orderOf(y)
    }
    return aEnd - i - (bEnd - j)
  }
  if (terms.length < SMALL || terms.length > MOST || !LOW_FIRST) return terms.sort(compare)
  const keys = new BigUint64Array(terms.length)
  const halves = new Uint32Array(keys.buffer)
  for (let i = 0; i < terms.length; i++) {
    const head = termHead(letters, starts[terms[i]! + 1]!, starts[terms[i]!]!)
    // The lower half comes first in memory.
    halves[i * 2] = ((head % 65_536) << 16) | i
    halves[i * 2 + 1] = Math.floor(head / 65_536)
  }
  keys.sort()
  const sorted = numbers(6, terms.length).subarray(0, terms.length)
  for (let i = 0; i < terms.length; i++) sorted[i] = terms[halves[i * 2]! & 0xffff]!
  for (let start = 0; start < terms.length; ) {
    let end = start + 1
    while (
      end < terms.length &&
      halves[end * 2 + 1] === halves[start * 2 + 1] &&
      halves[end * 2]! >>> 16 === halves[start * 2]! >>> 16
    )
      end++
    if (end - start > 1) sorted.subarray(start, end).sort(compare)
    start = end
  }
  return sorted
}
