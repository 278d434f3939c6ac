import { scan } from './scan.ts'
import { stem } from './stem.ts'
import { isStopWord } from './stop-words.ts'
import { folded, termsOfFolded, termsOfRun } from './terms.ts'

/**
 * Numbers for terms, and texts as lists of them. The hot path of indexing: a word seen before costs
 * one pass over its letters and one look-up, no string is made of it.
 */
export class Lexicon {
  /**
   * The letters of the terms, one after the other as UTF-8, and where each begins; the one behind the last, too. As texts they would be
   * hundreds of thousands of objects that V8 looks through again and again.
   */
  letters = new Uint8Array(1 << 17)
  starts = new Int32Array(1 << 14)
  /** How many terms there are. */
  size = 0
  /** Whether a term is one of a stop word. */
  stops = new Uint8Array(1 << 14)
  /** The terms of the text that was read last. */
  found = new Int32Array(1 << 14)
  /** How many of them are of words that are no stop words. */
  length = 0
  /**
   * Words by two hashes; their letters are not kept. What is known of a word lies in one place, as most of the time goes
   * into waiting for memory: both hashes, its only term or where its terms begin in `#parts`, and how many
   * terms it has, times two, plus one for a stop word, plus two: so 0 is a place that is free.
   */
  #table = new Int32Array(4 << 15)
  #words = 0
  #parts = new Int32Array(1 << 10)
  #partsEnd = 0
  /** Terms likewise: both hashes, and the number plus one. */
  #termTable = new Int32Array(4 << 15)
  #places = new Int32Array(1 << 14)
  #count = 0
  #text = ''

  /** Puts the terms of a text into `found` and says how many there are. */
  read(text: string): number {
    this.#count = 0
    this.length = 0
    this.#text = text
    scan(text, this)
    this.#text = ''
    return this.#count
  }

  /** The same for one word of a text. */
  readWord(text: string, start: number, end: number): number {
    this.#count = 0
    this.length = 0
    this.#text = text
    this.#take(start, end, 0)
    this.#text = ''
    return this.#count
  }

  number(term: string): number {
    let first = 0x811c9dc5
    let second = 0
    const { length } = term
    for (let i = 0; i < length; i++) {
      const code = term.charCodeAt(i)
      first = Math.imul(first ^ code, 0x01000193)
      second = (Math.imul(second, 31) + code + 1) | 0
    }
    first ^= second >>> 15
    second ^= length
    return this.#numbered(term, first, second)
  }

  /** Of a term with these hashes. */
  #numbered(term: string, first: number, second: number): number {
    const table = this.#termTable
    const mask = table.length - 1
    let at = ((first ^ (first >>> 16)) << 2) & mask
    while (table[at + 2] !== 0) {
      if (table[at] === first && table[at + 1] === second) return table[at + 2]! - 1
      at = (at + 4) & mask
    }
    const number = this.size++
    this.#write(number, term)
    table[at] = first
    table[at + 1] = second
    table[at + 2] = number + 1
    if (isCrowded(number, table)) this.#termTable = rehashed(table, 2)
    if (number >= this.stops.length) this.stops = grown(this.stops)
    return number
  }

  /** The letters of a term behind those of the one before. */
  #write(number: number, term: string): void {
    const { length } = term
    if (number + 1 >= this.starts.length) this.starts = grown(this.starts)
    let end = this.starts[number]!
    while (end + length * 3 > this.letters.length) this.letters = grown(this.letters)
    const { letters } = this
    let i = 0
    for (; i < length; i++) {
      const code = term.charCodeAt(i)
      if (code > 127) break
      letters[end++] = code
    }
    if (i < length) end += encoder.encodeInto(term.slice(i), letters.subarray(end)).written
    this.starts[number + 1] = end
  }

  /** A number for every term, all 0: for whoever counts or sorts terms. To be left as it was found. */
  places(): Int32Array {
    while (this.#places.length < this.size) this.#places = new Int32Array(this.#places.length * 2)
    return this.#places
  }

  /** Starts anew where it has grown too large. Numbers given before are void then. */
  trim(most: number): void {
    if (this.#words < most) return
    this.size = 0
    this.#termTable.fill(0)
    this.#table.fill(0)
    this.#words = 0
    this.#partsEnd = 0
    this.stops.fill(0)
  }

  word(start: number, end: number): void {
    this.#take(start, end, 0)
  }

  run(start: number, end: number): void {
    const text = this.#text
    let before = -1
    for (let i = start; i < end; ) {
      const next = i + (text.charCodeAt(i) >= 0xd800 && text.charCodeAt(i) < 0xdc00 ? 2 : 1)
      this.#take(i, next, 1)
      if (before >= 0) this.#take(before, next, 2)
      before = i
      i = next
    }
  }

  /** Takes in the terms of a word; `kind` 1 and 2 are one and two characters of a run. */
  #take(start: number, end: number, kind: number): void {
    const text = this.#text
    let first = 0x811c9dc5 ^ kind
    let second = kind
    for (let i = start; i < end; i++) {
      const code = text.charCodeAt(i)
      first = Math.imul(first ^ code, 0x01000193)
      second = (Math.imul(second, 31) + code + 1) | 0
    }
    first ^= second >>> 15
    second ^= end - start
    let table = this.#table
    const mask = table.length - 1
    let at = ((first ^ (first >>> 16)) << 2) & mask
    for (;;) {
      if (table[at + 3] === 0) {
        at = this.#add(start, end, kind, first, second, at)
        table = this.#table
        break
      }
      if (table[at] === first && table[at + 1] === second) break
      at = (at + 4) & mask
    }
    const terms = (table[at + 3]! >> 1) - 1
    if (this.#count + terms > this.found.length) this.found = grown(this.found)
    if ((table[at + 3]! & 1) === 0) this.length += terms
    const from = table[at + 2]!
    if (terms === 1) this.found[this.#count++] = from
    else for (let i = 0; i < terms; i++) this.found[this.#count++] = this.#parts[from + i]!
  }

  /** Takes a word in, at a free place, and says where it is. */
  #add(start: number, end: number, kind: number, first: number, second: number, at: number): number {
    const raw = this.#text.slice(start, end)
    const letters = kind === 0 ? lettersOf(this.#text, start, end) : 0
    const plain = letters < CAPITAL ? raw : letters < OTHER ? raw.toLowerCase() : folded(raw)
    const isStop = kind < 2 && (letters & DIGIT) === 0 && isStopWord(plain)
    const terms = termsOf(raw, plain, kind, letters)
    let from = this.#partsEnd
    let count = 1
    // A word that is its own term was hashed just now.
    if (typeof terms === 'string') {
      from = kind === 0 && terms === raw ? this.#numbered(terms, first, second) : this.number(terms)
      if (isStop) this.stops[from] = 1
    } else {
      count = terms.length
      for (const term of terms) {
        const number = this.number(term)
        if (isStop) this.stops[number] = 1
        if (count === 1) from = number
        else {
          if (this.#partsEnd === this.#parts.length) this.#parts = grown(this.#parts)
          this.#parts[this.#partsEnd++] = number
        }
      }
    }
    const table = this.#table
    table[at] = first
    table[at + 1] = second
    table[at + 2] = from
    table[at + 3] = (count << 1) + 2 + Number(isStop)
    this.#words++
    if (!isCrowded(this.#words, table)) return at
    this.#table = rehashed(table, 3)
    const mask = this.#table.length - 1
    let moved = ((first ^ (first >>> 16)) << 2) & mask
    while (this.#table[moved] !== first || this.#table[moved + 1] !== second) moved = (moved + 4) & mask
    return moved
  }
}

/** Two thirds are taken: what is looked for is still found within a step or two. */
function isCrowded(count: number, table: Int32Array): boolean {
  return count * 6 > table.length
}

/** A table twice as large. Places with 0 at `mark` are free. */
function rehashed(table: Int32Array, mark: number) {
  const larger = new Int32Array(table.length * 2)
  const last = larger.length - 1
  for (let from = 0; from < table.length; from += 4) {
    if (table[from + mark] === 0) continue
    const first = table[from]!
    let at = ((first ^ (first >>> 16)) << 2) & last
    while (larger[at + mark] !== 0) at = (at + 4) & last
    for (let i = 0; i < 4; i++) larger[at + i] = table[from + i]!
  }
  return larger
}

const encoder = new TextEncoder()

const LOWER = 1
const DIGIT = 2
/** Letters beyond those that are digits of a hexadecimal number. */
const BEYOND_F = 4
/** Its first letter is a capital one. */
const CAPITAL = 8
const OTHER = 16

/** Which letters a word has: small Latin ones, digits, others. Most new words are plain, and need no closer look. */
function lettersOf(text: string, start: number, end: number): number {
  let letters = 0
  for (let i = start; i < end; i++) {
    const code = text.charCodeAt(i)
    if (code >= 97 && code <= 122) letters |= code > 102 ? LOWER | BEYOND_F : LOWER
    else if (code >= 48 && code <= 57) letters |= DIGIT
    else if (i === start && code >= 65 && code <= 90) letters |= CAPITAL
    else return OTHER
  }
  return letters
}

const LONGEST_PLAIN = 64
/** As in `terms.ts`: such a word has no parts. */
const SHORTEST_HEXADECIMAL = 6

/** Most words have one. */
function termsOf(raw: string, plain: string, kind: number, letters: number): string | string[] {
  if (kind === 0) {
    if (raw.length > LONGEST_PLAIN || letters >= OTHER) return termsOfFolded(raw, plain)
    if ((letters & DIGIT) === 0) return stem(plain)
    // Numbers, and what commits and ids are named by: most of what is said once.
    if (letters === DIGIT || (letters === (LOWER | DIGIT) && raw.length >= SHORTEST_HEXADECIMAL)) return raw
    return termsOfFolded(raw, plain)
  }
  const { pairs, characters } = termsOfRun(raw)
  return kind === 1 ? characters : pairs
}

function grown<T extends Int32Array | Uint8Array>(array: T): T {
  const larger = new (array.constructor as new (length: number) => T)(array.length * 2)
  larger.set(array)
  return larger
}
