import assert from 'node:assert/strict'
import { test } from 'node:test'
import { hidden, waysOf } from './regex-hidden.ts'
import { diceOf } from './test-dice.ts'

test('what is found in a text as it was said, where a pattern matches it with its secrets hidden', () => {
  const cases: [source: string, ways: string[][]][] = [
    ['^worker-\\d+ failed$', [['worker-\\d+ failed']]],
    ['foo|bär', [['foo|bär']]],
    ['pool.{0,40}x', [['pool', 'x']]],
    ['foo.*|[^a]bar', [['foo'], ['bar']]],
    ['DB_PASSWORD=\\S+', [['DB_PASSWORD=']]],
    ['(?<=a )foo(?!bar)', [['foo']]],
    ['(\\w+) \\1 foo', [['(\\w+) ', ' foo']]],
    ['(?:foo.*|bar.*)baz', [['baz']]],
    ['foo(?=x)+', [[]]],
    ['.*', [[]]],
  ]
  for (const [source, ways] of cases)
    assert.deepEqual(
      waysOf(source, 'gmu').map((parts) => parts.map((part) => part.source)),
      ways,
      source,
    )
})

test('one sign stands for a secret, and places are told as they are shown', () => {
  const shown = 'a [redacted: password] b [redacted: secret] c'
  const { text, shownAt } = hidden(shown)
  assert.equal(text, 'a █ b █ c')
  for (const [place, sign] of [...text].entries())
    assert.equal(shown[shownAt(place)], sign === '█' ? '[' : sign, String(place))
  assert.equal(shown.slice(shownAt(2), shownAt(3)), '[redacted: password]')
  assert.equal(hidden('cut …').text, 'cut █')
})

test('property: what matches with secrets hidden is looked at, whatever these are', () => {
  const { below, one } = diceOf(7)
  const parts = [
    'ab',
    'c?',
    '^',
    '$',
    '\\b',
    '\\B',
    '[a-c]',
    '[^a]',
    '.',
    '\\d+',
    '\\s',
    '\\S',
    '\\W',
    '-',
    'é',
  ]
  parts.push(
    '(?:ab|1)',
    '(c|-)*',
    '(a b|c)',
    '|',
    '\\w',
    ' ',
    '.*',
    '.{2}',
    '(?=a)',
    '(?!c)',
    '(?<=b)',
    '(?<!1)',
  )
  parts.push('(?:a|.)', '(.b)?', '\\1', '(?=.)', '\\p{S}', 'redacted', '\\[', '[^]+?')
  const pieces = ['a', 'b', 'c', 'ab', '1', '22', '-', ' ', '\n', 'é', 'C', 'ab c']
  const secrets = ['abc1', 'c-b', 'a', '22 1', 'é', 'redacted', 'ab\nab']
  let matched = 0
  for (let i = 0; i < 12_000; i++) {
    const source = Array.from({ length: 1 + below(5) }, () => one(parts)).join('')
    const flags = one(['gm', 'gmi', 'gmu', 'gmiu'])
    let pattern: RegExp
    try {
      pattern = new RegExp(source, flags)
    } catch {
      continue
    }
    const ways = waysOf(source, flags)
    for (let n = 0; n < 8; n++) {
      const said = Array.from({ length: 1 + below(6) }, () => (below(3) === 0 ? undefined : one(pieces)))
      pattern.lastIndex = 0
      if (!pattern.test(hidden(said.map((each) => each ?? '[redacted: secret]').join('')).text)) continue
      matched++
      const raw = said.map((each) => each ?? one(secrets)).join('')
      assert.ok(
        ways.some((each) => each.every((part) => part.test(raw))),
        `${source} ${flags} in ${JSON.stringify(raw)}`,
      )
    }
  }
  assert.ok(matched > 5_000, String(matched))
})
