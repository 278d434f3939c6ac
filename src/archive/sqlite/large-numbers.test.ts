import assert from 'node:assert/strict'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { test } from 'node:test'
import type { Message } from '../../model/chat.ts'
import type { Lease, UnitReading } from '../archive.ts'
import { openSqliteArchive } from './index.ts'

test('a number that is too large is left out, and all that is beside it can be read', async (t) => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'recollect-large-'))
  const archive = openSqliteArchive(folder)
  t.after(async () => {
    await archive.close()
    fs.rmSync(folder, { recursive: true, force: true })
  })
  const lease = (await archive.takeLease('test')) as Lease
  const large = 1_747_000_000_000_000_000
  const good: Message = {
    ...{ id: 'good', order: 1, role: 'user', kind: 'request', createdAt: 1_700_000_000_000 },
    text: 'good marmalade',
  }
  const usage = { input: 9_300_000_000_000_000, output: 5, cached: 9e18, cost: 0.5 }
  const odd: Message = { ...good, id: 'odd', order: 0, createdAt: large, usage, latencyMs: 1e300 }
  const reading: UnitReading = {
    source: 'claude-code',
    path: '/home/me/large.jsonl',
    rank: 0,
    fingerprint: { stamp: '1 1 1', inode: 1, size: 1, mtime: 1, head: '', tail: '' },
    generation: 1,
    chats: [{ source: 'claude-code', id: 'large', createdAt: large, updatedAt: 1e308 }],
    messages: [odd, good].map((message) => ({ chatId: 'large', message })),
    problems: [],
    begins: true,
    completes: false,
  }
  await archive.write([reading], lease)
  const [listed] = await archive.listChats({}, { limit: 10 })
  assert.deepEqual([listed?.createdAt, listed?.updatedAt], [1_700_000_000_000, 1_700_000_000_000])
  const [first, second] = await archive.messages(listed!)
  assert.equal(first?.createdAt, undefined)
  assert.equal(JSON.stringify(first?.usage), JSON.stringify({ output: 5, cost: 0.5 }))
  assert.equal(second?.createdAt, 1_700_000_000_000)
  assert.equal((await archive.usage({}, 'day')).rows.length, 1)
})
