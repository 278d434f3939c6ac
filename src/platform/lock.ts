import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { RecollectError } from '../model/errors.ts'
import { nodeCrypto } from './node-crypto.ts'
import { isAtWork, removeParts } from './parts.ts'
import { isInUse, sleepSync } from './patience.ts'

/** A holder on another machine, or a hung one, is taken for dead when its lock was not touched for so long. */
const STALE_MS = 4_000
const HEARTBEAT_MS = 1_000
const PATIENCE_MS = 30_000

/**
 * The right to change one file. It may be lost to a writer who took this process for dead; then
 * `temp` has been removed. So: write `temp`, ask `isHeld()`, rename `temp` onto the file. Where the
 * rename succeeds nobody has written in between. Why so: docs/decisions/0003-context-lock.md.
 */
export interface FileLock {
  /** Where the file's new content is prepared. */
  temp: string
  isHeld(): boolean
  release(): void
}

export async function lockFile(file: string, wish: number | LockWish = {}): Promise<FileLock> {
  const { tryAgain, taken } = locking(file, wish)
  while (!tryAgain()) await sleep(pause())
  return taken()
}

export interface LockWish {
  /** For how long it is tried, in milliseconds. */
  patience?: number
  /** A holder of this machine that lives is waited for however long it is silent: its work cannot be done again. */
  sparesSilent?: boolean
}

/** The same lock for what is written at once and without waiting for anything else: small files. */
export function lockFileSync(file: string, wish: number | LockWish = {}): FileLock {
  const { tryAgain, taken } = locking(file, wish)
  while (!tryAgain()) sleepSync(pause())
  return taken()
}

/** Whether somebody holds the lock of a file, as far as can be told at once. */
export function isLocked(file: string): boolean {
  const holder = holderOf(lockOf(placeOf(file)))
  return holder !== undefined && !isGone(holder)
}

/** Removes the locks in a folder whose holders are gone. */
export function removeLeftLocks(folder: string): void {
  for (const entry of fs.readdirSync(folder)) {
    const name = /^\.(.+)\.lock$/.exec(entry)?.[1]
    const holder = name && holderOf(path.join(folder, entry))
    if (!holder || !isGone(holder)) continue
    try {
      lockFileSync(path.join(folder, name), { patience: 0, sparesSilent: true }).release()
    } catch (error) {
      // Somebody was faster, and has it now.
      if (!(error instanceof RecollectError)) throw error
    }
  }
}

/** The file system has no links: FAT and exFAT, some network shares. Windows says so as EISDIR. */
export function hasNoLinks(error: unknown): boolean {
  return ['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EISDIR', 'EMLINK'].some((code) => isCode(error, code))
}

/**
 * Whose process numbers a lock speaks of. WSL has the host name of the Windows that it runs in, and numbers
 * of its own: a process of the other would be taken for a dead one.
 */
export function hostName(release = os.release(), env = process.env): string {
  if (!/microsoft/i.test(release)) return os.hostname()
  return `${os.hostname()} (WSL${env.WSL_DISTRO_NAME ? ` ${env.WSL_DISTRO_NAME}` : ''})`
}

function pause(): number {
  return 3 + Math.random() * 15
}

function locking(file: string, wish: number | LockWish): { tryAgain(): boolean; taken(): FileLock } {
  const { patience = PATIENCE_MS, sparesSilent = false } =
    typeof wish === 'number' ? { patience: wish } : wish
  const place = placeOf(file)
  const token = newToken()
  const lock = lockOf(place)
  const sights: Sights = { since: new Map(), sparesSilent }
  const until = performance.now() + patience
  return {
    tryAgain() {
      const outcome = attempt(place, lock, token, sights)
      if (outcome === 'taken') return true
      if (performance.now() > until) throw busy(file, outcome)
      return false
    },
    taken: () => heldLock(place, lock, token),
  }
}

function heldLock(place: LockPlace, lock: string, token: string): FileLock {
  const heartbeat = setInterval(() => touch(lock), HEARTBEAT_MS).unref()
  const isHeld = () => holderOf(lock)?.token === token
  return {
    temp: scratch(place, token, 'tmp'),
    isHeld,
    release() {
      clearInterval(heartbeat)
      // Under the claim, as any removal: a writer who takes us for dead may be replacing the lock right now.
      const claim = scratch(place, token, 'claim')
      try {
        if (!create(place, claim, newToken())) return
      } catch {
        // No room for a claim: a lock that stays would keep everybody waiting, and we are alive.
      }
      try {
        if (isHeld()) remove(lock)
      } finally {
        removeParts(claim)
      }
    },
  }
}

interface LockPlace {
  folder: string
  name: string
}

function placeOf(file: string): LockPlace {
  return { folder: path.dirname(file), name: path.basename(file) }
}

function lockOf({ folder, name }: LockPlace): string {
  return path.join(folder, `.${name}.lock`)
}

/** Since when each lock is seen untouched. */
interface Sights {
  since: Map<string, number>
  sparesSilent: boolean
}

interface Holder {
  token: string
  pid?: number
  host?: string
  touchedAt: number
}

function attempt(
  place: LockPlace,
  lock: string,
  token: string,
  sights: Sights,
): 'taken' | Holder | undefined {
  if (create(place, lock, token)) return 'taken'
  const holder = holderOf(lock)
  if (!holder) return undefined
  // Its age is measured by our own clock: those of other machines may differ.
  const sight = `${lock} ${holder.token} ${holder.touchedAt}`
  const since = sights.since.get(sight) ?? performance.now()
  sights.since.set(sight, since)
  const isSilent = performance.now() - since > STALE_MS
  const isSpared = sights.sparesSilent && isHere(holder)
  const abandoned = isGone(holder) || (isSilent && !isSpared)
  return abandoned && replace(place, lock, holder, token, sights) ? 'taken' : holder
}

/**
 * Puts our lock in the place of an abandoned one. Of all who found it abandoned, one has the claim
 * to it, named after the very lock it is about. A claim is a lock with a token of its own, and can
 * be abandoned like any.
 */
function replace(place: LockPlace, lock: string, abandoned: Holder, token: string, sights: Sights): boolean {
  const claim = scratch(place, abandoned.token, 'claim')
  if (attempt(place, claim, newToken(), { ...sights, sparesSilent: false }) !== 'taken') return false
  try {
    if (holderOf(lock)?.token !== abandoned.token) return false
    const next = scratch(place, token, 'next')
    fs.writeFileSync(next, note(token), { mode: 0o600 })
    fs.renameSync(next, lock)
    // Whatever the former holder was about to put in place: now it cannot.
    remove(scratch(place, abandoned.token, 'tmp'))
    sweep(place)
    return true
  } catch (error) {
    if (isInUse(error)) return false
    throw error
  } finally {
    removeParts(claim)
  }
}

function scratch({ folder, name }: LockPlace, token: string, kind: 'tmp' | 'claim' | 'next'): string {
  return path.join(folder, `.${name}.${token}.${kind}`)
}

function newToken(): string {
  return nodeCrypto().randomBytes(8).toString('hex')
}

function note(token: string): string {
  return JSON.stringify({ token, pid: process.pid, host: hostName() })
}

/**
 * The lock appears together with its note: a process killed between the two would leave a lock
 * of nobody, which costs the next writer the whole wait.
 */
function create(place: LockPlace, lock: string, token: string): boolean {
  // Asked first because it is by far cheaper than a failure, and who waits asks often.
  if (fs.statSync(lock, { throwIfNoEntry: false })) return false
  const next = scratch(place, token, 'next')
  try {
    fs.writeFileSync(next, note(token), { mode: 0o600 })
    linkOrWrite(next, lock, token)
    return true
  } catch (error) {
    if (isCode(error, 'EEXIST') || isInUse(error)) return false
    throw error
  } finally {
    removeParts(next)
  }
}

function linkOrWrite(next: string, lock: string, token: string): void {
  try {
    fs.linkSync(next, lock)
  } catch (error) {
    if (!hasNoLinks(error)) throw error
    fs.writeFileSync(lock, note(token), { flag: 'wx', mode: 0o600 })
  }
}

function holderOf(lock: string): Holder | undefined {
  try {
    const stat = fs.statSync(lock, { throwIfNoEntry: false })
    if (!stat) return undefined
    const { mtimeMs, ino } = stat
    const text = fs.readFileSync(lock, 'utf8')
    const known = { touchedAt: mtimeMs }
    try {
      const { token, pid, host } = JSON.parse(text)
      if (typeof token === 'string' && /^[0-9a-f]{16}$/.test(token)) return { ...known, token, pid, host }
    } catch {
      // Where there are no links: its maker was killed before the note was written, or has not come to it yet.
    }
    return { ...known, token: `unsigned-${ino}` }
  } catch (error) {
    if (isCode(error, 'ENOENT') || isInUse(error)) return undefined
    throw error
  }
}

function isHere({ pid, host }: Holder): boolean {
  return host === hostName() && typeof pid === 'number'
}

function isGone(holder: Holder): boolean {
  return isHere(holder) && !isAtWork(holder.pid!, holder.touchedAt)
}

/** What killed writers left behind. */
function sweep({ folder, name }: LockPlace): void {
  const isOurs = (entry: string) =>
    entry.startsWith(`.${name}.`) &&
    /^(?:[0-9a-f]{16}|unsigned-\d+)\.(?:tmp|claim|next)$/.test(entry.slice(name.length + 2))
  for (const each of fs.readdirSync(folder).filter(isOurs)) {
    const file = path.join(folder, each)
    const stat = fs.statSync(file, { throwIfNoEntry: false })
    if (stat && Date.now() - stat.mtimeMs > 60_000) remove(file)
  }
}

function touch(lock: string): void {
  try {
    fs.utimesSync(lock, new Date(), new Date())
  } catch {
    // Taken over: isHeld() tells.
  }
}

function remove(file: string): void {
  fs.rmSync(file, { force: true, maxRetries: 5 })
}

function busy(file: string, holder: Holder | undefined): RecollectError {
  const who = holder?.pid ? `process ${holder.pid} on ${holder.host}` : 'another process'
  return new RecollectError(
    'WRITE_ERROR',
    `${file} is being written by ${who}.`,
    'Nothing was changed. Try again in a moment.',
  )
}

function isCode(error: unknown, code: string): boolean {
  return (error as NodeJS.ErrnoException).code === code
}
