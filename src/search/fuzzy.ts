import type { SearchView, WordField } from '../archive/archive.ts'
import { termsOfWord } from '../model/terms.ts'
import type { Query, QueryTerm } from './query.ts'
import type { Tried } from './spelling.ts'
import { weights } from './weights.ts'

const MOST_BEGUN = 24

/** Where some of them may not be found so, others are taken. */
const MOST_LOOKED_AT = 4 * MOST_BEGUN

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
  const begun = begunBy(
    view,
    field,
    last.typed.toLowerCase(),
    MOST_BEGUN,
    (term) => !known.has(term) && isSayable(term),
  )
  const terms = begun.map(
    (term): QueryTerm => ({
      term,
      unit: last.unit,
      typed: last.typed,
      weight: weights.begun / Math.sqrt(begun.length),
    }),
  )
  const isUnknown = begun.length > 0 && view.messagesWith(field, last.term) === 0
  return {
    query: { ...query, terms: [...query.terms, ...terms] },
    tried: isUnknown ? [{ word: last.typed, instead: begun.slice(0, 3) }] : [],
  }
}

/** The query with the terms that its `word*` stand for. */
export function withPrefixes(
  view: SearchView,
  query: Query,
  fields: WordField[],
  isSayable: (term: string) => boolean,
): Query {
  const terms = query.terms.map((term): QueryTerm => {
    if (!term.prefix) return term
    const most = term.term.length > 2 ? MOST_BEGUN : MOST_BEGUN / 2
    // A word may stand in a title or in what a tool wrote, and nobody said it.
    const begun = new Set(fields.flatMap((field) => begunBy(view, field, term.term, most, isSayable)))
    // Terms are words without their endings: `cache*` is longer than the term of "cache" itself.
    const whole = termsOfWord(term.typed)[0]
    const isThere = whole && fields.some((field) => view.messagesWith(field, whole) > 0)
    if (isThere && isSayable(whole)) begun.add(whole)
    return { ...term, begun: [...begun] }
  })
  return { ...query, terms }
}

/** The commonest terms that begin so, of those that may be found by it: not what is in a secret. */
function begunBy(
  view: SearchView,
  field: WordField,
  prefix: string,
  most: number,
  isAllowed: (term: string) => boolean,
): string[] {
  const begun: string[] = []
  for (const { term } of view.termsFrom(field, prefix, MOST_LOOKED_AT)) {
    if (begun.length === most) break
    if (isAllowed(term)) begun.push(term)
  }
  return begun
}
