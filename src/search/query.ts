import { scan } from '../model/scan.ts'
import { isStopWord } from '../model/stop-words.ts'
import { folded, termsOfRun, termsOfWord } from '../model/terms.ts'
import { identifiersIn } from './identifiers.ts'
import type { Query, QueryTerm } from './query-parts.ts'

export type { Also, Query, QueryTerm } from './query-parts.ts'

const LONGEST_QUERY = 20_000
const LONGEST_PHRASE = 60
const MOST_TERMS = 512
const MOST_PHRASES = 16

/** Takes a query apart. Anything is a query: what cannot be searched for is left out. */
export function understand(queries: string[]): Query {
  const query: Query = { terms: [], phrases: [], excluded: [], units: 0, text: '', names: [] }
  for (const text of queries) {
    for (const [whole, minus, quoted, plain] of text.slice(0, LONGEST_QUERY).toWellFormed().matchAll(PARTS)) {
      const given = quoted ?? plain ?? ''
      if (minus && isExclusion(whole, quoted)) {
        const literal = given.trim().toLowerCase()
        if (literal !== '') query.excluded.push(literal)
        continue
      }
      if (quoted !== undefined || !EXCLUDED.test(given)) query.text += ` ${given}`
      if (quoted !== undefined && isSpeech(quoted))
        for (const word of quoted.split(/\s+/)) addWords(query, word)
      else if (quoted === undefined) addWords(query, (minus ?? '') + given)
      else addPhrase(query, quoted)
    }
  }
  return { ...withoutStopWords(query), names: identifiersIn(query.text) }
}

/** `-word`, `-"some words"`; but `--force` and `-v` are words. */
const PARTS = /(?<=^|\s)(-)?"([^"]*)"|(\S+)/gu

function isExclusion(whole: string, quoted: string | undefined): boolean {
  return quoted !== undefined || EXCLUDED.test(whole)
}

const EXCLUDED = /^-[\p{L}\p{N}]{2}/u

/** Quotation marks around what somebody said, not around words to be found as they stand. */
function isSpeech(quoted: string): boolean {
  return quoted.length > LONGEST_PHRASE || /[,.!?;:](\s|$)|[，。！？；：]/u.test(quoted.trim())
}

function addWords(query: Query, chunk: string): void {
  const typed = EXCLUDED.test(chunk) ? chunk.slice(1) : chunk
  if (typed !== chunk) {
    const literal = typed.replace(/[*"]+$/, '').toLowerCase()
    if (literal !== '') query.excluded.push(literal)
    return
  }
  const isPrefix = typed.length > 1 && /[\p{L}\p{N}]\*+$/u.test(typed)
  scan(typed, {
    word: (start, end) => {
      const word = typed.slice(start, end)
      const unit = query.units++
      if (isPrefix && typed.slice(end).replaceAll('*', '') === '') {
        const term = folded(word)
        if (term !== '') query.terms.push({ term, unit, typed: word, weight: 1, prefix: true })
        return
      }
      const terms = termsOfWord(word)
      if (terms.length === 0) query.units--
      for (const [i, term] of terms.entries())
        query.terms.push({ term, unit, typed: word, weight: 1, ...(i > 0 && { partOf: terms[0]! }) })
    },
    run: (start, end) => addRun(query, typed.slice(start, end)),
  })
}

function addRun(query: Query, run: string): void {
  const { pairs, characters } = termsOfRun(run)
  const first = query.units
  for (const pair of pairs) query.terms.push({ term: pair, unit: query.units++, typed: pair, weight: 1 })
  if (pairs.length === 0) query.units++
  for (const [i, character] of characters.entries()) {
    const unit = Math.min(first + i, query.units - 1)
    query.terms.push({ term: character, unit, typed: character, weight: 1 })
  }
}

function addPhrase(query: Query, typed: string): void {
  const terms: string[] = []
  let runs = 0
  scan(typed, {
    word: (start, end) => terms.push(...termsOfWord(typed.slice(start, end)).slice(0, 1)),
    run: (start, end) => {
      const { pairs, characters } = termsOfRun(typed.slice(start, end))
      terms.push(...(pairs.length > 0 ? pairs : characters))
      runs++
    },
  })
  if (terms.length === 0 || query.phrases.length >= MOST_PHRASES) return
  if (terms.length === 1 && runs === 0) addWords(query, typed)
  else query.phrases.push({ unit: query.units++, typed, terms })
}

/** Stop words go, unless the query holds nothing else; so do repetitions and what is too much. */
function withoutStopWords(query: Query): Query {
  const isStop = ({ typed, term, prefix }: QueryTerm) =>
    !prefix && (isStopWord(folded(typed)) || (term.length === 1 && isStopWord(term)))
  const telling = query.terms.filter((term) => !isStop(term))
  const terms = telling.length > 0 || query.phrases.length > 0 ? telling : query.terms
  const distinct = new Map<string, QueryTerm>()
  for (const term of terms) {
    const name = term.prefix ? `${term.term}*` : term.term
    if (!distinct.has(name)) distinct.set(name, term)
  }
  const kept = [...distinct.values()].slice(0, MOST_TERMS)
  // Units are numbered anew: a stop word that was dropped is not asked for.
  const numbers = new Map<number, number>()
  const renumbered = (unit: number) => {
    if (!numbers.has(unit)) numbers.set(unit, numbers.size)
    return numbers.get(unit)!
  }
  return {
    ...query,
    terms: kept.map((term) => ({ ...term, unit: renumbered(term.unit) })),
    phrases: query.phrases.map((phrase) => ({ ...phrase, unit: renumbered(phrase.unit) })),
    units: numbers.size,
  }
}
