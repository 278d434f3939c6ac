import { Worker } from 'node:worker_threads'
import { type OtherSync, syncedBy } from '../archive/sqlite/lease-sign.ts'
import { codeBeside } from '../platform/code-beside.ts'
import { type Machine, sendable } from '../platform/machine.ts'

/** What is to be kept in step, in words that can be sent to a thread. */
export interface BackgroundOptions {
  /** The archive's folder. */
  folder: string
  machine: Machine
  /** Ids of the sources to read, and the added homes; without them, as the archive is configured: the thread finds out. */
  sources?: string[]
  homes?: Machine[]
}

/** How the syncing behind stands. */
export type BackgroundState =
  | { state: 'starting' }
  | { state: 'reading'; done: number; total: number }
  /** All that is on disk is in the archive. */
  | { state: 'in step' }
  /** Another process keeps it up to date. */
  | { state: 'in step'; by: number }
  | { state: 'failed'; reason: string }

export interface Background {
  readonly state: BackgroundState
  stop(): Promise<void>
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
 * files. A thread that dies, of memory for one, is started again. Where another process keeps it in step there is no
 * thread: it would only wait, and take 20 MB for that. Ends with the process.
 */
export function syncInBackground(
  options: BackgroundOptions,
  onError: (reason: string) => void,
  {
    code = codeBeside('background-worker', import.meta.url),
    firstMs = RESTART_MS.first,
  }: { code?: URL; firstMs?: number } = {},
): Background {
  let state: BackgroundState = { state: 'starting' }
  let wait = firstMs
  let worker: Worker | undefined
  let restarting: NodeJS.Timeout | undefined
  /** Who does it instead, once the thread has ended. */
  let other: OtherSync | undefined
  let isStopped = false
  let ended = Promise.resolve()

  const fail = (reason: string): void => {
    if (state.state !== 'failed') onError(reason)
    state = { state: 'failed', reason }
  }
  const later = (work: () => void, ms: number): void => {
    restarting = setTimeout(work, ms).unref()
  }
  const start = (): void => {
    const startedAt = Date.now()
    const thread = threadOf(code, options)
    worker = thread
    thread.on('message', (told: BackgroundState) => {
      if (told.state === 'failed') fail(told.reason)
      else state = told
      // It waits for another process, which came first.
      if ('by' in told && !isStopped) other = syncedBy(options.folder)
      if (other) thread.postMessage('stop')
    })
    thread.on('error', (error) => fail(error.message))
    ended = new Promise<void>((resolve) =>
      thread.once('exit', (exitCode) => {
        resolve()
        if (isStopped) return
        if (other) return waitFor(other)
        if (state.state !== 'failed') fail(`the syncing thread ended (${exitCode})`)
        if (Date.now() - startedAt > SOUND_MS) wait = firstMs
        later(start, wait)
        wait = Math.min(wait * 2, RESTART_MS.last)
      }),
    )
  }
  const waitFor = (known: OtherSync): void => {
    other = undefined
    state = { state: 'in step', by: known.pid }
    const look = () => (known.isThere() ? later(look, LOOK_MS) : begin())
    later(look, LOOK_MS)
  }
  const begin = (): void => {
    const known = syncedBy(options.folder)
    if (known) waitFor(known)
    else start()
  }
  begin()
  return {
    get state() {
      return state
    },
    async stop() {
      isStopped = true
      clearTimeout(restarting)
      worker?.postMessage('stop')
      const patience = setTimeout(() => void worker?.terminate(), STOP_MS)
      await ended
      clearTimeout(patience)
    },
  }
}

function threadOf(code: URL, options: BackgroundOptions): Worker {
  const { machine, homes } = options
  const worker = new Worker(code, {
    workerData: { ...options, machine: sendable(machine), homes: homes?.map(sendable) },
    // A thread's output goes through ours: nothing of it may reach stdout.
    stdout: true,
    stderr: true,
  })
  worker.unref()
  return worker
}
