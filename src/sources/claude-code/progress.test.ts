import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { gist, loadProgress, markOf, newProgress, savedProgress } from './progress.ts'
import { SeenRecords } from './seen-records.ts'

test('uuids have marks of their own, also those that differ by little', () => {
  const uuids = Array.from({ length: 20_000 }, (_, n) =>
    n % 2 ? randomUUID() : `00000000-0000-4000-8000-${n.toString(16).padStart(12, '0')}`,
  )
  const marks = new Set(uuids.map(markOf))
  assert.equal(marks.size, uuids.length)
  for (const mark of marks) assert.ok(Number.isSafeInteger(mark) && mark >= 0)
})

test('a checkpoint with whole uuids is read on from', () => {
  const [first, second] = [randomUUID(), randomUUID()]
  const saved = {
    ...savedProgress(newProgress()),
    version: 2,
    told: [first, second],
    prompts: [{ uuid: first, parent: second, offset: 7 }],
    answers: [
      { id: 'msg_1', chat: 'c', lines: [3], uuid: second, parent: first },
      { id: 'msg_2', chat: 'c', lines: [] },
    ],
    links: [[first, 'agent-1']],
    queue: [{ words: '5:hello', by: 'prompt', at: 1 }],
    tasks: [['5:hello', 'Greet']],
  }
  const progress = loadProgress(saved)!
  assert.deepEqual(progress.prompts, [{ uuid: markOf(first), parent: markOf(second), offset: 7 }])
  assert.deepEqual(progress.answers, [
    { id: 'msg_1', chat: 'c', lines: [3], uuid: markOf(second), parent: markOf(first) },
    { id: 'msg_2', chat: 'c', lines: [] },
  ])
  assert.deepEqual(progress.links, [[markOf(first), 'agent-1']])
  assert.deepEqual(progress.queue, [{ words: gist(' hello\n'), by: 'prompt', at: 1 }])
  assert.deepEqual(progress.tasks, [[gist('hello'), 'Greet']])
  assert.equal(new SeenRecords('none', progress).isNew(second, undefined, 0), false)
  assert.deepEqual(loadProgress(savedProgress(progress)), progress)
  assert.equal(loadProgress({ ...saved, version: 1 }), undefined)
})
