import assert from 'node:assert/strict'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { after, beforeEach, test } from 'node:test'
import { openSqliteArchive } from './index.ts'

const folders: string[] = []
let folder: string

beforeEach(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'recollect-unopened-'))
  folders.push(folder)
})
after(() => {
  for (const each of folders) fs.rmSync(each, { recursive: true, force: true })
})

test('an archive of a newer version is left alone', async () => {
  await openSqliteArchive(folder).close()
  const db = new DatabaseSync(path.join(folder, 'archive.db'))
  db.exec('PRAGMA user_version = 9999')
  db.close()
  assert.throws(() => openSqliteArchive(folder), { code: 'ARCHIVE_TOO_NEW' })
})

test('a file that is no archive is reported, not overwritten', () => {
  fs.writeFileSync(
    path.join(folder, 'archive.db'),
    'this is not a database, but long enough to look like one '.repeat(20),
  )
  assert.throws(() => openSqliteArchive(folder), { code: 'ARCHIVE_DAMAGED' })
  assert.match(fs.readFileSync(path.join(folder, 'archive.db'), 'utf8'), /^this is not/)
})

const unopened = { code: 'ARCHIVE_UNWRITABLE', message: /archive\.db cannot be opened/, hint: /permissions/ }

test('a folder in the place of the archive is told as what cannot be opened', () => {
  fs.mkdirSync(path.join(folder, 'archive.db'))
  assert.throws(() => openSqliteArchive(folder), unopened)
})

test('an archive of somebody else, who alone may read it, is told as what cannot be opened', {
  skip: process.platform === 'win32' || process.getuid?.() === 0,
}, async () => {
  await openSqliteArchive(folder).close()
  fs.chmodSync(path.join(folder, 'archive.db'), 0)
  assert.throws(() => openSqliteArchive(folder), unopened)
})
