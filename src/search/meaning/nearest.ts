import type { SearchView, WordField } from '../../archive/archive.ts'
import { isStopWord } from '../../model/stop-words.ts'
import { folded, termsOfRun, termsOfWord } from '../../model/terms.ts'
import type { Also, Query, QueryTerm } from '../query.ts'
import { addRow, lengthOf, type MeaningTable, meaningTable, rowOfWord, wordsAt } from './table.ts'

/** A word of the query, and words of the archive that mean something like it. */
export interface NearWords {
  word: string
  unit: number
  /** As they are written, and as the index has them with how much alike they are. */
  instead: string[]
  terms: Also[]
}

/** Below this words have little to do with each other. */
const NEAR = 0.5
const LOOKED_AT = 200
const MOST = 3
const MOST_WORDS = 6

/**
 * For the words of a query those that mean most alike and stand in this archive. Looks at every word of the
 * table, some milliseconds for each word asked first: only for who asks for related words or finds none.
 */
export function nearestWords(
  view: SearchView,
  { terms }: Query,
  fields: WordField[],
  isAllowed: (term: string) => boolean,
): NearWords[] {
  const table = meaningTable()
  if (!table) return []
  const asked = new Map<string, QueryTerm>()
  for (const term of terms)
    if (!term.prefix && !term.raises && !asked.has(term.typed)) asked.set(term.typed, term)
  const field = fields.find((each) => each !== 'title') ?? 'title'
  const taken = new Set(terms.map(({ term }) => term))
  const found: NearWords[] = []
  for (const [word, { unit }] of [...asked].slice(0, MOST_WORDS)) {
    const row = rowOfWord(table, word.toLowerCase())
    if (row < 0 || isStopWord(folded(word))) continue
    const near: NearWords = { word, unit, instead: [], terms: [] }
    for (const { typed, likeness } of wordsLike(table, row)) {
      if (near.terms.length === MOST) break
      const term = termOf(typed)
      if (!term || taken.has(term) || isStopWord(typed) || view.messagesWith(field, term) === 0) continue
      if (!isAllowed(term)) continue
      taken.add(term)
      near.instead.push(typed)
      near.terms.push({ term, weight: likeness })
    }
    if (near.terms.length > 0) found.push(near)
  }
  return found
}

/** The query with these words beside its own, each counting as one with the word that it is near to. */
export function withNearWords(query: Query, near: NearWords[], weight: number): Query {
  const terms = query.terms.map((term): QueryTerm => {
    const own = near.find(({ word }) => word === term.typed)
    if (!own || term.prefix || term.raises) return term
    const also = own.terms.map((each) => ({ term: each.term, weight: each.weight * weight }))
    return { ...term, also: [...(term.also ?? []), ...also] }
  })
  return { ...query, terms }
}

interface LikeWord {
  typed: string
  likeness: number
}

/** Of the words asked last: who looks for something asks for the same words again and again. */
const known = new Map<number, LikeWord[]>()
let knownOf: MeaningTable | undefined
const MOST_KNOWN = 64

function wordsLike(table: MeaningTable, row: number): LikeWord[] {
  if (table !== knownOf) known.clear()
  knownOf = table
  const before = known.get(row)
  if (before) return before
  const near = rowsLike(table, row)
  const words = wordsAt(
    table,
    near.map((each) => each.row),
  )
  const like = near.map(({ likeness }, i) => ({ typed: words[i]!, likeness }))
  if (known.size === MOST_KNOWN) known.clear()
  known.set(row, like)
  return like
}

/** A byte holds two numbers: the sum of their squares. */
const SQUARES = Uint8Array.from({ length: 256 }, (_, byte) => lowOf(byte) ** 2 + highOf(byte) ** 2)

function rowsLike(table: MeaningTable, row: number): { row: number; likeness: number }[] {
  const { rows, dims, numbers } = table
  const asked = new Float32Array(dims)
  addRow(table, row, asked)
  const length = lengthOf(asked) || 1
  const half = dims / 2
  const products = productsWith(asked)
  const near: { row: number; likeness: number }[] = []
  let at = 0
  for (let each = 0; each < rows; each++) {
    let product = 0
    let square = 0
    for (let i = 0; i < half; i++) {
      const byte = numbers[at++]!
      product += products[(i << 8) | byte]!
      square += SQUARES[byte]!
    }
    const likeness = product / (length * Math.sqrt(square || 1))
    if (likeness >= NEAR && each !== row) near.push({ row: each, likeness })
  }
  return near.sort((a, b) => b.likeness - a.likeness || a.row - b.row).slice(0, LOOKED_AT)
}

/** For each byte of a row, and whatever it may hold, what its two numbers add: looked up a hundred times as often as computed. */
function productsWith(asked: Float32Array): Float64Array {
  const half = asked.length / 2
  const products = new Float64Array(half << 8)
  for (let i = 0; i < half; i++)
    for (let byte = 0; byte < 256; byte++)
      products[(i << 8) | byte] = asked[2 * i]! * lowOf(byte) + asked[2 * i + 1]! * highOf(byte)
  return products
}

function lowOf(byte: number): number {
  return (byte << 28) >> 28
}

function highOf(byte: number): number {
  return (byte << 24) >> 28
}

/** Parts of words are no words; of Chinese two signs are one. */
function termOf(word: string): string | undefined {
  if (word.startsWith('##') || /^\d/.test(word)) return undefined
  if (word < '\u3400') return word.length > 2 ? termsOfWord(word)[0] : undefined
  return word.length === 2 ? termsOfRun(word).pairs[0] : undefined
}
