import { afterOf, beforeOf, type Documents, FAR } from '../archive/archive.ts'
import { type Floats, type Ints, ints } from '../platform/loops/memory.ts'
import { gatherList, withUnits } from '../platform/loops/ranking.ts'
import { withGain } from './chat-loops.ts'
import { keepThree } from './loops.ts'
import { FOUND, GAINED, type Scores } from './score.ts'
import { weights } from './weights.ts'

/** Where one in so many messages was found, they are gone through in the order in which they lie in memory. */
const MANY = 16
const block = ints(1 << 14)
let gained = ints(1 << 7)

/** Of each chat: the parts of the query it holds, and its three best messages of those found. */
export function gatherByChat(scores: Scores, meant: Map<number, number>): void {
  const { documents, messages } = scores
  const { score, chatFlags, found, units, best } = scores.scratch
  const { chat: chatOf, end } = documents
  for (const key of meant.keys()) chatFlags[chatOf[key]!]! |= GAINED
  if (gained.length < meant.size) gained = ints(meant.size * 2)
  gained.set([...meant.keys()])
  if (messages <= end / MANY) gather(scores, found, 0, messages, meant.size)
  else {
    // The list has them word by word: what lies around each of them would be waited for.
    for (let from = 0; from < end; from += block.length)
      gather(scores, block, 0, withUnits(units, from, Math.min(end, from + block.length), block), meant.size)
    // Those that have no words of the query, only its meaning, were found last.
    let wordless = messages
    while (wordless > 0 && units[found[wordless - 1]!] === 0) wordless--
    gather(scores, found, wordless, messages, meant.size)
  }
  const [first, second, third] = best
  for (const [key, gain] of meant) {
    const sum = withNeighbours(score, documents, key, weights.before, weights.after)
    keepThree(first, second, third, chatOf[key]!, withGain(sum, gain))
  }
}

function gather(scores: Scores, keys: Ints, start: number, end: number, gains: number): void {
  const { documents, scratch } = scores
  const { score, units, chatUnits, chatFlags, chatNewest, foundChats, some: left, best } = scratch
  const { chat: chatOf, at, before, after } = documents
  scores.chats = gatherList(
    keys,
    start,
    end,
    score,
    units,
    chatOf,
    at,
    before.steps,
    after.steps,
    FAR,
    chatUnits,
    chatFlags,
    FOUND,
    GAINED,
    chatNewest,
    foundChats,
    scores.chats,
    ...best,
    weights.before,
    weights.after,
    gained,
    gains,
    left,
  )
  const [first, second, third] = best
  for (let i = 1; i <= left[0]!; i++) {
    const key = left[i]!
    keepThree(
      first,
      second,
      third,
      chatOf[key]!,
      withNeighbours(score, documents, key, weights.before, weights.after),
    )
  }
}

/** What a message has by its own words and those of the messages beside it, rounded as it was always stored. */
export function withNeighbours(
  score: Floats,
  documents: Pick<Documents, 'before' | 'after'>,
  key: number,
  ofBefore: number,
  ofAfter: number,
): number {
  const previous = beforeOf(documents, key)
  const next = afterOf(documents, key)
  let sum = score[key]!
  if (previous !== 0) sum += ofBefore * score[previous]!
  if (next !== 0) sum += ofAfter * score[next]!
  return Math.fround(sum)
}
