import fs from 'node:fs'
import { dataFile } from '../../platform/data-file.ts'

/** A term in another language, and how likely it stands for the one asked for. */
export interface Translation {
  term: string
  share: number
}

/**
 * Which terms of other languages stand for which English ones. The file is read once, when first
 * asked for, and looked up where it lies: nothing is unpacked. scripts/lexicon/pack.ts writes it.
 *
 * After a line of JSON that says where each part begins come sorted lists of words in blocks of
 * sixteen, the first of each block written out, the others as what differs from the one before.
 */
export interface Lexicon {
  /** Codes of its languages, without English. */
  languages: string[]
  /** Whether the English side knows it. */
  isEnglish(term: string): boolean
  /** How an English term is usually written. */
  spelling(term: string): string
  toEnglish(language: string, term: string): Translation[]
  /** For each of the English terms those of the language that stand for it, the likeliest first. */
  fromEnglish(language: string, terms: Iterable<string>): Map<string, Translation[]>
  /** Everything that is in it, to write it again. */
  all(): {
    spellings: Map<string, string>
    languages: Map<string, { term: string; english: Translation[] }[]>
  }
}

let known: Lexicon | undefined

export function lexicon(): Lexicon {
  known ??= openLexicon(fs.readFileSync(dataFile('lexicon.bin')))
  return known
}

/** Words of a block. */
export const BLOCK = 16
/** Shares are kept in so many steps. */
export const STEPS = 127

export interface Part {
  words: number
  /** Where the offsets of its blocks stand, and where the first block does. */
  index: number
  at: number
}

export interface Contents {
  english: Part
  languages: Record<string, Part>
}

export function openLexicon(bytes: Buffer): Lexicon {
  const start = bytes.indexOf(0x0a) + 1
  const contents = JSON.parse(bytes.toString('utf8', 0, start)) as Contents
  const walker = new Walker(bytes, start)
  const remembered = new Map<string, Translation[]>()

  const english = (id: number): string => walker.english(contents.english, id)

  return {
    languages: Object.keys(contents.languages),
    isEnglish: (term) => walker.find(contents.english, term, true),
    spelling: (term) => (walker.find(contents.english, term, true) ? walker.spelling() : term),
    toEnglish(language, term) {
      const part = contents.languages[language]
      if (!part || !walker.find(part, term, false)) return []
      return walker.translations().map(({ id, share }) => ({ term: english(id), share }))
    },
    fromEnglish(language, terms) {
      const found = new Map<string, Translation[]>()
      const asked = new Map<number, Translation[]>()
      const part = contents.languages[language]
      for (const term of terms) {
        const before = remembered.get(`${language} ${term}`)
        const list = before ?? []
        found.set(term, list)
        if (before || !part) continue
        if (remembered.size >= MOST_REMEMBERED) remembered.clear()
        remembered.set(`${language} ${term}`, list)
        if (walker.find(contents.english, term, true)) asked.set(walker.number, list)
      }
      if (part && asked.size > 0) walker.collect(part, asked)
      return found
    },
    all() {
      const spellings = new Map(
        walker.every(contents.english, true, (term) => [term, walker.spelling()] as const),
      )
      const names = [...spellings.keys()]
      const languages = Object.entries(contents.languages).map(([code, part]) => {
        const entries = walker.every(part, false, (term) => ({
          term,
          english: walker.translations().map(({ id, share }) => ({ term: names[id]!, share })),
        }))
        return [code, entries] as const
      })
      return { spellings, languages: new Map(languages) }
    },
  }
}

const MOST_REMEMBERED = 500
const MOST_FORMS = 12

/** Goes through the words of a block, one after the other, in place. */
class Walker {
  readonly #bytes: Buffer
  readonly #start: number
  /** The word it is at. */
  readonly #word = Buffer.alloc(256)
  #length = 0
  /** Where what follows the word begins. */
  #after = 0
  /** The number of the word that was found last. */
  number = -1

  constructor(bytes: Buffer, start: number) {
    this.#bytes = bytes
    this.#start = start
  }

  find({ words, index, at }: Part, term: string, isEnglish: boolean): boolean {
    const wanted = Buffer.from(term)
    const blocks = Math.ceil(words / BLOCK)
    let low = 0
    let high = blocks - 1
    while (low < high) {
      const middle = (low + high + 1) >> 1
      this.#read(this.#blockAt(index, at, middle))
      if (this.#compare(wanted) <= 0) low = middle
      else high = middle - 1
    }
    let place = this.#blockAt(index, at, low)
    for (let i = low * BLOCK; i < Math.min(words, (low + 1) * BLOCK); i++) {
      this.#read(place)
      const order = this.#compare(wanted)
      if (order === 0) {
        this.number = i
        return true
      }
      if (order > 0) return false
      place = isEnglish ? this.#endOfSpelling() : this.#endOfTranslations()
    }
    return false
  }

  english({ index, at }: Part, id: number): string {
    let place = this.#blockAt(index, at, Math.floor(id / BLOCK))
    for (let i = 0; i <= id % BLOCK; i++) {
      this.#read(place)
      place = this.#endOfSpelling()
    }
    return this.#word.toString('utf8', 0, this.#length)
  }

  /** The word as it is usually written: so many bytes less at the end, and others instead. */
  spelling(): string {
    const head = this.#bytes[this.#after]!
    const from = this.#after + 1
    const kept = this.#word.toString('utf8', 0, this.#length - (head >> 4))
    return kept + this.#bytes.toString('utf8', from, from + (head & 15))
  }

  translations(): { id: number; share: number }[] {
    const found: { id: number; share: number }[] = []
    for (let at = this.#after; ; at += 3) {
      const byte = this.#bytes[at + 2]!
      found.push({ id: this.#bytes.readUInt16LE(at), share: ((byte & 127) + 1) / (STEPS + 1) })
      if (byte < 128) return found
    }
  }

  /** All words of a part that stand for any of these English ones, which are numbered. */
  collect(part: Part, asked: Map<number, Translation[]>): void {
    const bytes = this.#bytes
    for (const [id, list] of asked) {
      for (const block of this.#blocksWith(part, id)) {
        let place = this.#blockAt(part.index, part.at, block)
        for (let word = block * BLOCK; word < Math.min(part.words, (block + 1) * BLOCK); word++) {
          this.#read(place)
          for (place = this.#after; ; place += 3) {
            const byte = bytes[place + 2]!
            if ((bytes[place]! | (bytes[place + 1]! << 8)) === id)
              list.push({
                term: this.#word.toString('utf8', 0, this.#length),
                share: ((byte & 127) + 1) / (STEPS + 1),
              })
            if (byte < 128) break
          }
          place += 3
        }
      }
      list.sort((a, b) => b.share - a.share)
      list.length = Math.min(list.length, MOST_FORMS)
    }
  }

  /** The blocks that the two bytes of a number stand in, whatever they are there: to look for bytes is quicker than to go through words. */
  *#blocksWith({ words, index, at }: Part, id: number): Generator<number> {
    const last = Math.ceil(words / BLOCK) - 1
    const first = this.#blockAt(index, at, 0)
    const bytes = this.#bytes.subarray(first, this.#blockAt(index, at, last))
    const wanted = Buffer.from([id & 255, id >> 8])
    let block = -1
    for (;;) {
      const found = bytes.indexOf(wanted, this.#blockAt(index, at, block + 1) - first)
      if (found < 0) break
      block = this.#blockHolding(index, at, first + found, block + 1, last - 1)
      yield block
      if (block + 1 === last) break
    }
    yield last
  }

  #blockHolding(index: number, at: number, place: number, from: number, to: number): number {
    let low = from
    let high = to
    while (low < high) {
      const middle = (low + high + 1) >> 1
      if (this.#blockAt(index, at, middle) <= place) low = middle
      else high = middle - 1
    }
    return low
  }

  every<T>({ words, at }: Part, isEnglish: boolean, visit: (word: string) => T): T[] {
    const found: T[] = []
    let place = this.#start + at
    for (let i = 0; i < words; i++) {
      this.#read(place)
      found.push(visit(this.#word.toString('utf8', 0, this.#length)))
      place = isEnglish ? this.#endOfSpelling() : this.#endOfTranslations()
    }
    return found
  }

  #blockAt(index: number, at: number, block: number): number {
    return this.#start + at + this.#bytes.readUInt32LE(this.#start + index + block * 4)
  }

  #read(place: number): void {
    const bytes = this.#bytes
    const head = bytes[place]!
    let from = place + 1
    let length = head & 15
    if (length === 15) length += bytes[from++]!
    const shared = head >> 4
    for (let i = 0; i < length; i++) this.#word[shared + i] = bytes[from + i]!
    this.#length = shared + length
    this.#after = from + length
  }

  #compare(wanted: Buffer): number {
    return this.#word.compare(wanted, 0, wanted.length, 0, this.#length)
  }

  #endOfSpelling(): number {
    return this.#after + 1 + (this.#bytes[this.#after]! & 15)
  }

  #endOfTranslations(): number {
    let at = this.#after
    while (this.#bytes[at + 2]! > 127) at += 3
    return at + 3
  }
}
