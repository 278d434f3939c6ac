import assert from 'node:assert/strict'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { after, test } from 'node:test'
import type { Lease, UnitReading } from '../archive.ts'
import { openSqliteArchive } from './index.ts'

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'recollect-changes-'))
after(() => fs.rmSync(folder, { recursive: true, force: true }))

function reading(ids: string[], text: string): UnitReading {
  return {
    source: 'codex',
    path: `/${ids[0]}`,
    rank: 0,
    fingerprint: { stamp: text, inode: 1, size: 1, mtime: 1, head: '', tail: '' },
    generation: 1,
    chats: ids.map((id) => ({ source: 'codex', id, workspace: '/p' })),
    messages: ids.map((chatId) => ({
      chatId,
      message: { id: 'm', order: 1, role: 'user', kind: 'request', text },
    })),
    problems: [],
    begins: true,
    completes: true,
  }
}

test('one process hears which chats another one changed, and of nothing else', async () => {
  const [writer, reader] = [openSqliteArchive(folder), openSqliteArchive(folder)]
  const lease = (await writer.takeLease('test')) as Lease
  const idsSince = async (mark: number) => (await reader.changes(mark)).chats?.map(({ id }) => id)
  const { mark: first } = await reader.changes()

  await writer.write([reading(['one', 'two'], 'hello')], lease)
  assert.deepEqual((await idsSince(first))?.toSorted(), ['one', 'two'])
  const { mark: second } = await reader.changes(first)
  await writer.renewLease(lease)
  await writer.markSynced(lease)
  assert.deepEqual(await reader.changes(second), { mark: second, chats: [] })

  await writer.write([reading(['two'], 'again')], lease)
  assert.deepEqual(await idsSince(second), ['two'])
  assert.deepEqual((await idsSince(first))?.toSorted(), ['one', 'two'])
  assert.equal(await reader.chatCount(), 2)
  assert.deepEqual(
    (await reader.workspaces()).map(({ path: folder, chats }) => [folder, chats]),
    [['/p', 2]],
  )

  const { mark: third } = await reader.changes()
  await writer.forget([await writer.resolveChat('codex:one')])
  const after = await reader.changes(third)
  assert.notEqual(after.mark, third)
  assert.equal(after.chats, undefined, 'what is gone cannot be named')

  const many = Array.from({ length: 700 }, (_, i) => `chat-${i}`)
  await writer.write([reading(many, 'many')], lease)
  assert.equal((await reader.changes(after.mark)).chats, undefined, 'too many to name')
  await Promise.all([writer.close(), reader.close()])
})
