import type { Lexicon } from '../archive/lexicon.ts'
import { seenWords } from './seen-words.ts'

const LOOKED_AT = 6_000

/**
 * How often two words that stand together in the query stand together in each of the texts; stop
 * words between them do not count. Counting in the text of the best candidates costs a millisecond;
 * an index of all pairs would double the archive's.
 */
export function countPairs(query: string, texts: string[]): { pairs: number; counts: Int32Array[] } {
  const lexicon = seenWords()
  const asked = new Map<number, number>()
  eachPair(lexicon, query, (pair) => {
    if (!asked.has(pair)) asked.set(pair, asked.size)
  })
  const counts = texts.map((text) => {
    const found = new Int32Array(asked.size)
    if (asked.size > 0)
      eachPair(lexicon, text.slice(0, LOOKED_AT), (pair) => {
        const at = asked.get(pair)
        if (at !== undefined) found[at]!++
      })
    return found
  })
  return { pairs: asked.size, counts }
}

function eachPair(lexicon: Lexicon, text: string, visit: (pair: number) => void): void {
  const count = lexicon.read(text)
  const { found, stops } = lexicon
  let before = -1
  for (let i = 0; i < count; i++) {
    const term = found[i]!
    if (stops[term] === 1 || isSingleCharacter(lexicon, term)) continue
    if (before >= 0) visit(before * 0x200000 + term)
    before = term
  }
}

/** Characters of scripts without spaces are indexed alone and in twos: only the twos are words here. */
function isSingleCharacter({ letters, starts }: Lexicon, term: number): boolean {
  const start = starts[term]!
  // As UTF-8: three bytes, from U+2E80 on.
  return starts[term + 1]! - start === 3 && letters[start]! * 256 + letters[start + 1]! >= 0xe2ba
}
