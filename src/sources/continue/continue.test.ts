import assert from 'node:assert/strict'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { after, test } from 'node:test'
import { mutations } from '../mutations.ts'
import { withReader } from '../source.ts'
import { gather, machineAt, readMachine } from '../test-kit.ts'
import { continueDev as described } from './index.ts'

const continueDev = await withReader(described)

const FIXTURES = path.join(import.meta.dirname, 'fixtures')
const home = fs.mkdtempSync(path.join(os.tmpdir(), 'continue-'))
after(() => fs.rmSync(home, { recursive: true, force: true }))
fs.cpSync(FIXTURES, path.join(home, '.continue'), { recursive: true })

const CLI = 'd325bae6-f067-4437-b24a-291b2587c852'
const EDITOR = '0f4c9d2e-1111-4222-8333-444455556666'

test('a session of the CLI', () => {
  const reading = readMachine(continueDev, machineAt(home))
  const { updatedAt, ...chat } = reading.chats.find(({ id }) => id === CLI)!
  assert.deepEqual(chat, {
    source: 'continue',
    id: CLI,
    workspace: '/home/me/proj',
    createdAt: 1794706996046,
    resume: `cn --fork ${CLI}`,
    format: 'session',
  })
  assert.ok(updatedAt)
  const messages = reading.messages[CLI]!
  assert.deepEqual(
    messages.map(({ kind, text }) => [kind, text]),
    [
      ['request', 'USETOOL say hello'],
      ['answer', 'I will run a command.'],
      ['answer', 'All done: the answer is 42.'],
    ],
  )
  assert.deepEqual(messages[1]!.toolCalls, [
    {
      id: 'call_fake_698301',
      tool: 'Bash',
      args: { command: 'echo hello-from-tool', description: 'Say hello' },
    },
  ])
  assert.deepEqual(messages[1]!.toolResults, [{ callId: 'call_fake_698301', text: 'hello-from-tool\n' }])
  assert.deepEqual(messages[1]!.usage, {
    input: 1200,
    output: 34,
    cached: 1000,
    cacheWrite: undefined,
    reasoning: 12,
    cost: undefined,
  })
  assert.equal(messages[2]!.model, 'fake-model')
})

test('a session of an editor: context, thoughts and summaries are told apart from the request', () => {
  const reading = readMachine(continueDev, machineAt(home))
  const chat = reading.chats.find(({ id }) => id === EDITOR)!
  assert.deepEqual([chat.title, chat.workspace], ['Explain the hook', '/home/me/my proj'])
  const messages = reading.messages[EDITOR]!
  assert.deepEqual(
    messages.map(({ kind, text, thinking }) => [kind, text, thinking]),
    [
      ['request', 'What does this do?', undefined],
      ['answer', 'Let me look.', 'I should look.'],
      ['answer', 'It does nothing.', 'Simple.'],
      ['summary', 'The hook does nothing.', undefined],
    ],
  )
  assert.deepEqual(
    messages[0]!.attachments?.map(({ name, type, mimeType, path }) => [name, type, mimeType ?? path]),
    [
      ['image', 'image', 'image/png'],
      ['hook.py', 'file', '/home/me/my proj/hook.py'],
    ],
  )
  assert.deepEqual(messages[1]!.toolResults, [{ callId: 'call_1', error: 'no such file' }])
  assert.equal(messages[1]!.model, 'Sonnet')
  assert.deepEqual([messages[1]!.usage?.cached, messages[1]!.usage?.cacheWrite], [50, 7])
})

test('times of items, and words behind a command', () => {
  const place = fs.mkdtempSync(path.join(os.tmpdir(), 'continue-times-'))
  const file = path.join(place, '.continue', 'sessions', 'timed.json')
  fs.mkdirSync(path.dirname(file), { recursive: true })
  const item = (content: string, timestamp?: unknown) => ({ message: { role: 'user', content }, timestamp })
  const history = [
    item('Fix it', '2026-05-04T09:00:00.000Z'),
    item('/review the lexer', 1_777_885_260_000),
    item('/clear', 0),
  ]
  fs.writeFileSync(file, JSON.stringify({ sessionId: 'timed', history }))
  const messages = readMachine(continueDev, machineAt(place)).messages.timed!
  fs.rmSync(place, { recursive: true })
  assert.deepEqual(
    messages.map(({ kind, via, text, createdAt }) => [kind, via, text, createdAt]),
    [
      ['request', undefined, 'Fix it', Date.parse('2026-05-04T09:00:00Z')],
      ['request', '/review', 'the lexer', 1_777_885_260_000],
      ['command', undefined, '/clear', undefined],
    ],
  )
})

test('roots and units', () => {
  const roots = (env: Record<string, string>) =>
    continueDev.roots(machineAt('/home/me', env)).map((r) => r.path)
  assert.deepEqual(roots({}), ['/home/me/.continue/sessions'])
  assert.deepEqual(roots({ CONTINUE_GLOBAL_DIR: '/data/continue' }), ['/data/continue/sessions'])
  assert.deepEqual(roots({ CONTINUE_GLOBAL_DIR: 'relative' }), ['/home/me/.continue/sessions'])
  const root = { path: '/r' }
  assert.equal(continueDev.unit('sessions.json', root), undefined)
  assert.equal(continueDev.unit('a/b.json', root), undefined)
  assert.deepEqual(continueDev.unit('b.json', root), { path: '/r/b.json', growth: 'whole' })
})

test('damaged files are survived', () => {
  const file = path.join(home, 'damaged.json')
  for (const name of [CLI, EDITOR]) {
    for (const bytes of mutations(fs.readFileSync(path.join(FIXTURES, 'sessions', `${name}.json`)), 2000)) {
      fs.writeFileSync(file, bytes)
      gather(continueDev.read({ path: file, growth: 'whole' }, undefined, machineAt(home)))
    }
  }
})
