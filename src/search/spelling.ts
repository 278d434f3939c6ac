import type { SearchView, WordField } from '../archive/archive.ts'
import { editsBetween } from '../model/nearest.ts'
import { isStopWord } from '../model/stop-words.ts'
import { folded, termsOfWord } from '../model/terms.ts'
import { type Lexicon, lexicon } from './languages/lexicon.ts'
import type { Query, QueryTerm } from './query.ts'
import { weights } from './weights.ts'

/** A word that occurs nowhere or hardly anywhere, and the words that were looked for instead. */
export interface Tried {
  word: string
  instead: string[]
}

/**
 * The query with the nearest known words beside words that occur nowhere, or hardly anywhere while a
 * near one is common. Words that occur, and words that are English, are left alone: that costs clean
 * queries nothing.
 */
export function corrected(
  view: SearchView,
  query: Query,
  fields: WordField[],
  /** Whether a word of the archive may be found so and named: it may be in a secret. */
  isSayable: (term: string) => boolean,
): { query: Query; tried: Tried[] } {
  const searched = fields.filter((field) => field !== 'thought')
  const tried: Tried[] = []
  const known = new Set(query.terms.map(({ term }) => term))
  const units = new Set<number>()
  const terms = query.terms.flatMap((term): QueryTerm[] => {
    // The parts of an unknown name may be known, which is enough.
    if (term.prefix || units.has(term.unit)) return [term]
    units.add(term.unit)
    if (term.also || weights.corrected === 0 || !isSpelt(term.typed)) return [term]
    const ofUnit = query.terms.filter(({ unit }) => unit === term.unit)
    const messages = Math.max(...ofUnit.map((each) => occurrences(view, each.term, fields)))
    if (messages > HARDLY || (messages > 0 && !isRare(term, lexicon()))) return [term]
    const near = nearest(view, term, searched, isSayable).filter(
      (each) => messages === 0 || (each.edits === 1 && each.messages >= COMMON * messages),
    )
    const best = near[0]
    if (!best) return [term]
    // "Whihc" is no word to look for, as "which" is none.
    if (isStopWord(best.spelling) && query.terms.length > ofUnit.length) return []
    const others = near.filter((each) => !known.has(each.term) && !isStopWord(each.spelling))
    if (others.length === 0) return [term]
    tried.push({ word: term.typed, instead: others.map(({ spelling }) => spelling) })
    const also = others.map((each) => ({ term: each.term, weight: weights.corrected / each.edits }))
    return [{ ...term, also, sure: sureOf(term.typed, best.edits) }]
  })
  return { query: { ...query, terms }, tried }
}

/** Nearly every word of four letters is one mistake away from another; of eight letters hardly any is. */
function sureOf({ length }: string, edits: number): number {
  return Math.min(1, Math.max(0, (length - LEAST_SURE * edits) / (TWO_EDITS_FROM - LEAST_SURE)))
}

const LEAST_LETTERS = 4
const LEAST_RARE = 6
const TWO_EDITS_FROM = 8
const LEAST_SURE = 3
const MOST_NEAR = 3
/** In so many messages a word may stand and still be a mistake, where a near one is so many times commoner. */
const HARDLY = 2
const COMMON = 50
/** Mistakes in these letters are undone by trying; those behind them by looking through the words that begin so. */
const HEAD = 3
const MOST_LOOKED_AT = 20_000

interface Near {
  term: string
  /** As it is shown. */
  spelling: string
  edits: number
  messages: number
}

function isSpelt(typed: string): boolean {
  return typed.length >= LEAST_LETTERS && /^\p{L}+$/u.test(typed) && !/\p{Ll}\p{Lu}/u.test(typed)
}

/** A word that is met once or twice and is neither English nor a name. */
function isRare({ term, typed }: QueryTerm, table: Lexicon): boolean {
  return typed.length >= LEAST_RARE && /^\p{Ll}+$/u.test(typed) && !table.isEnglish(term)
}

function occurrences(view: SearchView, term: string, fields: WordField[]): number {
  return fields.reduce((sum, field) => sum + view.messagesWith(field, term), 0)
}

/** Known words within one mistake (two from eight letters on), nearest and commonest first. */
function nearest(
  view: SearchView,
  { term: word, typed }: QueryTerm,
  fields: WordField[],
  isSayable: (term: string) => boolean,
): Near[] {
  const table = lexicon()
  if (word.length < LEAST_LETTERS || table.isEnglish(word)) return []
  const most = word.length >= TWO_EDITS_FROM ? 2 : 1
  const found = new Map<string, Near>()
  const consider = (term: string, messages: number) => {
    if (messages === 0 || Math.abs(term.length - word.length) > most || term === word) return
    const edits = editsBetween(word, term, most)
    const before = found.get(term)
    if (edits <= most && isSayable(term))
      found.set(term, {
        term,
        spelling: table.spelling(term),
        edits,
        messages: messages + (before?.messages ?? 0),
      })
  }
  for (const term of englishNear(table, folded(typed))) {
    const messages = term === word ? 0 : occurrences(view, term, fields)
    if (messages > 0 && isSayable(term))
      found.set(term, { term, spelling: table.spelling(term), edits: 1, messages })
  }
  for (const field of fields) {
    for (const { term, messages } of view.termsFrom(field, word.slice(0, HEAD), MOST_LOOKED_AT))
      if (!found.has(term)) consider(term, messages)
    if (found.size === 0)
      for (const variant of headVariants(word)) consider(variant, view.messagesWith(field, variant))
    if (found.size > 0) break
  }
  return [...found.values()]
    .sort((a, b) => a.edits - b.edits || b.messages - a.messages || (a.term < b.term ? -1 : 1))
    .slice(0, MOST_NEAR)
}

/** English words one mistake away: "considerd" has a stem of its own, which no stem in the index is near to. */
function englishNear(table: Lexicon, word: string): Set<string> {
  const found = new Set<string>()
  if (!/^[a-z]{5,}$/.test(word)) return found
  const seen = new Set<string>()
  for (const variant of variants(word, word.length)) {
    const [term] = termsOfWord(variant)
    if (term === undefined || seen.has(term)) continue
    seen.add(term)
    if (table.isEnglish(term)) found.add(term)
  }
  return found
}

function headVariants(word: string): Set<string> {
  return variants(word, HEAD)
}

/** All words that differ by one mistake in the first letters. */
function variants(word: string, most: number): Set<string> {
  const letters = alphabetOf(word)
  const variants = new Set<string>()
  for (let i = 0; i < Math.min(most, word.length); i++) {
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
