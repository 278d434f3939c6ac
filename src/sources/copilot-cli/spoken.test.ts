import assert from 'node:assert/strict'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { after, test } from 'node:test'
import type { Usage } from '../../model/chat.ts'
import { mutations, randomFrom } from '../mutations.ts'
import { withReader } from '../source.ts'
import { anyCuts, gather, lineEnds, machineAt, plainly, type Reading, readGrowing } from '../test-kit.ts'
import { copilotCli as described } from './index.ts'

const copilotCli = await withReader(described)

const home = fs.mkdtempSync(path.join(os.tmpdir(), 'recollect-copilot-spoken-'))
after(() => fs.rmSync(home, { recursive: true, force: true }))
const machine = machineAt(home)

type Event = [type: string, data: Record<string, unknown>]

/** A session of these events, a second apart. */
function unitOf(name: string, events: Event[], start = Date.UTC(2026, 6, 1)) {
  const folder = path.join(home, 'session-state', name)
  fs.mkdirSync(folder, { recursive: true })
  const lines = events.map(([type, data], at) =>
    JSON.stringify({ type, data, id: `e${at}`, timestamp: new Date(start + at * 1000).toISOString() }),
  )
  fs.writeFileSync(path.join(folder, 'events.jsonl'), `${lines.join('\n')}\n`)
  return copilotCli.unit(`session-state/${name}/events.jsonl`, { path: home })!
}

const read = (unit: ReturnType<typeof unitOf>) => gather(copilotCli.read(unit, undefined, machine))
const linesOf = (reading: Reading, chat: string) =>
  reading.messages[chat]?.map(({ kind, via, text }) => `${kind}${via ? ` (${via})` : ''} ${text}`)

/** Cut at each line and anywhere, and damaged. */
function assertSteady(unit: ReturnType<typeof unitOf>) {
  const original = fs.readFileSync(unit.path)
  const whole = plainly(read(unit))
  const random = randomFrom(5)
  const ways = Array.from({ length: 10 }, () => anyCuts(original.length, 3, random))
  for (const cuts of [lineEnds(original), ...lineEnds(original).map((end) => [end]), ...ways])
    assert.deepEqual(plainly(readGrowing(copilotCli, unit, machine, cuts)), whole, `${cuts}`)
  for (const bytes of mutations(original, 500)) {
    fs.writeFileSync(unit.path, bytes)
    assert.ok(JSON.stringify(read(unit).checkpoint).length < 256 * 1024)
  }
  fs.writeFileSync(unit.path, original)
}

const call = (id: string, name: string, args: unknown, result: object): Event[] => [
  [
    'assistant.message',
    { content: '', model: 'gpt-5', toolRequests: [{ toolCallId: id, name, arguments: args }] },
  ],
  ['tool.execution_start', { toolCallId: id, toolName: name, arguments: args }],
  ['tool.execution_complete', { toolCallId: id, ...result }],
]

test('answers, refusals and what was typed meanwhile are requests', () => {
  const refused = 'The user rejected this tool call. User feedback: not on main,\nuse a branch'
  const unit = unitOf('spoken', [
    ['session.start', { sessionId: 'spoken', selectedModel: 'gpt-5' }],
    ['user.message', { content: 'Ship it' }],
    ...call(
      'c1',
      'ask_user',
      { question: 'Where to?' },
      { success: true, result: { content: 'User selected: Staging' } },
    ),
    ...call(
      'c2',
      'ask_user',
      { question: 'When?' },
      { success: true, result: { content: 'User responded: tonight, after nine' } },
    ),
    ...call(
      'c3',
      'ask_user',
      { question: 'Why?' },
      { success: true, result: { content: 'User skipped question' } },
    ),
    ...call(
      'c4',
      'bash',
      { command: 'git push' },
      { success: false, error: { message: refused, code: 'denied' } },
    ),
    ...call(
      'c5',
      'bash',
      { command: 'cat log' },
      { success: true, result: { content: 'User responded: from a log' } },
    ),
    ['user.message', { content: 'and tell the team', delivery: 'queued' }],
    ['user.message', { content: 'stop the old one', delivery: 'steering' }],
    ['assistant.message', { content: 'Done.', model: 'gpt-5' }],
  ])
  assert.deepEqual(
    linesOf(read(unit), 'spoken')?.filter((line) => !/^(?:answer|tool) $/.test(line)),
    [
      'request Ship it',
      'request (answer) Staging',
      'request (answer) tonight, after nine',
      'request (refusal) not on main,\nuse a branch',
      'request (queued) and tell the team',
      'request (queued) stop the old one',
      'answer Done.',
    ],
  )
  assertSteady(unit)
})

const shutdown = (input: number, output: number, more: object = {}): Event => [
  'session.shutdown',
  {
    shutdownType: 'routine',
    currentModel: 'claude-sonnet-4.6',
    modelMetrics: {
      'claude-sonnet-4.6': {
        requests: { count: 2, cost: 2 },
        usage: { inputTokens: input, outputTokens: output, cacheReadTokens: 700, cacheWriteTokens: 0 },
        totalNanoAiu: 5_000_000_000,
      },
    },
    ...more,
  },
]
const talk = (asked: string, output: number): Event[] => [
  ['user.message', { content: asked }],
  ['assistant.message', { content: `On ${asked}`, outputTokens: output }],
]

function usageOf(reading: Reading, chat: string): Usage[] {
  return reading.messages[chat]!.flatMap(({ usage }) => usage ?? [])
}

test('without records of its calls a session has the tokens of its totals, each once, and their cost', () => {
  const unit = unitOf('totals', [
    ['session.start', { sessionId: 'totals' }],
    ...talk('one', 40),
    shutdown(900, 100),
    ['session.resume', {}],
    ...talk('two', 7),
    shutdown(300, 7),
  ])
  const reading = read(unit)
  assert.deepEqual(usageOf(reading, 'totals'), [
    { output: 40 },
    { input: 900, output: 60, cached: 700, cost: 0.05 },
    { output: 7 },
    { input: 300, output: 0, cached: 700, cost: 0.05 },
  ])
  assert.deepEqual(
    [...new Set(reading.messages.totals!.flatMap(({ model }) => model ?? []))],
    ['claude-sonnet-4.6'],
  )
  assert.ok(reading.messages.totals!.every(({ role, model }) => role !== 'assistant' || model))
  assertSteady(unit)
})

test('totals that go on over all runs are counted once', () => {
  const goesOn = { accountingSnapshot: {} }
  const events: Event[] = [
    ['session.start', { sessionId: 'grows' }],
    ...talk('one', 40),
    shutdown(900, 100, goesOn),
    ...talk('two', 7),
    shutdown(1200, 120, goesOn),
  ]
  assert.deepEqual(usageOf(read(unitOf('grows', events)), 'grows'), [
    { output: 40 },
    { input: 900, output: 60, cached: 700, cost: 0.05 },
    { output: 7 },
    { input: 300, output: 13 },
  ])
  const before = unitOf('before', events, Date.UTC(2026, 3, 1))
  assert.equal(usageOf(read(before), 'before')[1]?.cost, undefined, 'credits were no money before June 2026')
})

test('a session with records of its calls leaves the totals alone', () => {
  const unit = unitOf('records', [
    ['session.start', { sessionId: 'records' }],
    ['user.message', { content: 'one' }],
    ['session.usage_record', { usage: { apiCallId: 'a', inputTokens: 900, outputTokens: 100 } }],
    ['assistant.message', { content: 'On one', apiCallId: 'a', outputTokens: 100 }],
    shutdown(900, 100),
  ])
  assert.deepEqual(usageOf(read(unit), 'records'), [{ input: 900, output: 100 }])
  assert.equal(read(unit).messages.records![1]?.model, 'claude-sonnet-4.6')
})

test('an image that was stored apart comes with the message that shows it', () => {
  const unit = unitOf('image', [
    ['session.start', { sessionId: 'image', selectedModel: 'gpt-5' }],
    [
      'session.binary_asset',
      { assetId: 'sha256:1', mimeType: 'image/png', byteLength: 8, data: 'iVBORw0KGgo=' },
    ],
    [
      'user.message',
      {
        content: 'What is this?',
        attachments: [{ type: 'blob', mimeType: 'image/png', assetId: 'sha256:1' }],
      },
    ],
  ])
  const [image] = read(unit).messages.image![0]!.attachments!
  assert.equal(image?.data, 'iVBORw0KGgo=')
  assert.equal(image?.bytes, 8)
  assertSteady(unit)
})
