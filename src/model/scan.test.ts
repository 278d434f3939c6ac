import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isWordCharacter, knownKinds, scan } from './scan.ts'

const IS_WORD = /[\p{L}\p{N}\p{M}]/u
const IS_UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}ー々〆]/u

function kindOf(character: string): string {
  let kind = 'other'
  scan(character, {
    word() {
      kind = 'word'
    },
    run() {
      kind = 'run'
    },
  })
  return kind
}

const ALL = Array.from({ length: 0x1_0000 }, (_, code) => code).filter(
  (code) => code < 0xd800 || code >= 0xe000,
)

test('every character is what Unicode says of it, those that are known beforehand too', () => {
  const wrong = ALL.filter((code) => {
    const character = String.fromCharCode(code)
    const isWord = IS_WORD.test(character)
    const kind = !isWord ? 'other' : IS_UNSPACED.test(character) ? 'run' : 'word'
    return kindOf(character) !== kind || isWordCharacter(character, 0) !== isWord
  })
  assert.deepEqual(
    wrong.map((code) => code.toString(16)),
    [],
  )
})

test('stretches of letters hold letters alone, and the others nothing of a word', () => {
  for (const [from, to, kind] of knownKinds())
    for (let code = from; code <= to; code++) {
      const character = String.fromCharCode(code)
      assert.equal((kind > 0 ? /\p{L}/u : IS_WORD).test(character), kind > 0, code.toString(16))
    }
})

test('half of a character is none of a word', () => {
  const text = 'a𝒳b'
  assert.deepEqual(
    [0, 1, 2, 3].map((at) => isWordCharacter(text, at)),
    [true, false, false, true],
  )
})
