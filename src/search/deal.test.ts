import assert from 'node:assert/strict'
import { test } from 'node:test'
import { dealt, MOST_DEALT } from './deal.ts'
import type { ChatScore } from './rank.ts'

let key = 0
const chat = (...scores: number[]): ChatScore => ({
  key: ++key,
  score: 1,
  units: 1,
  hits: scores.length,
  inTitle: false,
  // A negative score stands for a message that has none of the words.
  best: scores.map((score) => ({ key: ++key, score: Math.abs(score), units: score < 0 ? 0 : 1 })),
})
const scoresOf = (chats: ChatScore[]) => dealt(chats).map((list) => list.map(({ score }) => score))

test('snippets are where they tell most, and every chat has one', () => {
  assert.deepEqual(scoresOf([chat(1, 0.9, 0.8, 0.7, 0.6, 0.5), chat(0.4, 0.3, 0.2), chat(0.1, 0.05)]), [
    [1, 0.9, 0.8, 0.7, 0.6, 0.5],
    [0.4, 0.3],
    [0.1],
  ])
  assert.deepEqual(scoresOf([chat(1, 0.2), chat(), chat(0.9)]), [[1, 0.2], [], [0.9]])
  assert.deepEqual(scoresOf([]), [])
})

test('the one snippet of a chat holds the words; what only answers them comes after those that do', () => {
  assert.deepEqual(scoresOf([chat(-1, 0.9, 0.8), chat(-0.3, 0.2)]), [
    [0.9, 0.8, 1],
    [0.2, 0.3],
  ])
})

test('no chat takes them all', () => {
  const many = chat(...Array.from({ length: 40 }, (_, i) => 1 - i / 100))
  const lists = scoresOf([many, ...Array.from({ length: 9 }, () => chat(0.1, 0.09, 0.08, 0.07))])
  assert.equal(lists[0]!.length, MOST_DEALT)
  assert.equal(lists.flat().length, 30)
})
