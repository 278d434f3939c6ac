import assert from 'node:assert/strict'
import { test } from 'node:test'
import { requiredRun } from './regex-literal.ts'
import { diceOf } from './test-dice.ts'

test('the run that every match holds', () => {
  const runs: [source: string, run: string | undefined, flags?: string][] = [
    ['ECONNREFUSED', 'ECONNREFUSED'],
    ['E_[A-Z]+_\\d+', undefined],
    ['worker-\\d+ failed', 'worker'],
    ['colou?r', 'colo'],
    ['foobar*', 'fooba'],
    ['foobarb{0,3}z', 'foobar'],
    ['foobar+baz', 'foobar'],
    ['cat|dog', undefined],
    ['(cat|dog)house', 'house'],
    ['(?:never)?always', 'always'],
    ['[abc]def\\dghijk', 'ghijk'],
    ['\\u0041bcd', 'bcd'],
    ['\\x41bcd', 'bcd'],
    ['\\p{Lu}bcd', 'bcd'],
    ['\\bdeadlock\\b', 'deadlock'],
    ['a.b.c', undefined],
    ['kiosk', undefined, 'giu'],
    ['deadlock', 'deadloc', 'giu'],
    ['mask', undefined, 'giu'],
    ['mask', 'mask', 'gu'],
    ['[(]open', 'open'],
    ['\\(open', 'open'],
  ]
  for (const [source, run, flags = 'gm'] of runs) assert.equal(requiredRun(source, flags), run, source)
})

test('property: what matches holds the run', () => {
  const { below } = diceOf(7)
  const parts = [
    'abc',
    'de',
    'x',
    'f?',
    'gh*',
    'i+',
    'j{2}',
    'k{0,1}',
    '[lm]',
    '(no|pq)',
    '(?:rs)?',
    '\\d',
    '.',
    '\\.',
    'tuvw',
    '|',
    '^',
    '\\b',
    '(y(z)*)+',
  ]
  let matched = 0
  for (let i = 0; i < 4_000; i++) {
    const source = Array.from({ length: 1 + below(5) }, () => parts[below(parts.length)]).join('')
    const pattern = new RegExp(source, 'gm')
    const run = requiredRun(source, 'gm')
    for (let n = 0; n < 12; n++) {
      const text = Array.from(
        { length: 1 + below(7) },
        () =>
          ['abc', 'de', 'x', 'f', 'g', 'h', 'ii', 'jj', 'k', 'l', 'no', 'rs', '1', '.', 'tuvw', 'y', 'z'][
            below(17)
          ],
      ).join('')
      pattern.lastIndex = 0
      if (!pattern.test(text)) continue
      matched++
      if (run) assert.ok(text.includes(run), `${source} matches ${text} without ${run}`)
    }
  }
  assert.ok(matched > 1_000)
})
