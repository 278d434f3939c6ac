import fs from 'node:fs'
import path from 'node:path'
import { isStopWord } from '../../src/model/stop-words.ts'
import { termsOfRun, termsOfWord } from '../../src/model/terms.ts'
import { LANGUAGES } from './languages.ts'

/** A term of another language and the English terms that it stands for, the likeliest first. */
export interface Entry {
  term: string
  english: { term: string; share: number }[]
  /** How often it was met. */
  times: number
}

/** So many terms of a language are kept, the commonest: rarer ones are mostly names and mistakes. */
const MOST: Record<string, number> = {
  ru: 16_000,
  zh: 32_000,
  de: 40_000,
  uk: 14_000,
  ja: 14_000,
  ko: 12_000,
}
const MOST_OTHERS = 22_000
const LEAST_TIMES = 3
const LEAST_SHARE = 0.1
/** Two characters that stand together by chance translate to something, too, but never surely. */
const LEAST_SHARE_OF_PAIRS = 0.25
const PAIRS = new Set(['zh', 'ja', 'ko'])
/** So common a word is English, whether it translates to anything or not: "feedback", "server". */
const COMMON_ENGLISH = 30
const BESIDE_THE_BEST = 0.2
const MOST_ENGLISH = 3
const DEVELOPERS_SHARE = 0.6

export function readEntries(folder: string): {
  languages: Map<string, Entry[]>
  spellings: Map<string, string>
} {
  const languages = new Map<string, Entry[]>()
  const spellings = new Map<string, string>()
  // A word that is common beside one language only is a mistake of its catalogues, more likely.
  const met = new Map<string, string>()
  const foreign = new Set(LANGUAGES.flatMap(({ code }) => notEnglish(folder, code)))
  for (const { code } of LANGUAGES) {
    const file = path.join(folder, `${code}.lex`)
    if (!fs.existsSync(file)) continue
    const found = new Map<string, Entry>()
    const spelt = new Map<string, string>()
    for (const line of fs.readFileSync(file, 'utf8').split('\n')) {
      const [english = '', spelling = '', term = '', share, , timesEnglish, times] = line.split('\t')
      if (foreign.has(english)) continue
      if (Number(timesEnglish) >= COMMON_ENGLISH && isEnglishWord(english)) {
        if (met.get(english) !== undefined && met.get(english) !== code) spellings.set(english, spelling)
        met.set(english, code)
      }
      if (!isWorthKeeping(english, term) || isStopWord(spelling) || isStopWord(term)) continue
      if (Number(times) < LEAST_TIMES || Number(timesEnglish) < LEAST_TIMES) continue
      if (Number(share) < (PAIRS.has(code) ? LEAST_SHARE_OF_PAIRS : LEAST_SHARE)) continue
      const entry = found.get(term) ?? { term, english: [], times: Number(times) }
      found.set(term, entry)
      entry.english.push({ term: english, share: Number(share) })
      spelt.set(english, spelling)
    }
    const kept = [...found.values()]
      .sort((a, b) => b.times - a.times || (a.term < b.term ? -1 : 1))
      .slice(0, MOST[code] ?? MOST_OTHERS)
    for (const entry of kept) {
      entry.english.sort((a, b) => b.share - a.share || (a.term < b.term ? -1 : 1))
      const best = entry.english[0]!.share
      entry.english = entry.english
        .filter(({ share }) => share >= BESIDE_THE_BEST * best)
        .slice(0, MOST_ENGLISH)
      for (const { term } of entry.english) if (!spellings.has(term)) spellings.set(term, spelt.get(term)!)
    }
    languages.set(code, kept)
    addDevelopersWords(code, kept, spellings)
  }
  return { languages, spellings }
}

/**
 * What developers say and catalogues lack, from a list of our own: before what was learned, which stays
 * beside it.
 */
export function addDevelopersWords(code: string, entries: Entry[], spellings: Map<string, string>): void {
  const known = new Map(entries.map((entry) => [entry.term, entry]))
  for (const line of fs.readFileSync(path.join(import.meta.dirname, 'developers.tsv'), 'utf8').split('\n')) {
    const [language, word = '', english = ''] = line.split('\t')
    if (language !== code) continue
    const term = termsOfWord(english)[0]!
    if (!spellings.has(term)) spellings.set(term, english)
    for (const own of termsOf(word)) {
      const entry = known.get(own) ?? { term: own, english: [], times: 0 }
      if (!known.has(own)) {
        entries.push(entry)
        known.set(own, entry)
      }
      const best = entry.english[0]?.share ?? DEVELOPERS_SHARE
      const others = entry.english.filter((each) => each.term !== term)
      entry.english = [{ term, share: best }, ...others].slice(0, MOST_ENGLISH)
    }
  }
}

/** Of a run of characters its pairs; of three or more only the last, which is hardly a word of its own (检查点: 查点). */
function termsOf(word: string): string[] {
  if (!/^\p{Script=Han}+$/u.test(word)) return termsOfWord(word).slice(0, 1)
  return termsOfRun(word).pairs.slice(-1)
}

/** Words of the language that stand in "English" strings too, where a program was not written in English. */
function notEnglish(folder: string, code: string): string[] {
  const file = path.join(folder, `${code}.lex`)
  if (!fs.existsSync(file)) return []
  const times = new Map<string, number>()
  const own = new Map<string, number>()
  for (const line of fs.readFileSync(file, 'utf8').split('\n')) {
    const [english = '', , term = '', share, , timesEnglish, timesOther] = line.split('\t')
    times.set(english, Number(timesEnglish))
    if (Number(share) >= 0.5 && english !== term) own.set(term, Number(timesOther))
  }
  return [...own].filter(([term, often]) => often > 3 * (times.get(term) ?? Infinity)).map(([term]) => term)
}

function isEnglishWord(term: string): boolean {
  return /^[a-z][a-z0-9]+$/.test(term)
}

/** Words with a letter in them, of which one is not just the other. */
function isWorthKeeping(english: string, term: string): boolean {
  return (
    term !== '' &&
    english !== term &&
    isEnglishWord(english) &&
    !/[\d.]/.test(term) &&
    Buffer.byteLength(term) < 60 &&
    /\p{L}/u.test(term) &&
    !/[ðþ]/.test(term)
  )
}
