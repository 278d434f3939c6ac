import fs from 'node:fs'
import path from 'node:path'
import { DatabaseSync, type SQLInputValue } from 'node:sqlite'
import { RecollectError } from '../../model/errors.ts'
import { makeFolder } from '../../platform/make-folder.ts'
import { addFolded } from './folded.ts'
import { assertCurrent, migrate } from './migrate.ts'
import { REPAIR } from './next-steps.ts'
import { canWrite, openReading, readOnly } from './read-only.ts'
import { Statement } from './statement.ts'

const BUSY_MS = 10_000
const PAGE_BYTES = 16_384
const WAL_PAGES = 2_000
/** Little: what was read is kept by the system too. */
const CACHE_KB = 2_000
const WIDE_CACHE_KB = 5_000
const WAL_BYTES = WAL_PAGES * PAGE_BYTES * 2

/** A connection to the archive's file, with its statements prepared once. */
export interface Connection {
  db: DatabaseSync
  file: string
  /** Nothing can be written: a mounted backup, a read-only disk, files or a folder of somebody else. */
  readOnly: boolean
  prepare(sql: string): Statement
  /** All of `work` or nothing. Waits for other writers. */
  transaction<T>(work: () => T): T
  /** Several questions over one state of the archive. */
  reading<T>(work: () => T): T
  close(): void
}

/**
 * Opens the archive in `folder`, creating and migrating it as needed, or only for reading where nothing can be written
 * there. Private: 0700 folder, 0600 files.
 */
export function connect(folder: string, { isWritable = canWrite } = {}): Connection {
  const file = path.join(folder, 'archive.db')
  let db: DatabaseSync
  try {
    if (archiveExists(folder) && !isWritable(folder, file)) return connectReading(file)
    makeFolder(folder)
    // SQLite gives the files it creates beside the database the database's own mode.
    if (!fs.existsSync(file)) fs.closeSync(fs.openSync(file, 'a', 0o600))
    // Messages are only written to chats that were looked up, and erased before them: SQLite need not look once more.
    db = new DatabaseSync(file, { timeout: BUSY_MS, enableForeignKeyConstraints: false })
  } catch (error) {
    throw explained(error, file)
  }
  try {
    configure(db)
    migrate(db, file)
  } catch (error) {
    db.close()
    throw explained(error, file)
  }
  return connectionTo(db, file)
}

function connectReading(file: string): Connection {
  const { db, close } = openReading(file)
  try {
    db.exec(`PRAGMA cache_size = -${CACHE_KB}; PRAGMA temp_store = MEMORY`)
    assertCurrent(db, file)
  } catch (error) {
    db.close()
    close()
    throw error
  }
  const connection = connectionTo(db, file)
  return {
    ...connection,
    readOnly: true,
    transaction() {
      throw readOnly(file)
    },
    close() {
      connection.close()
      close()
    },
  }
}

function connectionTo(db: DatabaseSync, file: string): Connection {
  addFolded(db)
  const statements = new Map<string, Statement>()
  const prepare = (sql: string): Statement => {
    const known = statements.get(sql)
    if (known) return known
    const statement = new Statement(db.prepare(sql))
    statements.set(sql, statement)
    return statement
  }
  return {
    db,
    file,
    readOnly: false,
    prepare,
    transaction(work) {
      db.exec('BEGIN IMMEDIATE')
      try {
        const result = work()
        db.exec('COMMIT')
        return result
      } catch (error) {
        if (db.isTransaction) db.exec('ROLLBACK')
        throw explained(error, file)
      }
    },
    reading(work) {
      if (db.isTransaction) return work()
      db.exec('BEGIN')
      try {
        return work()
      } finally {
        endReading(db)
      }
    },
    close() {
      statements.clear()
      db.close()
    },
  }
}

/**
 * Adds a row and gives its key. The statement says `INSERT OR IGNORE`: so SQLite need not keep a copy of every page that
 * the row and its triggers touch, which takes longer than writing it. A row that cannot be is an error all the same.
 */
export function addRow({ prepare }: Connection, sql: string, ...values: SQLInputValue[]): number {
  const { changes, lastInsertRowid } = prepare(sql).run(...values)
  if (changes !== 1) throw Object.assign(new Error('a row that is there already, or not whole'), CONSTRAINT)
  return Number(lastInsertRowid)
}

/** What SQLite says of such a row. */
const CONSTRAINT = { code: 'ERR_SQLITE_ERROR', errcode: 19 }

/** A damaged page may have ended it already. */
export function endReading(db: DatabaseSync): void {
  try {
    if (db.isTransaction) db.exec('COMMIT')
  } catch {
    if (db.isTransaction) db.exec('ROLLBACK')
  }
}

export function archiveExists(folder: string): boolean {
  return (fs.statSync(path.join(folder, 'archive.db'), { throwIfNoEntry: false })?.size ?? 0) > 0
}

function configure(db: DatabaseSync): void {
  db.exec(`PRAGMA page_size = ${PAGE_BYTES}; PRAGMA auto_vacuum = INCREMENTAL`)
  // Changing the journal mode does not wait for others: several processes may start at once.
  const mode = () => db.prepare('PRAGMA journal_mode').get()?.journal_mode
  for (let attempt = 0; mode() !== 'wal'; attempt++) {
    try {
      db.exec('PRAGMA journal_mode = WAL')
    } catch (error) {
      if (attempt >= 100 || !isBusy(error)) throw error
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 50)
    }
  }
  db.exec(`
    PRAGMA synchronous = NORMAL;
    -- What is replaced is overwritten where that costs nothing; free pages are cut off when chats are forgotten.
    PRAGMA secure_delete = FAST;
    PRAGMA cache_size = -${CACHE_KB};
    PRAGMA temp_store = MEMORY;
    PRAGMA wal_autocheckpoint = ${WAL_PAGES};
    PRAGMA journal_size_limit = ${WAL_BYTES};
  `)
}

/** SQLite's errors in the user's terms. */
export function explained(error: unknown, file: string): unknown {
  if (!(error instanceof Error) || error instanceof RecollectError) return error
  const code = sqliteCode(error)
  if (isBusy(error))
    return new RecollectError(
      'ARCHIVE_BUSY',
      'Service temporarily unavailable',
      'Another process is writing; try again in a moment.',
    )
  const system = (error as NodeJS.ErrnoException).code
  if (code === 13 || system === 'ENOSPC' || system === 'EDQUOT')
    return new RecollectError(
      'DISK_FULL',
      `No space left for the archive ${file}.`,
      'Free some space and sync again; nothing was lost.',
    )
  if (code === 10 || system === 'EIO')
    return new RecollectError(
      'DISK_FAILED',
      `The disk failed while the archive ${file} was used: ${error.message}.`,
      'What was being written is not in the archive, and the next sync tries again. Check the disk; `recollect doctor --deep` checks the archive.',
    )
  if (code === 11 || code === 26)
    return new RecollectError('ARCHIVE_DAMAGED', `The archive ${file} is damaged: ${error.message}.`, REPAIR)
  if (code === 8) return readOnly(file)
  if (code === 14 || 'syscall' in error)
    return new RecollectError(
      'ARCHIVE_UNWRITABLE',
      `The archive ${file} cannot be opened: ${error.message}.`,
      'Check its permissions and those of its folder, or set RECOLLECT_HOME.',
    )
  return error
}

function isBusy(error: unknown): boolean {
  return [5, 6].includes(sqliteCode(error))
}

/** SQLite's, 0 for other errors. */
function sqliteCode(error: unknown): number {
  return Number((error as { errcode?: number }).errcode ?? 0) & 0xff
}

/**
 * While much is written, pages are kept until their transaction ends: a batch of a first sync fills some 4 MB of them,
 * and those that have no room are written to the log and read again.
 */
export function widen({ db }: Connection, isWide: boolean): void {
  db.exec(`PRAGMA cache_size = -${isWide ? WIDE_CACHE_KB : CACHE_KB}`)
  if (!isWide) db.exec('PRAGMA shrink_memory')
}

/** Free pages worth giving back to the system: one in so many. */
const FREE = 12

/** Makes the file smaller where much of it is free, as after large merges of the index. */
export function giveBack({ db }: Connection, { all = false } = {}): void {
  const read = (pragma: string) => Number(Object.values(db.prepare(`PRAGMA ${pragma}`).get() ?? {})[0])
  const free = read('freelist_count')
  if (free > 0 && (all || free * FREE > read('page_count'))) db.exec('PRAGMA incremental_vacuum')
}
