import { scan } from './scan.ts'
import { isStopWord } from './stop-words.ts'
import { folded, termsOfFolded, termsOfRun } from './terms.ts'

/**
 * Numbers for terms, and texts as lists of them. The hot path of indexing: a word seen before costs
 * one pass over its letters and one look-up, no string is made of it.
 */
export class Lexicon {
  /** The terms by number. */
  terms: string[] = []
  /** Whether a term is a stop word. */
  stops = new Uint8Array(1 << 14)
  /** The terms of the text that was read last. */
  found = new Int32Array(1 << 14)
  /** Terms by two hashes, as words are below: where their numbers stand. A Map of strings takes twice as long. */
  #termSlots = new Int32Array(1 << 16)
  #termFirst = new Int32Array(1 << 15)
  #termSecond = new Int32Array(1 << 15)
  /** Words by two hashes (their letters are not kept): where their terms begin in `#parts`. */
  #slots = new Int32Array(1 << 16)
  #first = new Int32Array(1 << 15)
  #second = new Int32Array(1 << 15)
  #start = new Int32Array(1 << 15)
  #words = 0
  #parts: number[] = []
  #places = new Int32Array(1 << 14)
  #count = 0
  #text = ''

  /** Puts the terms of a text into `found` and says how many there are. */
  read(text: string): number {
    this.#count = 0
    this.#text = text
    scan(text, this)
    this.#text = ''
    return this.#count
  }

  number(term: string): number {
    let first = 0x811c9dc5
    let second = 0
    for (let i = 0; i < term.length; i++) {
      const code = term.charCodeAt(i)
      first = Math.imul(first ^ code, 0x01000193)
      second = (Math.imul(second, 31) + code + 1) | 0
    }
    first ^= second >>> 15
    second ^= term.length
    const mask = this.#termSlots.length - 1
    let slot = (first ^ (first >>> 16)) & mask
    for (;;) {
      const known = this.#termSlots[slot]! - 1
      if (known < 0) break
      if (this.#termFirst[known] === first && this.#termSecond[known] === second) return known
      slot = (slot + 1) & mask
    }
    const number = this.terms.length
    // A part of a text would keep all of the text in memory: this is a part of itself.
    this.terms.push(term.length > 12 ? ` ${term}`.slice(1) : term)
    if (number >= this.stops.length) this.stops = grown(this.stops)
    if (number >= this.#termFirst.length) {
      this.#termFirst = grown(this.#termFirst)
      this.#termSecond = grown(this.#termSecond)
    }
    this.#termFirst[number] = first
    this.#termSecond[number] = second
    this.#termSlots[slot] = number + 1
    if (this.terms.length * 2 > this.#termSlots.length)
      this.#termSlots = rehashed(this.#termSlots.length * 2, this.#termFirst, this.terms.length)
    return number
  }

  /** A number for every term, all 0: for whoever counts or sorts terms. To be left as it was found. */
  places(): Int32Array {
    while (this.#places.length < this.terms.length) this.#places = new Int32Array(this.#places.length * 2)
    return this.#places
  }

  /** Starts anew where it has grown too large. Numbers given before are void then. */
  trim(most: number): void {
    if (this.#words < most) return
    this.terms = []
    this.#termSlots.fill(0)
    this.#slots.fill(0)
    this.#words = 0
    this.#parts = []
    this.stops.fill(0)
  }

  word(start: number, end: number): void {
    this.#take(this.#lookUp(start, end, 0))
  }

  run(start: number, end: number): void {
    const text = this.#text
    let before = -1
    for (let i = start; i < end; ) {
      const next = i + (text.charCodeAt(i) >= 0xd800 && text.charCodeAt(i) < 0xdc00 ? 2 : 1)
      this.#take(this.#lookUp(i, next, 1))
      if (before >= 0) this.#take(this.#lookUp(before, next, 2))
      before = i
      i = next
    }
  }

  #take(word: number): void {
    const end = this.#start[word + 1]!
    for (let i = this.#start[word]!; i < end; i++) {
      if (this.#count === this.found.length) this.found = grown(this.found)
      this.found[this.#count++] = this.#parts[i]!
    }
  }

  /** The number of a word; `kind` 1 and 2 are one and two characters of a run. */
  #lookUp(start: number, end: number, kind: number): number {
    const text = this.#text
    let first = 0x811c9dc5 ^ kind
    let second = kind
    for (let i = start; i < end; i++) {
      const code = text.charCodeAt(i)
      first = Math.imul(first ^ code, 0x01000193)
      second = Math.imul(second, 31) + code + 1
    }
    first ^= second >>> 15
    second ^= end - start
    const mask = this.#slots.length - 1
    let slot = (first ^ (first >>> 16)) & mask
    for (;;) {
      const word = this.#slots[slot]! - 1
      if (word < 0) break
      if (this.#first[word] === first && this.#second[word] === (second | 0)) return word
      slot = (slot + 1) & mask
    }
    return this.#add(start, end, kind, first, second | 0, slot)
  }

  #add(start: number, end: number, kind: number, first: number, second: number, slot: number): number {
    const word = this.#words++
    if (word + 2 >= this.#start.length) {
      this.#first = grown(this.#first)
      this.#second = grown(this.#second)
      this.#start = grown(this.#start)
    }
    this.#slots[slot] = word + 1
    this.#first[word] = first
    this.#second[word] = second
    this.#start[word] = this.#parts.length
    const raw = this.#text.slice(start, end)
    const plain = kind === 0 ? folded(raw) : raw
    const isStop = kind < 2 && isStopWord(plain)
    for (const term of termsOf(raw, plain, kind)) {
      const number = this.number(term)
      if (isStop) this.stops[number] = 1
      this.#parts.push(number)
    }
    this.#start[word + 1] = this.#parts.length
    if (this.#words * 2 > this.#slots.length)
      this.#slots = rehashed(this.#slots.length * 2, this.#first, this.#words)
    return word
  }
}

/** A larger table over the same hashes. */
function rehashed(size: number, hashes: Int32Array, count: number) {
  const slots = new Int32Array(size)
  const mask = size - 1
  for (let number = 0; number < count; number++) {
    const first = hashes[number]!
    let slot = (first ^ (first >>> 16)) & mask
    while (slots[slot] !== 0) slot = (slot + 1) & mask
    slots[slot] = number + 1
  }
  return slots
}

function termsOf(raw: string, plain: string, kind: number): string[] {
  if (kind === 0) return termsOfFolded(raw, plain)
  const { pairs, characters } = termsOfRun(raw)
  return kind === 1 ? characters : pairs
}

function grown<T extends Uint8Array | Int32Array>(array: T): T {
  const larger = new (array.constructor as new (length: number) => T)(array.length * 2)
  larger.set(array)
  return larger
}
