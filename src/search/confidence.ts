import type { SearchView, WordField } from '../archive/archive.ts'
import type { Query } from './query-parts.ts'
import type { Ranking } from './rank.ts'
import { bits } from './score.ts'

/**
 * How likely the first chat is the right one, from how far it stands above the second, how much of the query it
 * holds, how much of it one of its messages holds, and how much was asked. bench/quality/confidence.ts fits the
 * numbers on one half of the queries and says how well they hold on the other (docs/benchmarks.md).
 */
function confidenceOf(ranking: Ranking): number {
  const [first] = ranking.chats
  if (!first) return 0
  const evidence = evidenceIn(ranking).reduce((sum, value, i) => sum + value * FIT[i]!, 0)
  const confidence = Math.round(1000 / (1 + Math.exp(-evidence))) / 1000
  return first.units === 0 ? Math.min(confidence, MEANT_MOST) : confidence
}

/** What confidence is taken from: 1, the lead, the share of the query in the chat and in one message, and its length. */
export function evidenceIn({ chats: [first, second], units }: Ranking): number[] {
  const lead = first ? 1 - (second?.score ?? 0) / first.score : 0
  const parts = Math.max(1, Math.min(32, units))
  const inChat = Math.min(1, bits(first?.units ?? 0) / parts)
  const most = Math.max(0, ...(first?.best ?? []).map((message) => bits(message.units)))
  return [1, Math.min(lead, LEAD_MOST), inChat, Math.min(1, most / parts), Math.min(1, parts / 10)]
}

/**
 * The same, but no more than the query's words allow: a word that is nowhere in the archive as a word was not
 * found, even where a piece of it was (`utf8mb4` by "MB", 想法 by 法). Corrected and translated words count less: of
 * words that stand elsewhere, those of `instead` were found only as others.
 */
export function confidenceIn(
  view: SearchView,
  query: Query,
  fields: WordField[],
  ranking: Ranking,
  instead?: ReadonlySet<string>,
): number {
  const confidence = confidenceOf(ranking)
  if (confidence <= NO_WORD) return confidence
  return Math.min(confidence, mostFor(view, query, fields, instead))
}

/** How sure an answer can be at the most, by how many of the query's words are words of the archive. */
export function mostFor(
  view: SearchView,
  query: Query,
  fields: WordField[],
  instead: ReadonlySet<string> = new Set(),
): number {
  const most = NO_WORD + (1 - NO_WORD) * shareOfWords(view, query, fields, instead) ** 2
  return Math.round(1000 * most) / 1000
}

/** Of the parts of a query, how many are words of the archive. */
function shareOfWords(
  view: SearchView,
  { terms, phrases, units }: Query,
  fields: WordField[],
  instead: ReadonlySet<string>,
): number {
  const longest = new Map<number, number>()
  for (const { unit, typed, partOf } of terms) {
    if (!partOf) longest.set(unit, Math.max(longest.get(unit) ?? 0, typed.length))
  }
  const isThere = (term: string) => fields.some((field) => view.messagesWith(field, term) > 0)
  const found = new Map(phrases.map(({ unit }) => [unit, 1]))
  for (const { unit, typed, partOf, prefix, term, also, sure = 1 } of terms) {
    // Beside a pair of Chinese signs, each of the two is only a piece of it.
    if (found.get(unit) === 1 || partOf || typed.length < (longest.get(unit) ?? 0)) continue
    if (prefix || (isThere(term) && !instead.has(term))) found.set(unit, 1)
    else if (also?.some((each) => isThere(each.term))) found.set(unit, INSTEAD * sure)
  }
  const share = [...found.values()].reduce((sum, each) => sum + each, 0)
  return Math.min(1, share / Math.max(1, units))
}

/** What a word counts that was found as another: a translation, a correction of a long word. */
const INSTEAD = 0.8
/** What is left where no word was found as one. */
const NO_WORD = 0.15

/** Found by what it means alone: models differ, and none was measured. */
const MEANT_MOST = 0.3

const LEAD_MOST = 0.5
/** For each of the evidence. */
const FIT = [-3.2, 7.4, 1.5, 0.85, 1]
