import type { WordField } from '../archive/archive.ts'
import type { MessageFilter } from './filter.ts'
import type { Alike } from './meaning.ts'

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
  filter: MessageFilter
  /** Messages that mean something like the query, whatever their words, where that is known. */
  alike?: Alike[]
  /** How many chats are told. */
  most: number
  /** How many of the best messages of each chat are told. */
  messagesPerChat: number
}
