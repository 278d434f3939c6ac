import { isStopWord } from '../../model/stop-words.ts'
import { folded } from '../../model/terms.ts'
import type { Lexicon } from './lexicon.ts'
import { LATIN, STOP_WORDS } from './words.ts'

/** A word of the query as it was typed, and its term. */
export interface Typed {
  typed: string
  term: string
}

/** The languages that a word may be of by its letters alone; nothing for Latin ones. */
export function languagesByScript(term: string, hasKana: boolean): string[] {
  if (/\p{Script=Cyrillic}/u.test(term)) return /[іїєґ]/.test(term) ? ['uk'] : ['ru', 'uk']
  if (/[\p{Script=Hiragana}\p{Script=Katakana}]/u.test(term)) return ['ja']
  if (/\p{Script=Han}/u.test(term)) return hasKana ? ['ja', 'zh'] : ['zh', 'ja']
  if (/\p{Script=Hangul}/u.test(term)) return ['ko']
  return []
}

const STOP = 2
const FOREIGN = 1.5
const ENGLISH = -1
/** One word that is hardly English and no English one beside it. */
const ENOUGH = 1.5

/**
 * The languages with Latin letters, English aside, that a query is written in; none for an English one.
 * Words spelt alike (*die*, *son*, *gift*) tell nothing: what decides is words that are only of one.
 */
export function latinLanguages(lexicon: Lexicon, words: Typed[]): string[] {
  const scores = new Map<string, number>(LATIN.map((language) => [language, 0]))
  for (const { typed, term } of words) {
    const word = folded(typed)
    if (!/^[a-z]+$/.test(word)) continue
    const isEnglish = isStopWord(word) || lexicon.isEnglish(term)
    for (const language of LATIN) {
      const isStop = STOP_WORDS[language]!.has(word)
      const isKnown = isStop || lexicon.toEnglish(language, term).length > 0
      let score = 0
      if (isStop && !isStopWord(word)) score = STOP
      else if (isKnown && !isEnglish) score = FOREIGN
      else if (isEnglish && !isStop) score = ENGLISH
      if (isKnown && /[^\x00-\x7f]/.test(typed)) score += 1
      scores.set(language, scores.get(language)! + score)
    }
  }
  const best = Math.max(...scores.values())
  return best < ENOUGH ? [] : LATIN.filter((language) => scores.get(language) === best)
}
