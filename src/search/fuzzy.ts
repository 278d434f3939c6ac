import type { SearchView, WordField } from '../archive/archive.ts'
import type { Query, QueryTerm } from './query.ts'
import { weights } from './weights.ts'

/** A word that stands nowhere, and the words that were tried instead. */
export interface Tried {
  word: string
  instead: string[]
}

/**
 * The query with the nearest known words in place of words that occur nowhere, and with what its
 * last word may be the beginning of. Words that occur are left alone: that costs clean queries nothing.
 */
export function forgiving(
  view: SearchView,
  query: Query,
  fields: WordField[],
): { query: Query; tried: Tried[] } {
  const searched = fields.filter((field) => field !== 'thought')
  const terms: QueryTerm[] = []
  const tried: Tried[] = []
  const known = new Set(query.terms.map(({ term }) => term))
  const units = new Set<number>()
  for (const term of query.terms) {
    terms.push(term)
    // The parts of an unknown name may be known, which is enough.
    if (term.prefix || units.has(term.unit)) continue
    const exists = query.terms.some(
      (other) => other.unit === term.unit && fields.some((field) => view.messagesWith(field, other.term) > 0),
    )
    units.add(term.unit)
    if (exists) continue
    const near = nearest(view, term.term, searched).filter((each) => !known.has(each.term))
    if (near.length === 0) continue
    tried.push({ word: term.typed, instead: near.map((each) => each.term) })
    for (const { term: instead, edits } of near)
      terms.push({ ...term, term: instead, weight: weights.corrected / edits })
  }
  const last = query.terms.at(-1)
  if (last && !last.prefix && last.typed.length > 2 && /^[\p{L}\p{N}]+$/u.test(last.typed)) {
    const begun = view
      .termsFrom(searched[0] ?? 'title', last.typed.toLowerCase(), MOST_BEGUN)
      .filter((each) => !known.has(each.term))
    for (const { term } of begun)
      terms.push({ ...last, term, weight: weights.begun / Math.sqrt(begun.length) })
    if (begun.length > 0 && view.messagesWith(searched[0] ?? 'title', last.term) === 0)
      tried.push({ word: last.typed, instead: begun.slice(0, 3).map((each) => each.term) })
  }
  return { query: { ...query, terms }, tried }
}

const MOST_BEGUN = 24
const LEAST_LETTERS = 4
const TWO_EDITS_FROM = 8
const MOST_NEAR = 3
/** Mistakes in these letters are undone by trying; those behind them by looking through the words that begin so. */
const HEAD = 3
const MOST_LOOKED_AT = 20_000

/** Known words within one mistake (two from eight letters on), nearest and commonest first. */
export function nearest(
  view: SearchView,
  word: string,
  fields: WordField[],
): { term: string; edits: number }[] {
  if (word.length < LEAST_LETTERS || /\d/.test(word)) return []
  const most = word.length >= TWO_EDITS_FROM ? 2 : 1
  const found = new Map<string, { edits: number; messages: number }>()
  const consider = (term: string, messages: number) => {
    if (messages === 0 || Math.abs(term.length - word.length) > most) return
    const edits = editsBetween(word, term, most)
    const known = found.get(term)
    if (edits <= most) found.set(term, { edits, messages: messages + (known?.messages ?? 0) })
  }
  for (const field of fields) {
    for (const { term, messages } of view.termsFrom(field, word.slice(0, HEAD), MOST_LOOKED_AT))
      consider(term, messages)
    for (const variant of headVariants(word)) consider(variant, view.messagesWith(field, variant))
    if (found.size > 0) break
  }
  return [...found]
    .map(([term, { edits, messages }]) => ({ term, edits, messages }))
    .sort((a, b) => a.edits - b.edits || b.messages - a.messages || (a.term < b.term ? -1 : 1))
    .slice(0, MOST_NEAR)
}

/** All words that differ by one mistake in the first letters. */
function headVariants(word: string): Set<string> {
  const letters = alphabetOf(word)
  const variants = new Set<string>()
  for (let i = 0; i < Math.min(HEAD, word.length); i++) {
    const [before, after] = [word.slice(0, i), word.slice(i + 1)]
    variants.add(before + after)
    if (i + 1 < word.length) variants.add(before + word[i + 1] + word[i] + word.slice(i + 2))
    for (const letter of letters) {
      variants.add(before + letter + after)
      variants.add(before + letter + word.slice(i))
    }
  }
  variants.delete(word)
  return variants
}

function alphabetOf(word: string): string {
  return /[а-я]/.test(word) ? 'абвгдежзийклмнопрстуфхцчшщъыьэюя' : 'abcdefghijklmnopqrstuvwxyz'
}

/** Letters added, left out, changed, or two swapped; cut off above `most`. */
export function editsBetween(a: string, b: string, most: number): number {
  let beforeLast: number[] = []
  let last = Array.from({ length: b.length + 1 }, (_, i) => i)
  for (let i = 1; i <= a.length; i++) {
    const row = [i]
    let least = i
    for (let j = 1; j <= b.length; j++) {
      let edits = Math.min(last[j]! + 1, row[j - 1]! + 1, last[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1))
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        edits = Math.min(edits, beforeLast[j - 2]! + 1)
      row.push(edits)
      if (edits < least) least = edits
    }
    if (least > most) return most + 1
    beforeLast = last
    last = row
  }
  return last[b.length]!
}
