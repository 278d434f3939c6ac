import type { Documents, WordField } from '../archive/archive.ts'
import { KINDS } from '../archive/archive.ts'
import {
  type Doubles,
  doubles,
  floats,
  type Ints,
  ints,
  isInReach,
  release,
} from '../platform/loops/memory.ts'
import { addList, addTimes, addWords, type Counts, raiseList, weighList } from '../platform/loops/ranking.ts'
import type { MessageFilter } from './filter.ts'
import type { Group } from './group.ts'
import { topOf } from './loops.ts'
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
    const list = passing(filter, keys, counts, size)
    const { keys: of, counts: times } = list
    const [lengths, bit] = [documents[field], bitOf(unit)]
    const each = times.BYTES_PER_ELEMENT
    if (raises) raiseList(score, units, of, times, each, list.size, lengths, norms, gain, bit)
    else
      this.messages = addList(
        score,
        units,
        found,
        this.messages,
        of,
        times,
        each,
        list.size,
        lengths,
        norms,
        gain,
        bit,
      )
  }

  /** The whole chats' share of a term: what was said, and the title. */
  addToChats({ unit, weight, raises }: Scored, said: Group | undefined, title: Group | undefined): void {
    const { documents, filter } = this
    const { chatTimes, chatMet, chatWords, chatUnits, chatFlags, foundChats } = this.scratch
    let met = 0
    if (said) {
      const list = passing(filter, said.keys, said.counts, said.size)
      const { keys, counts, size } = list
      met = addTimes(chatTimes, chatMet, keys, counts, counts.BYTES_PER_ELEMENT, size, documents.chat)
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
      titleLengthsOf(documents, weights.title),
      average,
      weights.chatK1,
      weights.chatB,
      gain,
      bitOf(unit),
      Number(raises === true),
    )
  }

  /** More for messages with several of the words, and for what the person typed. */
  weigh(words: number): void {
    const { score, units, found } = this.scratch
    const { label } = this.documents
    // 1 for one of the words, and so much more for each other.
    byCount.fill(1)
    for (let seen = 2; seen < byCount.length; seen++)
      byCount[seen] = 1 + (weights.coverage * (seen - 1)) / Math.max(1, words - 1)
    weighList(score, units, found, this.messages, label, labelWeights(), byCount)
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

/** Those of a list that a filter lets through, where the loops can read them. Overwritten by the next call. */
function passing(
  filter: MessageFilter,
  keys: Int32Array,
  counts: Uint8Array | Float32Array,
  size: number,
): { keys: Ints; counts: Counts; size: number } {
  if (!filter.narrows && isInReach(keys) && isInReach(counts)) return { keys, counts, size }
  if (passed.keys.length < size) {
    for (const list of [passed.keys, passed.counts]) release(list)
    passed = { keys: ints(size * 2), counts: floats(size * 2) }
  }
  let left = 0
  for (let i = 0; i < size; i++) {
    if (filter.narrows && !filter.passes(keys[i]!)) continue
    passed.keys[left] = keys[i]!
    passed.counts[left++] = counts[i]!
  }
  return { ...passed, size: left }
}

let passed = { keys: ints(0), counts: floats(0) }

/** Filled anew for each list or search. */
const norms = doubles(256)
const titleLengths = doubles(256)
const byCount = doubles(33)
const byLabel = doubles(256)

function normsOf(documents: Documents, average: number): Doubles {
  for (let code = 0; code < 256; code++)
    norms[code] = weights.k1 * (1 - weights.b + (weights.b * documents.lengthOf(code)) / Math.max(1, average))
  return norms
}

/** By the code of a length, that length this many times. */
function titleLengthsOf(documents: Documents, times: number): Doubles {
  for (let code = 0; code < 256; code++) titleLengths[code] = times * documents.lengthOf(code)
  return titleLengths
}

export function labelWeights(): Doubles {
  for (let label = 0; label < 64; label++) {
    const kind = KINDS[label % 16]
    byLabel[label] =
      kind === 'request' ? weights.request : kind === 'answer' || kind === 'summary' ? 1 : weights.other
  }
  return byLabel
}
