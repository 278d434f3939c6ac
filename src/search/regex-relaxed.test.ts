import assert from 'node:assert/strict'
import { test } from 'node:test'
import { relaxed } from './regex-relaxed.ts'
import { diceOf } from './test-dice.ts'

test('a pattern without what it says of lines and words, and its parts that JSON does not change', () => {
  const cases: [source: string, loose: string | undefined, inJson?: string[]][] = [
    ['E[A-Z]+_\\d{4}', 'E[A-Z]+_\\d{4}', ['E[A-Z]+_\\d{4}']],
    ['^worker-\\d+ failed$', 'worker-\\d+ failed', ['worker-\\d+', 'failed']],
    ['\\bfoo(?:bar|baz)?\\b', 'foo(?:bar|baz)?', ['foo(?:bar|baz)?']],
    ['foo(bar|b z)+x', 'foo(bar|b z)+x', ['foo', 'x']],
    ['foo|bar', 'foo|bar', []],
    ['a.*c', 'a.*c', ['a', 'c']],
    ['say "no"', 'say "no"', ['say', 'no']],
    ['C:\\\\dir', 'C:\\\\dir', ['C:', 'dir']],
    ['[^a]+b', '[^a]+b', ['b']],
    ['[!-~]b', '[!-~]b', ['b']],
    ['x\\s+y?', 'x\\s+y?', ['x']],
    ['foo(?=bar)', undefined],
    ['(?<!x)foo', undefined],
    ['(a)\\1', undefined],
  ]
  for (const [source, loose, inJson] of cases) {
    const found = relaxed(source, 'gmu')
    assert.equal(found?.pattern.source, loose, source)
    assert.deepEqual(
      found?.inJson.map((run) => run.source),
      inJson,
      source,
    )
  }
})

test('property: what matches is matched among other texts, and its parts in the JSON of the text', () => {
  const { below, one } = diceOf(11)
  const parts = ['ab', 'c?', '^', '$', '\\b', '\\B', '[a-c]', '[^a]', '.', '\\d+', '\\s', '"', '\\\\', '-']
  parts.push('(?:ab|1)', '(c|-)*', '(a b|c)', '|', '{', '\\w', ' ', 'é', '\\.', '.*', '"+', '[ -~]')
  const pieces = ['a', 'b', 'c', 'ab', '1', '22', '-', ' ', '"', '\\', '\n', '\t', 'é', '.', '{', '/', 'C']
  pieces.push('\u2028', '\u0001')
  let matched = 0
  let inJson = 0
  for (let i = 0; i < 6_000; i++) {
    const source = Array.from({ length: 1 + below(4) }, () => one(parts)).join('')
    const flags = one(['gm', 'gmi', 'gmu', 'gmiu'])
    let pattern: RegExp
    try {
      pattern = new RegExp(source, flags)
    } catch {
      continue
    }
    const loose = relaxed(source, flags)
    if (!loose) continue
    for (let n = 0; n < 8; n++) {
      const text = Array.from({ length: 1 + below(6) }, () => one(pieces)).join('')
      pattern.lastIndex = 0
      if (!pattern.test(text)) continue
      matched++
      const among = one(pieces) + text + one(pieces)
      assert.ok(loose.pattern.test(among), `${source} ${flags} in ${JSON.stringify(among)}`)
      const json = JSON.stringify({ k: text })
      for (const run of loose.inJson) {
        inJson++
        assert.ok(run.test(json), `${run.source} of ${source} ${flags} in ${json}`)
      }
    }
  }
  assert.ok(matched > 3_000 && inJson > 1_000, `${matched} ${inJson}`)
})
