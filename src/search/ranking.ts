import type { WordField } from '../archive/archive.ts'
import type { MessageFilter } from './filter.ts'
import type { Alike } from './meaning.ts'
import type { Scores } from './score.ts'

export interface Ranking {
  /** Best first. */
  chats: ChatScore[]
  /** How many there are in all. */
  total: number
  /** How many parts the query has. */
  units: number
  /** The best of those that hold all parts of the query, where any part was enough and there are many. */
  withAll?: ChatScore[]
  /** Where any part was enough and there are many: those in which something was found last, and when, in seconds. */
  recent?: { key: number; at: number }[]
}

export interface ChatScore {
  key: number
  score: number
  /** Which parts of the query it holds, as bits. */
  units: number
  /** Messages that hold any of the words. */
  hits: number
  inTitle: boolean
  /** Best messages first. Those without units only stand beside one that has some. */
  best: { key: number; score: number; units: number }[]
}

export interface RankOptions {
  fields: WordField[]
  match: 'any' | 'all'
  /** The newest of those that hold the most of the words; by default the best. */
  order?: 'date'
  filter: MessageFilter
  /** Messages that mean something like the query, whatever their words, where that is known. */
  alike?: Alike[]
  /** How many chats are told. */
  most: number
  /** Whether it is enough that these are told, the best of all or all that there are; else more are. */
  isEnough?: (chats: ChatScore[], areAll: boolean) => boolean
  /** Sees all that was found, before it is forgotten. */
  seen?: (scores: Scores) => void
  /** How many of the best messages of each chat are told. */
  messagesPerChat: number
}

/** As many more are told where those are not enough. */
const MORE = 5

/** The best chats, as many as are enough. */
export function enoughOf(
  total: number,
  { most, isEnough }: Pick<RankOptions, 'most' | 'isEnough'>,
  best: (most: number) => ChatScore[],
): ChatScore[] {
  for (let size = most; ; size *= MORE) {
    const chats = best(size)
    const areAll = chats.length >= total || size >= total
    if ((isEnough?.(chats, areAll) ?? true) || areAll) return chats
  }
}
