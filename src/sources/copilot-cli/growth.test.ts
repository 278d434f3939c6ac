import assert from 'node:assert/strict'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { after, test } from 'node:test'
import { mutations, randomFrom } from '../mutations.ts'
import { type Found, type Unit, withReader } from '../source.ts'
import { anyCuts, gather, lineEnds, machineAt, type Reading, readGrowing, unitsOf } from '../test-kit.ts'
import { copilotCli as described } from './index.ts'
import { readWorkspace } from './workspace.ts'

const copilotCli = await withReader(described)

const HOME = fs.mkdtempSync(path.join(os.tmpdir(), 'copilot-cli-'))
const MACHINE = machineAt(HOME)
const ROOT = path.join(HOME, '.copilot')
fs.cpSync(path.join(import.meta.dirname, 'fixtures', 'copilot'), ROOT, { recursive: true })
after(() => fs.rmSync(HOME, { recursive: true }))

const UNITS = unitsOf(copilotCli, MACHINE)
const SESSIONS = UNITS.filter((unit) => unit.growth === 'append')
const PRICE = 'a1111111-2222-4333-8444-555566667777'

test('a session read line by line ends as one read at once', () => {
  for (const unit of SESSIONS) assertSameGrowing(unit, lineEnds(fs.readFileSync(unit.path)))
})

test('a session cut anywhere ends as one read at once', () => {
  const random = randomFrom(1)
  for (const unit of SESSIONS) {
    const size = fs.statSync(unit.path).size
    for (let round = 0; round < 20; round++) {
      assertSameGrowing(unit, anyCuts(size, 8, random))
    }
  }
})

test('the saved state stays small, however much a session leaves open', () => {
  const unit = writeSession('wide', [
    ...Array.from({ length: 250 }, (_, n) => [
      event('tool.execution_start', {
        toolCallId: `open-${n}`,
        toolName: 'apply_patch',
        arguments: `*** Update File: ${'p'.repeat(900)}${n}\n`.repeat(3),
      }),
      event('assistant.message', { content: '"'.repeat(7000), apiCallId: `call-${n}` }, `agent-${n}`),
      event('session.usage_record', { usage: { apiCallId: `lost-${n}`, inputTokens: 1 } }),
      event('session.binary_asset', { assetId: `sha256:${n}`, byteLength: n }),
      event('session.compaction_complete', { success: true, checkpointNumber: n + 1 }),
    ]).flat(),
  ])
  const states = [...copilotCli.read(unit, undefined, MACHINE)].flatMap((found) =>
    'checkpoint' in found ? JSON.stringify(found.checkpoint.state).length : [],
  )
  assert.ok(states.length > 1, 'a long file has checkpoints on its way')
  assert.ok(Math.max(...states) < 256 * 1024, `${Math.max(...states)}`)
  assertSameGrowing(
    unit,
    lineEnds(fs.readFileSync(unit.path)).filter((_, index) => index % 97 === 0),
  )
})

test('usage told after its message is joined over a checkpoint', () => {
  const unit = writeSession('late', [
    event('user.message', { content: 'hi' }),
    event('assistant.message', { content: 'Hello.', apiCallId: 'c1', outputTokens: 3 }),
    event('session.usage_record', {
      usage: { apiCallId: 'c1', inputTokens: 10, outputTokens: 4, duration: 70 },
    }),
  ])
  const [, answer] = readGrowing(copilotCli, unit, MACHINE, lineEnds(fs.readFileSync(unit.path))).messages
    .late!
  assert.deepEqual(answer?.usage, { input: 10, output: 4 })
  assert.equal(answer?.latencyMs, 70)
})

test('a new name in workspace.yaml is told without a new line in the transcript', () => {
  const unit = writeSession('named', [event('user.message', { content: 'hi' })])
  const yaml = path.join(path.dirname(unit.path), 'workspace.yaml')
  fs.writeFileSync(yaml, 'name: "First: name"\n')
  const first = gather(copilotCli.read(unit, undefined, MACHINE))
  assert.equal(first.chats[0]?.title, 'First: name')
  fs.writeFileSync(yaml, 'name: Second name\nuser_named: true\n')
  const again = gather(copilotCli.read(unit, first.checkpoint, MACHINE))
  assert.equal(again.chats[0]?.title, 'Second name')
  assert.deepEqual(again.messages, {})
  assert.deepEqual(again.checkpoint, first.checkpoint)
})

test('a checkpoint file that comes after its event is told when it is there', () => {
  const unit = writeSession('due', [
    event('user.message', { content: 'hi' }),
    event('session.compaction_complete', { success: true, checkpointNumber: 2 }),
  ])
  const first = gather(copilotCli.read(unit, undefined, MACHINE))
  assert.equal(first.messages.due?.length, 1)
  const folder = path.join(path.dirname(unit.path), 'checkpoints')
  fs.mkdirSync(folder)
  fs.writeFileSync(path.join(folder, 'index.md'), '| 1 | A | ../../x.md |\n| 2 | B | 002-b.md |\n')
  fs.writeFileSync(path.join(folder, '002-b.md'), 'What was done.\n')
  const again = gather(copilotCli.read(unit, first.checkpoint, MACHINE), first)
  assert.equal(again.messages.due?.at(-1)?.text, 'What was done.')
  const whole = gather(copilotCli.read(unit, undefined, MACHINE))
  assert.equal(JSON.stringify(again.messages), JSON.stringify(whole.messages))
  assert.deepEqual(again.chats, whole.chats)
})

test('a rewound file or a foreign checkpoint is read from the start', () => {
  const unit = SESSIONS.find(({ path }) => path.includes(PRICE))!
  const whole = [...copilotCli.read(unit, undefined, MACHINE)]
  const { checkpoint } = gather(whole)
  const strange = [
    { offset: 1e9, state: checkpoint?.state },
    { offset: 5 },
    { offset: 5, state: { version: 0 } },
    { offset: 5, state: { version: 1 } },
    { offset: 5, state: { version: 1, session: { id: 'x' }, agents: 7 } },
    { offset: 5, state: 'text' },
  ]
  for (const from of strange) {
    const [first, ...rest] = [...copilotCli.read(unit, from, MACHINE)]
    assert.deepEqual(first, { restart: true })
    assert.deepEqual(rest, whole)
  }
})

test('a session in which nothing was said is no chat, a missing one is nothing', () => {
  const unit = writeSession('silent', [event('session.start', { sessionId: 'silent' })])
  const told = gather(copilotCli.read(unit, undefined, MACHINE))
  assert.deepEqual(told.chats, [])
  assert.equal(told.checkpoint?.offset, fs.statSync(unit.path).size)
  assert.deepEqual([...copilotCli.read({ ...unit, path: '/nowhere/events.jsonl' }, undefined, MACHINE)], [])
})

test('an id that a shell would take apart is quoted in the resume command', () => {
  const unit = writeSession("my session's", [event('user.message', { content: 'hi' })])
  const [chat] = gather(copilotCli.read(unit, undefined, MACHINE)).chats
  assert.equal(chat?.resume, `copilot --resume='my session'\\''s'`)
})

test('NUL padding and bad lines do not hide what follows', () => {
  const unit = writeSession('padded', [
    event('user.message', { content: 'one' }),
    '\0\0\0\0',
    '{"type":"user.message","data":',
    `\0\0${event('user.message', { content: 'two' })}`,
    '[1,2]',
    'null',
    '{"type":"user.message","data":{"content":7},"id":{},"timestamp":[]}',
  ])
  const told = gather(copilotCli.read(unit, undefined, MACHINE))
  assert.deepEqual(
    told.messages.padded?.map(({ text }) => text),
    ['one', 'two', '7'],
  )
  assert.equal(told.problems.length, 1)
})

const ROUNDS = 2000

test('damaged sessions never stop a reading', () => {
  const folder = path.join(ROOT, 'session-state', 'damaged')
  fs.mkdirSync(path.join(folder, 'checkpoints'), { recursive: true })
  const unit = copilotCli.unit('session-state/damaged/events.jsonl', { path: ROOT })!
  let round = 0
  for (const session of SESSIONS) {
    const original = fs.readFileSync(session.path)
    const state = gather(copilotCli.read(session, undefined, MACHINE)).checkpoint?.state
    const offset = Math.floor(original.length / 2)
    for (const bytes of mutations(original, Math.ceil(ROUNDS / SESSIONS.length))) {
      fs.writeFileSync(unit.path, bytes)
      assertEnds(copilotCli.read(unit, round++ % 4 === 0 ? { offset, state } : undefined, MACHINE))
    }
  }
})

test('damaged files of the oldest form never stop a reading', () => {
  const unit = UNITS.find(({ growth }) => growth === 'whole')!
  const original = fs.readFileSync(unit.path)
  for (const bytes of mutations(original, ROUNDS)) {
    fs.writeFileSync(unit.path, bytes)
    assertEnds(copilotCli.read(unit, undefined, MACHINE))
  }
  fs.writeFileSync(unit.path, original)
})

test('a damaged workspace.yaml never stops a reading', () => {
  const folder = path.join(ROOT, 'session-state', PRICE)
  const file = path.join(folder, 'workspace.yaml')
  const original = fs.readFileSync(file)
  for (const bytes of mutations(original, ROUNDS)) {
    fs.writeFileSync(file, bytes)
    for (const [key, value] of Object.entries(readWorkspace(folder)))
      assert.ok(['string', 'number', 'undefined'].includes(typeof value), key)
  }
  fs.writeFileSync(file, original)
})

function assertSameGrowing(unit: Unit, cuts: number[]): void {
  const whole = gather(copilotCli.read(unit, undefined, MACHINE))
  const grown = readGrowing(copilotCli, unit, MACHINE, cuts)
  assert.deepEqual(byId(grown), byId(whole))
}

function byId({ chats, messages, problems, checkpoint }: Reading) {
  return { chats: Object.fromEntries(chats.map((chat) => [chat.id, chat])), messages, problems, checkpoint }
}

function assertEnds(found: Iterable<Found>): void {
  let checkpoints = 0
  for (const item of found) {
    if ('message' in item) {
      assert.equal(typeof item.message.text, 'string')
      assert.ok(item.message.id !== '' && item.chatId !== '')
      JSON.stringify(item.message)
    } else if ('checkpoint' in item) checkpoints++
  }
  assert.ok(checkpoints <= 1)
}

function event(type: string, data: unknown, agentId?: string): string {
  return JSON.stringify({
    type,
    data,
    id: `${++events}`,
    timestamp: new Date(1.79e12 + events).toISOString(),
    agentId,
  })
}
let events = 0

function writeSession(id: string, lines: string[]): Unit {
  const folder = path.join(ROOT, 'session-state', id)
  fs.mkdirSync(folder, { recursive: true })
  fs.writeFileSync(path.join(folder, 'events.jsonl'), `${lines.join('\n')}\n`)
  return copilotCli.unit(`session-state/${id}/events.jsonl`, { path: ROOT })!
}
