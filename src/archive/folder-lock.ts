import fs from 'node:fs'
import path from 'node:path'
import { RecollectError } from '../model/errors.ts'
import { type FileLock, isLocked, lockFile } from '../platform/lock.ts'
import { log } from '../platform/log.ts'
import { removeLeftParts, removeParts } from '../platform/parts.ts'
import { renamePatiently } from '../platform/patience.ts'
import { partsIn } from './backups.ts'

/** The lock is a file in the folder, `.backups.lock`: whoever can write there sees it, of other machines too. */
const NAME = 'backups'
/** Longer than it takes to tell a dead holder on another machine; in between it is asked whether to go on waiting. */
const STEP_MS = 5_000
const PATIENCE_MS = 15 * 60_000
/**
 * Rewriting a large backup keeps a process silent for minutes, and is not to be taken for dead. One that is silent for
 * longer hangs, or was a thread that ended in a process that goes on.
 */
const SILENT_MS = 10 * 60_000

export interface LockOptions {
  /** For how long others are waited for, in milliseconds. */
  patience?: number
  signal?: AbortSignal
}

/**
 * The right to add to the copies of the archive in a folder, to rewrite and to remove them. It is taken before the
 * archive is read: whoever erases from the archive first and has this right afterwards finds every copy that was made
 * before.
 */
export async function lockFolder(
  folder: string,
  { patience = PATIENCE_MS, signal }: LockOptions = {},
): Promise<FileLock> {
  removeLeftParts(folder)
  release(folder, unreleased.get(folder))
  const lock = await taken(folder, patience, signal)
  // Nobody works on it any more, whoever began it: it may hold words that were forgotten since.
  removeParts(...partsIn(folder))
  return { temp: lock.temp, isHeld: lock.isHeld, release: () => release(folder, lock) }
}

/** Puts `lock.temp` in the place of a file, unless another process took this one for dead and has the folder now. */
export function putInPlace(lock: FileLock, file: string): void {
  try {
    if (!lock.isHeld()) throw lost(file)
    renamePatiently(lock.temp, file)
  } catch (error) {
    throw lock.isHeld() ? error : lost(file)
  }
}

async function taken(folder: string, patience: number, signal: AbortSignal | undefined): Promise<FileLock> {
  const file = path.join(folder, NAME)
  const until = performance.now() + patience
  let isSaid = false
  let wasFree = false
  for (;;) {
    signal?.throwIfAborted()
    if (!isSaid && patience > 0 && isLocked(file)) {
      log('info', `backups in ${folder} are being made or rewritten: waiting for the end of that`)
      isSaid = true
    }
    const sparesSilent = !isSilent(folder)
    try {
      return await lockFile(file, {
        patience: sparesSilent ? Math.min(patience, STEP_MS) : STEP_MS,
        sparesSilent,
      })
    } catch (error) {
      if (!(error instanceof RecollectError)) throw error
      // Held by nobody and still not to be had: so Windows says that nothing may be written there.
      const isFree = !isLocked(file)
      if (performance.now() > until || (isFree && wasFree)) throw busy(folder, error)
      wasFree = isFree
    }
  }
}

function isSilent(folder: string): boolean {
  const touchedAt = fs.statSync(path.join(folder, `.${NAME}.lock`), { throwIfNoEntry: false })?.mtimeMs
  return touchedAt !== undefined && Date.now() - touchedAt > SILENT_MS
}

/** Those that this process could not let go of, by folder: a disk that failed. */
const unreleased = new Map<string, FileLock>()

function release(folder: string, lock: FileLock | undefined): void {
  if (!lock) return
  removeParts(lock.temp)
  try {
    lock.release()
    unreleased.delete(folder)
  } catch {
    unreleased.set(folder, lock)
  }
}

function busy(folder: string, { message }: RecollectError): RecollectError {
  const who = /process \d+ on .+(?=\.$)/.exec(message)?.[0] ?? 'another process'
  return new RecollectError(
    'ARCHIVE_BUSY',
    `Backups in ${folder} are being made or rewritten by ${who}.`,
    'Nothing was changed there. Wait for its end, or end it, and try again.',
  )
}

function lost(file: string): RecollectError {
  return new RecollectError(
    'ARCHIVE_BUSY',
    `Another process took over ${path.dirname(file)}: this one had been silent for long.`,
    'Nothing was changed there. Try again.',
  )
}
