import type { SearchView, WordField } from '../archive/archive.ts'
import type { Query, QueryTerm } from './query.ts'
import type { Tried } from './spelling.ts'
import { weights } from './weights.ts'

const MOST_BEGUN = 24

/** The query with what its last word may be the beginning of. */
export function withBeginnings(
  view: SearchView,
  query: Query,
  fields: WordField[],
  isSayable: (term: string) => boolean,
): { query: Query; tried: Tried[] } {
  const field = fields.find((each) => each !== 'thought') ?? 'title'
  const last = query.terms.at(-1)
  if (!last || last.prefix || last.typed.length < 3 || !/^[\p{L}\p{N}]+$/u.test(last.typed))
    return { query, tried: [] }
  const known = new Set(query.terms.map(({ term }) => term))
  const begun = view
    .termsFrom(field, last.typed.toLowerCase(), MOST_BEGUN)
    .filter((each) => !known.has(each.term))
  const terms = begun.map(
    ({ term }): QueryTerm => ({
      term,
      unit: last.unit,
      typed: last.typed,
      weight: weights.begun / Math.sqrt(begun.length),
    }),
  )
  const isUnknown = begun.length > 0 && view.messagesWith(field, last.term) === 0
  const instead = isUnknown
    ? begun
        .slice(0, 3)
        .map(({ term }) => term)
        .filter(isSayable)
    : []
  return {
    query: { ...query, terms: [...query.terms, ...terms] },
    tried: instead.length > 0 ? [{ word: last.typed, instead }] : [],
  }
}
