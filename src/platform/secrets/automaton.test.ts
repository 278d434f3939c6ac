import assert from 'node:assert/strict'
import { test } from 'node:test'
import { automaton } from './automaton.ts'

test('finds in any text what looking for each word finds, from left to right, the longest first', () => {
  const some = dice(76)
  const made = (letters: string, length: number) =>
    Array.from({ length }, () => letters[some(letters.length)]).join('')
  for (let round = 0; round < 300; round++) {
    const letters = 'abcdеж-_'.slice(0, 2 + some(7))
    const words = [...new Set(Array.from({ length: 1 + some(40) }, () => made(letters, 1 + some(6))))]
    const { scan } = automaton(words)
    // One after the other: each leaves behind what it needed.
    for (let each = 0; each < 5; each++) {
      const text = made(`${letters}${letters.toUpperCase()} .`, some(60))
      const found: [number, number][] = []
      scan(text, (word, end) => found.push([word, end]))
      assert.deepEqual(found, oneByOne(words, text), `${JSON.stringify(words)} in ${JSON.stringify(text)}`)
    }
  }
})

test('a text may be looked through while another is', () => {
  const words = ['ab', 'abcabc', ...'bcdefghijklmnopqrstuvwxyz'].flatMap((word) => [word, `${word}${word}`])
  const { scan } = automaton(words)
  const found: number[] = []
  scan('xabcabcy', (_, end) => {
    found.push(end)
    scan('abcdefghijklmnopqrstuvwxyzz'.repeat(2), () => {})
  })
  assert.deepEqual(
    found,
    oneByOne(words, 'xabcabcy').map(([, end]) => end),
  )
})

function oneByOne(words: string[], text: string): [number, number][] {
  const found: [number, number][] = []
  const folded = text.toLowerCase()
  const longestFirst = [...words.keys()].toSorted((a, b) => words[b]!.length - words[a]!.length)
  for (let end = 1; end <= text.length; end++)
    for (const word of longestFirst) if (folded.slice(0, end).endsWith(words[word]!)) found.push([word, end])
  return found
}

function dice(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}
