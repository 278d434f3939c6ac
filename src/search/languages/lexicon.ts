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
      if (part && asked.size > 0) walker.collect(part, contents.english.words, asked)
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
  readonly #named = new Map<Part, Named>()

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

  /** All words of a part that stand for any of these English ones. */
  collect(part: Part, english: number, asked: Map<number, Translation[]>): void {
    const bytes = this.#bytes
    const named = this.#named.get(part) ?? namedIn(bytes, this.#start, part, english)
    this.#named.set(part, named)
    for (const [id, list] of asked) {
      for (let i = named.starts[id]!; i < named.starts[id + 1]!; i++) {
        const block = named.blocks[i]!
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

/** In which blocks of a language each English term is named, by its number: those from its start to that of the next. */
interface Named {
  starts: Uint32Array
  blocks: Uint16Array
}

/** Goes through all words of a language, once: to do so for every word that is asked for took most of a search's time. */
function namedIn(bytes: Buffer, start: number, { words, at }: Part, english: number): Named {
  const starts = new Uint32Array(english + 1)
  // By English term the last block that names it so far, plus one: it is listed once.
  const last = new Uint16Array(english)
  let ids = new Uint16Array(words * 4)
  let blocks = new Uint16Array(words * 4)
  let size = 0
  let place = start + at
  for (let word = 0; word < words; word++) {
    const letters = bytes[place++]! & 15
    place += letters === 15 ? letters + bytes[place]! + 1 : letters
    const block = Math.floor(word / BLOCK)
    for (let isLast = false; !isLast; place += 3) {
      const id = bytes[place]! | (bytes[place + 1]! << 8)
      isLast = bytes[place + 2]! < 128
      if (last[id] === block + 1) continue
      last[id] = block + 1
      if (size === ids.length) [ids, blocks] = [twice(ids), twice(blocks)]
      ids[size] = id
      blocks[size++] = block
      starts[id + 1]!++
    }
  }
  for (let id = 0; id < english; id++) starts[id + 1]! += starts[id]!
  const next = starts.slice()
  const sorted = new Uint16Array(size)
  for (let i = 0; i < size; i++) sorted[next[ids[i]!]!++] = blocks[i]!
  return { starts, blocks: sorted }
}

function twice(list: Uint16Array<ArrayBuffer>): Uint16Array<ArrayBuffer> {
  const larger = new Uint16Array(list.length * 2)
  larger.set(list)
  return larger
}
