import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openingWords } from './opening-words.ts'

const preferring = (languages?: string) =>
  openingWords(
    new Request(
      'http://127.0.0.1/',
      languages === undefined ? {} : { headers: { 'accept-language': languages } },
    ),
  ).language

test('before sign-in the language is the one that the browser prefers of those there are', () => {
  assert.equal(preferring(), 'en')
  assert.equal(preferring('ru-RU,ru;q=0.9,en;q=0.8'), 'ru')
  assert.equal(preferring('de-DE,de;q=0.9,zh-CN;q=0.7,en;q=0.5'), 'zh')
  assert.equal(preferring('en;q=0.4, ru;q=0.6'), 'ru')
  assert.equal(preferring('ru;q=0, fr'), 'en')
  assert.equal(preferring('toString, __proto__;q=9, ;;;,'.repeat(50)), 'en')
})
