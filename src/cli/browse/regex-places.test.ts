import assert from 'node:assert/strict'
import { test } from 'node:test'
import { regexPlaces } from './regex-places.ts'

const found = (source: string, text: string) =>
  regexPlaces(source)(text).map(([start, end]) => text.slice(start, end))

test('a pattern marks what it matches as a search does: small letters also match capitals', () => {
  assert.deepEqual(found('dead\\w+', 'A Deadlock, two deadlocks'), ['Deadlock', 'deadlocks'])
  assert.deepEqual(found('Dead\\w+', 'A Deadlock, two deadlocks'), ['Deadlock'])
  assert.deepEqual(found('^two', 'one\ntwo'), ['two'])
  assert.deepEqual(found('x*', 'none here'), [])
  // Only without the flag for Unicode is this one valid.
  assert.deepEqual(found('\\-lock', 'dead-lock'), ['-lock'])
})

test('a pattern that takes forever is given up', () => {
  const places = regexPlaces('(a+)+$', 20)
  assert.deepEqual(places(`${'a'.repeat(40)}b`), [])
  assert.deepEqual(places('aa'), [], 'and not tried again')
})
