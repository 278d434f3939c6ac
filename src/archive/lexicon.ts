import { kindAt, knownKinds } from '../model/scan.ts'
import { stem } from '../model/stem.ts'
import { isStopWord } from '../model/stop-words.ts'
import { folded, termsOfFolded, termsOfRun } from '../model/terms.ts'
import { type Bytes, buffer, bytes, type Ints, ints, longer, release } from '../platform/loops/memory.ts'
import { readWords } from '../platform/loops/words.ts'
import {
  AT,
  BEFORE,
  COUNT,
  DONE,
  EACH,
  FOUND,
  KINDS,
  LENGTH,
  MASK,
  NEW_CHARACTER,
  NEW_WORD,
  NEXT,
  PARTS,
  ROOM,
  SEEN,
  STATE,
  TABLE,
  TAKEN,
  WORDS,
} from '../platform/loops/words-places.ts'

/**
 * Numbers for terms, and texts as lists of them. The hot path of indexing: a word seen before costs
 * one pass over its letters and one look-up, no string is made of it, and a loop of platform/loops does it.
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
  found = ints(1 << 10)
  /** How many of them are of words that are no stop words. */
  length = 0
  /**
   * Words by two hashes; their letters are not kept. What is known of a word lies in one place, as most of the time goes
   * into waiting for memory: both hashes, its only term or where its terms begin in `#parts`, and how many
   * terms it has, times two, plus one for a stop word, plus two: so 0 is a place that is free.
   */
  #table: Ints
  #words = 0
  #parts = ints(1 << 10)
  #partsEnd = 0
  /** Terms likewise: both hashes, and the number plus one. */
  #termTable = new Int32Array(4 << 15)
  #places = ints(1 << 10)
  /** What `readWords` goes by. */
  readonly #state = ints(STATE)
  /** The hashes of the word that was hashed last. */
  #first = 0
  #second = 0

  /** With room for so many words from the start. */
  constructor(words = 20_000) {
    this.#table = ints(1 << (32 - Math.clz32(words * 6)))
    kinds ??= kindsOf()
    this.#state[KINDS] = kinds.byteOffset
    this.#moved()
  }

  /** Says the loop where everything is. */
  #moved(): void {
    const state = this.#state
    state[TABLE] = this.#table.byteOffset
    state[MASK] = this.#table.length - 1
    state[FOUND] = this.found.byteOffset
    state[ROOM] = this.found.length
    state[PARTS] = this.#parts.byteOffset
  }

  /** Puts the terms of a text into `found` and says how many there are. */
  read(text: string): number {
    const state = this.#state
    const units = unitsOf(text)
    state[NEXT] = 0
    state[BEFORE] = -1
    state[COUNT] = 0
    state[LENGTH] = 0
    state[SEEN] = 0
    state[TAKEN] = 0
    for (;;) {
      const why = readWords(state, units, text.length)
      if (why === DONE) break
      if (why === NEW_WORD) this.#addSeen(text)
      else if (why === NEW_CHARACTER) learn(text, state[AT]!)
      else this.#makeRoom()
    }
    this.length = state[LENGTH]!
    return state[COUNT]!
  }

  /** The same for one word of a text. Not by the loop: calling it takes longer than a word. */
  readWord(text: string, start: number, end: number): number {
    this.#hash(text, start, end)
    const [first, second] = [this.#first, this.#second]
    this.#add(text, start, end, 0, first, second)
    const at = this.#find(first, second)
    const known = this.#table[at + 3]!
    const from = this.#table[at + 2]!
    const terms = (known >> 1) - 1
    while (terms > this.found.length) this.#makeRoom()
    this.length = (known & 1) === 0 ? terms : 0
    if (terms === 1) this.found[0] = from
    else for (let i = 0; i < terms; i++) this.found[i] = this.#parts[from + i]!
    return terms
  }

  #makeRoom(): void {
    this.found = wider(this.found)
    this.#moved()
  }

  number(term: string): number {
    this.#hash(term, 0, term.length)
    return this.#numbered(term, this.#first, this.#second)
  }

  /** As the loop does. */
  #hash(text: string, start: number, end: number): void {
    let first = 0x811c9dc5
    let second = 0
    for (let i = start; i < end; i++) {
      const code = text.charCodeAt(i)
      first = Math.imul(first ^ code, 0x01000193)
      second = (Math.imul(second, 31) + code + 1) | 0
    }
    this.#first = first ^ (second >>> 15)
    this.#second = second ^ (end - start)
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
    if (isCrowded(number, table)) this.#termTable = rehashed(table, 2, new Int32Array(table.length * 2))
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
  places(): Ints {
    let { length } = this.#places
    while (length < this.size) length *= 2
    if (length > this.#places.length) {
      const before = this.#places
      this.#places = ints(length)
      release(before)
    }
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

  /** Where a word with these hashes is in the table, or would be. */
  #find(first: number, second: number): number {
    const table = this.#table
    const mask = table.length - 1
    let at = ((first ^ (first >>> 16)) << 2) & mask
    while (table[at + 3] !== 0 && (table[at] !== first || table[at + 1] !== second)) at = (at + 4) & mask
    return at
  }

  /** Takes in what was seen and is new: where one word is, others mostly are. */
  #addSeen(text: string): void {
    const state = this.#state
    const end = WORDS + state[SEEN]! * EACH
    for (let word = WORDS + state[TAKEN]! * EACH; word < end; word += EACH)
      this.#add(text, state[word]!, state[word + 1]!, state[word + 2]!, state[word + 3]!, state[word + 4]!)
  }

  /** Takes a word in, unless it is known; `kind` 1 and 2 are one and two characters of a run. */
  #add(text: string, start: number, end: number, kind: number, first: number, second: number): void {
    const table = this.#table
    const at = this.#find(first, second)
    if (table[at + 3] !== 0) return
    const raw = text.slice(start, end)
    const letters = kind === 0 ? lettersOf(text, start, end) : 0
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
          if (this.#partsEnd === this.#parts.length) {
            this.#parts = wider(this.#parts)
            this.#moved()
          }
          this.#parts[this.#partsEnd++] = number
        }
      }
    }
    table[at] = first
    table[at + 1] = second
    table[at + 2] = from
    table[at + 3] = (count << 1) + 2 + Number(isStop)
    this.#words++
    if (isCrowded(this.#words, table)) {
      this.#table = rehashed(table, 3, ints(table.length * 2))
      release(table)
      this.#moved()
    }
  }
}

/** Two thirds are taken: what is looked for is still found within a step or two. */
function isCrowded(count: number, table: Int32Array): boolean {
  return count * 6 > table.length
}

/** Fills a larger table, which is all 0. Places with 0 at `mark` are free. */
function rehashed<T extends Int32Array>(table: Int32Array, mark: number, larger: T): T {
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

/** What each character is, by its number, plus one; 0 until it is met. */
let kinds: Bytes | undefined
const CHARACTERS = 0x110000

function kindsOf(): Bytes {
  const all = bytes(CHARACTERS)
  for (let code = 0; code < 128; code++) all[code] = kindAt(String.fromCharCode(code), 0) + 1
  for (const [from, to, kind] of knownKinds()) all.fill(kind + 1, from, to + 1)
  return all
}

/** Notes what the character at a place is. */
function learn(text: string, at: number): void {
  kinds![text.codePointAt(at)!] = kindAt(text, at) + 1
}

/** The text that is read, where the loop reads it. */
let room = buffer(1 << 12)

function unitsOf(text: string): Buffer<SharedArrayBuffer> {
  if (text.length * 2 > room.length) {
    const before = room
    room = buffer(text.length * 3)
    release(before)
  }
  room.write(text, 'utf16le')
  return room
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

/** The same for what the loop is given. */
function wider(array: Ints): Ints {
  return longer(array, array.length * 2)
}
