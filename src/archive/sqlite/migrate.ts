import fs from 'node:fs'
import path from 'node:path'
import type { DatabaseSync, SQLOutputValue } from 'node:sqlite'
import { RecollectError } from '../../model/errors.ts'
import { folderKey } from '../../model/folder-key.ts'
import { repositoryKey } from '../../model/repository.ts'
import { removeLeftParts, removeParts } from '../../platform/parts.ts'
import { renamePatiently } from '../../platform/patience.ts'
import { pruneCopies } from '../backups.ts'
import { segmentSum } from './checksums.ts'
import { columnsOf } from './old-message-list.ts'
import { DRAW_KEY, migrations } from './schema.ts'
import { unsealAll } from './seal-tables.ts'

/** Which version of Recollect wrote an archive with so many migrations. */
const WRITTEN_BY: Record<number, string> = { 1: '0.1.0', 2: '0.1.0' }
const ASK_AGAIN_MS = 100
/** Another process that brings the archive up to date is waited for so long. */
const PATIENCE_MS = 120_000

/**
 * Brings the tables up to this version, in one transaction that takes a moment whatever the archive's
 * size, after a copy of an older archive was made beside it. What is left to be done for each message is
 * done later, in steps, by whoever syncs (pack.ts); until then the archive is read as it is.
 */
export function migrate(db: DatabaseSync, file: string): void {
  let from: number
  do {
    from = versionOf(db)
    if (from === migrations.length) return
    assertKnown(from, file)
  } while (from > 0 && !copied(db, file, from))
  db.exec('BEGIN IMMEDIATE')
  try {
    const now = versionOf(db)
    assertKnown(now, file)
    if (now < migrations.length) createTables(db, now)
    db.exec('COMMIT')
  } catch (error) {
    if (db.isTransaction) db.exec('ROLLBACK')
    throw error
  }
}

/** An archive that cannot be written to is read as it is, or not at all. */
export function assertCurrent(db: DatabaseSync, file: string): void {
  const version = versionOf(db)
  assertKnown(version, file)
  if (version === migrations.length) return
  throw new RecollectError(
    'ARCHIVE_READ_ONLY',
    `The archive ${file} was written by an older Recollect, and is read-only: it cannot be brought up to this version there.`,
    'Copy it to a folder that you can write to, and set RECOLLECT_HOME to that.',
  )
}

/** All tables of this version, or of an older one, where those of the first `from` migrations are there. */
export function createTables(db: DatabaseSync, from = 0, to = migrations.length): void {
  db.function('folder_key', (folder) => (folder === null ? null : folderKey(String(folder))))
  db.function('message_columns', (old) => columnsOf(bytesIn(old)))
  db.function('segment_sum', (base, messages, documents, titles) =>
    segmentSum(Number(base), Number(messages), bytesIn(documents), bytesIn(titles)),
  )
  db.function('repository_key_of', (remote) => repositoryKey(String(remote)) ?? null)
  const isNew = from === 0 && to === migrations.length
  if (isNew && tablesOfNew) db.exec(tablesOfNew)
  else for (const migration of migrations.slice(from, to)) db.exec(migration)
  if (isNew) tablesOfNew ??= tablesIn(db)
  // Other columns make other sums.
  if (to === migrations.length) unsealAll(db)
  db.exec(`PRAGMA user_version = ${to}`)
}

/** No bytes are nothing to Node 22. */
function bytesIn(value: SQLOutputValue): Uint8Array {
  return (value as Uint8Array | null) ?? new Uint8Array(0)
}

/** What the migrations come to, in a quarter of their time: kept once they were run on an empty file. */
let tablesOfNew: string | undefined

function tablesIn(db: DatabaseSync): string {
  const made = db.prepare(`SELECT sql FROM sqlite_schema WHERE name NOT LIKE 'sqlite_%' ORDER BY rowid`).all()
  return [...made.map(({ sql }) => sql), DRAW_KEY].join(';\n')
}

export function versionOf(db: DatabaseSync): number {
  return Number(db.prepare('PRAGMA user_version').get()?.user_version)
}

export function assertKnown(version: number, file: string): void {
  if (version <= migrations.length) return
  throw new RecollectError(
    'ARCHIVE_TOO_NEW',
    `The archive ${file} was written by a newer Recollect.`,
    'Update this Recollect, or set RECOLLECT_HOME to another folder.',
  )
}

/**
 * Copies an archive as it was, so that the version that wrote it can go on with it. False where another
 * process brought the archive up to date meanwhile: that one made the copy.
 */
function copied(db: DatabaseSync, file: string, version: number): boolean {
  const day = new Date().toISOString().slice(0, 10)
  const copy = path.join(
    path.dirname(file),
    `archive-of-${WRITTEN_BY[version] ?? `schema-${version}`}-${day}.db`,
  )
  const since = performance.now()
  const isCopy = (name: string) => name.startsWith('archive-of-')
  while (removeLeftParts(path.dirname(file), isCopy)) {
    if (performance.now() - since > PATIENCE_MS)
      throw new RecollectError(
        'ARCHIVE_BUSY',
        `The archive ${file} is being brought up to this version by another process.`,
        'Try again in a moment.',
      )
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ASK_AGAIN_MS)
  }
  if (versionOf(db) !== version) return false
  // Threads of one process may come to it at once. Loading that module takes 2 ms of every start.
  const { threadId } = process.getBuiltinModule('node:worker_threads')
  const part = `${copy}-${threadId}.part-${process.pid}`
  try {
    // SQLite fills a file that is there and empty: so it is private from the start.
    fs.closeSync(fs.openSync(part, 'w', 0o600))
    db.prepare('VACUUM INTO ?').run(part)
    // Asked again: what was copied may be what the other process made of it.
    if (versionOf(db) !== version) return false
    const written = fs.openSync(part, 'r+')
    fs.fsyncSync(written)
    fs.closeSync(written)
    renamePatiently(part, copy)
    pruneCopies(path.dirname(file))
  } finally {
    removeParts(part, `${part}-journal`)
  }
  return true
}
