import { afterOf, beforeOf } from '../archive/archive.ts'
import type { Gains } from './chats.ts'
import type { ChatScore, RankOptions } from './ranking.ts'
import { FOUND, IN_TITLE, LISTED, MEANT, type Scores } from './score.ts'
import { weights } from './weights.ts'

const MONTH = 30 * 86_400

/** What `bestChats` gives, by looking at every message that was found and every one beside it. For tests. */
export function bestOfAll(
  scores: Scores,
  units: number,
  { meant, answers, whole, ...options }: RankOptions & Gains,
): { chats: ChatScore[]; total: number } {
  const messages = addNeighbours(scores)
  addGains(scores, meant)
  const scale = addChatShares(scores, messages)
  gatherByChat(scores, messages)
  const total = scoreChats(scores, options.match === 'all' ? 2 ** Math.min(units, 32) - 1 : 0)
  const { foundChats, chatScore, chatFlags, chatHits, chatUnits } = scores.scratch
  for (const [chat, gain] of whole) if (chatScore[chat]! > 0) chatScore[chat]! += gain
  const { chatAt } = scores.documents
  const top = [...foundChats.subarray(0, scores.chats)]
    .filter((chat) => chatScore[chat]! > 0)
    .sort((a, b) => chatScore[b]! - chatScore[a]! || chatAt[b]! - chatAt[a]! || b - a)
    .slice(0, options.most)
  const chats = new Map<number, ChatScore>()
  for (const key of top) {
    chats.set(key, {
      key,
      score: chatScore[key]!,
      units: chatUnits[key]! >>> 0,
      hits: chatHits[key]!,
      inTitle: (chatFlags[key]! & IN_TITLE) !== 0,
      best: [],
    })
    chatFlags[key]! |= LISTED
  }
  // A reply says which message to read, not which chat is the right one: measured.
  const highest = addGains(scores, answers, scale)
  listMessages(scores, messages, chats, Math.max(3, options.messagesPerChat), highest)
  return { chats: [...chats.values()], total }
}

/** An answer is found by its question: messages beside those found are candidates too. Says how many there are then. */
function addNeighbours({ documents, scratch, messages, filter }: Scores): number {
  const { score, units, final, found } = scratch
  let all = messages
  for (let i = 0; i < messages; i++) {
    const key = found[i]!
    for (let side = 0; side < 2; side++) {
      const near = side === 0 ? beforeOf(documents, key) : afterOf(documents, key)
      // A mark in `final` says that it is listed already.
      if (near === 0 || units[near] !== 0 || final[near] !== 0) continue
      if (filter.narrows && !filter.passes(near)) continue
      final[near] = 1
      found[all++] = near
    }
  }
  for (let i = 0; i < all; i++) {
    const key = found[i]!
    const previous = beforeOf(documents, key)
    const next = afterOf(documents, key)
    let sum = score[key]!
    if (previous !== 0) sum += weights.before * score[previous]!
    if (next !== 0) sum += weights.after * score[next]!
    final[key] = sum
  }
  return all
}

/** Stays with the message itself: what stands beside it is not meant by it. Says the highest score, 1 at the least. */
function addGains({ scratch: { final } }: Scores, gains: Map<number, number>, scale = 1): number {
  let highest = 1
  for (const [key, gain] of gains) {
    final[key]! += gain / scale
    highest = Math.max(highest, final[key]!)
  }
  return highest
}

/** Adds each chat's share to its messages, and scales them all to 1 for the best. Says by what. */
function addChatShares({ documents, scratch, chats }: Scores, messages: number): number {
  const { final, found, chatWords, foundChats } = scratch
  const { chat } = documents
  let mostWords = 0
  for (let i = 0; i < chats; i++) mostWords = Math.max(mostWords, chatWords[foundChats[i]!]!)
  let most = 0
  for (let i = 0; i < messages; i++) most = Math.max(most, final[found[i]!]!)
  if (mostWords > 0) {
    const share = (weights.chat * most) / mostWords
    for (let i = 0; i < messages; i++) {
      const key = found[i]!
      final[key]! += share * chatWords[chat[key]!]!
    }
  }
  let scale = 0
  for (let i = 0; i < messages; i++) scale = Math.max(scale, final[found[i]!]!)
  if (scale > 0) for (let i = 0; i < messages; i++) final[found[i]!]! /= scale
  if (mostWords > 0) for (let i = 0; i < chats; i++) chatWords[foundChats[i]!]! /= mostWords
  return scale || 1
}

function gatherByChat(scores: Scores, messages: number): void {
  const { documents, scratch } = scores
  const { units, final, found, chatUnits, chatHits, chatFlags, foundChats, best } = scratch
  const [first, second, third] = best
  for (let i = 0; i < messages; i++) {
    const key = found[i]!
    const chat = documents.chat[key]!
    if ((chatFlags[chat]! & FOUND) === 0) {
      chatFlags[chat]! |= FOUND
      foundChats[scores.chats++] = chat
    }
    if (units[key] !== 0) {
      chatUnits[chat]! |= units[key]!
      chatHits[chat]!++
    }
    const score = final[key]!
    if (score > first[chat]!) {
      third[chat] = second[chat]!
      second[chat] = first[chat]!
      first[chat] = score
    } else if (score > second[chat]!) {
      third[chat] = second[chat]!
      second[chat] = score
    } else if (score > third[chat]!) third[chat] = score
  }
}

/** Scores the chats that hold what is wanted, and says how many they are. */
function scoreChats({ documents, scratch, chats }: Scores, wanted: number): number {
  const { chatWords, chatUnits, chatScore, chatFlags, foundChats, best } = scratch
  const [first, second, third] = best
  let newest = 0
  for (let i = 0; i < chats; i++) newest = Math.max(newest, documents.chatAt[foundChats[i]!]!)
  let total = 0
  for (let i = 0; i < chats; i++) {
    const chat = foundChats[i]!
    const units = chatUnits[chat]!
    if (units === 0 && (chatFlags[chat]! & MEANT) === 0) continue
    if ((units & wanted) >>> 0 !== wanted) continue
    total++
    const at = documents.chatAt[chat]!
    // A tie-break: 1 for the newest chat found, half of it a month before.
    const recency = at === 0 ? 0 : 1 / (1 + (newest - at) / MONTH)
    chatScore[chat] =
      chatWords[chat]! +
      weights.best * first[chat]! +
      weights.three * (first[chat]! + second[chat]! + third[chat]!) +
      weights.recency * recency +
      LEAST
  }
  return total
}

/** Above zero, so that a chat found by a word that stands everywhere is still found. */
const LEAST = 1e-6

function listMessages(
  { documents, scratch }: Scores,
  messages: number,
  chats: Map<number, ChatScore>,
  most: number,
  highest: number,
): void {
  const { final, found, units, chatFlags } = scratch
  for (let i = 0; i < messages; i++) {
    const key = found[i]!
    const chat = documents.chat[key]!
    if ((chatFlags[chat]! & LISTED) === 0) continue
    keep(chats.get(chat)!.best, { key, score: final[key]! / highest, units: units[key]! >>> 0 }, most)
  }
}

function keep(best: ChatScore['best'], message: ChatScore['best'][number], most: number): void {
  if (best.length === most && best[most - 1]!.score >= message.score) return
  let at = best.length === most ? most - 1 : best.length
  while (at > 0 && best[at - 1]!.score < message.score) {
    best[at] = best[at - 1]!
    at--
  }
  best[at] = message
}
