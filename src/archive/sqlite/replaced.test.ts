import assert from 'node:assert/strict'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Lease } from '../archive.ts'
import { makeArchive } from './damage-kit.ts'
import { openSqliteArchive } from './index.ts'

/** Windows lets nobody put a file in the place of an open one. */
const skip = process.platform === 'win32'
/** Longer than an archive goes without looking at its file. */
const A_LOOK_MS = 600

async function inHome(work: (home: string) => Promise<void>): Promise<void> {
  const home = fs.mkdtempSync(path.join(os.tmpdir(), 'recollect-replaced-'))
  try {
    await work(home)
  } finally {
    fs.rmSync(home, { recursive: true, force: true })
  }
}

test(
  'an archive that is replaced, deleted or gone with its folder is noticed, said, and opened again',
  { skip },
  () =>
    inHome(async (home) => {
      await makeArchive(path.join(home, 'large'), 16)
      await makeArchive(path.join(home, 'small'), 8)
      const folder = path.join(home, 'used')
      fs.cpSync(path.join(home, 'large'), folder, { recursive: true })
      const said: string[] = []
      const archive = openSqliteArchive(folder, { onReplaced: (what) => said.push(what) })
      assert.equal(await archive.chatCount(), 16)
      const { mark } = await archive.changes()
      const voided = await archive.stampsVoided()
      const lease = (await archive.takeLease('test')) as Lease
      await sleep(A_LOOK_MS)
      assert.equal(await archive.chatCount(), 16)
      assert.deepEqual(said, [])

      fs.cpSync(path.join(home, 'small', 'archive.db'), path.join(folder, 'new.db'))
      fs.renameSync(path.join(folder, 'new.db'), path.join(folder, 'archive.db'))
      await sleep(A_LOOK_MS)
      assert.equal(await archive.chatCount(), 8)
      assert.match(said.join(), /was replaced/)
      const changed = await archive.changes(mark)
      assert.notEqual(changed.mark, mark)
      assert.equal(changed.chats, undefined, 'everything may have changed')
      assert.notEqual(await archive.stampsVoided(), voided, 'files are looked at again')
      await assert.rejects(archive.markSynced(lease), { code: 'LEASE_LOST' })

      for (const end of ['', '-wal', '-shm'])
        fs.rmSync(path.join(folder, `archive.db${end}`), { force: true })
      await sleep(A_LOOK_MS)
      assert.equal(await archive.chatCount(), 0)
      assert.match(said.join(), /was deleted/)

      fs.renameSync(folder, `${folder}-elsewhere`)
      await sleep(A_LOOK_MS)
      await assert.rejects(archive.chatCount(), { code: 'ARCHIVE_GONE' })
      assert.ok(!fs.existsSync(folder))
      fs.cpSync(path.join(home, 'large'), folder, { recursive: true })
      assert.equal(await archive.chatCount(), 16)
      await archive.close()
    }),
)

test('what goes on while the archive is replaced ends with the old one', { skip }, () =>
  inHome(async (home) => {
    await makeArchive(path.join(home, 'large'), 16)
    await makeArchive(path.join(home, 'small'), 8)
    const folder = path.join(home, 'large')
    const archive = openSqliteArchive(folder, { onReplaced: () => {} })
    await sleep(A_LOOK_MS)
    const { promise, resolve } = Promise.withResolvers<void>()
    const lease = (await archive.takeLease('test')) as Lease
    const going = archive.pack(lease, {}).then(() => promise)
    fs.renameSync(path.join(home, 'small', 'archive.db'), path.join(folder, 'archive.db'))
    await sleep(A_LOOK_MS)
    assert.equal(await archive.chatCount(), 8)
    resolve()
    await going
    await archive.close()
  }),
)
