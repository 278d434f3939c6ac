import type { Documents, SearchView, WordField } from '../archive/archive.ts'
import { bestChats } from './chats.ts'
import { datesIn, messagesOn } from './dates.ts'
import { type Group, postingsOf } from './group.ts'
import { messagesWithWhole } from './identifiers.ts'
import { gainsByMeaning, RERANKED } from './meaning/rerank.ts'
import type { Alike } from './meaning.ts'
import { countPairs } from './pairs.ts'
import { messagesWithPhrase } from './phrase.ts'
import type { Query, QueryTerm } from './query.ts'
import type { Ranking, RankOptions } from './ranking.ts'
import { replies } from './replies.ts'
import { labelWeights, MEANT, Scores } from './score.ts'
import { cleanScratch, dropScratch } from './scratch.ts'
import { weights } from './weights.ts'

export type { ChatScore, Ranking, RankOptions } from './ranking.ts'

/** A phrase is rarer than the index can tell, and was asked for by name. */
const PHRASE_WEIGHT = 2
const PAIRS_IN = 50
const FEW_TERMS = 24
const MOST_POSTINGS = 400_000

/**
 * Every message that holds any of the words, and every chat: scored by the words themselves, then by
 * what stands around them. Cost: the lists of the query's words, and the texts of the best hundred.
 */
export function rank(view: SearchView, query: Query, options: RankOptions): Ranking {
  const scores = new Scores(view.documents, options.filter)
  try {
    const terms = withParts(view, query.terms, options.fields)
    for (const term of affordable(view, terms, options.fields)) addTerm(view, scores, term, options.fields)
    for (const phrase of query.phrases) {
      for (const { field, postings } of messagesWithPhrase(view, phrase, options.fields, options.filter)) {
        if (field === 'title') scores.addToChats({ unit: phrase.unit, weight: 1 }, undefined, postings)
        else scores.add({ unit: phrase.unit, weight: PHRASE_WEIGHT }, field, postings, fieldWeight(field))
      }
    }
    addDates(view.documents, scores, query)
    scores.weigh(query.units)
    const best = options.fields.includes('said') ? bestTexts(view, scores) : []
    addPairs(scores, query, best.slice(0, PAIRS_IN))
    const whole = chatsWithWhole(view, scores, query, options)
    const meant = gainsByMeaning(view, scores, query, best)
    const answers = replies(scores, best, meant)
    if (options.alike) addAlike(scores, options.alike)
    const chats = bestChats(scores, query.units, { ...options, meant, answers, whole })
    options.seen?.(scores)
    return { ...chats, units: query.units }
  } catch (error) {
    dropScratch()
    throw error
  } finally {
    cleanScratch(scores)
  }
}

/** Who types `ShareLock` does not mean every lock: where there is such a name, its parts find nothing more. */
function withParts(view: SearchView, terms: QueryTerm[], fields: WordField[]): QueryTerm[] {
  const names = new Set(terms.flatMap(({ partOf }) => partOf ?? []))
  const known = new Set(
    [...names].filter((name) => fields.some((field) => view.messagesWith(field, name) > 0)),
  )
  return terms
    .map((term) =>
      term.partOf !== undefined && known.has(term.partOf) ? { ...term, raises: true as const } : term,
    )
    .sort((a, b) => Number(a.raises ?? false) - Number(b.raises ?? false))
}

/** A query of a few words is scored by all of them; of a long one the commonest words are left out. */
function affordable(view: SearchView, terms: QueryTerm[], fields: WordField[]): QueryTerm[] {
  if (terms.length <= FEW_TERMS) return terms
  const field = fields.find((each) => each !== 'title') ?? 'title'
  const counted = terms.map((term) => ({ term, messages: view.messagesWith(field, term.term) }))
  let left = MOST_POSTINGS
  return counted
    .sort(
      (a, b) => Number(a.term.raises ?? false) - Number(b.term.raises ?? false) || a.messages - b.messages,
    )
    .filter(({ messages }, i) => {
      left -= messages
      return left >= 0 || i < FEW_TERMS / 2
    })
    .map(({ term }) => term)
}

function fieldWeight(field: WordField): number {
  return field === 'said' || field === 'title' ? 1 : weights[field]
}

function addTerm(view: SearchView, scores: Scores, term: QueryTerm, fields: WordField[]): void {
  if (!term.prefix) {
    addExact(view, scores, term, fields)
    return
  }
  const begun = term.begun ?? []
  for (const each of begun) {
    // What is no longer is the word itself.
    const weight = each.length > term.term.length ? weights.begun / Math.sqrt(begun.length) : 1
    addExact(view, scores, { ...term, term: each, weight }, fields)
  }
}

function addExact(view: SearchView, scores: Scores, term: QueryTerm, fields: WordField[]): void {
  const { final: times } = scores.scratch
  // The list of one term is overwritten by the next, and titles need their own beside what was said.
  let title: Group | undefined
  if (fields.includes('title')) {
    const { keys, counts, size, messages } = postingsOf(view, 'title', term, times)
    title = { keys: keys.slice(0, size), counts: counts.slice(0, size), size, messages }
  }
  for (const field of fields)
    if (field === 'thought' || field === 'tools')
      scores.add(term, field, postingsOf(view, field, term, times), fieldWeight(field))
  const said = fields.includes('said') ? postingsOf(view, 'said', term, times) : undefined
  if (said) scores.add(term, 'said', said, 1)
  if (said?.size || title?.size) scores.addToChats(term, said, title)
}

/** Messages and chats already found count more when they are from a day that the query names. */
function addDates(documents: Documents, scores: Scores, query: Query): void {
  const { units, score } = scores.scratch
  for (const date of datesIn(query.text)) {
    const on = messagesOn(documents, date)
    if (on.size === 0) continue
    const idf = scores.idf(on.size, documents.messages.said)
    for (let i = 0; i < on.size; i++) if (units[on.keys[i]!] !== 0) score[on.keys[i]!]! += idf
    scores.addToChats({ unit: -1, weight: 1, raises: true }, on, undefined)
  }
}

/** The best messages by their words, and what they say. */
function bestTexts(view: SearchView, scores: Scores): { key: number; text: string }[] {
  const best = scores.top(RERANKED)
  const texts = view.texts(best)
  return best.map((key) => ({ key, text: texts.get(key)! }))
}

/** A name that stands in every twentieth chat, `package.json` maybe, tells less than a rarer one. */
const RARE = Math.log(20)
/** So many words beside the names, and these are still what is looked for. */
const FEW_WORDS = 2

/** The chats that hold the query's names, paths and codes as they stand, and what that is worth. */
function chatsWithWhole(
  view: SearchView,
  scores: Scores,
  query: Query,
  { fields, filter }: RankOptions,
): Map<number, number> {
  const gains = new Map<number, number>()
  const named = new Set(query.names.flatMap((name) => name.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []))
  const others = new Set(
    query.terms.filter(({ typed }) => !named.has(typed.toLowerCase())).map(({ unit }) => unit),
  )
  const isAll = others.size <= FEW_WORDS
  for (const name of query.names) {
    const chats = new Set<number>()
    for (const { field, keys } of messagesWithWhole(view, name, fields, filter))
      for (const key of keys) chats.add(field === 'title' ? key : scores.documents.chat[key]!)
    const rarity = Math.min(1, scores.idf(chats.size, scores.documents.chats) / RARE)
    const gain = isAll ? weights.wholeName : weights.name * rarity
    for (const chat of chats) gains.set(chat, (gains.get(chat) ?? 0) + gain)
  }
  return gains
}

function addPairs(scores: Scores, query: Query, best: { key: number; text: string }[]): void {
  const { documents } = scores
  const { score } = scores.scratch
  const { pairs, counts } = countPairs(
    query.text,
    best.map(({ text }) => text),
  )
  if (pairs === 0) return
  const average = documents.words.said / Math.max(1, documents.messages.said)
  const byLabel = labelWeights()
  for (let pair = 0; pair < pairs; pair++) {
    let messages = 0
    for (const count of counts) if (count[pair]! > 0) messages++
    // How many messages have a pair is not known; among the best hundred stand most of them.
    const idf = scores.idf(messages, documents.messages.said)
    for (const [i, { key }] of best.entries()) {
      const times = counts[i]![pair]!
      if (times === 0) continue
      const length = documents.lengthOf(documents.said[key]!)
      const norm = weights.k1 * (1 - weights.b + (weights.b * length) / average)
      score[key]! +=
        (weights.pairs * byLabel[documents.label[key]!]! * idf * times * (weights.k1 + 1)) / (times + norm)
    }
  }
}

/** A share of what the best message has by its words; where no words are found, these stand alone. */
function addAlike(scores: Scores, alike: Alike[]): void {
  const { score, units, final, found, chatFlags } = scores.scratch
  const [first] = scores.top(1)
  const most = first === undefined ? 1 : score[first]!
  for (const { key, share } of alike) {
    if (units[key] === 0) {
      found[scores.messages++] = key
      // A mark that it is listed, which those with words need not have.
      final[key] = 1
    }
    score[key]! += weights.meaning * most * share
    chatFlags[scores.documents.chat[key]!]! |= MEANT
  }
}
