import assert from 'node:assert/strict'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { after, test } from 'node:test'
import type { Machine } from '../../platform/machine.ts'
import { mutations } from '../mutations.ts'
import { withReader } from '../source.ts'
import { gather, machineAt, type Reading, readMachine } from '../test-kit.ts'
import { cline as describedCline, rooCode as describedRooCode } from './index.ts'

const cline = await withReader(describedCline)
const rooCode = await withReader(describedRooCode)

const FIXTURES = path.join(import.meta.dirname, 'fixtures')
const home = fs.mkdtempSync(path.join(os.tmpdir(), 'cline-'))
after(() => fs.rmSync(home, { recursive: true, force: true }))

const storage = path.join(home, '.config', 'Code', 'User', 'globalStorage')
fs.cpSync(path.join(FIXTURES, 'vscode'), path.join(storage, 'saoudrizwan.claude-dev'), { recursive: true })
fs.cpSync(path.join(FIXTURES, 'roo'), path.join(storage, 'rooveterinaryinc.roo-cline'), { recursive: true })
fs.cpSync(path.join(FIXTURES, 'cli'), path.join(home, '.cline', 'data'), { recursive: true })

const machine = machineAt(home)

test('a task of the extension is read from what the person saw', () => {
  const reading = readMachine(cline, machine)
  const chat = reading.chats.find(({ id }) => id === '1735689600000')!
  assert.deepEqual(
    { workspace: chat.workspace, createdAt: chat.createdAt, updatedAt: chat.updatedAt, status: chat.status },
    { workspace: '/home/me/proj', createdAt: 1735689600000, updatedAt: 1735689614500, status: 'done' },
  )
  assert.equal(chat.format, 'task')
  const messages = reading.messages['1735689600000']!
  assert.deepEqual(
    messages.map(({ kind, text }) => [kind, text]),
    [
      ['request', 'Fix the failing test'],
      ['answer', 'I will run the tests.'],
      ['answer', ''],
      ['request', 'No, change the code, not the test'],
      ['answer', 'Which branch?'],
      ['request', 'dev'],
      ['notice', 'Request failed'],
      ['answer', 'Fixed.'],
    ],
  )
  const [task, first, second, refused, third, chosen, , last] = messages
  assert.deepEqual([refused!.via, chosen!.via], ['refusal', 'answer'])
  assert.deepEqual(task!.attachments, [
    { name: 'image', type: 'image', mimeType: 'image/png' },
    { name: 'a.test.ts', type: 'file', path: '/home/me/proj/a.test.ts' },
  ])
  assert.equal(first!.thinking, 'Let me look at the test first.')
  assert.equal(first!.model, 'claude-sonnet-4.6')
  assert.deepEqual(first!.toolCalls, [
    { id: '1735689603000', tool: 'execute_command', args: { command: 'npm test' } },
  ])
  assert.deepEqual(first!.toolResults, [{ callId: '1735689603000', text: '1 failing\nat a.test.ts:3' }])
  assert.deepEqual(first!.usage, { input: 2200, output: 34, cached: 700, cacheWrite: 300, cost: 0.0042 })
  assert.deepEqual(second!.files, [
    { path: 'a.test.ts', action: 'read' },
    { path: 'a.test.ts', action: 'edit' },
  ])
  assert.equal(second!.model, 'claude-haiku-4.5')
  assert.equal(third!.outcome, 'cancelled')
  assert.deepEqual(third!.toolCalls, [
    { id: '1735689610500', server: 'github', tool: 'get_issue', args: { number: 7 } },
  ])
  assert.deepEqual(third!.toolResults, [{ callId: '1735689610500', text: 'Issue 7: flaky' }])
  assert.equal(last!.kind, 'answer')
})

test('without it the transcript of the model is read, and only typed text is a request', () => {
  const reading = readMachine(cline, machine)
  const chat = reading.chats.find(({ id }) => id === '1735690000000')!
  assert.equal(chat.workspace, 'C:\\Users\\me\\proj')
  assert.equal(chat.createdAt, 1735690000000)
  const messages = reading.messages['1735690000000']!
  assert.deepEqual(requests(reading, '1735690000000'), [
    'Add a retry\nto the webhook',
    'Use tenacity',
    'And log it',
  ])
  assert.deepEqual(
    messages.filter(({ role }) => role === 'assistant').map(({ text }) => text),
    ['I read the file.', '', '', '', 'Done.'],
  )
  assert.equal(messages[1]!.thinking, 'Look first.')
  assert.deepEqual(
    messages.flatMap(({ toolCalls }) => toolCalls ?? []),
    [
      { id: 'm1.0', tool: 'read_file', args: { path: 'hook.py' } },
      { id: 'm3.0', tool: 'write_to_file', args: { path: 'hook.py', content: '<p>a</p>' } },
      { id: 'm5.0', server: 'docs', tool: 'lookup', args: { name: 'tenacity' } },
      { id: 'toolu_1', tool: 'execute_command', args: { command: 'pytest' } },
    ],
  )
  const results = messages.flatMap(({ toolResults }) => toolResults ?? [])
  assert.deepEqual(
    results.map(({ callId }) => callId),
    ['m1.0', 'm3.0', 'toolu_1'],
  )
  assert.equal(results[0]!.text, 'def hook(): pass  # <task>not a task</task>')
  assert.equal(results[2]!.error, '1 failed')
})

test('a session of the CLI and its sub-agent', () => {
  const reading = readMachine(cline, machine)
  const id = '1794706973147_hv8tr'
  assert.deepEqual(
    reading.chats.find((chat) => chat.id === id),
    {
      source: 'cline',
      id,
      title: 'USETOOL say hello',
      workspace: '/home/me/proj',
      branch: 'feature/demo',
      createdAt: Date.parse('2026-11-15T01:42:53.208Z'),
      updatedAt: Date.parse('2026-11-15T01:42:57.053Z'),
      resume: `cline --id ${id}`,
      status: 'done',
      format: 'cli 3.0.65',
    },
  )
  const [request, answer] = reading.messages[id]!
  assert.deepEqual([request!.kind, request!.text], ['request', 'USETOOL say hello'])
  assert.equal(answer!.text, 'All done: the answer is 42.')
  assert.equal(answer!.thinking, 'Let me think about it.')
  assert.equal(answer!.model, 'fake-model')
  assert.deepEqual(answer!.usage, { input: 1200, output: 34, cached: 1000, cacheWrite: 0, cost: undefined })

  const child = reading.chats.find((chat) => chat.subagent)!
  assert.deepEqual([child.id, child.parentId, child.format], [`${id}__scout`, id, 'cli 3.0.65'])
  assert.deepEqual(
    reading.messages[child.id]!.map(({ kind, text }) => [kind, text]),
    [
      ['delegated', 'List the tests'],
      ['answer', ''],
      ['tool', ''],
      ['answer', 'There is one test.'],
    ],
  )
})

test('a sub-task of Roo Code', () => {
  const reading = readMachine(rooCode, machine)
  const [chat] = reading.chats
  assert.deepEqual(
    [chat!.source, chat!.workspace, chat!.parentId, chat!.subagent],
    ['roo-code', '/home/me/proj', '0197c0de-0000-7000-8000-000000000001', true],
  )
  const messages = reading.messages[chat!.id]!
  assert.deepEqual(
    messages.map(({ kind, text }) => [kind, text]),
    [
      ['delegated', 'Write the docs'],
      ['answer', 'Written.'],
      ['summary', 'So far: nothing.'],
    ],
  )
  assert.equal(messages[1]!.usage?.input, 1000)
  assert.deepEqual(messages[1]!.files, [{ path: 'docs/a.md', action: 'create' }])
})

test('roots by platform and environment', () => {
  const extension = path.join('User', 'globalStorage', 'saoudrizwan.claude-dev')
  const cases: [Machine, string[]][] = [
    [
      { platform: 'linux', home: '/home/me', env: {} },
      [
        `/home/me/.config/VSCodium/${extension}`,
        `/home/me/.vscode-server/data/${extension}`,
        '/home/me/.cline/data',
      ],
    ],
    [
      { platform: 'darwin', home: '/Users/me', env: { CLINE_DIR: '/x' } },
      [`/Users/me/Library/Application Support/Cursor/${extension}`, '/x/data'],
    ],
    [
      { platform: 'win32', home: '/u', env: { APPDATA: '/u/Roaming', CLINE_DATA_DIR: '/d' } },
      [`/u/Roaming/Code - Insiders/${extension}`, '/d'],
    ],
    [
      { platform: 'linux', home: '/h', env: { VSCODE_PORTABLE: '/p', CLINE_SESSION_DATA_DIR: '/s' } },
      [`/p/user-data/${extension}`, '/s'],
    ],
  ]
  for (const [machine, expected] of cases) {
    const roots = cline.roots({ ...machine, reader: 'linux' }).map((root) => root.path)
    for (const folder of expected) assert.ok(roots.includes(folder), `${folder} in ${roots}`)
  }
  assert.ok(!rooCode.roots(machine).some((root) => root.path.includes('.cline')))
})

test('side files belong to the unit of their task or session', () => {
  const root = { path: '/r', label: 'CLI' }
  assert.equal(cline.unit('tasks/1/task_metadata.json', root)?.path, '/r/tasks/1/ui_messages.json')
  const model = cline.unit('tasks/1/api_conversation_history.json', root)
  assert.deepEqual([model?.path, model?.standsIn], ['/r/tasks/1/api_conversation_history.json', true])
  assert.deepEqual(cline.standIns?.(cline.unit('tasks/1/ui_messages.json', root)!), [model])
  assert.deepEqual(cline.standIns?.(model!), [])
  assert.equal(cline.unit('sessions/a/a.json', root)?.path, '/r/sessions/a/a.messages.json')
  assert.equal(cline.unit('a/a.json', { path: '/s', label: 'sessions' })?.path, '/s/a/a.messages.json')
  for (const file of [
    'tasks/1/focus_chain.md',
    'settings/providers.json',
    'sessions/a/a.compaction.json',
    'x',
  ]) {
    assert.equal(cline.unit(file, root), undefined)
  }
  assert.ok(cline.enters('sessions/a', root))
  assert.ok(!cline.enters('settings', root))
  assert.ok(!cline.enters('tasks/1/checkpoints', root))
})

test('damaged files are survived', () => {
  const folder = path.join(home, 'damaged', 'tasks', '1')
  fs.mkdirSync(folder, { recursive: true })
  const api = path.join(folder, 'api_conversation_history.json')
  const ui = path.join(folder, 'ui_messages.json')
  const session = path.join(folder, '1.messages.json')
  const files: [string, string, string][] = [
    [ui, 'vscode/tasks/1735689600000/ui_messages.json', ui],
    [api, 'vscode/tasks/1735690000000/api_conversation_history.json', api],
    [session, 'cli/sessions/1794706973147_hv8tr/scout.messages.json', session],
  ]
  for (const [file, fixture, unit] of files) {
    for (const bytes of mutations(fs.readFileSync(path.join(FIXTURES, fixture)), 2000)) {
      fs.writeFileSync(file, bytes)
      gather(cline.read({ path: unit, growth: 'whole' }, undefined, machine))
    }
    fs.rmSync(file)
  }
})

function requests(reading: Reading, id: string): string[] {
  return reading.messages[id]!.filter(({ kind }) => kind === 'request').map(({ text }) => text)
}
