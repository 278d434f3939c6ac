import { afterOf, KINDS } from '../archive/archive.ts'
import type { Scores } from './score.ts'
import { weights } from './weights.ts'

/** Where a message ends with a question, what is said next answers it. */
const ENDS_AS_QUESTION = /[?？]/
const END = 100
const REQUEST = KINDS.indexOf('request')

/**
 * The answer to a question often shares no word with it: what the person said next gains from a question that
 * holds the words. Not what an assistant answers, which repeats the words anyway. Says what each of them gains.
 */
export function replies(
  { documents, scratch, filter }: Scores,
  best: { key: number; text: string }[],
  meant: Map<number, number>,
): Map<number, number> {
  const { label } = documents
  const found = new Map<number, number>()
  for (const { key, text } of best) {
    const next = afterOf(documents, key)
    if (next === 0 || label[next]! % 16 !== REQUEST || !ENDS_AS_QUESTION.test(text.slice(-END))) continue
    if (filter.narrows && !filter.passes(next)) continue
    found.set(next, weights.reply * (scratch.score[key]! + (meant.get(key) ?? 0)))
  }
  return found
}
