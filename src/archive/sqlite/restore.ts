import fs from 'node:fs'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { RecollectError } from '../../model/errors.ts'
import { removeLeftParts, removeParts } from '../../platform/parts.ts'
import { renamePatiently } from '../../platform/patience.ts'
import type { Backup } from '../backups.ts'
import { unpackBackup } from './backup.ts'

const ENDS = ['', '-wal', '-shm']

export interface Restored {
  /** Where the archive that was there lies now. */
  setAside?: string
}

/**
 * Puts the archive of a backup in place. What was there is set aside, never overwritten; nothing changes
 * before the backup was read whole and found sound.
 */
export function restore(home: string, { file, kind }: Pick<Backup, 'file' | 'kind'>): Restored {
  const archive = path.join(home, 'archive.db')
  const part = `${archive}.restoring-${process.pid}`
  fs.mkdirSync(home, { recursive: true, mode: 0o700 })
  removeLeftParts(home)
  try {
    if (kind === 'backup') unpackBackup(file, part)
    else {
      fs.copyFileSync(file, part, fs.constants.COPYFILE_EXCL)
      fs.chmodSync(part, 0o600)
    }
    assertSound(part, file)
    const setAside = replaceArchive(archive, part)
    return setAside ? { setAside } : {}
  } finally {
    removeParts(...[...ENDS, '-journal'].map((end) => part + end))
  }
}

function assertSound(part: string, file: string): void {
  const db = new DatabaseSync(part)
  try {
    const [first] = db.prepare('PRAGMA quick_check(1)').all()
    if (first?.quick_check === 'ok') return
    throw new Error(String(first?.quick_check))
  } catch (error) {
    throw new RecollectError(
      'BACKUP_DAMAGED',
      `The backup ${file} does not hold a sound archive (${(error as Error).message}).`,
      '`recollect restore --list` shows the others.',
    )
  } finally {
    db.close()
  }
}

/**
 * Puts a file in the archive's place; the archive that was there, which nobody else may have open, is set aside. Says
 * where. At each moment one of both is in place, and the old one is whole.
 */
export function replaceArchive(archive: string, by: string): string | undefined {
  const setAside = fs.existsSync(archive) ? putAside(archive) : undefined
  // A log of the old one would be taken for the new one's.
  for (const end of ENDS.slice(1)) fs.rmSync(archive + end, { force: true })
  renamePatiently(by, archive)
  return setAside
}

function putAside(archive: string): string {
  assertUnused(archive)
  const stamp = new Date().toISOString().slice(0, 19).replaceAll(':', '')
  let aside = path.join(path.dirname(archive), `archive-set-aside-${stamp}Z.db`)
  for (let number = 2; fs.existsSync(aside); number++)
    aside = path.join(path.dirname(archive), `archive-set-aside-${stamp}Z-${number}.db`)
  try {
    fs.linkSync(archive, aside)
  } catch {
    // Some file systems know no links.
    renamePatiently(archive, aside)
  }
  for (const end of ENDS.slice(1))
    if (fs.existsSync(archive + end)) renamePatiently(archive + end, aside + end)
  return aside
}

/** Throws where another process has it open: SQLite leaves the write-ahead log only where nobody else has the archive open. */
export function assertUnused(archive: string): void {
  let db: DatabaseSync | undefined
  try {
    db = new DatabaseSync(archive, { timeout: 2_000 })
    db.exec('PRAGMA journal_mode = DELETE')
  } catch (error) {
    const code = Number((error as { errcode?: number }).errcode ?? 0) & 0xff
    // A damaged one is set aside as it is, its log beside it.
    if (code !== 5 && code !== 6) return
    throw new RecollectError(
      'ARCHIVE_BUSY',
      'Another process has the archive open.',
      'End what uses it (`recollect serve`, `sync --watch`, editors and assistants that started Recollect), and try again.',
    )
  } finally {
    db?.close()
  }
}
