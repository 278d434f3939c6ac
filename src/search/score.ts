import type { Documents, WordField } from '../archive/archive.ts'
import { KINDS } from '../archive/archive.ts'
import type { MessageFilter } from './filter.ts'
import type { Group } from './group.ts'
import { addList, addTimes, addWords, type Counts, topOf, weighList } from './loops.ts'
import { type Scratch, scratchFor } from './scratch.ts'
import { weights } from './weights.ts'

export { bits, topOf } from './loops.ts'

/** A list of messages that stands for one part of the query: a term, a phrase, a date. */
export interface Scored {
  /** Which part of the query it stands for; -1 for none. */
  unit: number
  weight: number
  /** Adds to what was found already, and finds nothing more. */
  raises?: true
}

/**
 * Adds up what each message and each chat has of the query: BM25 over exact counts, for messages and
 * for whole chats. All in flat arrays: a common word stands in hundreds of thousands of messages.
 */
export class Scores {
  readonly documents: Documents
  readonly filter: MessageFilter
  readonly scratch: Scratch
  /** How many messages, resp. chats, were found. */
  messages = 0
  chats = 0
  /** Messages of the chats that may be told, with those that stand beside one found. */
  readonly listed: number[] = []

  constructor(documents: Documents, filter: MessageFilter) {
    this.documents = documents
    this.filter = filter
    this.scratch = scratchFor(documents.end, documents.endOfChats)
  }

  /** Rarer words count more. */
  idf(messages: number, all: number): number {
    return Math.log(1 + (Math.max(all, messages) - messages + 0.5) / (messages + 0.5))
  }

  /** Messages by a term in one field. */
  add(
    { unit, weight, raises }: Scored,
    field: Exclude<WordField, 'title'>,
    { keys, counts, size, messages: having }: Group,
    fieldWeight: number,
  ): void {
    if (size === 0) return
    const { documents, filter } = this
    const { score, units, found } = this.scratch
    const all = documents.messages[field]
    const gain = this.idf(having, all) * weight * fieldWeight * (weights.k1 + 1)
    const norms = normsOf(documents, documents.words[field] / Math.max(1, all))
    const list = filter.narrows ? passing(filter, keys, counts, size) : { keys, counts, size }
    this.messages = addList(
      score,
      units,
      found,
      this.messages,
      list.keys,
      list.counts,
      list.size,
      documents[field],
      norms,
      gain,
      bitOf(unit),
      raises === true,
    )
  }

  /** The whole chats' share of a term: what was said, and the title. */
  addToChats({ unit, weight, raises }: Scored, said: Group | undefined, title: Group | undefined): void {
    const { documents, filter } = this
    const { chatTimes, chatMet, chatWords, chatUnits, chatFlags, foundChats } = this.scratch
    let met = 0
    if (said) {
      const list = filter.narrows ? passing(filter, said.keys, said.counts, said.size) : said
      met = addTimes(chatTimes, chatMet, list.keys, list.counts, list.size, documents.chat)
    }
    if (title) {
      for (let i = 0; i < title.size; i++) {
        const chat = title.keys[i]!
        if (!filter.passesChat(chat)) continue
        if (chatTimes[chat] === 0) chatMet[met++] = chat
        chatTimes[chat]! += title.counts[i]! * weights.title
        if (!raises || chatFlags[chat]! & FOUND) chatFlags[chat]! |= IN_TITLE
      }
    }
    const { chats: all, words, messages } = documents
    const average = (words.said + weights.title * words.title) / Math.max(1, all, messages.title)
    const rarer = said && said.size > 0 ? said.messages / said.size : 1
    const gain = this.idf(met * rarer, Math.max(all, messages.title)) * weight * (weights.chatK1 + 1)
    this.chats = addWords(
      chatTimes,
      chatMet,
      met,
      chatWords,
      chatUnits,
      chatFlags,
      foundChats,
      this.chats,
      FOUND,
      documents.chatWords,
      documents.title,
      lengthsOf(documents, weights.title),
      average,
      weights.chatK1,
      weights.chatB,
      gain,
      bitOf(unit),
      raises === true,
    )
  }

  /** More for messages with several of the words, and for what the person typed. */
  weigh(words: number): void {
    const { score, units, found } = this.scratch
    const { label } = this.documents
    weighList(score, units, found, this.messages, label, labelWeights(), weights.coverage, words)
  }

  /** The highest-scored messages so far. */
  top(most: number): number[] {
    const { found, score } = this.scratch
    return topOf(found, this.messages, score, most)
  }
}

/** Flags of a chat. */
export const FOUND = 1
export const IN_TITLE = 2
/** It may be told: its messages are listed. */
export const LISTED = 4
/** One of its messages means something like the query. */
export const MEANT = 8
/** One of its messages gains by what it means. */
export const GAINED = 16
/** Its messages are listed already. */
export const LOOKED = 32

function bitOf(unit: number): number {
  return unit < 0 ? 0 : 1 << Math.min(unit, 31)
}

/** Those of a list that a filter lets through. Overwritten by the next call. */
function passing(
  filter: MessageFilter,
  keys: Int32Array,
  counts: Counts,
  size: number,
): { keys: Int32Array; counts: Counts; size: number } {
  if (passed.keys.length < size)
    passed = { keys: new Int32Array(size * 2), counts: new Float32Array(size * 2) }
  let left = 0
  for (let i = 0; i < size; i++) {
    if (!filter.passes(keys[i]!)) continue
    passed.keys[left] = keys[i]!
    passed.counts[left++] = counts[i]!
  }
  return { ...passed, size: left }
}

let passed = { keys: new Int32Array(0), counts: new Float32Array(0) }

function normsOf(documents: Documents, average: number): Float64Array {
  const norms = new Float64Array(256)
  for (let code = 0; code < 256; code++)
    norms[code] = weights.k1 * (1 - weights.b + (weights.b * documents.lengthOf(code)) / Math.max(1, average))
  return norms
}

/** By the code of a length, that length this many times. */
function lengthsOf(documents: Documents, times: number): Float64Array {
  const lengths = new Float64Array(256)
  for (let code = 0; code < 256; code++) lengths[code] = times * documents.lengthOf(code)
  return lengths
}

export function labelWeights(): Float64Array {
  const byLabel = new Float64Array(64)
  for (let label = 0; label < 64; label++) {
    const kind = KINDS[label % 16]
    byLabel[label] =
      kind === 'request' ? weights.request : kind === 'answer' || kind === 'summary' ? 1 : weights.other
  }
  return byLabel
}
