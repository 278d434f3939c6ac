import type { SearchView } from '../../archive/archive.ts'
import { termsOfRun, termsOfWord } from '../../model/terms.ts'
import { lexicon } from '../languages/lexicon.ts'
import type { Query } from '../query.ts'
import type { Scores } from '../score.ts'
import { weights } from '../weights.ts'
import { type KnownWords, likenessTo } from './likeness.ts'
import { meaningTable } from './table.ts'

/** Of so many messages, those with the best words, the text is looked at: unpacking it is most of what a search costs. */
export const RERANKED = 64
/** Any two texts are a little alike. */
const ALIKE_FROM = 0.1

/**
 * Compares the best messages with the query by what their words mean: each word of the query by the nearest
 * word in the message, and the texts as a whole. A word that stands in both is nearest to itself, so this is
 * also what tells a message with all of the words from one with a few of them. Says what each message gains.
 */
export function gainsByMeaning(
  view: SearchView,
  scores: Scores,
  query: Query,
  best: { key: number; text: string }[],
): Map<number, number> {
  // Quoted words are meant as they stand.
  const table = best.length > 0 && query.terms.length > 0 ? meaningTable() : undefined
  const likeness =
    table && likenessTo(table, query.inTranslation ?? query.text, knownWords(view, scores, query))
  const gains = new Map<number, number>()
  if (!likeness) return gains
  const { score, units } = scores.scratch
  const most = best.reduce((highest, { key }) => Math.max(highest, score[key]!), 0)
  for (const { key, text } of best) {
    const { whole, words } = likeness(text, units[key]!)
    gains.set(key, most * (weights.whole * Math.max(0, whole - ALIKE_FROM) + weights.words * words))
  }
  return gains
}

function knownWords(view: SearchView, scores: Scores, query: Query): KnownWords {
  const bits = new Map<string, number>()
  for (const { typed, unit, raises } of query.terms) {
    const word = typed.toLowerCase()
    if (!raises && unit < 31 && !bits.has(word)) bits.set(word, 1 << unit)
  }
  // What was translated is there where search found it, in whatever form.
  const inTranslation = new Set<string>()
  for (const { unit, also = [], raises } of query.inTranslation === undefined ? [] : query.terms) {
    if (raises || unit >= 31) continue
    for (const { term } of also) {
      const word = lexicon().spelling(term)
      inTranslation.add(word)
      if (!bits.has(word)) bits.set(word, 1 << unit)
    }
  }
  const all = view.documents.messages.said
  const messages = (word: string) =>
    termsOf(word).reduce((least, term) => Math.min(least, view.messagesWith('said', term)), all)
  return {
    rarity: (word) => scores.idf(messages(word), all),
    stands: (word) => !inTranslation.has(word) && messages(word) > 0,
    bit: (word) => bits.get(word) ?? 0,
  }
}

function termsOf(word: string): string[] {
  if (word < '\u3400') return termsOfWord(word).slice(0, 1)
  const { pairs, characters } = termsOfRun(word)
  return pairs.length > 0 ? pairs : characters
}
