import assert from 'node:assert/strict'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { after, before, test } from 'node:test'
import { randomFrom } from '../mutations.ts'
import { type Checkpoint, type Found, type Unit, withReader } from '../source.ts'
import { anyCuts, gather, lineEnds, machineAt, type Reading, readGrowing } from '../test-kit.ts'
import { vscode as described } from './index.ts'
import { replay } from './replay.ts'

const vscode = await withReader(described)

const FIXTURES = path.join(import.meta.dirname, 'fixtures/User')
const LOGS = fs
  .globSync('**/*ChatSessions/*.jsonl', { cwd: FIXTURES })
  .concat(fs.globSync('**/chatSessions/*.jsonl', { cwd: FIXTURES }))
const TRANSCRIPTS = fs.globSync('**/transcripts/*.jsonl', { cwd: FIXTURES })

let root: string
before(() => {
  root = fs.mkdtempSync(path.join(os.tmpdir(), 'vscode-log-'))
})
after(() => fs.rmSync(root, { recursive: true, force: true }))

test('a log read while it grows ends as one read whole', () => {
  assert.equal(LOGS.length, 12)
  for (const name of LOGS) {
    const unit = placed(name, fs.readFileSync(path.join(FIXTURES, name)))
    const bytes = fs.readFileSync(unit.path)
    const whole = read(unit)
    assert.deepEqual(told(grown(unit, bytes, lineEnds(bytes))), told(whole), name)
    const random = randomFrom(name.length)
    for (let round = 0; round < 10; round++) {
      const cuts = anyCuts(bytes.length, 6, random)
      assert.deepEqual(told(grown(unit, bytes, cuts)), told(whole), `${name} cut at ${cuts}`)
    }
  }
})

test('a transcript read while it grows ends as one read whole', () => {
  for (const name of TRANSCRIPTS) {
    const unit = placed(name.replace('69ebdf57', 'far-away'), fs.readFileSync(path.join(FIXTURES, name)))
    const size = fs.statSync(unit.path).size
    const whole = read(unit)
    assert.ok(Object.values(whole.messages).flat().length > 0)
    const everywhere = Array.from({ length: Math.floor(size / 40) }, (_, step) => step * 40)
    assert.deepEqual(told(readGrowing(vscode, unit, machineAt(root), everywhere)), told(whole), name)
  }
})

const OPEN = { requestId: 'b', responseId: 'b2', message: { text: 'second' }, modelState: { value: 0 } }
const SEALED = { requestId: 'a', responseId: 'a2', message: { text: 'first' }, modelState: { value: 1 } }
const START = [
  { kind: 0, v: { version: 3, sessionId: 's', customTitle: 'T', requests: [SEALED] } },
  { kind: 2, k: ['requests'], v: [OPEN] },
  { kind: 2, k: ['requests', 1, 'response'], v: [{ value: 'Str' }] },
]

test('what is appended to an open request costs only itself', () => {
  const { unit, checkpoint } = started(START)
  append(unit, [{ kind: 2, k: ['requests', 1, 'response'], v: [{ value: 'Streamed' }], i: 0 }])
  const found = breakHead(unit, () => [...vscode.read(unit, checkpoint, machineAt(root))])
  assert.deepEqual(shape(found), ['chat T running', 'b: second', 'b2: Streamed', 'checkpoint'])
})

test('a new request tells only itself', () => {
  const { unit, checkpoint } = started(START)
  append(unit, [
    { kind: 1, k: ['customTitle'], v: 'Other' },
    { kind: 1, k: ['requests', 1, 'modelState'], v: { value: 1, completedAt: 1780000000000 } },
    {
      kind: 2,
      k: ['requests'],
      v: [{ requestId: 'c', message: { text: 'third' }, modelState: { value: 4 } }],
    },
  ])
  const found = breakHead(unit, () => [...vscode.read(unit, checkpoint, machineAt(root))])
  assert.deepEqual(shape(found), ['chat Other waiting', 'b: second', 'b2: Str', 'c: third', 'checkpoint'])
})

test('nothing new tells the header again', () => {
  const { unit, checkpoint } = started(START)
  const found = breakHead(unit, () => [...vscode.read(unit, checkpoint, machineAt(root))])
  assert.deepEqual(shape(found), ['chat T running', 'checkpoint'])
  assert.deepEqual(gather(found).checkpoint, checkpoint)
})

for (const [what, lines] of Object.entries({
  'a sealed request changed': [{ kind: 1, k: ['requests', 0, 'response'], v: [{ value: 'Late' }] }],
  'requests cut off': [{ kind: 2, k: ['requests'], v: [OPEN], i: 0 }],
  'requests replaced': [{ kind: 1, k: ['requests'], v: [OPEN] }],
  'a second beginning': [{ kind: 0, v: { sessionId: 's', customTitle: 'T', requests: [OPEN] } }],
})) {
  test(`${what}: the whole log is read again`, () => {
    const { unit, checkpoint } = started(START)
    append(unit, lines)
    const found = [...vscode.read(unit, checkpoint, machineAt(root))]
    assert.deepEqual(found[0], { restart: true })
    assert.deepEqual(told(gather(found)), told(read(unit)))
  })
}

test('an answer that came and was emptied between two readings is told as undone, as by one reading', () => {
  const { unit, checkpoint } = started(START.slice(0, 2))
  append(unit, [START[2], { kind: 2, k: ['requests', 1, 'response'], i: 0 }])
  const grown = gather(vscode.read(unit, checkpoint, machineAt(root)))
  assert.deepEqual(told(grown), told(read(unit)))
  assert.deepEqual(
    grown.messages.s!.map(({ text, undone }) => [text, undone]),
    [
      ['first', undefined],
      ['second', undefined],
      ['Str', true],
    ],
  )
})

test('a log that VS Code emptied is told as a problem, so that what was said is kept', () => {
  const { unit, checkpoint } = started(START)
  append(unit, [{ kind: 0, v: { sessionId: 's', customTitle: 'T', requests: [] } }])
  const found = [...vscode.read(unit, checkpoint, machineAt(root))]
  const kept = ['chat T running', 'a: first', 'b: second', 'b2: Str', 'checkpoint']
  assert.deepEqual(shape(found), ['restart', 'problem', ...kept])
  assert.ok(!gather(found).messages.s!.some(({ undone }) => undone))
  assert.deepEqual(shape([...vscode.read(unit, undefined, machineAt(root))]), ['problem', ...kept])
  const empty = started([{ kind: 0, v: { sessionId: 's', requests: [] } }])
  append(empty.unit, [{ kind: 0, v: { sessionId: 's', requests: [] } }])
  assert.deepEqual(shape([...vscode.read(empty.unit, empty.checkpoint, machineAt(root))]), [
    'restart',
    'checkpoint',
  ])
})

test('a log that was rewritten is noticed even when it begins the same and is longer', () => {
  const { unit, checkpoint } = started(START)
  const session = replay(START.map((entry) => JSON.parse(JSON.stringify(entry))))
  fs.writeFileSync(
    unit.path,
    `${JSON.stringify({ kind: 0, v: session })}\n${' '.repeat(checkpoint.offset)}\n`,
  )
  append(unit, [{ kind: 1, k: ['customTitle'], v: 'After' }])
  const found = [...vscode.read(unit, checkpoint, machineAt(root))]
  assert.deepEqual(shape(found).slice(0, 2), ['restart', 'chat After running'])
})

test('a log that became shorter, and a checkpoint of somebody else', () => {
  const { unit, checkpoint } = started(START)
  fs.writeFileSync(unit.path, `${JSON.stringify(START[0])}\n`)
  const found = [...vscode.read(unit, checkpoint, machineAt(root))]
  assert.deepEqual(shape(found), ['restart', 'chat T done', 'a: first', 'checkpoint'])
  for (const state of [
    undefined,
    null,
    7,
    {},
    { count: -1 },
    { ...(checkpoint.state as object), count: 1e12 },
  ]) {
    const again = [...vscode.read(unit, { offset: 3, state }, machineAt(root))]
    assert.deepEqual(shape(again), ['restart', 'chat T done', 'a: first', 'checkpoint'])
  }
})

test('an open request too large to remember is read again, and the checkpoint stays small', () => {
  const huge = { ...OPEN, response: [{ value: 'long words '.repeat(30_000) }] }
  const { unit, checkpoint } = started([START[0], { kind: 2, k: ['requests'], v: [huge] }])
  assert.ok(JSON.stringify(checkpoint).length < 256 * 1024)
  append(unit, [{ kind: 1, k: ['customTitle'], v: 'Other' }])
  const titled = breakHead(unit, () => [...vscode.read(unit, checkpoint, machineAt(root))])
  assert.deepEqual(shape(titled), ['chat Other running', 'checkpoint'])
  append(unit, [{ kind: 2, k: ['requests', 1, 'response'], v: [{ value: 'y' }] }])
  const found = [...vscode.read(unit, checkpoint, machineAt(root))]
  assert.deepEqual(found[0], { restart: true })
  assert.deepEqual(told(gather(found)), told(read(unit)))
})

test('a session larger than other lines may be is read all the same', () => {
  const turns = Array.from({ length: 5 }, (_, index) => ({
    ...SEALED,
    requestId: `r${index}`,
    responseId: `a${index}`,
    response: [{ value: 'long words '.repeat(700_000) }],
  }))
  const { unit, checkpoint } = started([
    { kind: 0, v: { sessionId: 's', customTitle: 'T', requests: turns } },
  ])
  const { messages, problems } = read(unit)
  assert.deepEqual([messages.s!.length, problems.length], [10, 0])
  append(unit, [{ kind: 2, k: ['requests'], v: [OPEN] }])
  const found = breakHead(unit, () => [...vscode.read(unit, checkpoint, machineAt(root))])
  assert.deepEqual(shape(found), ['chat T running', 'b: second', 'checkpoint'])
  fs.rmSync(unit.path)
})

const DAMAGED: { what: string; text: string; seen: string[]; problems: number }[] = [
  { what: 'nothing', text: '', seen: [], problems: 0 },
  { what: 'a byte order mark', text: `\ufeff${lines(START)}`, seen: ['first', 'second', 'Str'], problems: 0 },
  {
    what: 'half a last line',
    text: lines(START).slice(0, -20),
    seen: ['first', 'second'],
    problems: 0,
  },
  {
    what: 'half a line in the middle',
    text: `${lines(START.slice(0, 1))}{"kind":1,"k":["custo\n${lines(START.slice(1))}`,
    seen: ['first', 'second', 'Str'],
    problems: 1,
  },
  { what: 'no first entry', text: lines(START.slice(1)), seen: ['second', 'Str'], problems: 1 },
  {
    what: 'keys and indices that lead nowhere',
    text: lines([
      ...START,
      { kind: 1, k: ['requests', 4_000_000_000, 'message'], v: 1 },
      { kind: 1, k: ['requests', 'length'], v: 4_000_000_000 },
      { kind: 1, k: ['requests', -1], v: {} },
      { kind: 2, k: ['requests'], i: 4_000_000_000 },
      { kind: 1, k: ['__proto__', 'polluted'], v: true },
      { kind: 1, k: ['constructor', 'prototype', 'polluted'], v: true },
      { kind: 1, k: ['requests', 0, 'message', 'text', 'deeper'], v: true },
      { kind: 1, k: Array(100_000).fill('a'), v: true },
      { kind: 1, k: [], v: true },
      { kind: 1, k: [null, {}], v: true },
      { kind: 9, k: ['requests'], v: [] },
      { kind: 2, k: ['requests', 1, 'response'], v: 'text' },
      { kind: 0 },
      17,
    ]),
    seen: ['first', 'second', 'Str'],
    problems: 0,
  },
  {
    what: 'a session of other types',
    text: lines([
      { kind: 0, v: { sessionId: 5, requests: { 0: SEALED } } },
      { kind: 2, k: ['requests'], v: [OPEN] },
    ]),
    seen: ['second'],
    problems: 0,
  },
]

for (const { what, text, seen, problems } of DAMAGED) {
  test(`a log with ${what}`, () => {
    const unit = placed('workspaceStorage/ws/chatSessions/damaged.jsonl', text)
    const reading = read(unit)
    const texts = Object.values(reading.messages)
      .flat()
      .map((message) => message.text)
    assert.deepEqual(texts, seen)
    assert.equal(reading.problems.length, problems)
    assert.equal(({} as Record<string, unknown>).polluted, undefined)
  })
}

function placed(name: string, content: string | Buffer): Unit {
  const unit = vscode.unit(name, { path: root })!
  fs.mkdirSync(path.dirname(unit.path), { recursive: true })
  fs.writeFileSync(unit.path, content)
  return unit
}

function started(entries: unknown[]): { unit: Unit; checkpoint: Checkpoint } {
  const unit = placed('workspaceStorage/ws/chatSessions/s.jsonl', lines(entries))
  return { unit, checkpoint: read(unit).checkpoint! }
}

function append(unit: Unit, entries: unknown[]) {
  fs.appendFileSync(unit.path, lines(entries))
}

function lines(entries: unknown[]): string {
  return entries.map((entry) => `${JSON.stringify(entry)}\n`).join('')
}

function read(unit: Unit): Reading {
  return gather(vscode.read(unit, undefined, machineAt(root)))
}

/** Like `readGrowing`, but forgets what it knew when a reading starts over, as an archive would mark it undone. */
function grown(unit: Unit, bytes: Buffer, cuts: number[]): Reading {
  let reading: Reading | undefined
  for (const cut of [...cuts, bytes.length]) {
    fs.writeFileSync(unit.path, bytes.subarray(0, cut))
    const found = [...vscode.read(unit, reading?.checkpoint, machineAt(root))]
    const restarts = found.some((item) => 'restart' in item)
    reading = gather(found, restarts ? undefined : reading)
  }
  return reading!
}

function told({ chats, messages }: Reading) {
  return { chats, messages }
}

/** The first bytes spoilt, so that a reading that starts over cannot go unnoticed. */
function breakHead<T>(unit: Unit, during: () => T): T {
  const fd = fs.openSync(unit.path, 'r+')
  const head = Buffer.alloc(8)
  fs.readSync(fd, head, 0, 8, 0)
  fs.writeSync(fd, '#'.repeat(8), 0)
  try {
    return during()
  } finally {
    fs.writeSync(fd, head, 0, 8, 0)
    fs.closeSync(fd)
  }
}

function shape(found: Found[]): string[] {
  return found.map((item) => {
    if ('chat' in item) return `chat ${item.chat.title} ${item.chat.status}`
    if ('message' in item) return `${item.message.id}: ${item.message.text}`
    return Object.keys(item)[0]!
  })
}
