import type { ChildProcess } from 'node:child_process'
import module from 'node:module'
import path from 'node:path'
import { Worker } from 'node:worker_threads'
import { log } from './log.ts'

/** A process or a thread that was started; its own end of the line is `beside-line.ts`. */
export interface Beside<Told> {
  send(message: Told): void
  /** This process does not end before it. */
  ref(): void
  unref(): void
  kill(): void
}

export interface Hearing<Heard> {
  heard(message: Heard): void
  /** Once, when it is gone; `isFull`: for want of memory. */
  over(why: Error, isFull: boolean): void
}

interface BesideOptions {
  isProcess?: boolean
  /** Of V8, for a process; a thread has those of the process that it is in. */
  flags: readonly string[]
  /** For a thread, where that of a process sets flags, which would be those of everyone in this one. */
  threadCode?: URL
  /** Room for new objects, for a thread. */
  youngMB?: number
}

/** Of a process that aborts itself, as V8 does without memory, where there are no signals. */
const ABORTED = 134

let hasFailed = false

/**
 * Whether a process may be started, all of whose memory goes back when it ends: threads leave much of theirs with the allocator. In
 * Electron it would be the whole application once more, and under Node's permissions another process would have none of them.
 */
export function mayStartProcess(): boolean {
  return !process.versions.electron && !process.permission && !hasFailed
}

/** Runs code beside what this process does: in a process where that may be, else in a thread. */
export function startBeside<Told, Heard>(
  code: URL,
  hearing: Hearing<Heard>,
  { isProcess = true, flags, threadCode = code, youngMB }: BesideOptions,
): Beside<Told> {
  const child = isProcess && mayStartProcess() && inProcess<Told, Heard>(code, hearing, flags)
  return child || inThread(threadCode, hearing, youngMB)
}

/** Nothing where the system does not let it. */
function inProcess<Told, Heard>(
  code: URL,
  { heard, over }: Hearing<Heard>,
  flags: readonly string[],
): Beside<Told> | undefined {
  let why: string | undefined
  const child = forked(code, flags)
  if (!child) return undefined
  child.on('message', (said: (Heard & object) | { died: string }) => {
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
    send: (message) => void child.send(message as object, () => {}),
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

function forked(code: URL, flags: readonly string[]): ChildProcess | undefined {
  const failed = (error: unknown) => {
    if (!hasFailed) log('warn', `long work is done by threads, as no process can be started: ${error}`)
    hasFailed = true
  }
  // Compiled code is kept where this process does so; Node has a folder in there for each set of V8's flags.
  const compiled = module.getCompileCacheDir()
  try {
    // Loaded when one is started: most who may never do.
    const child = process.getBuiltinModule('node:child_process').fork(code, {
      serialization: 'advanced',
      // Nothing of it may reach stdout, and what Node 22 says of its SQLite nobody; what fails is answered.
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
      execArgv: [...flags],
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

function inThread<Told, Heard>(
  code: URL,
  { heard, over }: Hearing<Heard>,
  youngMB: number | undefined,
): Beside<Told> {
  let why: NodeJS.ErrnoException | undefined
  const thread = new Worker(code, {
    // A thread's output goes through ours: nothing of it may reach stdout.
    stdout: true,
    stderr: true,
    ...(youngMB !== undefined && { resourceLimits: { maxYoungGenerationSizeMb: youngMB } }),
  })
  thread.on('message', heard)
  thread.on('error', (error: Error) => {
    why = error
  })
  thread.once('exit', (code) =>
    over(why ?? new Error(`the thread ended (${code})`), why?.code === 'ERR_WORKER_OUT_OF_MEMORY'),
  )
  return {
    send: (message) => thread.postMessage(message),
    ref: () => thread.ref(),
    unref: () => thread.unref(),
    kill: () => void thread.terminate(),
  }
}
