import fs from 'node:fs'
import path from 'node:path'
import { RecollectError } from '../model/errors.ts'
import { type FileLock, hasNoLinks, lockFile, lockFileSync } from './lock.ts'
import { patiently, patientlySync, renamePatiently } from './patience.ts'

export type Change =
  /** At the end of what is there. */
  | { append: Buffer }
  | { replace: Buffer }
  /** Only where there is no such file. */
  | { create: Buffer; mode?: number }
  | undefined

/**
 * Changes a file as a whole: whoever reads sees the old or the new one, and so does who looks after
 * a crash. `decide` runs with the file locked, and again where the lock was lost on the way.
 */
export async function changeFile<T>(
  file: string,
  decide: () => Promise<{ change: Change; answer: T }>,
): Promise<T> {
  for (let tries = 0; ; tries++) {
    const lock = await lockFile(file)
    try {
      const { change, answer } = await decide()
      if (!change || (await commit(file, change, lock))) return answer
    } finally {
      fs.rmSync(lock.temp, { force: true })
      lock.release()
    }
    if (tries === 5) throw neverLocked(file)
  }
}

/**
 * The same for a small file of our own, at once and private to its owner. `changed` gets the text as it is
 * with the file locked, or nothing where there is none yet: two changes at once come one after the other,
 * each knowing the other's.
 */
export function changeSmallFile(file: string, changed: (text: string | undefined) => string): void {
  fs.mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 })
  for (let tries = 0; ; tries++) {
    const lock = lockFileSync(file)
    try {
      if (commitSmall(file, changed(textOf(file)), lock)) return
    } finally {
      fs.rmSync(lock.temp, { force: true })
      lock.release()
    }
    if (tries === 5) throw neverLocked(file)
  }
}

/** Not while somebody changes it, who would write it again. */
export function removeSmallFile(file: string): void {
  if (!fs.existsSync(path.dirname(file))) return
  const lock = lockFileSync(file)
  try {
    fs.rmSync(file, { force: true })
  } finally {
    lock.release()
  }
}

/** Nothing where there is no such file. */
export function textOf(file: string): string | undefined {
  try {
    return patientlySync(() => fs.readFileSync(file, 'utf8'))
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined
    throw error
  }
}

/** As an error of the contract: what could not be done to which file, why, and what helps. */
export function fileFailure(error: unknown, code: string, file: string): RecollectError {
  if (error instanceof RecollectError) return error
  const { code: reason = 'unknown', message } = error as NodeJS.ErrnoException
  const [why, hint] = REASONS[reason] ?? [message, undefined]
  const verb = code === 'READ_ERROR' ? 'read' : 'written'
  return new RecollectError(code, `${file} could not be ${verb}: ${why}.`, hint)
}

const REASONS: Record<string, [why: string, hint: string]> = {
  ENOSPC: ['the disk is full', 'Nothing was changed. Free some space, then try again.'],
  EIO: ['the disk failed', 'Check the disk, then try again.'],
  EDQUOT: ['your disk quota is used up', 'Nothing was changed. Free some space, then try again.'],
  EFBIG: [
    'it would be larger than this system allows',
    'Nothing was changed. Move old entries away with archive_context.',
  ],
  EACCES: ['you may not', 'Grant yourself access to it and to its folder.'],
  EPERM: ['you may not', 'Grant yourself access to it and to its folder.'],
  EROFS: ['the file system is read-only', 'Work in a folder that can be written.'],
  ENOENT: ['its folder does not exist', 'Check the workspace.'],
  ENOTDIR: ['its folder is not a folder', 'Check the workspace.'],
  READONLY: ['it is read-only', 'Run `chmod u+w` on it if it is meant to be changed.'],
}

function neverLocked(file: string): RecollectError {
  return new RecollectError(
    'WRITE_ERROR',
    `${file} could not be locked for long enough to be written.`,
    'Nothing was changed. Try again in a moment.',
  )
}

function commitSmall(file: string, text: string, lock: FileLock): boolean {
  const fd = patientlySync(() => fs.openSync(lock.temp, 'wx', 0o600))
  try {
    fs.writeFileSync(fd, text)
    fs.fsyncSync(fd)
  } finally {
    fs.closeSync(fd)
  }
  if (!lock.isHeld()) return false
  try {
    renamePatiently(lock.temp, file)
  } catch (error) {
    if (isGone(error) && !lock.isHeld()) return false
    throw error
  }
  return true
}

function isGone(error: unknown): boolean {
  return (error as NodeJS.ErrnoException).code === 'ENOENT'
}

/** False where the lock was lost before the file was in place. */
async function commit(file: string, change: NonNullable<Change>, lock: FileLock): Promise<boolean> {
  const old = fs.statSync(file, { throwIfNoEntry: false })
  // A rename would get around it, and so would root.
  if (old && (old.mode & 0o222) === 0) throw Object.assign(new Error('read-only'), { code: 'READONLY' })
  if (old) fs.accessSync(file, fs.constants.W_OK)
  if ('append' in change) await fs.promises.copyFile(file, lock.temp, fs.constants.COPYFILE_FICLONE)
  const mode = old ? old.mode & 0o777 : 'create' in change ? change.mode : undefined
  const handle = await patiently(() => fs.promises.open(lock.temp, 'append' in change ? 'a' : 'wx', mode))
  try {
    await handle.writeFile(bytesOf(change))
    if (old) await keepOwnership(handle, old)
    await handle.sync()
  } finally {
    await handle.close()
  }
  if (!lock.isHeld()) return false
  try {
    if ('create' in change) await linkOrRename(lock.temp, file)
    else await patiently(() => fs.promises.rename(lock.temp, file))
  } catch (error) {
    if (isGone(error) && !lock.isHeld()) return false
    throw error
  }
  await syncFolder(path.dirname(file))
  return true
}

function bytesOf(change: NonNullable<Change>): Buffer {
  if ('append' in change) return change.append
  return 'replace' in change ? change.replace : change.create
}

async function keepOwnership(handle: fs.promises.FileHandle, old: fs.Stats): Promise<void> {
  const { uid, gid } = await handle.stat()
  if (uid !== old.uid || gid !== old.gid) {
    // Only root may give files away; everyone else keeps what they write.
    await handle.chown(old.uid, old.gid).catch(() => {})
  }
  await handle.chmod(old.mode & 0o7777)
}

/** A link, unlike a rename, does not replace what someone else made meanwhile. */
async function linkOrRename(temp: string, file: string): Promise<void> {
  try {
    await patiently(() => fs.promises.link(temp, file))
  } catch (error) {
    if (!hasNoLinks(error)) throw error
    // Whoever keeps to the lock cannot have made it since it was decided to; others hardly can.
    if (fs.existsSync(file)) throw Object.assign(new Error('it exists'), { code: 'EEXIST' })
    await patiently(() => fs.promises.rename(temp, file))
  }
}

/** The new name is on the disk only when its folder is. Windows has no such call and no need of it. */
async function syncFolder(folder: string): Promise<void> {
  if (process.platform === 'win32') return
  const handle = await fs.promises.open(folder, 'r')
  try {
    await handle.sync()
  } catch {
    // Some network file systems refuse; the file itself is written.
  } finally {
    await handle.close()
  }
}
