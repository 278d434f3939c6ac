import { type ChildProcess, fork } from 'node:child_process'
import module from 'node:module'
import path from 'node:path'
import { Worker } from 'node:worker_threads'
import { LITTLE_MEMORY_FOR_A_WHILE } from '../platform/little-memory.ts'
import { log } from '../platform/log.ts'
import type { Answered, ToHelper } from './aside-words.ts'

/** A process or a thread that was started; its own end of the line is `aside-line.ts`. */
export interface Started {
  send(message: ToHelper): void
  /** This process does not end before it. */
  ref(): void
  unref(): void
  kill(): void
}

export interface Hearing {
  heard(answered: Answered): void
  /** Once, when it is gone; `isFull`: for want of memory. */
  over(why: Error, isFull: boolean): void
}

/** As `LITTLE_MEMORY` does it: what is new is cleaned up often. */
const LIMITS = { maxYoungGenerationSizeMb: 8 }
/** Of a process that aborts itself, as V8 does without memory, where there are no signals. */
const ABORTED = 134

/**
 * A process, all of whose memory goes back when it ends: threads leave much of theirs with the allocator. In Electron that
 * would be the whole application once more, and under Node's permissions another process would have none of them.
 */
const mayFork: boolean = !process.versions.electron && !process.permission
let hasFailed = false

export function start(code: URL, hearing: Hearing, isProcess = mayFork): Started {
  return (isProcess && !hasFailed && inProcess(code, hearing)) || inThread(code, hearing)
}

/** Nothing where the system does not let it. */
function inProcess(code: URL, { heard, over }: Hearing): Started | undefined {
  let why: string | undefined
  const child = forked(code)
  if (!child) return undefined
  child.on('message', (said: Answered | { died: string }) => {
    if ('died' in said) why = said.died
    else heard(said)
  })
  // Who is gone says so by its exit.
  child.on('error', () => {})
  child.once('exit', (code, signal) => {
    // A system ends who takes too much with the signal that `kill` sends: after that nobody waits for an answer.
    const isFull = signal === 'SIGABRT' || signal === 'SIGKILL' || code === ABORTED
    over(new Error(why ?? `the process ended (${signal ?? code})`), isFull)
  })
  return {
    send: (message) => void child.send(message, () => {}),
    ref() {
      child.ref()
      child.channel?.ref()
    },
    unref() {
      child.unref()
      child.channel?.unref()
    },
    kill: () => void child.kill('SIGKILL'),
  }
}

function forked(code: URL): ChildProcess | undefined {
  const failed = (error: unknown) => {
    if (!hasFailed) log('warn', `long calls are answered by threads, as no process can be started: ${error}`)
    hasFailed = true
  }
  // Compiled code is kept where this process does so; Node has a folder in there for each set of V8's flags.
  const compiled = module.getCompileCacheDir()
  try {
    const child = fork(code, {
      serialization: 'advanced',
      // Nothing of it may reach stdout, and what Node 22 says of its SQLite nobody; what fails is answered.
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
      execArgv: [...LITTLE_MEMORY_FOR_A_WHILE],
      env: { ...(compiled && { NODE_COMPILE_CACHE: path.dirname(compiled) }), ...process.env },
      windowsHide: true,
    })
    if (child.pid !== undefined) return child
    child.once('error', failed)
  } catch (error) {
    failed(error)
  }
  return undefined
}

function inThread(code: URL, { heard, over }: Hearing): Started {
  let why: NodeJS.ErrnoException = new Error('the thread ended')
  const thread = new Worker(code, { stdout: true, stderr: true, resourceLimits: LIMITS })
  thread.on('message', heard)
  thread.on('error', (error: Error) => {
    why = error
  })
  thread.once('exit', () => over(why, why.code === 'ERR_WORKER_OUT_OF_MEMORY'))
  return {
    send: (message) => thread.postMessage(message),
    ref: () => thread.ref(),
    unref: () => thread.unref(),
    kill: () => void thread.terminate(),
  }
}
