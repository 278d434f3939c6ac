import { Worker } from 'node:worker_threads'
import type { Machine } from '../platform/machine.ts'

/** What is to be kept in step, in words that can be sent to a thread. */
export interface BehindOptions {
  /** The archive's folder. */
  folder: string
  /** Ids of the sources to read. */
  sources: string[]
  machine: Machine
  homes: Machine[]
}

/** How the syncing behind stands. */
export type BehindState =
  | { state: 'starting' }
  | { state: 'reading'; done: number; total: number }
  /** All that is on disk is in the archive. */
  | { state: 'in step' }
  /** Another process keeps it in step. */
  | { state: 'in step'; by: number }
  | { state: 'failed'; reason: string }

export interface Behind {
  readonly state: BehindState
  stop(): Promise<void>
}

const STOP_MS = 2_000

/**
 * Keeps the archive in step in a thread of its own, so that answers do not wait for the reading of
 * files. Ends with the process.
 */
export function syncBehind(options: BehindOptions, onError: (reason: string) => void): Behind {
  // A bundle holds the thread's code beside this one.
  const code = new URL(
    import.meta.url.endsWith('.ts') ? './behind-worker.ts' : './behind-worker.js',
    import.meta.url,
  )
  const { machine, homes } = options
  const worker = new Worker(code, {
    workerData: { ...options, machine: sendable(machine), homes: homes.map(sendable) },
    // A thread's output goes through ours: nothing of it may reach stdout.
    stdout: true,
    stderr: true,
  })
  worker.unref()
  let state: BehindState = { state: 'starting' }
  worker.on('message', (told: BehindState) => {
    if (told.state === 'failed' && state.state !== 'failed') onError(told.reason)
    state = told
  })
  worker.on('error', (error) => {
    state = { state: 'failed', reason: error.message }
    onError(error.message)
  })
  const ended = new Promise<void>((resolve) => worker.once('exit', () => resolve()))
  return {
    get state() {
      return state
    },
    async stop() {
      worker.postMessage('stop')
      const patience = setTimeout(() => void worker.terminate(), STOP_MS)
      await ended
      clearTimeout(patience)
    },
  }
}

/** `process.env` is no plain object. */
function sendable({ platform, home, env }: Machine): Machine {
  return { platform, home, env: { ...env } }
}
