import assert from 'node:assert/strict'
import { test } from 'node:test'
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
