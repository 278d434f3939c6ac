import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { after, beforeEach, test } from 'node:test'
import type { Message } from '../../model/chat.ts'
import { mutations } from '../mutations.ts'
import { withReader } from '../source.ts'
import { gather, machineAt, type Reading, readMachine, unitsOf } from '../test-kit.ts'
import { cursor as described } from './index.ts'

const cursor = await withReader(described)

/** Chats of Cursor's agents: the command-line agent's own store, and transcripts in both forms. */

const homes: string[] = []
let home: string
beforeEach(() => {
  home = fs.mkdtempSync(path.join(os.tmpdir(), 'cursor-agent-'))
  homes.push(home)
})
after(() => {
  for (const each of homes) fs.rmSync(each, { recursive: true, force: true })
})

const ID = 'f1ff7b74-0a28-4dd4-a452-e01ae080eb20'
const read = (): Reading => readMachine(cursor, machineAt(home))
const line = ({ kind, via, text, thinking, toolCalls, toolResults }: Message) =>
  [
    `${kind}${via ? ` via ${via}` : ''}: ${text}`,
    ...(thinking ? [`thinks ${thinking}`] : []),
    ...(toolCalls ?? []).map(({ tool, args }) => `calls ${tool} ${JSON.stringify(args)}`),
    ...(toolResults ?? []).map(({ text: given, error }) => `gets ${given ?? `error ${error}`}`),
  ].join(' | ')

const TALK = [
  { role: 'system', content: 'You are an agent' },
  { role: 'user', content: '<user_info>\nOS: linux\n</user_info>' },
  { role: 'user', content: [{ type: 'text', text: '<user_query>\nFix the parser\n</user_query>' }] },
  {
    role: 'assistant',
    content: [
      { type: 'reasoning', text: 'Look first.' },
      { type: 'text', text: 'I run the tests.' },
      { type: 'tool-call', toolCallId: 't1', toolName: 'Shell', args: { command: 'npm test' } },
    ],
  },
  {
    role: 'tool',
    content: [{ type: 'tool-result', toolCallId: 't1', toolName: 'Shell', result: '1 failing' }],
  },
  { role: 'user', content: [{ type: 'text', text: '<user_query>continue</user_query>' }] },
  { role: 'assistant', content: [{ type: 'text', text: 'Fixed.' }] },
  { role: 'user', content: [{ type: 'text', text: '<user_query>continue</user_query>' }] },
  { role: 'user', content: [{ type: 'text', text: '<user_query>\n/review the lexer\n</user_query>' }] },
]

function putStore(talk: object[] = TALK): string {
  const folder = path.join(home, '.cursor', 'chats', '36e6f82a4f9ae16e16ce627c19e4b65f', ID)
  fs.mkdirSync(folder, { recursive: true })
  const file = path.join(folder, 'store.db')
  fs.rmSync(file, { force: true })
  const db = new DatabaseSync(file)
  db.exec(
    'CREATE TABLE blobs (id TEXT PRIMARY KEY, data BLOB); CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT)',
  )
  const put = (data: Buffer): Buffer => {
    const id = createHash('sha256').update(data).digest()
    db.prepare('INSERT OR IGNORE INTO blobs VALUES (?, ?)').run(id.toString('hex'), data)
    return id
  }
  const children = talk.map((message) => put(Buffer.from(JSON.stringify(message))))
  const workspace = Buffer.from('/home/me/proj')
  const root = put(
    Buffer.concat([
      ...children.flatMap((id) => [Buffer.from([0x0a, 32]), id]),
      Buffer.from([0x18, 0x96, 0x01, (9 << 3) | 2, workspace.length]),
      workspace,
    ]),
  )
  const meta = {
    agentId: ID,
    latestRootBlobId: root.toString('hex'),
    name: 'Parser',
    createdAt: 1_781_256_145_540,
    lastUsedModel: 'gpt-5',
  }
  db.prepare('INSERT INTO meta VALUES (?, ?)').run('0', Buffer.from(JSON.stringify(meta)).toString('hex'))
  db.close()
  return file
}

function putTranscript(name: string, content: string): string {
  const file = path.join(home, '.cursor', 'projects', 'home-me-proj', 'agent-transcripts', name)
  fs.mkdirSync(path.dirname(file), { recursive: true })
  fs.writeFileSync(file, content)
  return file
}

test('a chat in the store of the command-line agent', () => {
  putStore()
  const reading = read()
  const { title, workspace, createdAt, resume, format } = reading.chats[0]!
  assert.deepEqual(
    [title, workspace, createdAt, resume, format],
    ['Parser', '/home/me/proj', 1_781_256_145_540, `cursor-agent --resume ${ID}`, 'store'],
  )
  const messages = reading.messages[ID]!
  assert.deepEqual(messages.map(line), [
    'injected: <user_info>\nOS: linux\n</user_info>',
    'request: Fix the parser',
    'answer: I run the tests. | thinks Look first. | calls Shell {"command":"npm test"}',
    'tool:  | gets 1 failing',
    'request: continue',
    'answer: Fixed.',
    'request: continue',
    'request via /review: the lexer',
  ])
  assert.equal(new Set(messages.map(({ id }) => id)).size, messages.length)
  assert.equal(messages[2]!.model, 'gpt-5')
  const longer = [...TALK, { role: 'assistant', content: 'Reviewed.' }]
  putStore(longer)
  assert.deepEqual(read().messages[ID]!.slice(0, -1), messages, 'what was told keeps its ids')
})

test('a transcript of the same chat does not count beside it', () => {
  putStore()
  putTranscript(
    `${ID}/${ID}.jsonl`,
    `${JSON.stringify({ role: 'user', message: { content: 'Fix the parser' } })}\n`,
  )
  assert.equal(read().messages[ID]!.filter(({ kind }) => kind === 'request').length, 4)
})

test('lines with times and thoughts', () => {
  putTranscript(
    'timed.jsonl',
    [
      {
        role: 'user',
        timestamp: '2026-05-04T09:00:00.000Z',
        message: { content: '<user_query>Fix it</user_query>' },
      },
      {
        role: 'assistant',
        timestamp: '2026-05-04T09:00:05.000Z',
        message: {
          content: [
            { type: 'thinking', thinking: 'Look first.' },
            { type: 'text', text: 'Fixed.' },
          ],
        },
      },
      { role: 'assistant', message: { content: [{ type: 'thinking', thinking: 'Only a thought.' }] } },
    ]
      .map((record) => `${JSON.stringify(record)}\n`)
      .join(''),
  )
  const reading = read()
  assert.deepEqual(
    [reading.chats[0]!.createdAt, reading.chats[0]!.updatedAt, reading.messages.timed![0]!.createdAt],
    [undefined, undefined, Date.parse('2026-05-04T09:00:00Z')],
  )
  assert.deepEqual(reading.messages.timed!.map(line), [
    'request: Fix it',
    'answer: Fixed. | thinks Look first.',
    'answer:  | thinks Only a thought.',
  ])
})

const TEXT = `user:
<attached_files>
a.ts
</attached_files>
<user_query>
Fix the parser
assistant:
is a line of mine
</user_query>

assistant:
[Thinking] Look at the file first.
Then run it.

I read the file.
[Tool call] Read
  path: /home/me/proj/a.ts

[Tool result] Read
export {}

second line
[Tool call] Shell
  command: npm test
  description: Run the tests

assistant:
It passes now.

user:
<user_query>
/review the lexer
</user_query>
`

test('a transcript in plain text', () => {
  const file = putTranscript('plain.txt', TEXT)
  const reading = read()
  assert.deepEqual(reading.messages.plain!.map(line), [
    'request: Fix the parser\nassistant:\nis a line of mine',
    'answer: I read the file. | thinks Look at the file first.\nThen run it. | calls Read {"path":"/home/me/proj/a.ts"} | calls Shell {"command":"npm test","description":"Run the tests"} | gets export {}\n\nsecond line',
    'answer: It passes now.',
    'request via /review: the lexer',
  ])
  putTranscript('plain.jsonl', `${JSON.stringify({ role: 'user', content: 'Fix the parser' })}\n`)
  fs.rmSync(file.replace('.txt', '.jsonl'))
  putTranscript('plain/plain.jsonl', `${JSON.stringify({ role: 'user', content: 'Fix the parser' })}\n`)
  assert.deepEqual(
    read().messages.plain!.map(line),
    ['request: Fix the parser'],
    'lines are believed before it',
  )
})

test('damaged stores and transcripts are survived', () => {
  const store = putStore()
  const text = putTranscript('plain.txt', TEXT)
  const machine = machineAt(home)
  const units = unitsOf(cursor, machine)
  for (const file of [store, text]) {
    const unit = units.find((each) => each.path === file)!
    for (const bytes of mutations(fs.readFileSync(file), 2000)) {
      fs.writeFileSync(file, bytes)
      gather(cursor.read(unit, undefined, machine))
    }
  }
})

test('a question of the assistant and a command in the editor', () => {
  const file = path.join(home, '.config', 'Cursor', 'User', 'globalStorage', 'state.vscdb')
  fs.mkdirSync(path.dirname(file), { recursive: true })
  const db = new DatabaseSync(file)
  db.exec('CREATE TABLE cursorDiskKV (key TEXT UNIQUE ON CONFLICT REPLACE, value BLOB)')
  const put = (key: string, value: object) =>
    db.prepare('INSERT INTO cursorDiskKV VALUES (?, ?)').run(key, JSON.stringify(value))
  put('composerData:c', {
    composerId: 'c',
    fullConversationHeadersOnly: [{ bubbleId: 'a' }, { bubbleId: 'b' }],
  })
  put('bubbleId:c:a', { bubbleId: 'a', type: 1, text: '/plan the move to Postgres' })
  put('bubbleId:c:b', {
    bubbleId: 'b',
    type: 2,
    text: '',
    toolFormerData: {
      name: 'ask_question',
      params: JSON.stringify({
        questions: [{ id: 'q', prompt: 'Which?', options: [{ id: 'x', label: 'Version 16' }] }],
      }),
      result: JSON.stringify({
        answers: [{ questionId: 'q', selectedOptionIds: ['x'], freeformText: 'the newest' }],
      }),
      status: 'completed',
    },
  })
  db.close()
  const said = read().messages.c!.filter(({ role }) => role === 'user')
  assert.deepEqual(said.map(line), [
    'request via /plan: the move to Postgres',
    'request via answer: Version 16\nthe newest',
  ])
})
