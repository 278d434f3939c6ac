import assert from 'node:assert/strict'
import { test } from 'node:test'
import { millis } from './json.ts'

test('a time that was never set is no time', () => {
  const never = [
    0,
    -1,
    1,
    86_400,
    '0',
    '1970-01-01T00:00:00.000Z',
    '1969-12-31',
    '',
    'soon',
    null,
    undefined,
    Number.NaN,
    {},
  ]
  for (const value of never) assert.equal(millis(value), undefined, String(value))
  const at = Date.UTC(2026, 4, 4, 9)
  for (const value of [at, at / 1000, String(at), String(at / 1000), new Date(at).toISOString()])
    assert.equal(millis(value), at, String(value))
})
