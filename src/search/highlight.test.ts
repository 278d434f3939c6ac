import assert from 'node:assert/strict'
import { test } from 'node:test'
import { highlighter } from './highlight.ts'

const cases: [words: string, text: string, marked: string[]][] = [
  ['deadlock', 'A Deadlock, and more deadlocks.', ['Deadlock', 'deadlocks']],
  ['"stock import"', 'the stock import', ['stock', 'import']],
  ['dead*', 'deadline and deadlock', ['deadline', 'deadlock']],
  ['缓存', '热门商品的缓存击穿', ['缓存']],
  ['lock -stock', 'stock and lock', ['lock']],
  ['!!!', 'anything', []],
]

for (const [words, text, marked] of cases) {
  test(`the words of ${words} are marked in "${text}"`, () => {
    const found = highlighter(words)(text).map(([start, end]) => text.slice(start, end))
    assert.deepEqual(found, marked)
  })
}

test('words that a search found besides are marked in all their forms', () => {
  const text = 'Взаимная блокировка: a deadlock, deadlocks.'
  const found = highlighter('dedlock', ['deadlock', 'блокировка'])(text)
  assert.deepEqual(
    found.map(([start, end]) => text.slice(start, end)),
    ['блокировка', 'deadlock', 'deadlocks'],
  )
})
