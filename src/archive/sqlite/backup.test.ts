import assert from 'node:assert/strict'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'
import type { Archive, Lease, UnitReading } from '../archive.ts'
import { backupFiles, backupsFolder, backupsIn, listBackups, packsIn, pruneCopies } from '../backups.ts'
import { bytesIn, makeBackup, prune } from './backup.ts'
import { connect } from './connection.ts'
import { openSqliteArchive } from './index.ts'
import { restore } from './restore.ts'

function reading(number: number): UnitReading {
  const id = `chat-${number}`
  return {
    source: 'claude-code',
    path: `/home/me/${id}.jsonl`,
    rank: 0,
    fingerprint: { stamp: '1 1 1', inode: 1, size: 1, mtime: 1, head: '', tail: '' },
    generation: 1,
    chats: [{ source: 'claude-code', id }],
    messages: Array.from({ length: 20 }, (_, i) => ({
      chatId: id,
      message: {
        id: `${number}-${i}`,
        order: i,
        role: 'user' as const,
        kind: 'request' as const,
        createdAt: 1_700_000_000_000 + i,
        text: Array.from({ length: 60 }, (_, w) =>
          ((number * 7919 + i * 104729 + w * 15485863) % 999983).toString(36),
        ).join(' '),
      },
    })),
    problems: [],
    begins: true,
    completes: true,
  }
}

async function add(archive: Archive, from: number, to: number): Promise<void> {
  const lease = (await archive.takeLease('test')) as Lease
  const readings = Array.from({ length: to - from }, (_, at) => reading(from + at))
  await archive.write(readings, lease)
  await archive.markSynced(lease)
  await archive.releaseLease(lease)
}

async function inHome(work: (home: string, archive: Archive) => Promise<void>): Promise<void> {
  const home = fs.mkdtempSync(path.join(os.tmpdir(), 'recollect-backup-'))
  const archive = openSqliteArchive(home)
  try {
    await work(home, archive)
  } finally {
    await archive.close().catch(() => {})
    fs.rmSync(home, { recursive: true, force: true })
  }
}

test('a backup brings back what was there, and the present archive is set aside', () =>
  inHome(async (home, archive) => {
    await add(archive, 0, 30)
    const made = await makeBackup(home)
    if (process.platform !== 'win32') assert.equal(fs.statSync(made.file).mode & 0o077, 0)
    await add(archive, 30, 40)
    await assert.rejects(async () => restore(home, { file: made.file, kind: 'backup' }), {
      code: 'ARCHIVE_BUSY',
    })
    assert.equal(await archive.chatCount(), 40)
    await archive.close()
    const { setAside } = restore(home, listBackups(home)[0]!)
    assert.ok(backupFiles(home).includes(setAside!))
    const restored = openSqliteArchive(home)
    assert.equal(await restored.chatCount(), 30)
    assert.deepEqual(await restored.check({ deep: true }), [])
    assert.equal((await restored.messages(await restored.resolveChat('chat-7'))).length, 20)
    await restored.close()
    restore(home, { file: setAside!, kind: 'before-update' })
    const again = openSqliteArchive(home)
    assert.equal(await again.chatCount(), 40)
    await again.close()
    assert.deepEqual(
      fs.readdirSync(home).filter((name) => /part|restoring/.test(name)),
      [],
    )
  }))

test('what was forgotten since a backup stays forgotten when it is restored, and no sync reads it again', () =>
  inHome(async (home, archive) => {
    await add(archive, 0, 6)
    await makeBackup(home)
    await add(archive, 6, 8)
    await archive.forget([await archive.resolveChat('chat-3'), await archive.resolveChat('chat-7')])
    await archive.close()

    const { forgotten } = restore(home, listBackups(home)[0]!)
    assert.equal(forgotten, 1)
    const restored = openSqliteArchive(home)
    assert.equal(await restored.chatCount(), 5)
    assert.deepEqual((await restored.forgottenChats()).map(({ id }) => id).sort(), ['chat-3', 'chat-7'])
    await add(restored, 0, 8)
    const ids = (await restored.listChats({})).map(({ id }) => id).sort()
    assert.deepEqual(ids, ['chat-0', 'chat-1', 'chat-2', 'chat-4', 'chat-5', 'chat-6'])
    assert.deepEqual(await restored.check({ deep: true }), [])
    await restored.close()
  }))

test('secrets that were taken out since a backup stay out when it is restored, also where only a later message named one', () =>
  inHome(async (home, archive) => {
    const file = path.join(home, 'archive.db')
    const said = (number: number, text: string, order: number) => ({
      chatId: `chat-${number}`,
      message: { ...reading(number).messages[0]!.message, id: `said-${order}`, order, text },
    })
    const write = async (to: Archive, messages: ReturnType<typeof said>[]) => {
      const lease = (await to.takeLease('test')) as Lease
      for (const message of messages) {
        const told = reading(Number(message.chatId.slice(5)))
        await to.write([{ ...told, begins: false, messages: [message] }], lease)
      }
      await to.releaseLease(lease)
    }
    await add(archive, 0, 3)
    await write(archive, [
      said(0, 'DB_PASSWORD=kumquat77xylo', 100),
      said(1, 'why is quince88zebra refused?', 100),
      said(2, 'DB_PASSWORD=medlar99yucca', 100),
    ])
    await makeBackup(home)
    await write(archive, [said(1, 'DB_PASSWORD=quince88zebra', 101)])
    const chosen = await Promise.all(['chat-0', 'chat-1'].map((id) => archive.resolveChat(id)))
    await archive.redactAtRest({ chats: chosen.map(({ key }) => key) })
    await archive.close()

    const { redacted } = restore(home, listBackups(home)[0]!)
    assert.equal(redacted, 2)
    const bytes = fs.readFileSync(file, 'latin1')
    for (const word of ['kumquat77xylo', 'quince88zebra']) assert.ok(!bytes.includes(word), word)
    const restored = openSqliteArchive(home)
    await write(restored, [said(0, 'DB_PASSWORD=kumquat77xylo', 100)])
    const texts = async (id: string) =>
      JSON.stringify(await restored.messages(await restored.resolveChat(id)))
    assert.ok(!(await texts('chat-0')).includes('kumquat77xylo'))
    assert.ok(!(await texts('chat-1')).includes('quince88zebra'))
    assert.match(await texts('chat-2'), /medlar99yucca/)
    assert.deepEqual(await restored.check({ deep: true }), [])
    await restored.close()
  }))

test('what is no archive, or one of a newer Recollect, is not put in the place of one', () =>
  inHome(async (home, archive) => {
    await add(archive, 0, 2)
    await archive.close()
    const file = path.join(home, 'other')
    const refused = (code: string) =>
      assert.throws(() => restore(home, { file, kind: 'before-update' }), { code, hint: /\w/ })
    // As a copy that failed leaves it.
    fs.writeFileSync(file, '')
    refused('BACKUP_DAMAGED')
    const other = new DatabaseSync(file)
    other.exec('CREATE TABLE chat (key INTEGER PRIMARY KEY); PRAGMA user_version = 3')
    refused('BACKUP_DAMAGED')
    other.close()
    fs.copyFileSync(path.join(home, 'archive.db'), file)
    const newer = new DatabaseSync(file)
    newer.exec('PRAGMA user_version = 1000')
    newer.close()
    refused('ARCHIVE_TOO_NEW')
    const still = openSqliteArchive(home)
    assert.equal(await still.chatCount(), 2)
    await still.close()
  }))

test('a copy of an archive that was in use is restored with what its log has', () =>
  inHome(async (home, archive) => {
    await add(archive, 0, 5)
    const usb = path.join(home, 'usb')
    fs.mkdirSync(usb)
    for (const end of ['', '-wal'])
      fs.copyFileSync(path.join(home, `archive.db${end}`), path.join(usb, `archive.db${end}`))
    assert.ok(fs.statSync(path.join(usb, 'archive.db-wal')).size > 0)
    await archive.close()
    restore(home, { file: path.join(usb, 'archive.db'), kind: 'before-update' })
    const restored = openSqliteArchive(home)
    assert.equal(await restored.chatCount(), 5)
    assert.deepEqual(await restored.check({ deep: true }), [])
    await restored.close()
    assert.ok(fs.statSync(path.join(usb, 'archive.db-wal')).size > 0, 'the copy stays as it is')
  }))

test('a backup is restored in the place of an archive that cannot be read', () =>
  inHome(async (home, archive) => {
    await add(archive, 0, 3)
    await makeBackup(home)
    await archive.close()
    fs.writeFileSync(path.join(home, 'archive.db'), 'no archive'.repeat(10_000))
    restore(home, listBackups(home)[0]!)
    const restored = openSqliteArchive(home)
    assert.equal(await restored.chatCount(), 3)
    await restored.close()
  }))

test('a second backup stores only what changed, and a damaged one is not restored', () =>
  inHome(async (home, archive) => {
    await add(archive, 0, 400)
    const first = await makeBackup(home)
    await add(archive, 400, 404)
    const second = await makeBackup(home)
    assert.ok(
      second.addedBytes < first.addedBytes / 2,
      `${second.addedBytes} bytes were added to ${first.addedBytes}`,
    )
    await archive.close()
    const pack = path.join(backupsFolder(home), packsIn(backupsFolder(home)).sort()[0]!)
    const bytes = fs.readFileSync(pack)
    bytes[Math.floor(bytes.length / 2)]! ^= 0xff
    fs.writeFileSync(pack, bytes)
    assert.throws(() => restore(home, { file: second.file, kind: 'backup' }), { code: 'BACKUP_DAMAGED' })
    const third = await makeBackup(home)
    restore(home, { file: third.file, kind: 'backup' })
  }))

test('the last three are kept, within the budget', () =>
  inHome(async (home, archive) => {
    const folder = backupsFolder(home)
    const names: string[] = []
    for (let round = 0; round < 5; round++) {
      await add(archive, round * 10, round * 10 + 10)
      names.push((await makeBackup(home)).name)
    }
    assert.deepEqual(
      backupsIn(folder).map(({ name }) => name),
      names.slice(-3).reverse(),
    )
    prune(folder, { budget: Math.floor(bytesIn(folder) * 0.99) })
    assert.ok(backupsIn(folder).length < 3)
    await archive.close()
    for (const backup of backupsIn(folder)) restore(home, backup)
  }))

test('where no folder can be made the error says so', () =>
  inHome(async (home) => {
    const file = path.join(home, 'archive.db')
    for (const folder of [file, path.join(file, 'backups')])
      await assert.rejects(makeBackup(home, { folder }), {
        code: 'ARCHIVE_UNWRITABLE',
        message: /No backup can be made in .*archive\.db/,
      })
  }))

test('a backup is of one state while others write', () =>
  inHome(async (home, archive) => {
    await add(archive, 0, 100)
    const writing = (async () => {
      for (let number = 100; number < 130; number += 2) await add(archive, number, number + 2)
    })()
    const made = [await makeBackup(home), await makeBackup(home)]
    await writing
    await archive.close()
    for (const { file } of made) {
      restore(home, { file, kind: 'backup' })
      const restored = openSqliteArchive(home)
      assert.deepEqual(await restored.check({ deep: true }), [])
      await restored.close()
    }
  }))

test('a week after the first sync a backup is made by itself', () =>
  inHome(async (home, archive) => {
    await add(archive, 0, 3)
    assert.equal(listBackups(home).length, 0)
    const connection = connect(home)
    connection.prepare(`UPDATE setting SET value = 1 WHERE name = 'backupDueAt'`).run()
    connection.close()
    await add(archive, 3, 4)
    assert.equal(listBackups(home).length, 1)
    await add(archive, 4, 5)
    assert.equal(listBackups(home).length, 1)
  }))

test('of the copies made before updates the last three are kept, within the budget that they share with backups', () =>
  inHome(async (home) => {
    const copy = (day: number, size = 1_000) => {
      const file = path.join(home, `archive-of-schema-${day}-2026-11-0${day}.db`)
      fs.writeFileSync(file, Buffer.alloc(size))
      const at = new Date(Date.UTC(2026, 10, day))
      fs.utimesSync(file, at, at)
    }
    const days = () => listBackups(home).map(({ name }) => Number(/-0(\d)\.db$/.exec(name)![1]))
    for (const day of [1, 2, 3, 4, 5]) copy(day)
    const aside = path.join(home, 'archive-set-aside-2026-11-01T100000Z.db')
    fs.writeFileSync(aside, '')
    pruneCopies(home)
    assert.deepEqual(days(), [5, 4, 3])
    fs.mkdirSync(path.join(home, 'backups'))
    fs.writeFileSync(path.join(home, 'backups', '2026-11-06T100000Z.pages'), Buffer.alloc(500))
    pruneCopies(home, { budget: 2_600 })
    assert.deepEqual(days(), [5, 4])
    pruneCopies(home, { budget: 100 })
    assert.deepEqual(days(), [5], 'one always is')
    assert.ok(fs.existsSync(aside))
  }))
