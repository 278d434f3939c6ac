import fs from 'node:fs'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { RecollectError } from '../../model/errors.ts'
import { log } from '../../platform/log.ts'
import { removeLeftParts, removeParts } from '../../platform/parts.ts'
import { renamePatiently } from '../../platform/patience.ts'
import type { ArchivedChat, ForgottenChat } from '../archive.ts'
import type { Backup } from '../backups.ts'
import { redactSome } from './at-rest.ts'
import { unpackBackup } from './backup.ts'
import { type Connection, connect } from './connection.ts'
import { forgetInCopy, redactCopy } from './copies.ts'
import { forget } from './forget.ts'
import { forgottenChats } from './let-back.ts'
import { assertKnown, versionOf } from './migrate.ts'
import { keepForgotten, sameSecretKey, secretsFrom } from './repair-fill.ts'
import { sealSome } from './seals.ts'
import { isRedactedChat } from './seen-secrets.ts'
import { Statement } from './statement.ts'
import { erasing } from './wipe.ts'

const ENDS = ['', '-wal', '-shm']

export interface Restored {
  /** Where the archive that was there lies now. */
  setAside?: string
  /** Chats of the backup that were forgotten since: they were left out. */
  forgotten?: number
  /** Chats of it of which secrets were taken out since: they were taken out again. */
  redacted?: number
}

/**
 * Puts the archive of a backup in place, without what was forgotten or taken out since. What was there is set aside, never
 * overwritten; nothing changes before the backup was read whole and found sound.
 */
export function restore(home: string, { file, kind }: Pick<Backup, 'file' | 'kind'>): Restored {
  const archive = path.join(home, 'archive.db')
  const folder = `${archive}.restoring-${process.pid}`
  const part = path.join(folder, 'archive.db')
  removeLeftParts(home)
  fs.mkdirSync(folder, { recursive: true, mode: 0o700 })
  try {
    if (kind === 'backup') unpackBackup(file, part)
    else {
      // Of an archive that was in use when it was copied, the newest is in its log.
      for (const end of ['', '-wal']) {
        if (end !== '' && !fs.existsSync(file + end)) continue
        fs.copyFileSync(file + end, part + end, fs.constants.COPYFILE_EXCL)
        fs.chmodSync(part + end, 0o600)
      }
    }
    assertSound(part, file)
    const { gone, redacted } = leaveOut(archive, folder)
    const setAside = replaceArchive(archive, part)
    return {
      ...(setAside && { setAside }),
      ...(gone > 0 && { forgotten: gone }),
      ...(redacted > 0 && { redacted }),
    }
  } finally {
    removeParts(folder)
  }
}

type Present = Pick<Connection, 'prepare'>

/**
 * What the present archive has forgotten stays so in the one in `folder`, and no sync reads it there; secrets that were taken out
 * of a chat are taken out of it there, too. Says how many chats went, and how many were rewritten.
 */
function leaveOut(archive: string, folder: string): { gone: number; redacted: number } {
  if (!fs.existsSync(archive)) return { gone: 0, redacted: 0 }
  const db = new DatabaseSync(archive, { readOnly: true })
  try {
    const present: Present = { prepare: (sql: string) => new Statement(db.prepare(sql)) }
    const forgotten = orDamaged(() => forgottenChats(present)) ?? []
    const redacted = orDamaged(() => redactedChats(present)) ?? []
    if (isDoneInCopy(path.join(folder, 'archive.db'), forgotten, redacted)) return { gone: 0, redacted: 0 }
    const connection = connect(folder)
    try {
      // First of all: with it comes the salt of what is known again.
      if (forgotten.length > 0)
        orDamaged(() => connection.transaction(() => keepForgotten(connection, present)))
      const gone = forgetAgain(connection, forgotten)
      const rewritten = redactAgain(connection, present, redacted)
      while (connection.transaction(() => sealSome(connection)));
      connection.db.exec('PRAGMA journal_mode = DELETE')
      return { gone, redacted: rewritten }
    } finally {
      connection.close()
    }
  } finally {
    db.close()
  }
}

/** Where nothing is to be left out, or the backup is one that an older version can go on with. */
function isDoneInCopy(file: string, forgotten: ForgottenChat[], redacted: RedactedChat[]): boolean {
  const isForgotten = forgotten.length === 0 || forgetInCopy(file, forgotten)
  const isRedacted = redacted.length === 0 || redactCopy(file)
  return isForgotten && isRedacted
}

/** A damaged archive is why a backup is restored. */
function orDamaged<T>(read: () => T): T | undefined {
  try {
    return read()
  } catch (error) {
    log(
      'warn',
      `What was forgotten or taken out since the backup could not be read: ${(error as Error).message}`,
    )
    return undefined
  }
}

/** Copies and sub-agents go with the chat that they are of, as far as it is there. */
function forgetAgain(connection: Connection, forgotten: ForgottenChat[]): number {
  const find = connection.prepare('SELECT key, source, id FROM chat WHERE source = ? AND id = ?')
  const [copies, others] = [
    forgotten.filter(({ copyOf }) => copyOf),
    forgotten.filter(({ copyOf }) => !copyOf),
  ]
  let gone = 0
  for (const each of [others, copies]) {
    const chats = each.flatMap(({ source, id }) => find.all(source, id)) as unknown as ArchivedChat[]
    if (chats.length > 0) gone += forget(connection, chats).chats
  }
  return gone
}

interface RedactedChat {
  key: number
  source: string
  id: string
}

/** Chats that are kept without their secrets. */
function redactedChats({ prepare }: Present): RedactedChat[] {
  const rows = prepare('SELECT key, source, id FROM chat JOIN redacted_chat ON chat.key = redacted_chat.chat')
  return rows.all() as unknown as RedactedChat[]
}

/** What was named only since the backup is known by what the present archive has noted of it. */
function redactAgain(connection: Connection, present: Present, redacted: RedactedChat[]): number {
  const find = connection.prepare('SELECT key FROM chat WHERE id = ? AND source = ?')
  const keys: number[] = []
  const hasSameKey = sameSecretKey(connection, present)
  connection.transaction(() => {
    for (const { key, source, id } of redacted) {
      const found = find.get(id, source)?.key
      if (found === undefined || isRedactedChat(connection, Number(found))) continue
      keys.push(Number(found))
      if (hasSameKey) secretsFrom(connection, present, key, Number(found))
    }
  })
  return erasing(connection, () => {
    let rewritten = 0
    for (let at = 0; at < keys.length; ) {
      const step = connection.transaction(() => redactSome(connection, keys, at))
      at = step.next
      rewritten += step.chats
    }
    return rewritten
  })
}

/** Its log is gone afterwards: what it had is in the file. */
function assertSound(part: string, file: string): void {
  const db = new DatabaseSync(part)
  try {
    const [first] = db.prepare('PRAGMA quick_check(1)').all()
    if (first?.quick_check !== 'ok') throw new Error(String(first?.quick_check))
    assertKnown(versionOf(db), file)
    const ours = db
      .prepare(`SELECT count(*) AS tables FROM sqlite_schema WHERE name IN ('chat', 'unit', 'lease')`)
      .get()
    if (ours?.tables !== 3) throw new Error('it is no archive of Recollect')
    db.exec('PRAGMA journal_mode = DELETE')
  } catch (error) {
    if (error instanceof RecollectError) throw error
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
