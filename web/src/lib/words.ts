import { shared } from './shared.ts'
import { recall, remember } from './stored.ts'

export const LANGUAGES = { en: 'English', ru: 'Русский', zh: '中文' } as const
export type Language = keyof typeof LANGUAGES

/** Text, or a function that makes one of numbers and names. */
type Word = string | ((...parts: never[]) => string)
type Like<W> = { [K in keyof W]: W[K] extends string ? string : W[K] }
export type Dictionary<W> = Record<Language, Like<W>>

/** A page's words in every language. A word that one of them lacks is a type error. */
export function dictionary<W extends Record<string, Word>>(words: {
  en: W
  ru: Like<NoInfer<W>>
  zh: Like<NoInfer<W>>
}): Dictionary<W> {
  return words as Dictionary<W>
}

export function useWords<W>(words: Dictionary<W>): Like<W> {
  return words[useLanguage()]
}

export function useLanguage(): Language {
  return chosen.use()
}

export function setLanguage(language: Language): void {
  remember('language', language)
  document.documentElement.lang = language
  chosen.set(language)
}

/** One chat, two chats; один чат, два чата, пять чатов. */
export function plural(language: Language, n: number, one: string, few: string, many = few): string {
  const rule = rules[language].select(n)
  return `${n.toLocaleString(language)} ${rule === 'one' ? one : rule === 'few' ? few : many}`
}

const rules: Record<Language, Intl.PluralRules> = {
  en: new Intl.PluralRules('en'),
  ru: new Intl.PluralRules('ru'),
  zh: new Intl.PluralRules('zh'),
}
const chosen = shared(preferred())
document.documentElement.lang = chosen.get()

function preferred(): Language {
  for (const tag of [recall('language'), ...navigator.languages]) {
    const language = tag?.slice(0, 2).toLowerCase()
    if (language && isLanguage(language)) return language
  }
  return 'en'
}

function isLanguage(tag: string): tag is Language {
  return Object.hasOwn(LANGUAGES, tag)
}
