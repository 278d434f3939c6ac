import { type NamedTime, timeIn } from '../model/dates.ts'
import type { SearchInput } from './input.ts'
import { type Query, understand } from './query.ts'

/** A time that the words named, and that the answer keeps to. */
export interface TimeFilter {
  /** As it was typed. */
  words: string
  /** Epoch milliseconds, both ends inclusive. */
  from?: number
  to?: number
  /** Nothing was found there: the answer is of any time. */
  lifted?: true
}

/** What is asked for within a time. */
export interface Timed {
  /** The words without the time. */
  query: Query
  filter: TimeFilter
  /** Said as seen from today: "last week". */
  isRelative: boolean
}

/** In a longer text a date is something that was written, not something that is asked for. */
const LONGEST = 200

/** The time that the words name, and the query without it; nothing where a time is given beside the words. */
export function timedQuery(texts: string[], input: SearchInput, now = new Date()): Timed | undefined {
  const isGiven = (input.time_window ?? 'all') !== 'all' || input.dateFrom || input.dateTo
  const [text] = texts
  if (isGiven || text === undefined || texts.length > 1 || text.length > LONGEST) return undefined
  const time = timeIn(text, now)
  if (!time || isQuoted(text, time)) return undefined
  const { words, from, to } = time
  const rest = `${text.slice(0, time.start)} ${text.slice(time.end)}`
  return { query: understand([rest]), filter: { words, from, to }, isRelative: time.isRelative }
}

function isQuoted(text: string, { start }: NamedTime): boolean {
  return (text.slice(0, start).match(/"/g)?.length ?? 0) % 2 === 1
}

/** Whether nothing but the time is asked for. */
export function isTimeAlone({ terms, phrases }: Query): boolean {
  return phrases.length === 0 && terms.every(({ typed }) => OF_A_TIME.test(typed))
}

/** What people say around a time when they mean all of it. */
const OF_A_TIME =
  /^(?:chats?|conversations?|talks?|sessions?|we|i|what|did|do|show|list|all|my|everything|the|чаты?|разговоры?|что|мы|я|делал[аи]?|все|мои|покажи|对话|我|做|了|什|么|聊|的|chats|gespräche|was|ich|wir)$/iu
