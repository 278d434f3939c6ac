import type { Documents, WordField } from '../archive/archive.ts'
import { KINDS } from '../archive/archive.ts'
import type { MessageFilter } from './filter.ts'
import type { Group } from './group.ts'
import { type Scratch, scratchFor } from './scratch.ts'
import { weights } from './weights.ts'

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
    const { documents, filter } = this
    const { score, units, found } = this.scratch
    if (size === 0) return
    const all = documents.messages[field]
    const gain = this.idf(having, all) * weight * fieldWeight * (weights.k1 + 1)
    const lengths = documents[field]
    const norms = normsOf(documents, documents.words[field] / Math.max(1, all))
    const bit = bitOf(unit)
    let { messages } = this
    for (let i = 0; i < size; i++) {
      const key = keys[i]!
      if (filter.narrows && !filter.passes(key)) continue
      if (units[key] === 0) {
        if (raises) continue
        found[messages++] = key
      }
      units[key]! |= bit
      const times = counts[i]!
      score[key]! += (gain * times) / (times + norms[lengths[key]!]!)
    }
    this.messages = messages
  }

  /** The whole chats' share of a term: what was said, and the title. */
  addToChats({ unit, weight, raises }: Scored, said: Group | undefined, title: Group | undefined): void {
    const { documents, filter } = this
    const { chatTimes, chatMet, chatWords, chatUnits, chatFlags, foundChats } = this.scratch
    let met = 0
    if (said) {
      const { keys, counts, size } = said
      const { chat: chatOf } = documents
      for (let i = 0; i < size; i++) {
        const key = keys[i]!
        if (filter.narrows && !filter.passes(key)) continue
        const chat = chatOf[key]!
        if (chatTimes[chat] === 0) chatMet[met++] = chat
        chatTimes[chat]! += counts[i]!
      }
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
    for (let i = 0; i < met; i++) {
      const chat = chatMet[i]!
      const times = chatTimes[chat]!
      chatTimes[chat] = 0
      if ((chatFlags[chat]! & FOUND) === 0) {
        if (raises) continue
        chatFlags[chat]! |= FOUND
        foundChats[this.chats++] = chat
      }
      const length = documents.chatWords[chat]! + weights.title * documents.lengthOf(documents.title[chat]!)
      const norm = weights.chatK1 * (1 - weights.chatB + (weights.chatB * length) / average)
      chatWords[chat]! += (gain * times) / (times + norm)
      chatUnits[chat]! |= bitOf(unit)
    }
  }

  /** More for messages with several of the words, and for what the person typed. */
  weigh(words: number): void {
    const { score, units, found } = this.scratch
    const { label } = this.documents
    const byLabel = labelWeights()
    for (let i = 0; i < this.messages; i++) {
      const key = found[i]!
      const seen = bits(units[key]!)
      const coverage = seen > 1 ? 1 + (weights.coverage * (seen - 1)) / Math.max(1, words - 1) : 1
      score[key]! *= coverage * byLabel[label[key]!]!
    }
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

/** Whether a message or chat with these parts of the query has this one. */
export function hasPart(units: number, unit: number): boolean {
  return (units & bitOf(unit)) !== 0
}

function bitOf(unit: number): number {
  return unit < 0 ? 0 : 1 << Math.min(unit, 31)
}

function normsOf(documents: Documents, average: number): Float64Array {
  const norms = new Float64Array(256)
  for (let code = 0; code < 256; code++)
    norms[code] = weights.k1 * (1 - weights.b + (weights.b * documents.lengthOf(code)) / Math.max(1, average))
  return norms
}

export function labelWeights(): Float64Array {
  return Float64Array.from({ length: 64 }, (_, label) => {
    const kind = KINDS[label % 16]
    return kind === 'request' ? weights.request : kind === 'answer' || kind === 'summary' ? 1 : weights.other
  })
}

export function bits(mask: number): number {
  let rest = mask
  let count = 0
  while (rest !== 0) {
    rest &= rest - 1
    count++
  }
  return count
}

/** Of the first `size` keys those with the highest scores, best first; of equals the larger key. */
export function topOf(keys: Int32Array, size: number, score: Float32Array, most: number): number[] {
  const heap: number[] = []
  const worse = (a: number, b: number) => score[a]! < score[b]! || (score[a] === score[b] && a < b)
  for (let i = 0; i < size; i++) {
    const key = keys[i]!
    if (heap.length < most) {
      heap.push(key)
      for (let at = heap.length - 1; at > 0; ) {
        const up = (at - 1) >> 1
        if (!worse(heap[at]!, heap[up]!)) break
        ;[heap[at], heap[up]] = [heap[up]!, heap[at]!]
        at = up
      }
    } else if (most > 0 && worse(heap[0]!, key)) {
      heap[0] = key
      for (let at = 0; ; ) {
        const left = at * 2 + 1
        if (left >= most) break
        const child = left + 1 < most && worse(heap[left + 1]!, heap[left]!) ? left + 1 : left
        if (!worse(heap[child]!, heap[at]!)) break
        ;[heap[at], heap[child]] = [heap[child]!, heap[at]!]
        at = child
      }
    }
  }
  return heap.sort((a, b) => (worse(a, b) ? 1 : -1))
}
