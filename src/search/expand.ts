import type { SearchView, WordField } from '../archive/archive.ts'
import { termsIn } from './pairs.ts'
import type { Query, QueryTerm } from './query.ts'
import type { Ranking } from './rank.ts'
import { weights } from './weights.ts'

const LEARNED_FROM = 30
const MOST_RELATED = 5
const LEAST_TOGETHER = 3

/**
 * Words that stand with the query's words far more often than elsewhere in this archive, learned from
 * the messages that were found first. They weigh little: alone they find, beside the words themselves
 * they hardly change the order.
 */
export function relatedTerms(
  view: SearchView,
  query: Query,
  { chats }: Ranking,
  field: WordField,
  not: string[],
): string[] {
  const messages = chats
    .flatMap(({ best }) => best)
    .sort((a, b) => b.score - a.score)
    .slice(0, LEARNED_FROM)
  const together = new Map<string, number>()
  for (const { key } of messages)
    for (const term of termsIn(view.text(key))) together.set(term, (together.get(term) ?? 0) + 1)
  const known = new Set([...query.terms.map(({ term }) => term), ...not])
  const all = view.documents.messages.said
  return [...together]
    .filter(([term, count]) => count >= LEAST_TOGETHER && !known.has(term) && isWord(term))
    .map(([term, count]) => {
      const everywhere = Math.max(count, view.messagesWith(field, term))
      const lift = (count / messages.length) * Math.log(count / messages.length / (everywhere / all))
      return { term, lift }
    })
    .filter(({ lift }) => lift > 0)
    .sort((a, b) => b.lift - a.lift || (a.term < b.term ? -1 : 1))
    .slice(0, MOST_RELATED)
    .map(({ term }) => term)
}

export function withRelated(query: Query, related: string[]): Query {
  const added = related.map(
    (term, i): QueryTerm => ({ term, unit: query.units + i, typed: term, weight: weights.related }),
  )
  return { ...query, terms: [...query.terms, ...added] }
}

function isWord(term: string): boolean {
  return (
    /^\p{L}{3,}$/u.test(term) ||
    /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]{2}$/u.test(term)
  )
}
