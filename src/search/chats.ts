import { afterOf, beforeOf } from '../archive/archive.ts'
import type { Ints } from '../platform/loops/memory.ts'
import { flagged } from '../platform/loops/ranking.ts'
import {
  chatsThatMayHave,
  chatsWith,
  type Scaling,
  scaled,
  scalingOf,
  scoreChats,
  withGain,
} from './chat-loops.ts'
import { gatherByChat, withNeighbours } from './gather.ts'
import { keepThree } from './loops.ts'
import { type ChatScore, enoughOf, type Ranking, type RankOptions } from './ranking.ts'
import { bits, IN_TITLE, LISTED, LOOKED, MEANT, type Scores, topOf } from './score.ts'
import { weights } from './weights.ts'

/** What messages have beside their words, by their keys. */
export interface Gains {
  /** By what they mean. */
  meant: Map<number, number>
  /** By the question that they answer. */
  answers: Map<number, number>
  /** Chats that have names, paths or codes of the query as they stand, and how much that counts. */
  whole: Map<number, number>
}

export interface BestChats {
  chats: ChatScore[]
  /** How many there are in all. */
  total: number
  /** The best of those that hold all parts of the query, where any part was enough. */
  withAll?: ChatScore[]
  recent?: Ranking['recent']
}

/**
 * From messages to chats: each message gets shares of its neighbours' and its chat's scores, each chat
 * the sum of its own words and its best messages.
 *
 * A message beside one that was found counts too: an answer is found by its question. To look at all of these would
 * cost more than the rest. But such a message has at most half of what the best one of its chat has, so it can
 * only be the second or third best there: it is looked for where that could bring the chat among the
 * best. `chats.test.ts` compares this with the ranking that looks at everything.
 */
export function bestChats(
  scores: Scores,
  units: number,
  { meant, answers, whole, match, order, messagesPerChat, ...options }: RankOptions & Gains,
): BestChats {
  const { most } = options
  const { foundChats, chatUnits, chatMet } = scores.scratch
  gatherByChat(scores, meant)
  const scaling = scalingOf(scores)
  const every = 2 ** Math.min(units, 32) - 1
  const wanted = match === 'all' ? every : 0
  const score = (chats: Int32Array, size: number) => scoreChats(scores, chats, size, scaling, wanted, whole)
  const total = score(foundChats, scores.chats)
  /** What is told of the best of each of some sets. */
  const tellOf = (sets: number[][], ordered: (set: number[]) => number[]) => {
    const listed = listedMessages(scores, meant)
    for (const set of sets) score(Int32Array.from(set), set.length)
    const told = new Map<number, ChatScore>()
    const chats = sets.map((set) => ordered(set).map((chat) => tell(scores, chat, told)))
    fillIn(scores, { listed, told, scaling, answers, meant, most: Math.max(3, messagesPerChat) })
    return chats
  }
  if (order === 'date') {
    const newest = newestOfTheFullest(scores, wanted)
    const chats = enoughOf(newest.length, options, (size) => {
      const shown = newest.slice(0, size)
      for (const chat of shown) scores.scratch.chatFlags[chat]! |= LISTED
      return tellOf([shown], (set) => set)[0]!
    })
    return { chats, total: newest.length }
  }
  const sets = [candidates(scores, foundChats, scores.chats, most, scaling, whole)]
  if (match === 'any' && units > 1 && total > most) {
    const having = chatsWith(foundChats, scores.chats, chatUnits, every, chatMet)
    sets.push(candidates(scores, chatMet, having, most, scaling, whole))
  }
  const [first = [], withAll] = tellOf(sets, (set) => inOrder(scores, set, most))
  const chats = enoughOf(total, options, (size) => {
    if (size === most) return first
    const more = candidates(scores, foundChats, scores.chats, size, scaling, whole)
    return tellOf([more], (set) => inOrder(scores, set, size))[0]!
  })
  return {
    chats,
    total,
    ...(withAll && { withAll }),
    ...(match === 'any' && total > most && { recent: newestFound(scores, most) }),
  }
}

/** Newest first, those that hold as many parts of the query as any does: with fewer, half of the archive would come first. */
function newestOfTheFullest(scores: Scores, wanted: number): number[] {
  const { foundChats, chatUnits } = scores.scratch
  const { chatAt } = scores.documents
  const found = [...foundChats.subarray(0, scores.chats)].filter((chat) => isWanted(scores, chat, wanted))
  const fullest = found.reduce((most, chat) => Math.max(most, bits(chatUnits[chat]! >>> 0)), 0)
  return found
    .filter((chat) => bits(chatUnits[chat]! >>> 0) === fullest)
    .sort((a, b) => chatAt[b]! - chatAt[a]! || b - a)
}

/** What a message has by its own words and those of the messages beside it. */
function besides({ documents, scratch: { score } }: Scores, key: number): number {
  return withNeighbours(score, documents, key, weights.before, weights.after)
}

/** The chats in which something was found last. */
function newestFound({ scratch, chats }: Scores, most: number): { key: number; at: number }[] {
  const { foundChats, chatNewest, chatUnits } = scratch
  return topOf(foundChats, chats, chatNewest, most)
    .filter((key) => chatUnits[key] !== 0)
    .map((key) => ({ key, at: chatNewest[key]! }))
}

function isWanted({ scratch: { chatUnits, chatFlags } }: Scores, chat: number, wanted: number): boolean {
  const units = chatUnits[chat]!
  return (units !== 0 || (chatFlags[chat]! & MEANT) !== 0) && (units & wanted) >>> 0 === wanted
}

/** The chats that can be among the best, whatever stands beside their messages; they are marked as listed. */
function candidates(
  scores: Scores,
  chats: Ints,
  size: number,
  most: number,
  scaling: Scaling,
  whole: Map<number, number>,
): number[] {
  const { chatScore, chatFlags } = scores.scratch
  const { chatAt } = scores.documents
  const sure = topOf(chats, size, chatScore, most, chatAt).filter((chat) => chatScore[chat]! > 0)
  const last = sure.length < most ? 0 : chatScore[sure.at(-1)!]!
  const set = new Set([...sure, ...chatsThatMayHave(scores, scaling, chats, size, last, whole)])
  for (const chat of set) chatFlags[chat]! |= LISTED
  return [...set]
}

/**
 * The messages of the listed chats, and those beside them, with their scores in `final`; their chats' best three again.
 * Where some were listed before, those of the others are added to them.
 */
function listedMessages(scores: Scores, meant: Map<number, number>): number[] {
  const { documents, scratch, filter, listed } = scores
  const { units, final, found, some, chatFlags, chatHits, best } = scratch
  const { chat: chatOf } = documents
  const before = listed.length
  const own = flagged(found, scores.messages, chatOf, chatFlags, LISTED | LOOKED, LISTED, some)
  for (let i = 0; i < own; i++) listed.push(some[i]!)
  const { length } = listed
  for (let i = before; i < length; i++) {
    const key = listed[i]!
    if (units[key] !== 0) chatHits[chatOf[key]!]!++
    for (let side = 0; side < 2; side++) {
      const near = side === 0 ? beforeOf(documents, key) : afterOf(documents, key)
      // A mark in `final` says that it is listed already.
      if (near === 0 || units[near] !== 0 || final[near] !== 0) continue
      if (filter.narrows && !filter.passes(near)) continue
      final[near] = 1
      listed.push(near)
    }
  }
  const [first, second, third] = best
  for (let i = before; i < listed.length; i++) {
    const chat = chatOf[listed[i]!]!
    chatFlags[chat]! |= LOOKED
    first[chat] = 0
    second[chat] = 0
    third[chat] = 0
  }
  for (let i = before; i < listed.length; i++) {
    const key = listed[i]!
    final[key] = withGain(besides(scores, key), meant.get(key))
    keepThree(first, second, third, chatOf[key]!, final[key]!)
  }
  return listed
}

function inOrder(
  { documents: { chatAt }, scratch: { chatScore, chatMet } }: Scores,
  set: number[],
  most: number,
): number[] {
  chatMet.set(set)
  // Where equals are cut off it must be by the order in which they are told, or they depend on how many that are.
  return topOf(chatMet, set.length, chatScore, most, chatAt).filter((chat) => chatScore[chat]! > 0)
}

function tell({ scratch }: Scores, key: number, told: Map<number, ChatScore>): ChatScore {
  const known = told.get(key)
  if (known) return known
  const chat: ChatScore = {
    key,
    score: scratch.chatScore[key]!,
    units: scratch.chatUnits[key]! >>> 0,
    hits: scratch.chatHits[key]!,
    inTitle: (scratch.chatFlags[key]! & IN_TITLE) !== 0,
    best: [],
  }
  told.set(key, chat)
  return chat
}

/** The best messages of the chats that are told. */
function fillIn(
  scores: Scores,
  {
    listed,
    told,
    scaling,
    answers,
    meant,
    most,
  }: {
    listed: number[]
    told: Map<number, ChatScore>
    scaling: Scaling
    answers: Map<number, number>
    meant: Map<number, number>
    most: number
  },
): void {
  const { documents } = scores
  const { chatWords, final, units } = scores.scratch
  const { share, scale } = scaling
  // A reply says which message to read, not which chat is the right one: measured.
  let highest = 1
  const replied = new Map<number, number>()
  for (const [key, gain] of answers) {
    const chat = documents.chat[key]!
    const sum = withGain(besides(scores, key), meant.get(key))
    const score = Math.fround(scaled(sum, chatWords[chat]!, share, scale) + gain / scale)
    highest = Math.max(highest, score)
    replied.set(key, score)
  }
  for (const key of listed) {
    const chat = documents.chat[key]!
    const best = told.get(chat)?.best
    if (!best) continue
    const score = replied.get(key) ?? scaled(final[key]!, chatWords[chat]!, share, scale)
    keep(best, key, score / highest, units[key]! >>> 0, most)
  }
}

function keep(best: ChatScore['best'], key: number, score: number, units: number, most: number): void {
  if (best.length === most && best[most - 1]!.score >= score) return
  let at = best.length === most ? most - 1 : best.length
  while (at > 0 && best[at - 1]!.score < score) {
    best[at] = best[at - 1]!
    at--
  }
  best[at] = { key, score, units }
}
