import type { SearchView, WordField } from '../../archive/archive.ts'
import { folded, termsOfWord } from '../../model/terms.ts'
import type { MessageFilter } from '../filter.ts'
import type { Also, Query, QueryTerm } from '../query.ts'
import { standsIn } from '../stands.ts'
import { weights } from '../weights.ts'
import { languagesByScript, latinLanguages } from './detect.ts'
import { languagesHeld } from './held.ts'
import { type Lexicon, lexicon, type Translation } from './lexicon.ts'
import { chancePairs } from './segments.ts'
import { withWrittenTogether } from './together.ts'
import { inLatin } from './transliterate.ts'
import { STOP_WORDS } from './words.ts'

/** A word of the query, and the words of other languages that it was also looked for by. */
export interface Translated {
  word: string
  as: string[]
}

/** And what is looked up for both. */
export type TranslatedPart = Translated & { term: string; ways: string[] }

/**
 * The query with what its words are in other languages, where the archive has those words. All of
 * them count as one word with the one that was typed. Which of them a chat was found by is seen when it is found.
 */
export function translated(
  view: SearchView,
  query: Query,
  fields: WordField[],
  filter: MessageFilter,
): { query: Query; translated: TranslatedPart[] } {
  const words = query.terms.filter((term) => !term.prefix && term.partOf === undefined)
  if (words.length === 0) return { query, translated: [] }
  const held = languagesHeld(view)
  const table = lexicon()
  const searched = fields.filter((field) => field !== 'thought')
  const occurs = (term: string) => searched.some((field) => view.messagesWith(field, term) > 0)
  /** The word itself can be found. */
  const stands = (term: string) => standsIn(view, term, searched, filter)
  const own = latinLanguages(table, words)
  const hasKana = /[\p{Script=Hiragana}\p{Script=Katakana}]/u.test(query.text)
  const told: TranslatedPart[] = []
  const onlySo: TranslatedPart[] = []
  const tell = (term: QueryTerm, ways: Also[], isThere: boolean) => {
    const part = translatedPart(term, ways, table)
    told.push(part)
    if (!isThere) onlySo.push(part)
  }
  const taken = new Set(words.map(({ term }) => term))
  const skipped = withoutMeaning(query)
  const candidates = new Map<number, Also[]>()
  const separate = withoutStopWordsOf(own, query.terms).map((term): QueryTerm => {
    if (term.prefix || term.partOf !== undefined || skipped.has(term.term)) return term
    const inEnglish = englishOf(table, term, own, hasKana, occurs)
    // Where the word itself is found, what it is elsewhere comes second.
    const canBeOther = inEnglish.terms.length > 0 && (inEnglish.language !== 'en' || held.length > 0)
    const isThere = canBeOther && stands(term.term)
    const weight = isThere ? weights.translatedToo : weights.translated
    if (inEnglish.language !== 'en')
      candidates.set(
        term.unit,
        asWeighed(inEnglish.terms, weight, () => true),
      )
    const ways = [
      ...asWeighed(inEnglish.terms, weight, occurs),
      ...onward(view, table, held, inEnglish, { term: term.term, weight }, searched),
    ].filter((way) => way.weight > 0 && !taken.has(way.term))
    const joined = withArticle(term, held, table).filter(occurs)
    const also = [...(term.also ?? []), ...joined.map((each) => ({ term: each, weight: 1 })), ...ways]
    if (ways.length === 0) return also.length > 0 ? { ...term, also } : term
    // One English word may stand for two parts of a query (数据库): it counts once.
    for (const way of ways) taken.add(way.term)
    tell(term, ways, isThere)
    return { ...term, also }
  })
  const terms = withWrittenTogether(separate, candidates, table, occurs)
  for (const [i, term] of terms.entries())
    if (term.also && !separate[i]!.also) tell(term, term.also, stands(term.term))
  const inTranslation = onlySo.length > 0 ? textOf(terms, skipped, onlySo) : undefined
  return { query: { ...query, terms, ...(inTranslation && { inTranslation }) }, translated: told }
}

const ARTICLES = ['', ...['l', 'd', 'un', 'all', 'dell', 'dall', 'nell', 'sull'].map((each) => `${each}'`)]

/** Where French or Italian is spoken: `l'accès` and `d'accès` are words of the index as they are written, and mean `accès`. */
function withArticle({ typed, term }: QueryTerm, held: string[], table: Lexicon): string[] {
  const bare = typed.replace(/^.*['’]/, '')
  const of = ['fr', 'it'].filter((language) => held.includes(language))
  if (of.length === 0 || !/^[aeiouh][a-z]{3}/.test(folded(bare))) return []
  const english = (of: string, each: string) => table.toEnglish(of, each).map((way) => way.term)
  const [plain = ''] = termsOfWord(bare)
  // Another word may be written so: *danger* is not *d'anger*.
  const isOther = (each: string) =>
    table.isEnglish(each) ||
    of.some((language) => {
      const own = english(language, each)
      return own.length > 0 && !english(language, plain).some((way) => own.includes(way))
    })
  return ARTICLES.flatMap((article) => {
    const [joined = term] = termsOfWord(article + bare)
    return joined === term || (article && isOther(joined)) ? [] : [joined]
  })
}

function translatedPart({ typed, term }: QueryTerm, ways: Also[], table: Lexicon): TranslatedPart {
  const as = ways.map((way) => table.spelling(way.term))
  return { word: typed, as, term, ways: ways.map((way) => way.term) }
}

/** What the query would be in the other language, word by word. */
function textOf(terms: QueryTerm[], skipped: Set<string>, told: Translated[]): string {
  const instead = new Map(told.map(({ word, as }) => [word, as[0]!]))
  return terms
    .filter((term) => term.partOf === undefined && !skipped.has(term.term))
    .map(({ typed }) => instead.get(typed) ?? typed)
    .join(' ')
}

/** Of characters without spaces: those that stand together by chance, and single ones where there are two. */
function withoutMeaning({ text, terms }: Query): Set<string> {
  const skipped = chancePairs(text)
  const inPairs = new Set(terms.flatMap(({ term }) => (isPair(term) ? [...term] : [])))
  for (const { term } of terms) if (inPairs.has(term)) skipped.add(term)
  return skipped
}

function isPair(term: string): boolean {
  return /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]{2}$/u.test(term)
}

/** Of a query in German, French …: words like *der* and *les* that say nothing, unless there is nothing else. */
function withoutStopWordsOf(languages: string[], terms: QueryTerm[]): QueryTerm[] {
  if (languages.length === 0) return terms
  const telling = terms.filter(
    ({ typed, prefix }) => prefix || !languages.some((language) => STOP_WORDS[language]!.has(folded(typed))),
  )
  return telling.length > 0 ? telling : terms
}

interface InEnglish {
  language: string
  terms: Translation[]
}

/** What a term is in English: the term itself where it is English. */
function englishOf(
  table: Lexicon,
  { term, typed }: QueryTerm,
  own: string[],
  hasKana: boolean,
  occurs: (term: string) => boolean,
): InEnglish {
  const scripts = languagesByScript(term, hasKana)
  for (const language of scripts) {
    const terms = table.toEnglish(language, term)
    if (terms.length > 0) return { language, terms }
  }
  if (scripts.length > 0) return { language: scripts[0]!, terms: namesOf(typed, term, occurs) }
  // A name in a program is a name in any language.
  if (/\d|\p{Ll}\p{Lu}/u.test(typed)) return { language: 'en', terms: [] }
  const isEnglish = table.isEnglish(term)
  // A word that is hardly English and stands nowhere may be of any language.
  const languages = own.length > 0 ? own : isEnglish || occurs(term) ? [] : table.languages
  for (const language of languages) {
    const terms = table.toEnglish(language, term)
    if (terms.length > 0) return { language, terms }
    const parts = language === 'de' && !isEnglish ? partsOf(table, typed) : []
    if (parts.length > 0) return { language, terms: parts }
  }
  return { language: 'en', terms: isEnglish ? [{ term, share: 1 }] : [] }
}

const LEAST_NAME = 4
const NAME_SHARE = 0.5

/** Names are written in Latin letters elsewhere: those ways to write one that the archive has. */
function namesOf(typed: string, term: string, occurs: (term: string) => boolean): Translation[] {
  const found = new Set<string>()
  for (const word of new Set([folded(typed), term])) {
    if (word.length < LEAST_NAME) continue
    for (const latin of inLatin(word)) {
      const [way] = termsOfWord(latin)
      if (way && !found.has(way) && occurs(way)) found.add(way)
      if (found.size >= 2) break
    }
    if (found.size > 0) break
  }
  return [...found].map((each) => ({ term: each, share: NAME_SHARE }))
}

const LEAST_PART = 4

/** German writes words together: the two known words that an unknown one is made of. */
function partsOf(table: Lexicon, typed: string): Translation[] {
  const word = folded(typed)
  let best: { parts: Translation[]; worth: number } | undefined
  for (let i = LEAST_PART; i <= word.length - LEAST_PART; i++) {
    const last = known(table, word.slice(i))
    if (!last) continue
    const head = word.slice(0, i)
    const first = known(table, head) ?? (/(?:s|n)$/.test(head) ? known(table, head.slice(0, -1)) : undefined)
    if (!first) continue
    const worth = first[0]!.share * last[0]!.share * Math.min(i, word.length - i)
    if (!best || worth > best.worth) best = { parts: [first[0]!, last[0]!], worth }
  }
  return best?.parts ?? []
}

function known(table: Lexicon, word: string): Translation[] | undefined {
  for (const ending of ['', 'e', 'en']) {
    const [term] = termsOfWord(word + ending)
    const found = term === undefined ? [] : table.toEnglish('de', term)
    if (found.length > 0) return found
    if (term !== undefined && table.isEnglish(term)) return [{ term, share: 0.5 }]
  }
  return undefined
}

/** Less for unlikely translations, and for words of which none is likely. */
function asWeighed(terms: Translation[], weight: number, occurs: (term: string) => boolean): Also[] {
  const best = terms[0]?.share ?? 1
  return terms
    .filter(({ term }) => occurs(term))
    .map(({ term, share }) => ({
      term,
      weight: weight * (share / best) * Math.min(1, best / SURE),
    }))
}

const SURE = 0.5
const LEAST_SHARE = 0.2
const MOST_FORMS = 4

/** From English on to the other languages that the archive holds. */
function onward(
  view: SearchView,
  table: Lexicon,
  held: string[],
  { language, terms }: InEnglish,
  typed: Also,
  fields: WordField[],
): Also[] {
  const best = terms[0]?.share ?? 1
  const field = fields[0] ?? 'title'
  return held
    .filter((other) => other !== language)
    .flatMap((other) => {
      const forms = table.fromEnglish(
        other,
        terms.map(({ term }) => term),
      )
      return terms
        .flatMap(({ term, share }) =>
          forms.get(term)!.map((form) => ({
            term: form.term,
            share: form.share,
            weight: typed.weight * (share / best) * Math.min(1, form.share / SURE),
          })),
        )
        .filter(({ term, share }) => share >= LEAST_SHARE && term !== typed.term)
        .map((form) => ({ ...form, messages: view.messagesWith(field, form.term) }))
        .filter(({ messages }) => messages > 0)
        .sort((a, b) => b.weight * Math.log(1 + b.messages) - a.weight * Math.log(1 + a.messages))
        .slice(0, MOST_FORMS)
        .map(({ term, weight }) => ({ term, weight }))
    })
}
