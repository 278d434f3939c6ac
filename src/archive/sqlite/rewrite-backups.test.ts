import assert from 'node:assert/strict'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { after, test } from 'node:test'
import type { Archive, Lease, RemoteChat } from '../archive.ts'
import { backupsFolder, listBackups } from '../backups.ts'
import { makeBackup, unpackBackup } from './backup.ts'
import { openSqliteArchive } from './index.ts'
import { forgetInBackups } from './rewrite-backups.ts'

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'recollect-others-'))
after(() => fs.rmSync(folder, { recursive: true, force: true }))

function of(author: string, id: string, text: string): RemoteChat {
  return {
    ...{ author, machine: 'tower', chat: { source: 'codex', id, title: `About ${text}` } },
    messages: [
      { id: `${id}-1`, order: 0, role: 'user', kind: 'request', createdAt: 1_770_000_000_000, text },
    ],
  }
}

async function titles(archive: Archive): Promise<string[]> {
  return (await archive.listChats({})).map(({ title }) => title ?? '').sort()
}

test('what a colleague forgot goes from backups with `forget --copies rewrite`, and nothing else of theirs', async () => {
  const archive = openSqliteArchive(folder)
  const lease = (await archive.takeLease('test', 'hub')) as Lease
  const page = { space: 'team', kind: 'team' as const }
  const chats = [of('Bob', 'c1', 'quincewords'), of('Bob', 'c2', 'plumwords')]
  await archive.applyRemote({ ...page, from: 0, to: 5, chats }, lease)
  await archive.releaseLease(lease)
  await makeBackup(folder, { folder: backupsFolder(folder) })
  const second = (await archive.takeLease('test', 'hub')) as Lease
  const gone = [{ author: 'Bob', source: 'codex', id: 'c1' }]
  await archive.applyRemote({ ...page, from: 5, to: 6, chats: [], gone }, second)
  assert.deepEqual(await titles(archive), ['About plumwords'])

  const { rewritten, left } = await forgetInBackups(folder, [])
  assert.deepEqual([rewritten.length, left], [1, []])
  await archive.releaseLease(second)
  await archive.close()

  const restored = path.join(folder, 'restored')
  fs.mkdirSync(restored)
  unpackBackup(listBackups(folder)[0]!.file, path.join(restored, 'archive.db'))
  assert.equal(fs.readFileSync(path.join(restored, 'archive.db'), 'latin1').includes('quincewords'), false)
  const again = openSqliteArchive(restored)
  assert.deepEqual(await titles(again), ['About plumwords'])

  // All that the space tells is pulled again there; what was not forgotten could be missing for another reason.
  assert.equal((await again.spaces())[0]?.pulled, 0)
  const next = (await again.takeLease('test', 'hub')) as Lease
  const told = await again.applyRemote({ ...page, from: 0, to: 6, chats: chats.slice(1), gone }, next)
  assert.equal(told.applied, true)
  assert.deepEqual(await titles(again), ['About plumwords'])
  await again.releaseLease(next)
  await again.close()
})
