import { termsOfWord } from '../../model/terms.ts'
import type { Also, QueryTerm } from '../query-parts.ts'
import type { Lexicon } from './lexicon.ts'

/**
 * English writes names together that others write as two words: *рабочее дерево* is a worktree, *имя файла* a
 * filename. Where two translated words stand side by side and the archive has their translations as one word, that
 * word counts as either of them.
 */
export function withWrittenTogether(
  terms: QueryTerm[],
  /** What each part of the query is in English, whether the archive has it or not. */
  inEnglish: Map<number, Also[]>,
  table: Lexicon,
  occurs: (term: string) => boolean,
): QueryTerm[] {
  const found = new Map<number, Also[]>()
  for (const [i, second] of terms.entries()) {
    const first = terms[i - 1]
    const [one, other] = [inEnglish.get(first?.unit ?? -1), inEnglish.get(second.unit)]
    if (!one || !other || second.unit !== first!.unit + 1) continue
    const together = oneWordOf(one, other, table).filter((each) => each.weight > 0 && occurs(each.term))
    for (const each of [i - 1, i]) found.set(each, [...(found.get(each) ?? []), ...together])
  }
  return terms.map((term, i) => {
    const known = new Set(term.also?.map((each) => each.term))
    const more = (found.get(i) ?? []).filter((each) => !known.has(each.term))
    return more.length > 0 ? { ...term, also: [...(term.also ?? []), ...more] } : term
  })
}

function oneWordOf(first: Also[], second: Also[], table: Lexicon): Also[] {
  const ways = new Map<string, number>()
  for (const a of first)
    for (const b of second)
      for (const head of new Set([table.spelling(a.term), a.term])) {
        const [term] = termsOfWord(head + table.spelling(b.term))
        if (term !== undefined) ways.set(term, Math.max(ways.get(term) ?? 0, a.weight, b.weight))
      }
  return [...ways].map(([term, weight]) => ({ term, weight }))
}
