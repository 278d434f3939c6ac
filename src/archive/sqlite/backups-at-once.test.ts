import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { type TestContext, test } from 'node:test'
import { hostName } from '../../platform/lock.ts'
import type { Archive, Lease } from '../archive.ts'
import { backupFiles, backupsFolder, foldersOf, isBeingMade, listBackups } from '../backups.ts'
import { makeBackup, unpackBackup } from './backup.ts'
import { connect } from './connection.ts'
import { deleteCopies } from './copies.ts'
import { openSqliteArchive } from './index.ts'
import { forgetInBackups } from './rewrite-backups.ts'

const WORDS = { kept: 'heliotrope', unwanted: 'kingfisher' }

async function write(archive: Archive, id: string, word: string): Promise<void> {
  const lease = (await archive.takeLease('test')) as Lease
  const messages = Array.from({ length: 200 }, (_, i) => ({
    chatId: id,
    message: {
      id: `${id}-${i}`,
      order: i,
      role: 'user' as const,
      kind: 'request' as const,
      createdAt: 1_700_000_000_000 + i,
      text: `${word} of round ${i} ${(i * 15485863).toString(36)}`,
    },
  }))
  const fingerprint = { stamp: '1 1 1', inode: 1, size: 1, mtime: 1, head: '', tail: '' }
  const unit = { source: 'claude-code', path: `/home/me/${id}.jsonl`, rank: 0, fingerprint, generation: 1 }
  const chats = [{ source: 'claude-code', id }]
  await archive.write([{ ...unit, chats, messages, problems: [], begins: true, completes: true }], lease)
  await archive.releaseLease(lease)
}

/** An archive of two chats, in a folder beside which there is room for backups. */
async function archived(t: TestContext): Promise<{ home: string; beside: string; archive: Archive }> {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'recollect-at-once-'))
  const home = path.join(folder, 'home')
  const archive = openSqliteArchive(home)
  t.after(async () => {
    await archive.close()
    fs.rmSync(folder, { recursive: true, force: true })
  })
  for (const [id, word] of Object.entries(WORDS)) await write(archive, `chat-${id}`, word)
  return { home, beside: path.join(folder, 'beside'), archive }
}

/** The chats of each backup, all of which must be readable. */
function chatsIn(home: string): string[][] {
  return listBackups(home).map(({ file }) => {
    const into = path.join(home, 'unpacked.db')
    unpackBackup(file, into)
    const db = new DatabaseSync(into)
    try {
      const rows = db.prepare('SELECT id FROM chat ORDER BY id').all()
      return rows.map(({ id }) => String(id))
    } finally {
      db.close()
      fs.rmSync(into)
    }
  })
}

async function forgetUnwanted(archive: Archive): Promise<void> {
  await archive.forget([await archive.resolveChat('chat-unwanted')])
}

/** A lock of a folder as another process has it. */
function lockOf(folder: string, pid: number, touchedAgoMs = 0): string {
  const file = path.join(folder, '.backups.lock')
  fs.mkdirSync(folder, { recursive: true })
  fs.writeFileSync(file, JSON.stringify({ token: '0123456789abcdef', pid, host: hostName() }))
  const at = new Date(Date.now() - touchedAgoMs)
  fs.utimesSync(file, at, at)
  return file
}

for (const [how, takeOut] of [
  [
    'taken out',
    async (home: string, archive: Archive) => await forgetInBackups(home, await archive.forgottenChats()),
  ],
  ['deleted', deleteCopies],
] as const)
  for (const isNew of [false, true])
    test(`a chat forgotten while ${isNew ? 'a backup is made in a new folder' : 'a first backup is made'} is in none once it was ${how}`, async (t) => {
      const { home, beside, archive } = await archived(t)
      const read = Promise.withResolvers<void>()
      const made = makeBackup(home, {
        onProgress: () => read.resolve(),
        ...(isNew && { folder: beside }),
      })
      await read.promise
      await forgetUnwanted(archive)
      const holding = backupFiles(home)
      const { left } = await takeOut(home, archive)
      await made
      assert.deepEqual(left, [])
      assert.deepEqual(chatsIn(home), how === 'deleted' ? [] : [['chat-kept']])
      assert.ok(holding.some(isBeingMade), 'what is being made was said to hold it')
    })

test('what a backup that was killed had read and packed goes with what is forgotten', async (t) => {
  const { home, archive } = await archived(t)
  const folder = backupsFolder(home)
  fs.mkdirSync(folder)
  const left = ['2026-11-15T152000Z.pages', `2026-11-15T152000Z.part-${process.pid}`, 'rewriting.part-1']
  // One is of a thread of this process, which goes on.
  for (const name of left) fs.writeFileSync(path.join(folder, name), WORDS.unwanted)
  lockOf(folder, 999_999_999)
  await forgetUnwanted(archive)
  await forgetInBackups(home, await archive.forgottenChats())
  assert.deepEqual(fs.readdirSync(folder), [])
})

test('backups that are made at once come one after the other, and each can be read', async (t) => {
  const { home, archive } = await archived(t)
  const made = [makeBackup(home), makeBackup(home), makeBackup(home)]
  await write(archive, 'chat-more', 'saxifrage')
  await Promise.all(made)
  assert.equal(chatsIn(home).length, 3)
})

test('who has the folder is waited for, unless nothing was heard of it for long', async (t) => {
  const { home, archive } = await archived(t)
  const folder = backupsFolder(home)
  const lock = lockOf(folder, process.ppid)
  await assert.rejects(makeBackup(home, { patience: 0 }), {
    code: 'ARCHIVE_BUSY',
    message: `Backups in ${folder} are being made or rewritten by process ${process.ppid} on ${hostName()}.`,
  })
  const controller = new AbortController()
  const stopped = makeBackup(home, { signal: controller.signal })
  controller.abort()
  await assert.rejects(stopped, { name: 'AbortError' })

  const connection = connect(home)
  connection.prepare(`INSERT INTO setting (name, value) VALUES ('backupDueAt', 1)`).run()
  const lease = (await archive.takeLease('test')) as Lease
  await archive.markSynced(lease)
  await archive.releaseLease(lease)
  assert.deepEqual(listBackups(home), [], 'a sync does not wait, and tries it again the next day')
  const due = connection.prepare(`SELECT value FROM setting WHERE name = 'backupDueAt'`).get()!.value
  assert.ok(Number(due) > Date.now())
  connection.close()
  assert.ok(fs.existsSync(lock))

  lockOf(folder, process.ppid, 20 * 60_000)
  await makeBackup(home)
  lockOf(folder, 999_999_999)
  await makeBackup(home)
  assert.equal(chatsIn(home).length, 2)
  assert.ok(!fs.existsSync(lock))
})

test('a backup whose folder another process took over meanwhile is not kept', async (t) => {
  const { home } = await archived(t)
  const folder = backupsFolder(home)
  const making = makeBackup(home, { onProgress: () => lockOf(folder, process.ppid) })
  await assert.rejects(making, { code: 'ARCHIVE_BUSY' })
  assert.deepEqual(fs.readdirSync(folder), ['.backups.lock'], 'the lock is that of the other')
})

test('a backup whose list cannot be read back is not kept', async (t) => {
  const { home } = await archived(t)
  const read = fs.readFileSync
  t.mock.method(fs, 'readFileSync', (file: string, ...more: []) => {
    if (String(file).endsWith('.backup')) throw new Error('the disk failed')
    return read(file, ...more)
  })
  await assert.rejects(makeBackup(home), { code: 'BACKUP_DAMAGED' })
  assert.deepEqual(fs.readdirSync(backupsFolder(home)), [])
})

test('folders of backups that are gone or read-only do not keep a chat from being forgotten in the others', async (t) => {
  const { home, beside, archive } = await archived(t)
  const gone = `${beside}-gone`
  for (const folder of [backupsFolder(home), gone, beside]) await makeBackup(home, { folder })
  fs.rmSync(gone, { recursive: true })
  await forgetUnwanted(archive)
  const forgotten = await archive.forgottenChats()
  const refuse = (name: 'writeFileSync' | 'rmSync') => {
    const real = fs[name] as (file: string, ...more: unknown[]) => void
    t.mock.method(fs, name, (file: string, ...more: unknown[]) => {
      if (String(file).startsWith(beside + path.sep))
        throw Object.assign(new Error('read-only file system'), { code: 'EROFS' })
      return real(file, ...more)
    })
  }
  refuse('writeFileSync')
  refuse('rmSync')
  const { rewritten, left } = await forgetInBackups(home, forgotten)
  assert.deepEqual(
    rewritten.map((file) => path.dirname(file)),
    [backupsFolder(home)],
  )
  assert.ok(left.length > 0 && left.every((file) => path.dirname(file) === beside), left.join())
  const deleted = await deleteCopies(home)
  assert.deepEqual(deleted.left, left)
  t.mock.restoreAll()
  assert.deepEqual(chatsIn(home), [['chat-kept', 'chat-unwanted']])
})

test('folders that several processes make backups in at once are all known', async (t) => {
  const { home } = await archived(t)
  const code = `import { noteFolder } from ${JSON.stringify(new URL('../backups.ts', import.meta.url).href)}
    while (Date.now() < ${Date.now() + 1_500});
    for (let i = 0; i < 25; i++) noteFolder(${JSON.stringify(home)}, '/mnt/' + process.pid + '-' + i)`
  const children = Array.from({ length: 4 }, () =>
    spawn(process.execPath, ['--input-type=module', '-e', code], { stdio: ['ignore', 'ignore', 'inherit'] }),
  )
  const codes = await Promise.all(children.map(async (child) => (await once(child, 'close'))[0]))
  assert.deepEqual(codes, [0, 0, 0, 0])
  assert.equal(foldersOf(home).filter((folder) => folder.startsWith('/mnt/')).length, 100)
})
