import assert from 'node:assert/strict'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { after, before, test } from 'node:test'
import type { Archive, Lease } from '../archive/archive.ts'
import { openSqliteArchive } from '../archive/sqlite/index.ts'
import type { Message } from '../model/chat.ts'
import type { SearchInput } from './input.ts'
import { regexThreads } from './regex-threads.ts'
import { searchConversations } from './search.ts'

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'recollect-regex-'))
let archive: Archive

type Line = Pick<Message, 'role' | 'text'> & { at: string; thinking?: string }
const CHATS: Record<string, Line[]> = {
  asked: [
    { role: 'user', text: 'Is build-17 broken?', at: '2026-03-10' },
    { role: 'assistant', text: 'No, the cache is.', at: '2026-05-10' },
  ],
  answered: [
    { role: 'user', text: 'What is broken?', at: '2026-04-10' },
    { role: 'assistant', text: 'Only build-18.', at: '2026-04-11' },
  ],
  thought: [
    { role: 'user', text: 'Why is it slow?', at: '2026-06-10' },
    {
      role: 'assistant',
      text: 'The disk is full.',
      at: '2026-06-10',
      thinking: 'Maybe build-19 is to blame.',
    },
  ],
}

before(async () => {
  archive = openSqliteArchive(folder)
  const lease = (await archive.takeLease('test')) as Lease
  for (const [id, lines] of Object.entries(CHATS)) {
    const messages = lines.map(({ at, ...line }, order): Message => {
      const kind = line.role === 'user' ? 'request' : 'answer'
      return { id: `${id}-${order}`, order, kind, createdAt: new Date(`${at}T12:00`).getTime(), ...line }
    })
    const unit = {
      source: 'claude-code',
      path: `/files/${id}`,
      rank: 0,
      fingerprint: { stamp: id, inode: 1, size: 1, mtime: 1, head: '', tail: '' },
      generation: 1,
      chats: [{ source: 'claude-code', id, title: `About ${id}` }],
      messages: messages.map((message) => ({ chatId: id, message })),
      problems: [],
      begins: true,
      completes: false,
    }
    await archive.write([unit], lease)
  }
  await archive.markSynced(lease)
})
after(async () => {
  await archive.close()
  fs.rmSync(folder, { recursive: true, force: true })
})

const FINDS: [what: string, more: Partial<SearchInput>, chats: string[]][] = [
  ['everywhere', {}, ['answered', 'asked', 'thought']],
  ['in what one role said', { role_filter: ['user'] }, ['asked']],
  ['in what was said in a month', { months: ['2026-03'] }, ['asked']],
  ['in no message of another month of the chat', { months: ['2026-05'] }, []],
  ['in what was said from a day on', { dateFrom: '2026-04-11' }, ['answered', 'thought']],
  ['in what was said up to a day', { time_window: { end: '2026-04-01' } }, ['asked']],
  ['in chats without a word', { exclude_terms: ['CACHE'] }, ['answered', 'thought']],
  ['but not in chats of who asks', { withoutSource: 'claude-code' }, []],
]
for (const [what, more, chats] of FINDS) {
  test(`a regular expression is found ${what}`, async () => {
    const answer = await searchConversations(archive, { regex: 'build-\\d+', ...more })
    assert.deepEqual(answer.results.map(({ chatId }) => chatId).sort(), chats)
    assert.equal(answer.totalFound, chats.length)
    for (const { snippets } of answer.results)
      assert.deepEqual(
        snippets.map(({ text }) => /build-\d+/.test(text)),
        [true],
      )
  })
}

test('what starting a thread takes on a busy machine is not the time of a pattern', async () => {
  const began = Date.now()
  const threads = await regexThreads(path.join(folder, 'unused'), 10_000)
  assert.ok(threads.until > began + 10_000)
  await threads.end()
})
