import { MEANT, type Scores } from './score.ts'
import { weights } from './weights.ts'

// The loops over chats. As those of `loops.ts` they are functions of flat arrays and numbers.

/** A gain stays with the message itself: what stands beside it is not meant by it. */
export function withGain(sum: number, gain: number | undefined): number {
  return gain === undefined ? sum : Math.fround(sum + gain)
}

export interface Scaling {
  mostWords: number
  /** Share of a chat's words in each of its messages. */
  share: number
  /** The highest score of a message: that one has 1 then. */
  scale: number
  /** When something was said last in any of the chats. */
  newest: number
}

export function scalingOf({ scratch, documents, chats }: Scores): Scaling {
  const { chatWords, foundChats } = scratch
  const { chatAt } = documents
  const [first] = scratch.best
  let mostWords = 0
  let most = 0
  let newest = 0
  for (let i = 0; i < chats; i++) {
    const chat = foundChats[i]!
    mostWords = Math.max(mostWords, chatWords[chat]!)
    most = Math.max(most, first[chat]!)
    newest = Math.max(newest, chatAt[chat]!)
  }
  const share = mostWords > 0 ? (weights.chat * most) / mostWords : 0
  let scale = 0
  for (let i = 0; i < chats; i++) {
    const chat = foundChats[i]!
    if (first[chat]! > 0) scale = Math.max(scale, Math.fround(first[chat]! + share * chatWords[chat]!))
  }
  return { mostWords, share, scale: scale || 1, newest }
}

export function scaled(sum: number, words: number, share: number, scale: number): number {
  return sum > 0 ? Math.fround(Math.fround(sum + share * words) / scale) : 0
}

const MONTH = 30 * 86_400
/** Above zero, so that a chat found by a word that stands everywhere is still found. */
const LEAST = 1e-6

/** The score of a chat by its words, its time and its three best messages. */
function chatScoreOf(
  { share, scale, mostWords, newest }: Scaling,
  own: number,
  at: number,
  first: number,
  second: number,
  third: number,
): number {
  const one = scaled(first, own, share, scale)
  const two = scaled(second, own, share, scale)
  const three = scaled(third, own, share, scale)
  const words = mostWords > 0 ? Math.fround(own / mostWords) : own
  // A tie-break: 1 for the newest chat found, half of it a month before.
  const recency = at === 0 ? 0 : 1 / (1 + (newest - at) / MONTH)
  return Math.fround(
    words + weights.best * one + weights.three * (one + two + three) + weights.recency * recency + LEAST,
  )
}

/** Scores those of some chats in which something was found, with these parts of the query. Says how many they are. */
export function scoreChats(
  { scratch, documents }: Scores,
  chats: Int32Array,
  size: number,
  scaling: Scaling,
  wanted: number,
  whole: Map<number, number>,
): number {
  const { chatScore, chatUnits, chatFlags, chatWords } = scratch
  const { chatAt } = documents
  const [first, second, third] = scratch.best
  let total = 0
  for (let i = 0; i < size; i++) {
    const chat = chats[i]!
    const units = chatUnits[chat]!
    if ((units === 0 && (chatFlags[chat]! & MEANT) === 0) || (units & wanted) >>> 0 !== wanted) continue
    total++
    const score = chatScoreOf(
      scaling,
      chatWords[chat]!,
      chatAt[chat]!,
      first[chat]!,
      second[chat]!,
      third[chat]!,
    )
    chatScore[chat] = whole.size === 0 ? score : withGain(score, whole.get(chat))
  }
  return total
}

/** What a message that was not found has at most of the best one of its chat. */
const BESIDE = weights.before + weights.after
/** Bounds are taken a little wider than they are: sums are rounded. */
const ROUNDED = 1 + 1e-5

/** Those of some chats that may have this score, whatever stands beside their messages. */
export function chatsThatMayHave(
  { scratch, documents }: Scores,
  scaling: Scaling,
  chats: Int32Array,
  size: number,
  score: number,
  whole: Map<number, number>,
): number[] {
  const { chatScore, chatWords } = scratch
  const { chatAt } = documents
  const [first, second, third] = scratch.best
  const found: number[] = []
  for (let i = 0; i < size; i++) {
    const chat = chats[i]!
    const least = BESIDE * first[chat]! * ROUNDED
    if (chatScore[chat] === 0 || third[chat]! >= least) continue
    const two = Math.max(least, second[chat]!)
    // Its third is less than that.
    const bound = chatScoreOf(scaling, chatWords[chat]!, chatAt[chat]!, first[chat]!, two, least)
    if ((whole.size === 0 ? bound : withGain(bound, whole.get(chat))) * ROUNDED >= score) found.push(chat)
  }
  return found
}

/** Those of some chats that hold exactly these parts of the query. Says how many they are. */
export function chatsWith(
  chats: Int32Array,
  size: number,
  chatUnits: Uint32Array,
  units: number,
  having: Int32Array,
): number {
  let count = 0
  for (let i = 0; i < size; i++) if (chatUnits[chats[i]!]! >>> 0 === units) having[count++] = chats[i]!
  return count
}
