import assert from 'node:assert/strict'
import fs from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import type { Message } from '../../model/chat.ts'
import { readJson } from '../lines.ts'
import { withReader } from '../source.ts'
import { gather, machineAt } from '../test-kit.ts'
import { vscode as described } from './index.ts'
import { exportedChat, isExportedChat } from './session.ts'
import { FIXTURES, inWorkspace, seen, stateDatabase, workspaceWith } from './test-workspace.ts'

const vscode = await withReader(described)

test('the oldest formats', () => {
  const old = (name: string) => fs.readFileSync(path.join(FIXTURES, 'old', name))
  const reading = inWorkspace({
    'workspace.json': '{"folder":"file:///c%3A/My%20Proj"}',
    'chatSessions/1.json': old('v1.json'),
    'chatSessions/2.json': `\ufeff${old('v2.json')}`,
    'state.vscdb': stateDatabase({ 'interactive.sessions': String(old('interactive-sessions.json')) }),
  })
  assert.deepEqual(reading.problems, [])
  assert.deepEqual(new Set(reading.chats.map((chat) => chat.workspace)), new Set(['C:\\My Proj']))
  assert.deepEqual(
    reading.chats.map((chat) => chat.format),
    ['flat', 'flat v2', 'legacy', 'legacy v2'],
  )
  assert.deepEqual(seen(reading, '11111111-aaaa-4bbb-8ccc-000000000001'), [
    'request: How do I reverse a list in Python?',
    'answer: Use `list.reverse()` or slicing.',
    'request: And a string?',
    'answer cancelled: Slicing works there too: `s[::-1]`.',
    'request: Still there?',
    'answer failed: ',
    'notice: Network error',
  ])
  assert.deepEqual(
    reading.messages['11111111-aaaa-4bbb-8ccc-000000000001']!.map((message) => message.id).slice(0, 2),
    ['request/0', 'request/0/response'],
  )
  const second = reading.chats.find(({ id }) => id.endsWith('2'))!
  assert.deepEqual(
    [second.title, second.createdAt, second.updatedAt],
    ['Sort by date', 1720000000000, 1720000009000],
  )
  assert.deepEqual(seen(reading, second.id), [
    'request undone: Sort the entries by date #selection',
    'answer undone: Here is the tree:\n\nsrc\n  entries.js\n\nSorted.',
  ])
  assert.equal(reading.messages[second.id]![0]!.attachments![0]!.path, 'C:\\proj\\entries.js')
  assert.deepEqual(seen(reading, '11111111-aaaa-4bbb-8ccc-000000000003'), [
    'request: A regex for ISO dates',
    'answer: `\\d{4}-\\d{2}-\\d{2}`',
  ])
  const nameless = reading.chats.find(({ id }) => id.startsWith('interactive-'))!
  assert.deepEqual(seen(reading, nameless.id), [
    'request: What is a monad?',
    'answer: A monoid in the category of endofunctors.',
  ])
  assert.equal(reading.chats.length, 4)
})

test('an unchanged store of old sessions costs nothing more', () => {
  const sessions = fs.readFileSync(path.join(FIXTURES, 'old/interactive-sessions.json'), 'utf8')
  const folder = workspaceWith({
    'state.vscdb': stateDatabase({ 'interactive.sessions': sessions, other: '1' }),
  })
  const unit = vscode.unit('workspaceStorage/ws/state.vscdb', { path: folder })!
  const first = gather(vscode.read(unit, undefined, machineAt(folder)))
  assert.equal(first.chats.length, 2)
  const again = [...vscode.read(unit, first.checkpoint, machineAt(folder))]
  assert.deepEqual(again, [{ checkpoint: first.checkpoint }])
  fs.writeFileSync(unit.path, stateDatabase({ 'interactive.sessions': '[]' }))
  assert.notDeepEqual(
    gather(vscode.read(unit, first.checkpoint, machineAt(folder))).checkpoint,
    first.checkpoint,
  )
  fs.writeFileSync(unit.path, 'not a database at all, but long enough to look like one')
  assert.match(gather(vscode.read(unit, undefined, machineAt(folder))).problems[0]!.reason, /cannot be read/)
  fs.rmSync(folder, { recursive: true })
})

test('a title that only the list of chats has', () => {
  const log =
    '{"kind":0,"v":{"version":3,"sessionId":"s1","requests":[{"requestId":"r","message":{"text":"hi"}}]}}\n'
  const list = (title: string) =>
    stateDatabase({
      'chat.ChatSessionStore.index': JSON.stringify({
        version: 1,
        entries: { s1: { title, lastResponseState: 2 } },
      }),
    })
  const folder = workspaceWith({ 'chatSessions/s1.jsonl': log, 'state.vscdb': list('Greeting') })
  const unit = vscode.unit('workspaceStorage/ws/chatSessions/s1.jsonl', { path: folder })!
  const first = gather(vscode.read(unit, undefined, machineAt(folder)))
  assert.deepEqual([first.chats[0]!.title, first.chats[0]!.status], ['Greeting', 'cancelled'])
  fs.writeFileSync(path.join(folder, 'workspaceStorage/ws/state.vscdb'), list('A longer greeting'))
  fs.utimesSync(path.join(folder, 'workspaceStorage/ws/state.vscdb'), 1, 1)
  const second = gather(vscode.read(unit, first.checkpoint, machineAt(folder)))
  assert.equal(second.chats[0]!.title, 'A longer greeting')
  fs.rmSync(folder, { recursive: true })
})

test('an exported chat', () => {
  const session = readJson(path.join(FIXTURES, 'every-part.json')) as Record<string, unknown>
  const { responderUsername, initialLocation, requests } = session
  const document = { responderUsername, initialLocation, requests }
  assert.ok(isExportedChat(document))
  const reading = gather(exportedChat(document, 'chat.json'))
  assert.deepEqual([reading.chats[0]!.id, reading.chats[0]!.format], ['request_a', 'export'])
  const typed = ({ kind, via }: Message) => kind === 'request' && !via
  assert.equal(reading.messages.request_a!.filter(typed).length, 3)
  assert.ok(!isExportedChat({ requests: [] }) && !isExportedChat([]) && !isExportedChat(null))
})

test('both files of one session, the log ranked higher', () => {
  const [flat, log] = ['json', 'jsonl'].map((ending) =>
    vscode.unit(`workspaceStorage/ws/chatSessions/a.${ending}`, { path: '/u' }),
  )
  const transcript = vscode.unit('workspaceStorage/ws/GitHub.copilot-chat/transcripts/a.jsonl', {
    path: '/u',
  })
  const store = vscode.unit('workspaceStorage/ws/state.vscdb', { path: '/u' })
  assert.ok(log!.rank! > flat!.rank! && flat!.rank! > store!.rank! && store!.rank! > transcript!.rank!)
  assert.deepEqual(
    [log, flat, store, transcript].map((unit) => unit!.growth),
    ['append', 'whole', 'database', 'append'],
  )
})

test('a second window on a workspace shares its sessions', () => {
  const unit = vscode.unit('workspaceStorage/ab12-1/GitHub.copilot-chat/transcripts/x.jsonl', { path: '/u' })
  assert.ok(unit!.beside!.includes(path.join('/u/workspaceStorage/ab12/chatSessions/x.jsonl')))
})

test('which files and folders count', () => {
  const root = { path: '/u' }
  for (const folder of [
    'workspaceStorage',
    'workspaceStorage/ab12',
    'workspaceStorage/no-workspace/chatSessions',
    'workspaceStorage/ab12/GitHub.copilot-chat/transcripts',
    'globalStorage/emptyWindowChatSessions',
    'globalStorage/transferredChatSessions',
  ]) {
    assert.ok(vscode.enters(folder, root), folder)
  }
  for (const folder of [
    'History',
    'workspaceStorage/ab12/chatEditingSessions',
    'globalStorage/github.copilot-chat',
  ]) {
    assert.ok(!vscode.enters(folder, root), folder)
  }
  for (const file of [
    'settings.json',
    'workspaceStorage/ab12/workspace.json',
    'workspaceStorage/ab12/state.vscdb.backup',
    'workspaceStorage/ab12/chatEditingSessions/x/state.json',
    'globalStorage/storage.json',
  ]) {
    assert.equal(vscode.unit(file, root), undefined, file)
  }
})

test('other people’s sessions, where they are at hand', (t) => {
  const samples = path.join(import.meta.dirname, '../../../../shared/samples/public/vscode')
  if (!fs.existsSync(samples)) return t.skip('not here')
  const counts = fs
    .readdirSync(samples)
    .filter((name) => name.endsWith('.json'))
    .map((name) => {
      const document = readJson(path.join(samples, name))
      assert.ok(isExportedChat(document), name)
      const { messages } = gather(exportedChat(document, name))
      const all = Object.values(messages).flat()
      const count = (kind: string) => all.filter((message) => message.kind === kind).length
      const calls = all.flatMap((message) => message.toolCalls ?? [])
      const answered = all.flatMap((message) => message.toolResults ?? [])
      assert.equal(new Set(calls.map((call) => call.id)).size, calls.length, name)
      return [name.slice(0, 2), count('request'), count('answer'), calls.length, answered.length].join(' ')
    })
  assert.deepEqual(counts, [
    '01 3 3 13 13',
    '02 4 4 0 0',
    '03 7 7 16 16',
    '04 1 1 1 1',
    '05 1 1 1 0',
    '06 1 1 1 1',
    '08 1 1 30 30',
    '10 2 2 8 8',
    '11 6 6 1 1',
    '12 2 2 0 0',
    '13 1 1 0 0',
  ])
})
