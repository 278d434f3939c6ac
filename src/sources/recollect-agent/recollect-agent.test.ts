import assert from 'node:assert/strict'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { after, test } from 'node:test'
import { mutations, randomFrom } from '../mutations.ts'
import { withReader } from '../source.ts'
import { anyCuts, gather, lineEnds, machineAt, plainly, readGrowing, readMachine } from '../test-kit.ts'
import { recollectAgent as described } from './index.ts'

const recollectAgent = await withReader(described)

const FIXTURES = path.join(import.meta.dirname, 'fixtures')
const ID = '0f3b9c52-7d1e-4c3a-9a55-6e2f0c1d7b84'
const machine = machineAt('/nowhere', { RECOLLECT_HOME: FIXTURES })
const temp = fs.mkdtempSync(path.join(os.tmpdir(), 'recollect-agent-'))
after(() => fs.rmSync(temp, { recursive: true, force: true }))

const original = fs.readFileSync(path.join(FIXTURES, 'runs', `${ID}.jsonl`))
const unit = recollectAgent.unit(`${ID}.jsonl`, { path: temp })!
const readWhole = () => gather(recollectAgent.read(unit, undefined, machine))

test('the words with which a call was refused are a request', () => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'recollect-refusal-'))
  const file = path.join(folder, '0f3b9c52-7d1e-4c3a-9a55-6e2f0c1d7b85.jsonl')
  const at = 1_794_650_400_000
  const decisions = [
    { decision: 'deny', reason: 'Read the other file first' },
    { decision: 'deny', reason: 'the person did not allow it.' },
    { decision: 'deny' },
    { decision: 'allow', reason: 'fine' },
  ]
  const records = [
    { type: 'request', id: 'r1', text: 'Look', at },
    ...decisions.map((each) => ({ type: 'decision', id: 'd', at, ...each })),
  ]
  fs.writeFileSync(file, records.map((record) => `${JSON.stringify(record)}\n`).join(''))
  const found = [...recollectAgent.read({ path: file, growth: 'append' }, undefined, machineAt(folder))]
  const said = found.flatMap((item) => ('message' in item ? [[item.message.via, item.message.text]] : []))
  fs.rmSync(folder, { recursive: true })
  assert.deepEqual(said, [
    [undefined, 'Look'],
    ['refusal', 'Read the other file first'],
  ])
})

test('who said what, which tools were called and what they gave', () => {
  const { chats, messages, problems } = readMachine(recollectAgent, machine)
  assert.deepEqual(chats, [
    {
      source: 'recollect-agent',
      id: ID,
      workspace: '/home/me/shop',
      createdAt: 1794650400000,
      updatedAt: 1794650501401,
      format: '0.1.0',
      status: 'failed',
      resume: `recollect chat --session ${ID}`,
    },
  ])
  const said = messages[ID]!
  assert.deepEqual(
    said.map(({ kind, text }) => [kind, text]),
    [
      ['request', 'Which database did we choose for the shop, and why?'],
      ['notice', 'The server "tickets" needs the environment variable TICKETS_TOKEN, which is not set.'],
      ['answer', 'Let me look.'],
      ['tool', ''],
      ['tool', ''],
      ['tool', ''],
      ['answer', 'Postgres 17: you wanted row level security.'],
      ['request', 'And the cache?'],
      ['answer', 'The cache is Val'],
      ['notice', 'The connection to Anthropic broke off in the middle of the answer: terminated'],
    ],
  )
  const looking = said[2]!
  assert.equal(looking.thinking, 'They talked about it before.')
  assert.equal(looking.model, 'claude-sonnet-5')
  assert.deepEqual(looking.usage, {
    input: 1510,
    output: 61,
    cached: 1200,
    cacheWrite: 210,
    reasoning: undefined,
  })
  assert.deepEqual(
    looking.toolCalls?.map(({ id, server, tool }) => [id, server, tool]),
    [
      ['toolu_1', 'recollect', 'search_conversations'],
      ['toolu_2', 'files', 'read_text_file'],
      ['toolu_3', undefined, 'guess'],
    ],
  )
  assert.deepEqual(
    said
      .slice(3, 6)
      .map(({ toolResults }) => toolResults?.map(({ callId, own, error }) => [callId, own, error])),
    [
      [['toolu_3', undefined, "Error: Tool 'guess' not found"]],
      [['toolu_1', true, undefined]],
      [['toolu_2', undefined, undefined]],
    ],
  )
  assert.equal(said[8]!.outcome, 'failed')
  assert.deepEqual(problems, [])
})

test('a run that waits for approval is a chat that waits', () => {
  const upTo = original.indexOf('{"type":"decision"')
  fs.writeFileSync(unit.path, original.subarray(0, upTo))
  assert.equal(readWhole().chats[0]?.status, 'waiting')
})

test('an answer is told while it is being given, and stays one message when it is whole', () => {
  const upTo = original.indexOf('{"type":"answer"')
  fs.writeFileSync(unit.path, original.subarray(0, upTo))
  const begun = readWhole()
  assert.deepEqual(begun.messages[ID]?.map(({ id, text, thinking }) => [id, text, thinking]).at(-1), [
    'a1b2c3d4e5f6',
    'Let me ',
    'They talked about it before.',
  ])
  fs.writeFileSync(unit.path, original)
  const whole = gather(recollectAgent.read(unit, begun.checkpoint, machine), begun)
  assert.equal(whole.messages[ID]?.filter(({ id }) => id === 'a1b2c3d4e5f6').length, 1)
  assert.deepEqual(plainly(whole), plainly(readWhole()))
})

test('what a killed process was saying is kept, and reading goes on behind it', () => {
  const killed = Buffer.concat([
    original.subarray(0, original.indexOf('{"type":"answer"')),
    Buffer.from('{"type":"request","id":"r9","text":"Are you there?","at":1794650600000}\n'),
  ])
  fs.writeFileSync(unit.path, killed)
  const { messages, checkpoint } = readWhole()
  assert.deepEqual(
    messages[ID]?.slice(-2).map(({ text, outcome }) => [text, outcome]),
    [
      ['Let me ', 'failed'],
      ['Are you there?', undefined],
    ],
  )
  assert.equal(checkpoint?.offset, killed.length)
})

test('a run that grows ends as one read at once, wherever it was cut', () => {
  fs.writeFileSync(unit.path, original)
  const whole = plainly(readWhole())
  const random = randomFrom(1)
  const ways = Array.from({ length: 40 }, () => anyCuts(original.length, 6, random))
  for (const cuts of [lineEnds(original), ...ways])
    assert.deepEqual(plainly(readGrowing(recollectAgent, unit, machine, cuts)), whole)
})

test('no damage makes it throw', () => {
  for (const bytes of mutations(original, 2000)) {
    fs.writeFileSync(unit.path, bytes)
    assert.ok(JSON.stringify(readWhole().checkpoint).length < 16 * 1024)
  }
})

test('where it is looked for, and what is no run', () => {
  assert.deepEqual(recollectAgent.roots(machineAt('/home/me')), [
    { path: '/home/me/.local/share/recollect/runs' },
  ])
  assert.deepEqual(recollectAgent.roots(machineAt('/home/me', { RECOLLECT_HOME: '/data' })), [
    { path: '/data/runs' },
  ])
  assert.equal(recollectAgent.unit(`${ID}.lock`, { path: '/r' }), undefined)
  assert.equal(recollectAgent.unit('notes.jsonl', { path: '/r' }), undefined)
})
