import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Lexicon } from './lexicon.ts'
import { stem } from './stem.ts'
import { termsOfWord } from './terms.ts'

const STEMS: [string, string][] = [
  ['caresses', 'caress'],
  ['ponies', 'poni'],
  ['hopping', 'hop'],
  ['relational', 'relat'],
  ['configurations', 'configur'],
  ['deadlocks', 'deadlock'],
  ['сообщениями', 'сообщен'],
  ['ошибок', 'ошибок'],
  ['соединения', 'соединен'],
  ['utf8', 'utf8'],
  ['日本', '日本'],
]
for (const [word, expected] of STEMS) test(`the stem of ${word}`, () => assert.equal(stem(word), expected))

const TERMS: [string, string[]][] = [
  ["Caroline's", ['carolin']],
  ['parseHTTPHeader', ['parsehttphead', 'pars', 'http', 'header']],
  ['v1.2.3', ['v1.2.3', '1.2.3']],
  ['Café', ['cafe']],
  ['Ёлка', ['елк']],
  ['a3f9b2c1', ['a3f9b2c1']],
  ['QmFzZTY0aGVsbG9Xb3JsZDEyMzQ1Njc4', []],
]
for (const [word, expected] of TERMS)
  test(`the terms of ${word}`, () => assert.deepEqual(termsOfWord(word), expected))

function termOf({ letters, starts }: Lexicon, number: number): string {
  return Buffer.from(letters.subarray(starts[number], starts[number + 1])).toString()
}

function read(text: string): string[] {
  const lexicon = new Lexicon()
  const count = lexicon.read(text)
  return Array.from(lexicon.found.subarray(0, count), (term) => termOf(lexicon, term))
}

test('scripts without spaces are read by characters and by twos', () => {
  assert.deepEqual(read('搜索test'), ['搜', '索', '搜索', 'test'])
})

test('letters beyond the first plane are letters', () => {
  assert.deepEqual(read('𝐝𝐞𝐚𝐝 𝐥𝐨𝐜𝐤'), ['dead', 'lock'])
})

test('names with punctuation are read by their parts', () => {
  assert.deepEqual(read('src/find_all.ts'), ['src', 'find', 'all', 'ts'])
})

test('what was read before does not change what is read', () => {
  const lexicon = new Lexicon()
  const texts = ['Alpha beta', 'gamma 中文 alpha', 'x'.repeat(200), 'Beta alphaBeta']
  const once = texts.map((text) =>
    Array.from(lexicon.found.subarray(0, lexicon.read(text)), (i) => termOf(lexicon, i)),
  )
  lexicon.trim(1)
  const again = texts.map((text) =>
    Array.from(lexicon.found.subarray(0, lexicon.read(text)), (i) => termOf(lexicon, i)),
  )
  assert.deepEqual(again, once)
})
