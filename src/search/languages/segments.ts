import { isStopWord } from '../../model/stop-words.ts'

const RUN = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]{2,}/gu
let segmenter: Intl.Segmenter | undefined

/**
 * Two characters that stand together in a text without being a word or a part of one: the last of one
 * word and the first of the next. What they would translate to has nothing to do with either.
 */
export function chancePairs(text: string): Set<string> {
  const chance = new Set<string>()
  const words = new Set<string>()
  for (const [run] of text.matchAll(RUN)) {
    segmenter ??= new Intl.Segmenter('zh', { granularity: 'word' })
    let before: string[] = []
    for (const { segment } of segmenter.segment(run)) {
      const characters = [...segment.normalize('NFKC')]
      for (let i = 1; i < characters.length; i++) words.add(characters[i - 1]! + characters[i]!)
      if (before.length > 0 && isChance(before, characters)) chance.add(before.at(-1)! + characters[0]!)
      before = characters
    }
  }
  for (const word of words) chance.delete(word)
  return chance
}

/** A single character may belong to the word beside it (检查 + 点), unless it says nothing (的). */
function isChance(first: string[], second: string[]): boolean {
  if (first.length > 1 && second.length > 1) return true
  if (first.length === 1 && second.length === 1) return false
  const [single] = first.length === 1 ? first : second
  return isStopWord(single!)
}
