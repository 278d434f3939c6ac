import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { pathToFileURL } from 'node:url'
import { RecollectError } from '../../model/errors.ts'

type MayAccess = (file: string, mode: number) => void

/** Whether the archive can be written to: its file, and its folder, for the files that SQLite keeps beside it. */
export function canWrite(folder: string, file: string, mayAccess: MayAccess = fs.accessSync): boolean {
  try {
    for (const each of [folder, file]) mayAccess(each, fs.constants.W_OK)
    return true
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    return !(code === 'EROFS' || code === 'EACCES' || code === 'EPERM')
  }
}

/** Whether there is an archive that can only be read. */
export function isReadOnly(folder: string): boolean {
  const file = path.join(folder, 'archive.db')
  return fs.existsSync(file) && !canWrite(folder, file)
}

export function readOnly(file: string): RecollectError {
  return new RecollectError(
    'ARCHIVE_READ_ONLY',
    `The archive ${file} is read-only here: it can be searched and read, and nothing can be written to it.`,
    'To write, get write access to its folder, or copy it to one that you can write to and set RECOLLECT_HOME to that.',
  )
}

/**
 * Opens a database of which nothing can be written. SQLite reads one with a write-ahead log only where its index is
 * there too; without a log the file alone is all there is, and with a log and no index a private copy is read.
 */
export function openReading(file: string): { db: DatabaseSync; close(): void } {
  try {
    return { db: tried(new DatabaseSync(file, { readOnly: true, timeout: 10_000 })), close() {} }
  } catch (error) {
    const code = Number((error as { errcode?: number }).errcode ?? 0) & 0xff
    if (code !== 14 && code !== 8) throw error
  }
  if ((fs.statSync(`${file}-wal`, { throwIfNoEntry: false })?.size ?? 0) === 0) {
    const url = pathToFileURL(file)
    url.searchParams.set('immutable', '1')
    return { db: tried(new DatabaseSync(url, { readOnly: true })), close() {} }
  }
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'recollect-read-only-'))
  const close = () => fs.rmSync(folder, { recursive: true, force: true })
  try {
    for (const end of ['', '-wal']) {
      fs.copyFileSync(file + end, path.join(folder, `archive.db${end}`))
      fs.chmodSync(path.join(folder, `archive.db${end}`), 0o600)
    }
    return { db: tried(new DatabaseSync(path.join(folder, 'archive.db'))), close }
  } catch (error) {
    close()
    throw error
  }
}

/** Whether it can be read shows at the first reading. */
function tried(db: DatabaseSync): DatabaseSync {
  try {
    db.prepare('SELECT count(*) FROM sqlite_schema').get()
    return db
  } catch (error) {
    db.close()
    throw error
  }
}
