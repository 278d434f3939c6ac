import fs from 'node:fs'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { FileLock } from '../../platform/lock.ts'
import { log } from '../../platform/log.ts'
import { removeLeftParts, removeParts } from '../../platform/parts.ts'
import { renamePatiently } from '../../platform/patience.ts'
import type { ArchivedChat, ForgottenChat } from '../archive.ts'
import { type Backup, backupFiles, backupsIn, copiesIn } from '../backups.ts'
import { removeUnusedPacks, replaceBackup, type StoredPages, unpackBackup } from './backup.ts'
import { type Connection, connect } from './connection.ts'
import { type CopiesDone, forgetInCopy, inEachFolder, redactCopy } from './copies.ts'
import { forget } from './forget.ts'
import { eraseRemoteBut, remoteName } from './remote.ts'
import { sealSome } from './seals.ts'
import { redactAtRest } from './secrets-at-rest.ts'
import { erasing } from './wipe.ts'

type OnProgress = (progress: { done: number; all: number }) => void

/** Takes forgotten chats out of every backup and copy of the archive, and those of others that are no longer in it. */
export async function forgetInBackups(
  home: string,
  forgotten: ForgottenChat[],
  onProgress?: OnProgress,
): Promise<CopiesDone> {
  return await rewriteBackups(home, {
    onProgress,
    older: (file) => forgetInCopy(file, forgotten),
    async archive(connection) {
      const find = connection.prepare('SELECT key, source, id FROM chat WHERE source = ? AND id = ?')
      const chats = forgotten.flatMap(({ source, id }) => find.all(source, id)) as unknown as ArchivedChat[]
      if (chats.length > 0) forget(connection, chats)
      // Asked for each: while others were waited for, more may have come that is in a backup by now.
      const others = chatsOfOthers(home)
      if (others) erasing(connection, () => eraseRemoteBut(connection, others))
    },
  })
}

/** What came from other machines and people and is in the archive now; unknown where it cannot be read. */
function chatsOfOthers(home: string): Set<string> | undefined {
  try {
    const db = new DatabaseSync(path.join(home, 'archive.db'), { readOnly: true })
    try {
      const rows = db.prepare('SELECT source, id FROM chat WHERE author IS NOT NULL').all()
      return new Set(rows.map(({ source, id }) => remoteName(source, id)))
    } finally {
      db.close()
    }
  } catch (error) {
    log('warn', `Chats of others stay in backups: ${(error as Error).message}`)
    return undefined
  }
}

/** Takes secrets out of every backup and copy of the archive; of these chats only, where some are named. */
export async function redactBackups(
  home: string,
  { chats, onProgress }: { chats?: Pick<ArchivedChat, 'source' | 'id'>[]; onProgress?: OnProgress } = {},
): Promise<CopiesDone> {
  return await rewriteBackups(home, {
    onProgress,
    older: redactCopy,
    async archive(connection) {
      const find = connection.prepare('SELECT key FROM chat WHERE source = ? AND id = ?')
      const keys = chats?.flatMap(({ source, id }) => find.all(source, id).map((row) => Number(row.key)))
      await redactAtRest(connection, { ...(keys && { chats: keys }) })
    },
  })
}

interface Change {
  archive(connection: Connection): Promise<void>
  /** A copy that an older version can go on with; false where it is none. */
  older(file: string): boolean
  onProgress?: OnProgress
}

/**
 * Each is unpacked beside itself, changed as an archive is, and put in the place of the old one: a kill leaves the one
 * or the other, and what it leaves besides is removed by the next time.
 */
async function rewriteBackups(home: string, change: Change): Promise<CopiesDone> {
  const done: CopiesDone = { rewritten: [], deleted: [], left: [] }
  const all = backupFiles(home).filter((file) => /\.(?:backup|db)$/.test(file)).length
  const noted = (file: string, isDone: boolean) => {
    done[isDone ? 'rewritten' : 'left'].push(file)
    const sum = done.rewritten.length + done.left.length
    change.onProgress?.({ done: sum, all: Math.max(sum, all) })
  }
  await inEachFolder(home, done, async (folder, lock) => {
    const stored: StoredPages = new Map()
    // The oldest first: the newer share its pages, as they did.
    for (const backup of backupsIn(folder).toReversed())
      noted(backup.file, await tried(backup.file, () => rewriteBackup(backup, change, stored, lock)))
    if (!done.left.some((file) => path.dirname(file) === folder)) removeUnusedPacks(folder)
    for (const file of copiesIn(home, folder).filter((each) => each.endsWith('.db')))
      noted(
        file,
        await tried(file, async () => {
          if (!change.older(file)) await rewriteArchive(file, change)
        }),
      )
  })
  return done
}

async function rewriteBackup(
  backup: Backup,
  change: Change,
  stored: StoredPages,
  lock: FileLock,
): Promise<void> {
  await inWorkFolder(backup.folder, async (folder) => {
    const file = path.join(folder, 'archive.db')
    unpackBackup(backup.file, file)
    await changed(folder, change)
    await replaceBackup(backup, file, stored, lock)
  })
}

/** An archive that was set aside, with its log. */
async function rewriteArchive(given: string, change: Change): Promise<void> {
  await inWorkFolder(path.dirname(given), async (folder) => {
    const file = path.join(folder, 'archive.db')
    for (const end of ['', '-wal']) if (fs.existsSync(given + end)) fs.copyFileSync(given + end, file + end)
    fs.chmodSync(file, 0o600)
    await changed(folder, change)
    renamePatiently(file, given)
    for (const end of ['-wal', '-shm']) fs.rmSync(given + end, { force: true })
  })
}

async function changed(folder: string, change: Change): Promise<void> {
  const connection = connect(folder)
  try {
    await change.archive(connection)
    while (connection.transaction(() => sealSome(connection)));
    connection.db.exec('PRAGMA journal_mode = DELETE')
  } finally {
    connection.close()
  }
}

async function inWorkFolder(parent: string, work: (folder: string) => Promise<void>): Promise<void> {
  removeLeftParts(parent)
  const folder = path.join(parent, `rewriting.part-${process.pid}`)
  fs.mkdirSync(folder, { mode: 0o700 })
  try {
    await work(folder)
  } finally {
    removeParts(folder)
  }
}

async function tried(file: string, work: () => Promise<void>): Promise<boolean> {
  try {
    await work()
    return true
  } catch (error) {
    log('warn', `${file} could not be rewritten: ${(error as Error).message}`)
    return false
  }
}
