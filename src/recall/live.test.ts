import assert from 'node:assert/strict'
import fs from 'node:fs'
import path from 'node:path'
import { afterEach, beforeEach, test } from 'node:test'
import { openChat } from './current.ts'
import type { LiveChat } from './live.ts'
import { type Bench, bench, NOON } from './test-kit.ts'

let at: Bench
beforeEach(() => {
  at = bench()
})
afterEach(() => at.close())

/** What is said before and after a sync, without the archive's own numbers. */
async function told(id: string): Promise<unknown> {
  const { chat, messages }: LiveChat = await openChat(at, id)
  const { key: _, ...header } = chat
  return JSON.parse(
    JSON.stringify(
      { header, messages: messages.map((message) => ({ ...message, key: undefined })) },
      (_, value) => (value === '' || value === false ? undefined : value),
    ),
  )
}

async function assertLiveIsSynced(id: string, about: string): Promise<unknown> {
  const live = await told(id)
  await at.sync()
  assert.deepEqual(live, await told(id), about)
  const chat = await at.archive.resolveChat(id)
  const { requestCount } = (live as LiveChat & { header: { requestCount: number } }).header
  assert.equal(requestCount, chat.requestCount, about)
  return live
}

const VSCODE = '.config/Code/User/workspaceStorage/ws'
const FIXTURES = path.join(import.meta.dirname, '../sources/vscode/fixtures/User/workspaceStorage/69ebdf57')

test('between a transcript and its session no request counts twice', async () => {
  const id = '30e7ff0c-c6dd-42b4-9eb3-25f7c12c55b8'
  const place = (file: string) => {
    fs.mkdirSync(path.dirname(path.join(at.home, VSCODE, file)), { recursive: true })
    fs.copyFileSync(path.join(FIXTURES, file), path.join(at.home, VSCODE, file))
  }
  place(`GitHub.copilot-chat/transcripts/${id}.jsonl`)
  await assertLiveIsSynced(id, 'only the transcript')
  place(`chatSessions/${id}.jsonl`)
  const live = (await assertLiveIsSynced(id, 'the session is there')) as LiveChat
  assert.ok(live.messages.every((message) => /^re(quest|sponse)_/.test(message.id)))
})

const PROJECT = '.claude/projects/-home-me-shop'

function line(session: string, n: number, text: string, more: object = {}): string {
  return `${JSON.stringify({
    parentUuid: n > 1 ? `${n - 1}` : null,
    isSidechain: false,
    userType: 'external',
    cwd: '/home/me/shop',
    sessionId: session,
    version: '2.1.0',
    type: 'user',
    message: { role: 'user', content: text },
    uuid: `${n}`,
    timestamp: new Date(NOON + n * 1000).toISOString(),
    ...more,
  })}\n`
}

function write(session: string, text: string, project = PROJECT): void {
  fs.mkdirSync(path.join(at.home, project), { recursive: true })
  fs.writeFileSync(path.join(at.home, project, `${session}.jsonl`), text)
}

test('a file that grows, is rewound, forked or told in two places is read live as it will be archived', async () => {
  const three = line('chat-a', 1, 'First of all') + line('chat-a', 2, 'second') + line('chat-a', 3, 'third')
  write('chat-a', line('chat-a', 1, 'First of all'))
  await assertLiveIsSynced('chat-a', 'new')
  write('chat-a', three)
  await assertLiveIsSynced('chat-a', 'grown')
  write('chat-a', line('chat-a', 1, 'First of all') + line('chat-a', 4, 'another third'))
  await assertLiveIsSynced('chat-a', 'rewound')
  write('chat-a', three + line('chat-a', 4, 'another third', { cwd: '/home/me/other' }), `${PROJECT}-moved`)
  await at.sync()
  fs.appendFileSync(path.join(at.home, PROJECT, 'chat-a.jsonl'), line('chat-a', 5, 'a fifth'))
  await assertLiveIsSynced('chat-a', 'in two places')
  write('chat-b', three.replaceAll('chat-a', 'chat-b') + line('chat-b', 6, 'its own'))
  const live = (await assertLiveIsSynced('chat-b', 'forked')) as LiveChat
  assert.deepEqual(
    live.messages.map((message) => message.copy ?? false),
    [true, true, true, false],
  )
})
