import { randomUUID } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import { promisify } from 'node:util'
import { RecollectError } from '../model/errors.ts'
import { fileFailure } from '../platform/change-file.ts'
import { type FileLock, isLocked, lockFile, lockFileSync, removeLeftLocks } from '../platform/lock.ts'
import { packageVersion } from '../platform/package-root.ts'
import { removeLeftParts, removeParts } from '../platform/parts.ts'
import { writeAll } from '../platform/write-all.ts'
import { AGENT_SOURCE, RUN_ID, runFile, runIdIn, runsFolder } from '../sources/recollect-agent/place.ts'
import { type EventOf, type NewEvent, type RunEvent, runEvent } from './run-event.ts'

const FORMAT = 1
/** Runs that hold more are not gone on with: a new dialog is cheaper than sending all of it again. */
const MOST_BYTES = 64 * 1024 * 1024

/** The id meant by it or by a unique beginning of it. */
export function runId(folder: string, reference: string): string {
  const id = reference.replace(`${AGENT_SOURCE}:`, '').toLowerCase()
  if (RUN_ID.test(id) && fs.existsSync(runFile(folder, id))) return id
  const begun = /^[0-9a-f-]{4,36}$/.test(id) ? runIds(folder).filter((each) => each.startsWith(id)) : []
  if (begun.length === 1) return begun[0]!
  if (begun.length > 1) {
    throw new RecollectError('AMBIGUOUS_ID', `${begun.length} chats start with ${id}.`, 'Give more of it.', {
      candidates: begun.slice(0, 20),
    })
  }
  throw new RecollectError(
    'SESSION_NOT_FOUND',
    `Session not found: ${reference}`,
    '`recollect list --source recollect-agent` shows the chats with the agent.',
  )
}

export function runIds(folder: string): string[] {
  try {
    return fs.readdirSync(runsFolder(folder)).flatMap((name) => runIdIn(name) ?? [])
  } catch {
    return []
  }
}

/** Everything that was written down; what cannot be understood is left out. */
export function readRun(folder: string, id: string): RunEvent[] {
  const file = runFile(folder, id)
  if (fs.statSync(file).size > MOST_BYTES) {
    throw new RecollectError(
      'SESSION_TOO_LONG',
      `The chat ${id} is too long to continue.`,
      'Begin a new one.',
    )
  }
  return eventsIn(fs.readFileSync(file, 'utf8'))
}

export function eventsIn(text: string): RunEvent[] {
  return text.split('\n').flatMap((line) => {
    if (line === '') return []
    try {
      const event = runEvent.safeParse(JSON.parse(line))
      return event.success ? [event.data] : []
    } catch {
      return []
    }
  })
}

/** Whether a process is writing to it. */
export function isRunning(folder: string, id: string): boolean {
  return isLocked(runFile(folder, id))
}

export function eraseRun(folder: string, id: string): void {
  if (isRunning(folder, id)) throw busy(id)
  fs.rmSync(runFile(folder, id), { force: true })
  removeLeftLocks(runsFolder(folder))
}

const waiting = new Map<string, Set<() => void>>()

/** Resolves when this process writes to a dialog, or lets go of it. */
export function onAppended(id: string): { promise: Promise<void>; forget(): void } {
  const { promise, resolve } = Promise.withResolvers<void>()
  const listeners = waiting.get(id) ?? new Set()
  waiting.set(id, listeners.add(resolve))
  return {
    promise,
    forget() {
      listeners.delete(resolve)
      if (listeners.size === 0 && waiting.get(id) === listeners) waiting.delete(id)
    },
  }
}

function tellWaiting(id: string): void {
  for (const resolve of waiting.get(id) ?? []) resolve()
}

/** A dialog that this process writes to. Nobody else does meanwhile. */
export class RunLog {
  readonly id: string
  readonly events: RunEvent[]
  readonly #file: string
  readonly #fd: number
  readonly #lock: FileLock
  #isHalf = false

  constructor(file: string, events: RunEvent[], fd: number, lock: FileLock) {
    this.id = runIdIn(path.basename(file)) ?? ''
    this.events = events
    this.#file = file
    this.#fd = fd
    this.#lock = lock
  }

  /** A new one that begins as another did, up to one of its requests. That one stays as it is. */
  static fork(folder: string, workspace: string, from: string, requestId: string): RunLog {
    const events = readRun(folder, from)
    const at = events.findIndex((event) => event.type === 'request' && event.id === requestId)
    if (at < 0)
      throw new RecollectError(
        'MESSAGE_NOT_FOUND',
        `The chat ${from} has no request ${requestId}.`,
        'GET /api/v1/sessions/{id} lists them.',
      )
    const log = RunLog.begin(folder, workspace, from)
    // Approvals are signed for their own dialog; what they led to is told by the results.
    for (const event of events.slice(0, at))
      if (!/^(?:session|piece|approval|decision)$/.test(event.type)) log.append(event)
    return log
  }

  static begin(folder: string, workspace: string, forkOf?: string): RunLog {
    fs.mkdirSync(runsFolder(folder), { recursive: true, mode: 0o700 })
    tidy(runsFolder(folder))
    const id = randomUUID()
    const file = runFile(folder, id)
    const lock = lockFileSync(file, { patience: 0 })
    let fd: number | undefined
    try {
      fd = fs.openSync(file, 'ax', 0o600)
      const log = new RunLog(file, [], fd, lock)
      log.append({ type: 'session', id, format: FORMAT, version: packageVersion(), workspace, forkOf })
      return log
    } catch (error) {
      // Nothing was said yet: no half dialog stays.
      if (fd !== undefined) fs.closeSync(fd)
      removeParts(file)
      release(lock)
      throw error
    }
  }

  /** Opens one that is there; waits a moment where another process writes to it. */
  static async open(folder: string, id: string, patienceMs = 1_000): Promise<RunLog> {
    const file = runFile(folder, id)
    tidy(runsFolder(folder))
    const lock = await lockFile(file, { patience: patienceMs, sparesSilent: true }).catch(
      (error: unknown) => {
        throw isLocked(file) ? busy(id) : error
      },
    )
    try {
      const fd = fs.openSync(file, 'a+', 0o600)
      endLine(fd)
      return new RunLog(file, readRun(folder, id), fd, lock)
    } catch (error) {
      release(lock)
      throw error
    }
  }

  /** It is with the system when this returns: the end of this process does not lose it. */
  append<E extends NewEvent>(event: E): EventOf<E['type']> {
    const written = { at: Date.now(), ...event } as unknown as EventOf<E['type']>
    try {
      // After a line that could not be written whole the next one begins anew.
      writeAll(this.#fd, `${this.#isHalf ? '\n' : ''}${JSON.stringify(written)}\n`)
      this.#isHalf = false
    } catch (error) {
      this.#isHalf = true
      throw fileFailure(error, 'WRITE_ERROR', this.#file)
    }
    if (written.type !== 'piece') this.events.push(written)
    tellWaiting(this.id)
    return written
  }

  /** It is on the disk when this returns: the end of the machine does not lose it. */
  async flush(): Promise<void> {
    await promisify(fs.fdatasync)(this.#fd)
  }

  close(): void {
    fs.closeSync(this.#fd)
    release(this.#lock)
    tellWaiting(this.id)
  }
}

/** Those that this process could not let go of: a disk that failed. */
const unreleased = new Set<FileLock>()

function release(lock: FileLock): void {
  try {
    lock.release()
    unreleased.delete(lock)
  } catch {
    unreleased.add(lock)
  }
}

/** What a process that was killed, or a disk that failed, left there. */
function tidy(folder: string): void {
  removeLeftParts(folder)
  for (const lock of unreleased) release(lock)
  removeLeftLocks(folder)
}

function busy(id: string): RecollectError {
  return new RecollectError(
    'SESSION_BUSY',
    `The chat ${id} is being answered already.`,
    'Wait for its end, or begin another one.',
  )
}

/** A process that was killed may have left half a line. */
function endLine(fd: number): void {
  const { size } = fs.fstatSync(fd)
  const last = Buffer.alloc(1)
  if (size > 0 && fs.readSync(fd, last, 0, 1, size - 1) === 1 && last[0] !== 10) fs.writeSync(fd, '\n')
}
