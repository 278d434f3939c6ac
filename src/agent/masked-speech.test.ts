import assert from 'node:assert/strict'
import { test } from 'node:test'
import { redact } from '../platform/redact.ts'
import { MaskedSpeech } from './masked-speech.ts'

const TOKEN = 'ghp_Zq7Rt2Xw9Lk4Mv6Bn8Cp3Ds5Fg1Hj0AaEeYy'
const KEY = `-----BEGIN PRIVATE KEY-----\n${'MIIEvQIBADANBgkqhkiG9w0BAQEFAASC\n'.repeat(12)}-----END PRIVATE KEY-----`

/** In pieces of every size: what was told after each. */
function told(text: string, size: number): string[] {
  const speech = new MaskedSpeech()
  const said: string[] = []
  for (let at = 0; at < text.length; at += size) said.push(speech.add(text.slice(at, at + size)))
  said.push(speech.rest())
  return said
}

test('however it comes in pieces, the same is told as of the whole, and never a part of a secret', () => {
  const texts = [
    'Plain words, one after the other.\n\nAnd a second paragraph of them.',
    `It is ${TOKEN}, as you said. Use ${TOKEN} once more.`,
    'Set DB_PASSWORD=kumquat77xylo and start it.\nThen ask again.',
    'The password is: correct horse 9 battery\nIt is a good one.',
    `First this:\n${KEY}\nthen that.`,
    'https://someone:s3cretWord9@example.com/path is where it is.',
  ]
  for (const text of texts)
    for (const size of [1, 2, 3, 7, 40, 1000]) {
      const pieces = told(text, size)
      assert.equal(pieces.join(''), redact(text), `${size} of ${text.slice(0, 20)}`)
    }
  assert.ok(told(texts[0]!, 5).slice(0, -2).join('').length > 40, 'words are told as they come')
})

test('of a long answer, of which only the end is looked at again, secrets are masked all the same', () => {
  const line = `${'Some words of no interest at all. '.repeat(9)}\n`
  const text = `${line.repeat(40)}It is ${TOKEN}.\n`.repeat(4)
  for (const size of [20, 333]) assert.equal(told(text, size).join(''), redact(text))
})

test('of a secret over several lines nothing is told, also where only its end makes one of it', () => {
  const mixed = 'aB3dE5fG7hJ9kL2mN4pQ6rS8tU1vW0xYzA1'.repeat(4)
  const texts = [
    `Wrapped:\nsk-ant-api03-${mixed.slice(0, 50)}\n${mixed.slice(50, 90)}\nand more words`,
    `key = "sk-ant-api03-${mixed.slice(0, 30)}" +\n  "${mixed.slice(30, 90)}" is it`,
    `MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIB\n${mixed.slice(0, 64)}\n${mixed.slice(64, 128)}\nwords`,
    `key.pem:-----BEGIN PRIVATE KEY-----\nkey.pem:${mixed.slice(0, 64)}\nkey.pem:-----END PRIVATE KEY-----`,
    `The end of it:\n${mixed.slice(0, 64)}\n${mixed.slice(64, 110)}==\n-----END PRIVATE KEY-----\nwords`,
    `INSERT INTO users (password, name)\nVALUES\n  ('${mixed.slice(50, 66)}', 'bob');\n`,
  ]
  for (const text of texts)
    for (const size of [1, 3, 40, 1000]) {
      const all = told(text, size).join('')
      assert.ok(!all.includes(mixed.slice(50, 62)), all)
    }
})

test('what was not added is told with the rest', () => {
  const speech = new MaskedSpeech()
  assert.equal(speech.add('It is gh'), 'It is ')
  assert.equal(speech.rest(`It is ${TOKEN}.`), `${redact(TOKEN)}.`)
  assert.equal(new MaskedSpeech().rest(''), '')
})
