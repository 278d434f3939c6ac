import assert from 'node:assert/strict'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterEach, test } from 'node:test'
import zlib from 'node:zlib'
import { withReader } from '../source.ts'
import { gather, machineAt, type Reading, unitsOf } from '../test-kit.ts'
import { codex as described } from './index.ts'

const codex = await withReader(described)

const THREAD = '01a1dd91-cbdd-7712-9b3b-032f17d968f8'
const SECOND = '01a1dd91-fb01-7340-948f-2036f890c61e'
const THIRD = '01a1dd92-fb01-7340-948f-2036f890c61e'
const fixtures = path.join(import.meta.dirname, 'fixtures', 'real', 'sessions', '2026', '11', '15')
const files = {
  first: `rollout-2026-11-15T04-58-02-${THREAD}.jsonl`,
  second: `rollout-2026-11-15T04-58-14-${THREAD}_${SECOND}.jsonl`,
  third: `rollout-2026-11-16T00-00-00-${THREAD}_${THIRD}.jsonl`,
}
const [first, second] = [files.first, files.second].map((name) => fs.readFileSync(path.join(fixtures, name)))

let temp: string
afterEach(() => fs.rmSync(temp, { recursive: true, force: true }))

test('a second revert takes back the end of the first one', () => {
  const end = second!.indexOf('\n', second!.indexOf('"task_complete"')) + 1
  store({ first, second, third: rollout({ thread_id: SECOND, end_byte_offset: end }) })
  assert.deepEqual(requests(), [
    'Make a good start.',
    'Take the wrong turn. undone',
    'Take the right turn.',
    'Start the long build. undone',
    'Once more.',
  ])
})

test('a revert past an earlier one takes back all that came of it', () => {
  store({ first, second, third: rollout({ thread_id: THREAD, end_byte_offset: 6253 }) })
  assert.deepEqual(requests(), [
    'Make a good start.',
    'Take the wrong turn. undone',
    'Take the right turn. undone',
    'Start the long build. undone',
    'Once more.',
  ])
})

test('a revert to the very start names no base and takes back everything', () => {
  store({ first, third: rollout(undefined) })
  assert.deepEqual(requests(), ['Make a good start. undone', 'Take the wrong turn. undone', 'Once more.'])
  const reading = told()
  assert.deepEqual(
    reading.chats.map(({ id, createdAt, forkOf }) => [id, createdAt, forkOf]),
    [[THREAD, Date.parse('2026-11-15T04:58:02.103Z'), undefined]],
  )
})

test('earlier rollouts are found in the folders of other days, compressed or not', () => {
  store({ third: rollout({ thread_id: THREAD, end_byte_offset: 6253 }) })
  const folder = path.join(temp, 'sessions', '2026', '11', '14')
  fs.mkdirSync(folder, { recursive: true })
  fs.writeFileSync(path.join(folder, `${files.first}.zst`), zlib.zstdCompressSync(first!))
  assert.deepEqual(requests(), ['Make a good start.', 'Take the wrong turn. undone', 'Once more.'])
})

test('where a part of the history is missing nothing is taken back', () => {
  store({ first, third: rollout({ thread_id: SECOND, end_byte_offset: 100 }) })
  assert.deepEqual(requests(), ['Make a good start.', 'Take the wrong turn.', 'Once more.'])
})

function rollout(base: { thread_id: string; end_byte_offset: number } | undefined): Buffer {
  const lines = [
    { type: 'session_meta', payload: { id: THREAD, cwd: '/home/me/proj', history_base: base } },
    { type: 'response_item', payload: { type: 'message', id: 'm', role: 'user', content: 'Once more.' } },
  ]
  const timestamp = '2026-11-16T00:00:00.000Z'
  return Buffer.from(lines.map((line) => `${JSON.stringify({ timestamp, ...line })}\n`).join(''))
}

function store(rollouts: Partial<Record<keyof typeof files, Buffer>>): void {
  temp = fs.mkdtempSync(path.join(os.tmpdir(), 'recollect-codex-reverted-'))
  const folder = path.join(temp, 'sessions', '2026', '11', '15')
  fs.mkdirSync(folder, { recursive: true })
  for (const [name, bytes] of Object.entries(rollouts)) {
    fs.writeFileSync(path.join(folder, files[name as keyof typeof files]), bytes)
  }
}

function requests(): string[] {
  return told()
    .messages[THREAD]!.filter(({ kind }) => kind === 'request')
    .map(({ text, undone }) => (undone ? `${text} undone` : text))
}

/** As the archive does it: the unit of the highest rank has the last word. */
function told(): Reading {
  const machine = machineAt('/nowhere', { CODEX_HOME: temp })
  const units = unitsOf(codex, machine).sort((a, b) => a.rank! - b.rank!)
  assert.equal(new Set(units.map(({ rank }) => rank)).size, units.length)
  let reading: Reading | undefined
  for (const unit of units) reading = gather(codex.read(unit, undefined, machine), reading)
  return reading!
}
