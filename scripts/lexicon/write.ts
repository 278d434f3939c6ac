import fs from 'node:fs'
import path from 'node:path'
import { BLOCK, type Contents, type Part, STEPS } from '../../src/search/languages/lexicon.ts'
import type { Entry } from './choose.ts'

/** A lexicon in memory: of each language its words with what they are in English, and how English ones are spelt. */
export interface Words {
  languages: Map<string, Entry[]>
  spellings: Map<string, string>
}

/** Writes the file that src/search/languages/lexicon.ts looks things up in. */
export function writeLexicon(to: string, { languages, spellings }: Words): void {
  const english = [...spellings.keys()].sort(byBytes)
  const ids = new Map(english.map((term, id) => [term, id]))
  if (english.length > 0xffff) throw new Error(`${english.length} English words are too many for two bytes`)
  const chunks: Buffer[] = []
  let size = 0
  const add = (words: Word[]): Part => {
    const { offsets, list, length } = blocksOf(words)
    const index = Buffer.alloc(offsets.length * 4)
    for (const [i, offset] of offsets.entries()) index.writeUInt32LE(offset, i * 4)
    const part = { words: words.length, index: size, at: size + index.length }
    chunks.push(index, ...list)
    size += index.length + length
    return part
  }
  const contents: Contents = {
    english: add(english.map((term) => ({ term, rest: spellingOf(term, spellings.get(term)!) }))),
    languages: {},
  }
  for (const [code, entries] of languages)
    contents.languages[code] = add(
      entries
        .toSorted((a, b) => byBytes(a.term, b.term))
        .map(({ term, english: list }) => ({ term, rest: translationsOf(list, ids) })),
    )
  fs.mkdirSync(path.dirname(to), { recursive: true })
  fs.writeFileSync(to, Buffer.concat([Buffer.from(`${JSON.stringify(contents)}\n`), ...chunks]))
  for (const [code, { words }] of Object.entries({ en: contents.english, ...contents.languages }))
    console.log(`${code}: ${words} words`)
  console.log(`${fs.statSync(to).size} bytes`)
}

interface Word {
  term: string
  /** What follows it in the file. */
  rest: Buffer
}

function blocksOf(words: Word[]): { offsets: number[]; list: Buffer[]; length: number } {
  const offsets: number[] = []
  const list: Buffer[] = []
  let length = 0
  let before = Buffer.alloc(0)
  for (const [i, { term, rest }] of words.entries()) {
    const word = Buffer.from(term)
    let shared = 0
    if (i % BLOCK === 0) offsets.push(length)
    else while (shared < 15 && shared < word.length && word[shared] === before[shared]) shared++
    const tail = word.subarray(shared)
    const head = tail.length < 15 ? [(shared << 4) | tail.length] : [(shared << 4) | 15, tail.length - 15]
    const entry = Buffer.concat([Buffer.from(head), tail, rest])
    list.push(entry)
    length += entry.length
    before = word
  }
  return { offsets, list, length }
}

function spellingOf(term: string, spelling: string): Buffer {
  let shared = 0
  while (shared < term.length && term[shared] === spelling[shared]) shared++
  const dropped = term.length - shared
  const added = Buffer.from(spelling.slice(shared))
  // Where the two differ too much the stem has to do.
  if (dropped > 15 || added.length > 15) return Buffer.from([0])
  return Buffer.concat([Buffer.from([(dropped << 4) | added.length]), added])
}

function translationsOf(list: Entry['english'], ids: Map<string, number>): Buffer {
  const bytes = Buffer.alloc(list.length * 3)
  for (const [i, { term, share }] of list.entries()) {
    bytes.writeUInt16LE(ids.get(term)!, i * 3)
    const step = Math.max(0, Math.min(STEPS, Math.round(share * (STEPS + 1)) - 1))
    bytes[i * 3 + 2] = step | (i < list.length - 1 ? 128 : 0)
  }
  return bytes
}

function byBytes(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a), Buffer.from(b))
}
