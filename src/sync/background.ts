import { hasChats, type OtherSync, syncedBy } from '../archive/sqlite/lease-sign.ts'
import { type Beside, mayStartProcess, startBeside } from '../platform/beside.ts'
import { codeBeside } from '../platform/code-beside.ts'
import { type Machine, sendable } from '../platform/machine.ts'
import type { Left } from './watch.ts'

/** What is to be kept in step, in words that can be sent to a thread. */
export interface BackgroundOptions {
  /** The archive's folder. */
  folder: string
  machine: Machine
  /** Ids of the sources to read, and the added homes; without them, as the archive is configured: the thread finds out. */
  sources?: string[]
  homes?: Machine[]
}

/** What a thread or process is told to do: all of it, or its part. */
export interface BackgroundOrder extends BackgroundOptions {
  part?: Part
}

/** A thread keeps in step what changes now and then; a process does what is much, and ends. */
type Part = 'little' | 'much'

/** How the syncing behind stands. */
export type BackgroundState =
  | { state: 'starting' }
  | { state: 'reading'; done: number; total: number }
  /** All that is on disk is in the archive. */
  | { state: 'in step' }
  /** Another process keeps it up to date. */
  | { state: 'in step'; by: number }
  | { state: 'failed'; reason: string }

/** What a thread or process says: how it stands, and at its end what is left. */
export type BackgroundNews = BackgroundState | { left: Left }

export interface Background {
  readonly state: BackgroundState
  stop(): Promise<void>
}

interface Tuning {
  code?: URL
  processCode?: URL
  firstMs?: number
}

const STOP_MS = 2_000
/** A thread that died is started again after so long, twice as long each time, up to the last. */
const RESTART_MS = { first: 1_000, last: 60_000 }
/** One that lived for so long had started well: the next start does not wait longer. */
const SOUND_MS = 120_000
/** How often it is looked whether another process that keeps the archive in step still does. */
const LOOK_MS = 500

/**
 * Keeps the archive in step in a thread of its own, so that answers do not wait for the reading of
 * files. Much to read, or to look through for secrets, is done by a process instead: a thread would leave tens of megabytes with the
 * allocator for as long as the server runs. What dies, of memory for one, is started again. Where another process keeps it in step there is no
 * thread: it would only wait, and take 20 MB for that. Ends with the process.
 */
export function syncInBackground(
  options: BackgroundOptions,
  onError: (reason: string) => void,
  {
    code = codeBeside('background-worker', import.meta.url),
    processCode = codeBeside('sync-process', import.meta.url),
    firstMs = RESTART_MS.first,
  }: Tuning = {},
): Background {
  let state: BackgroundState = { state: 'starting' }
  let wait = firstMs
  let beside: Beside<BackgroundOrder | 'stop'> | undefined
  let restarting: NodeJS.Timeout | undefined
  /** Who does it instead, once the thread has ended. */
  let other: OtherSync | undefined
  /** Much was done once: what a thread finds then is what could not be read, and would be left to one process after the other. */
  let wasMuch = false
  let isStopped = false
  let ended = Promise.resolve()

  const fail = (reason: string): void => {
    if (state.state !== 'failed') onError(reason)
    state = { state: 'failed', reason }
  }
  const later = (work: () => void, ms: number): void => {
    restarting = setTimeout(work, ms).unref()
  }
  const start = (part: Part | undefined): void => {
    const startedAt = Date.now()
    let left: Left | undefined
    const { promise, resolve } = Promise.withResolvers<void>()
    ended = promise
    const started = startBeside<BackgroundOrder | 'stop', BackgroundNews>(
      part === 'much' ? processCode : code,
      {
        heard(told) {
          if ('left' in told) left = told.left
          else if (told.state === 'failed') fail(told.reason)
          else state = told
          // It waits for another process, which came first.
          if ('by' in told && !isStopped) other = syncedBy(options.folder)
          if (other) started.send('stop')
        },
        over(why) {
          resolve()
          if (isStopped) return
          if (other) return waitFor(other)
          if (left) return begin(left === 'much')
          if (state.state !== 'failed') fail(why.message)
          if (Date.now() - startedAt > SOUND_MS) wait = firstMs
          later(() => start(part), wait)
          wait = Math.min(wait * 2, RESTART_MS.last)
        },
      },
      // The process sets flags of its own.
      { isProcess: part === 'much', flags: [], threadCode: code },
    )
    beside = started
    started.unref()
    const { machine, homes } = options
    started.send({ ...options, machine: sendable(machine), homes: homes?.map(sendable), part })
  }
  const waitFor = (known: OtherSync): void => {
    other = undefined
    state = { state: 'in step', by: known.pid }
    const look = () => (known.isThere() ? later(look, LOOK_MS) : begin(false))
    later(look, LOOK_MS)
  }
  const begin = (isMuch: boolean): void => {
    const known = syncedBy(options.folder)
    if (known) {
      waitFor(known)
      return
    }
    const part = isMuch ? 'much' : wasMuch ? undefined : 'little'
    wasMuch ||= isMuch
    // Without a process a thread does all of it.
    start(mayStartProcess() ? part : undefined)
  }
  begin(!hasChats(options.folder))
  return {
    get state() {
      return state
    },
    async stop() {
      isStopped = true
      clearTimeout(restarting)
      beside?.ref()
      beside?.send('stop')
      const patience = setTimeout(() => beside?.kill(), STOP_MS)
      await ended
      clearTimeout(patience)
    },
  }
}
