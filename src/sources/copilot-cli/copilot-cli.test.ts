import assert from 'node:assert/strict'
import path from 'node:path'
import { test } from 'node:test'
import type { Chat, Message } from '../../model/chat.ts'
import { withReader } from '../source.ts'
import { machineAt, type Reading, readMachine } from '../test-kit.ts'
import { copilotCli as described } from './index.ts'

const copilotCli = await withReader(described)

const FIXTURES = path.join(import.meta.dirname, 'fixtures', 'copilot')
const TOOLS = '05b864b4-0cae-4164-b8e5-204d06da5960'
const SUBAGENT = 'd6524481-943e-40ce-8eb8-0a2965fadaa4'
const AGENT = '867ded7c-0218-4ca6-ba1f-7e5969f723c8'
const PRICE = 'a1111111-2222-4333-8444-555566667777'
const FORK = 'b2222222-2222-4333-8444-555566667777'
const FLAT = 'c3333333-2222-4333-8444-555566667777'
const FAILED = '1da95fe3-6d38-4f70-a3f6-5e8be30d3862'
const REWOUND = 'fc187060-013e-47ff-91cb-dc74136b034b'
const OLDEST = 'd4444444-2222-4333-8444-555566667777'

const reading = readMachine(copilotCli, machineAt('/nowhere', { COPILOT_HOME: FIXTURES }))

test('roots follow COPILOT_HOME, and the XDG folders only where they are set', () => {
  const cases: [NodeJS.Platform, Record<string, string>, string[]][] = [
    ['linux', {}, ['/home/me/.copilot']],
    ['darwin', {}, ['/home/me/.copilot']],
    ['win32', {}, ['/home/me/.copilot']],
    ['linux', { COPILOT_HOME: '/data/copilot' }, ['/data/copilot']],
    ['linux', { COPILOT_HOME: '' }, ['/home/me/.copilot']],
    ['linux', { XDG_STATE_HOME: '/s' }, ['/home/me/.copilot', '/s/.copilot']],
    ['linux', { XDG_STATE_HOME: 'relative', XDG_CONFIG_HOME: '/c' }, ['/home/me/.copilot', '/c/.copilot']],
    ['linux', { XDG_STATE_HOME: '/home/me', XDG_CONFIG_HOME: '/home/me' }, ['/home/me/.copilot']],
  ]
  for (const [platform, env, expected] of cases) {
    const roots = copilotCli.roots({ platform, home: '/home/me', env, reader: 'linux' })
    assert.deepEqual(
      roots.map((root) => root.path),
      expected.map((folder) => path.normalize(folder)),
    )
  }
})

test('only session files are units, and side files answer with their transcript', () => {
  const root = { path: '/r' }
  const events = '/r/session-state/x1/events.jsonl'
  const cases: [string, string | undefined][] = [
    ['session-state/x1/events.jsonl', events],
    ['session-state/x1/workspace.yaml', events],
    ['session-state/x1/checkpoints/index.md', events],
    ['session-state/x1/checkpoints/001-a.md', undefined],
    ['session-state/x1/files/events.jsonl', undefined],
    ['session-state/x1/session.db', undefined],
    ['session-state/x1/rewind-snapshots/events.jsonl', undefined],
    ['session-state/.session-operation-locks/events.jsonl', undefined],
    [`session-state/${FLAT}.jsonl`, `/r/session-state/${FLAT}.jsonl`],
    ['history-session-state/session_a_1.json', '/r/history-session-state/session_a_1.json'],
    ['history-session-state/notes.json', undefined],
    ['session-store.db', undefined],
    ['config.json', undefined],
  ]
  for (const [file, expected] of cases) {
    const found = copilotCli.unit(file, root)?.path
    assert.equal(found?.replaceAll('\\', '/'), expected, file)
  }
  const entered = ['session-state', 'session-state/x1', 'history-session-state']
  const passed = ['logs', 'session-state/.locks', 'session-state/x1/files', 'session-state/x1/checkpoints']
  for (const folder of entered) assert.equal(copilotCli.enters(folder, root), true, folder)
  for (const folder of passed) assert.equal(copilotCli.enters(folder, root), false, folder)
})

test('headers come from the events and from workspace.yaml', () => {
  const source = 'copilot-cli'
  const expected: Chat[] = [
    {
      source,
      id: TOOLS,
      title: 'USETOOL please say hello with the shell',
      workspace: '/home/me/proj',
      branch: 'feature/demo',
      createdAt: Date.parse('2026-11-15T01:14:27.395Z'),
      updatedAt: Date.parse('2026-11-15T01:38:33.237Z'),
      resume: `copilot --resume=${TOOLS}`,
      status: 'done',
      format: '1.0.102',
    },
    {
      source,
      id: AGENT,
      title: 'Sub job',
      workspace: '/home/me/proj',
      createdAt: Date.parse('2026-11-15T01:22:30.085Z'),
      updatedAt: Date.parse('2026-11-15T01:22:30.385Z'),
      parentId: SUBAGENT,
      subagent: true,
      status: 'done',
      format: '1.0.102',
    },
    {
      source,
      id: PRICE,
      title: 'Price: cents, not undefined',
      workspace: '/home/me/shop/api',
      repository: 'me/shop',
      branch: 'fix/price',
      createdAt: 1790000000000,
      updatedAt: 1790000031655,
      resume: `copilot --resume=${PRICE}`,
      status: 'failed',
      format: '1.0.102',
    },
    {
      source,
      id: `${PRICE}/agent-0`,
      title: 'Review the patch',
      workspace: '/home/me/shop/api',
      createdAt: 1790000027645,
      updatedAt: 1790000030645,
      parentId: PRICE,
      subagent: true,
      status: 'failed',
      format: '1.0.102',
    },
    {
      source,
      id: FORK,
      workspace: '/home/me/shop/api',
      repository: 'me/shop',
      branch: 'fix/price',
      createdAt: Date.parse('2026-09-21T16:00:00.000Z'),
      updatedAt: Date.parse('2026-09-21T16:01:02.000Z'),
      forkOf: PRICE,
      resume: `copilot --resume=${FORK}`,
      status: 'running',
      format: '1.0.102',
    },
    {
      source,
      id: FLAT,
      createdAt: Date.parse('2026-09-10T00:26:40.000Z'),
      updatedAt: 1789000008080,
      status: 'waiting',
      format: '0.0.400',
    },
    {
      source,
      id: `${FLAT}/tc1`,
      title: 'Explore Agent',
      createdAt: 1789000003000,
      updatedAt: 1789000005080,
      parentId: FLAT,
      subagent: true,
      status: 'done',
      format: '0.0.400',
    },
    {
      source,
      id: OLDEST,
      createdAt: Date.parse('2025-09-16T05:20:00.000Z'),
      updatedAt: Date.parse('2025-09-16T05:21:00.000Z'),
      format: 'history',
    },
  ]
  for (const chat of expected) {
    assert.deepEqual(
      reading.chats.find(({ id }) => id === chat.id),
      chat,
    )
  }
  assert.equal(reading.chats.length, 11)
  assert.equal(reading.chats.find(({ id }) => id === REWOUND)?.status, 'cancelled')
  assert.deepEqual(reading.problems, [])
})

test('each event becomes the right kind of message, noise becomes none', () => {
  const hello = ['request:USETOOL please say hello with the shell', 'answer:I will run a command.', 'tool:']
  const expected: Record<string, string[]> = {
    [TOOLS]: [
      ...hello,
      'answer:All done: the answer is 42.',
      'request:second question after resume',
      ...hello.slice(1),
      'answer:All done: the answer is 42.',
      'summary:All done: the answer is 42.',
    ],
    [SUBAGENT]: [
      'request:USETASK delegate this',
      'answer:I will run a command.',
      'tool:',
      'answer:All done: the answer is 42.',
    ],
    [AGENT]: [
      'delegated:USETOOL sub job',
      'answer:I will run a command.',
      'tool:',
      'answer:All done: the answer is 42.',
    ],
    [PRICE]: [
      'request:Fix the price: it is "undefined" in <Cart>',
      'injected:<skill-context name="money">Money is kept in cents.</skill-context>',
      'answer:',
      'answer:I look at the cart.',
      'answer:',
      'tool:',
      'tool:',
      'answer:Prices are cents; I patch it.',
      'tool:',
      'tool:',
      'tool:',
      'notice:Too many requests',
      'injected:Continue toward the objective.',
      'notice:Aborted: user initiated',
      'command:git status',
      'tool:',
      'request:Review it with an agent',
      'answer:',
      'tool:',
      'summary:The price is kept in cents now.',
    ],
    [`${PRICE}/agent-0`]: [
      'delegated:Look for rounding errors',
      'answer:Cents / 100 is fine.',
      'notice:Ran out of time',
    ],
    [FAILED]: [
      'request:Please do two things.',
      'answer:Both at once.',
      'tool:',
      'tool:',
      'answer:',
      'tool:',
      'answer:One was missing.',
    ],
    [REWOUND]: [
      'request:Take the right turn.',
      'answer:Went the right way.',
      'command:cat notes.txt',
      'tool:',
      'request:Start the long build.',
      'answer:Building.',
      'notice:Aborted: user abort',
    ],
    [FLAT]: ['request:Who calls parse()?', 'answer:', 'tool:', 'answer:Only a.ts.'],
    [`${FLAT}/tc1`]: ['tool:', 'answer:a.ts calls it.'],
    [OLDEST]: [
      'request:add a readme',
      'answer:Writing it.',
      'tool:',
      'answer:Done.',
      'injected:You have 5 minutes left.',
      'request:now a licence',
    ],
  }
  for (const [id, lines] of Object.entries(expected)) {
    assert.deepEqual(
      messages(id).map(({ kind, text }) => `${kind}:${text}`),
      lines,
    )
  }
})

test('tool calls name their MCP server, results their outcome, duration and files', () => {
  const calls = messages(PRICE).flatMap((message) => message.toolCalls ?? [])
  assert.deepEqual(
    calls.map(({ id, server, tool }) => [id, server, tool]),
    [
      ['t1', undefined, 'view'],
      ['t2', 'docs', 'search'],
      ['t3', undefined, 'apply_patch'],
      ['t4', undefined, 'edit'],
      ['t5', undefined, 'bash'],
      ['t6', undefined, 'bash'],
      ['t7', undefined, 'task'],
    ],
  )
  const results = messages(PRICE).flatMap((message) => message.toolResults ?? [])
  assert.deepEqual(results.map(plainJson), [
    { callId: 't1', text: '1. export const cart = []', durationMs: 50 },
    { callId: 't2', json: { hits: 1 }, durationMs: 490 },
    { callId: 't3', text: 'Patched 2 files.', durationMs: 30 },
    { callId: 't4', error: 'No such file', durationMs: 20 },
    { callId: 't5', text: '1 failing\n<exited with exit code 1>', exitCode: 1, durationMs: 3000 },
    { callId: 't6', text: 'clean', exitCode: 0, durationMs: 70 },
    { callId: 't7', error: 'Ran out of time', durationMs: 4010 },
  ])
  assert.deepEqual(
    [PRICE, OLDEST].flatMap((id) => messages(id).flatMap((message) => message.files ?? [])),
    [
      { path: '/home/me/shop/src/cart.ts', action: 'read' },
      { path: 'src/price.ts', action: 'edit' },
      { path: 'src/cents.ts', action: 'create' },
      { path: '/home/me/proj/README.md', action: 'create' },
    ],
  )
  assert.equal(messages(TOOLS)[2]?.toolResults?.[0]?.durationMs, 977)
  assert.deepEqual(
    messages(FAILED).flatMap(({ toolResults = [] }) =>
      toolResults.map(({ exitCode, error }) => exitCode ?? error),
    ),
    [undefined, 2, "Tool 'no_such_tool' does not exist."],
  )
})

test('every model call is counted once, whichever event tells of it first', () => {
  const call = { input: 1200, output: 34, cached: 1000, cacheWrite: 0, reasoning: 12 }
  const { reasoning, ...compaction } = call
  assert.deepEqual(usages(TOOLS), [call, call, call, call, compaction])
  assert.deepEqual([...usages(SUBAGENT), ...usages(AGENT)], [call, call, call, call])
  assert.deepEqual(
    messages(AGENT).flatMap((message) => message.latencyMs ?? []),
    [50, 22],
  )
  assert.deepEqual(usages(PRICE), [
    { input: 900, output: 40, cached: 500, cacheWrite: 100, reasoning: 8 },
    { output: 25 },
    { output: 9 },
  ])
  assert.deepEqual(usages(FLAT), [{ output: 12 }, { output: 5 }])
})

test('attachments and citations are kept', () => {
  const attached = messages(PRICE).flatMap((message) => message.attachments ?? [])
  assert.deepEqual(attached.map(plainJson), [
    { name: 'cart.ts', type: 'file', path: '/home/me/shop/src/cart.ts' },
    { name: 'src', type: 'directory', path: '/home/me/shop/src/' },
    { name: 'price.ts', type: 'selection', path: '/home/me/shop/src/price.ts', text: 'return price' },
    { name: 'screen.png', type: 'blob', mimeType: 'image/png', bytes: 5120, data: 'iVBORw0KGgo=' },
    { name: 'Price is undefined', type: 'github_reference', url: 'https://github.com/me/shop/issues/7' },
    { name: 'image', type: 'image', mimeType: 'image/png', data: 'iVBORw0KGgo=' },
  ])
  const cited = messages(PRICE).flatMap((message) => message.citations ?? [])
  assert.deepEqual(cited.map(plainJson), [
    { url: 'https://docs.example/prices', title: 'Prices' },
    { url: 'https://docs.example/prices', title: 'Prices', text: 'Prices are cents.' },
  ])
  assert.equal(messages(TOOLS)[4]?.attachments?.[0]?.bytes, 80)
})

test('reasoning is told once, models follow the switch', () => {
  const thoughts = messages(PRICE).flatMap((message) => message.thinking ?? [])
  assert.deepEqual(thoughts, ['The cart must read the price first.'])
  assert.deepEqual(
    [...new Set(messages(PRICE).flatMap((message) => message.model ?? []))],
    ['claude-sonnet-4.6', 'gpt-5.4'],
  )
  assert.equal(messages(TOOLS)[1]?.thinking, 'Let me think about it.')
})

function messages(chatId: string): Message[] {
  const list = (reading as Reading).messages[chatId]
  assert.ok(list, chatId)
  return list
}

function usages(chatId: string) {
  return messages(chatId).flatMap((message) => message.usage ?? [])
}

/** Without the keys that hold nothing. */
function plainJson(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value))
}
