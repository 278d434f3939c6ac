import assert from 'node:assert/strict'
import { test } from 'node:test'
import { inBytes } from './regex-bytes.ts'
import { diceOf } from './test-dice.ts'

const bytesOf = (text: string) => Buffer.from(text).toString('latin1')

test('patterns of ASCII and spaces are looked for in bytes, others are not', () => {
  for (const source of [
    'zzz',
    'worker-\\d+ failed',
    '^a\\s*b$',
    'E[A-Z]+_\\d{4}',
    '(?:a|b)?\\.ts',
    '[\\w.-]+@x',
  ])
    assert.ok(inBytes(source, 'gmu'), source)
  for (const source of [
    'a.b',
    '[^a]b',
    'naïve',
    '[а-я]',
    '\\S+',
    '\\W',
    '\\D',
    '\\p{L}',
    '\\u0041',
    '(?=a)b',
  ])
    assert.equal(inBytes(source, 'gmu'), undefined, source)
})

test('every space of Unicode is one, and a letter that is k or s by its fold', () => {
  for (let code = 0; code < 0xffff; code++) {
    const sign = String.fromCharCode(code)
    if (/\s/u.test(sign)) assert.ok(inBytes('a\\s{1}b', 'gmu')!(bytesOf(`a${sign}b`)), code.toString(16))
    if (code >= 0xd800 && code <= 0xdfff) continue
    for (const source of ['k', '[a-z]', '\\w', 's'])
      if (new RegExp(source, 'iu').test(sign))
        assert.ok(inBytes(source, 'giu')!(bytesOf(sign)), `${source} ${code}`)
  }
  assert.equal(inBytes('ask', 'gmiu')!(bytesOf('nothing of it: привет, 你好, é')), false)
})

test('property: what matches in texts is found in their bytes', () => {
  const { below, one } = diceOf(5)
  const parts = [
    'ab',
    'c?',
    '^',
    '$',
    '\\b',
    '[a-c]',
    '\\d+',
    '\\s',
    '\\s*',
    '\\s{2,3}',
    '"',
    '\\\\',
    '-',
    'K',
    's',
  ]
  parts.push('(?:ab|1)', '(c|\\s)*', '(a b|c)', '|', '\\w', ' ', '\\.', '[\\w-]+', '[ -~]', '\\t', '{')
  const pieces = [
    'a',
    'b',
    'c',
    'ab',
    '1',
    '22',
    '-',
    ' ',
    '"',
    '\\',
    '\n',
    '\t',
    'é',
    '.',
    '{',
    'k',
    'S',
    'ſ',
    '\u212a',
  ]
  pieces.push('\u00a0', '\u2028', '\u3000', '\ufeff', 'п', '好', '🎉')
  let matched = 0
  for (let i = 0; i < 6_000; i++) {
    const source = Array.from({ length: 1 + below(4) }, () => one(parts)).join('')
    const flags = one(['gm', 'gmi', 'gmu', 'gmiu'])
    let pattern: RegExp
    try {
      pattern = new RegExp(source, flags)
    } catch {
      continue
    }
    const isThere = inBytes(source, flags)
    if (!isThere) continue
    for (let n = 0; n < 8; n++) {
      const text = Array.from({ length: 1 + below(6) }, () => one(pieces)).join('')
      pattern.lastIndex = 0
      if (!pattern.test(text)) continue
      matched++
      const among = bytesOf(one(pieces) + text + one(pieces))
      assert.ok(isThere(among), `${source} ${flags} in ${JSON.stringify(text)}`)
    }
  }
  assert.ok(matched > 3_000, `${matched}`)
})
