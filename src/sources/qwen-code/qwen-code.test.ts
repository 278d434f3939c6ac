import assert from 'node:assert/strict'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { after, test } from 'node:test'
import { withReader } from '../source.ts'
import { gather, machineAt, readMachine, unitsOf } from '../test-kit.ts'
import { assertGrows, assertSurvives } from '../test-reader.ts'
import { homes } from './fixture-homes.ts'
import { qwenCode as described } from './index.ts'

const qwenCode = await withReader(described)

const home = fs.mkdtempSync(path.join(os.tmpdir(), 'recollect-qwen-'))
after(() => fs.rmSync(home, { recursive: true, force: true }))
homes[0]!.put(home)
const machine = machineAt(home)
const SEEN = '15c4878d-20bf-4c66-87b6-61049a8092bf'
const REWOUND = '3c1d2b4a-0000-4000-8000-000000000001'

test('a session of 0.24', () => {
  const { chats, messages, problems } = readMachine(qwenCode, machine)
  assert.deepEqual(problems, [])
  const chat = chats.find(({ id }) => id === SEEN)!
  assert.deepEqual(
    [chat.workspace, chat.branch, chat.format, chat.title],
    ['/home/me/shop', 'main', '0.24.4', undefined],
  )
  assert.deepEqual(
    messages[SEEN]?.map(({ kind, text }) => [kind, text]),
    [
      ['request', 'Please read README.md and tell me the name of the shop.'],
      ['answer', ''],
      ['tool', ''],
      ['answer', 'The shop is called Corner Shop.'],
      ['request', 'Thanks. Which port does it use?'],
      ['answer', 'It listens on port 8080.'],
    ],
  )
  const [, call, result] = messages[SEEN]!
  assert.deepEqual(
    call!.toolCalls?.map(({ id, tool }) => [id, tool]),
    [['call_1', 'read_file']],
  )
  assert.deepEqual(call!.usage, { input: 1200, output: 20, cached: 1000, reasoning: 5 })
  assert.equal(call!.thinking, 'I should look at the readme.')
  assert.match(result!.toolResults![0]!.text!, /^# Corner Shop/)
})

test('typed in between, added by the tool, rewound, and given to a sub-agent', () => {
  const { chats, messages } = readMachine(qwenCode, machine)
  assert.equal(chats.find(({ id }) => id === REWOUND)!.title, 'A first test')
  assert.deepEqual(
    messages[REWOUND]?.map(({ kind, text, via, undone }) => [kind, text, via, undone]),
    [
      ['request', 'Add a test', undefined, undefined],
      ['answer', '', undefined, undefined],
      ['request', 'Only unit tests', 'queued', undefined],
      ['tool', '', undefined, undefined],
      ['injected', 'A background task ended.', undefined, true],
      ['answer', 'There are none.', undefined, true],
      ['request', 'Then write one', undefined, undefined],
      ['answer', 'Written.', undefined, undefined],
    ],
  )
  assert.deepEqual(messages[REWOUND]![3]!.toolResults, [{ callId: 'c1', error: 'no tests found' }])
  const agent = chats.find(({ id }) => id === 'agent-a1')!
  assert.deepEqual([agent.parentId, agent.subagent, agent.title], [REWOUND, true, 'Look for tests'])
  assert.deepEqual(
    messages['agent-a1']?.map(({ kind }) => kind),
    ['delegated', 'answer'],
  )
})

test('the title of a sub-agent is told when it is written, though nothing more is said', () => {
  const unit = unitsOf(qwenCode, machine).find(({ beside }) => beside)!
  const meta = unit.beside![0]!
  const whole = fs.readFileSync(meta)
  fs.writeFileSync(meta, '')
  const before = gather(qwenCode.read(unit, undefined, machine))
  fs.writeFileSync(meta, whole)
  const after = gather(qwenCode.read(unit, before.checkpoint, machine), before)
  assert.deepEqual(
    [before, after].map(({ chats }) => chats[0]!.title),
    [undefined, 'Look for tests'],
  )
})

test('read while it grows, and read once', () => assertGrows(qwenCode, machine))

test('no damage makes it throw', () => assertSurvives(qwenCode, machine))

test('where it is looked for', () => {
  const root = (env: Record<string, string>) => qwenCode.roots(machineAt('/home/me', env))[0]!.path
  assert.equal(root({}), '/home/me/.qwen/projects')
  assert.equal(root({ QWEN_HOME: '/q' }), '/q/projects')
  assert.equal(root({ QWEN_HOME: '/q', QWEN_RUNTIME_DIR: '/r' }), '/r/projects')
  const unit = (file: string) => qwenCode.unit(file, { path: '/r' })
  assert.ok(unit('p/chats/a.jsonl') && unit('p/chats/archive/a.jsonl'))
  assert.equal(unit('p/subagents/s/agent-a.meta.json')?.path, '/r/p/subagents/s/agent-a.jsonl')
  assert.equal(unit('p/meta.json'), undefined)
})
