import { once } from 'node:events'
import os from 'node:os'
import { Worker } from 'node:worker_threads'
import type { WordField } from '../archive/archive.ts'
import { RecollectError } from '../model/errors.ts'
import type { Held } from '../model/tool-text.ts'
import { codeBeside } from '../platform/code-beside.ts'

export interface Pattern {
  source: string
  flags: string
}

export type Asked =
  | { pattern: Pattern; chats: number[]; fields: WordField[] }
  | { pattern: Pattern; texts: string[] }
  | { ends: true }

/** A chat in which a pattern may match, and in what; and whether it does match that as it was said. */
export interface Found {
  chat: number
  held: { held: Held; matches: boolean }[]
}

export type Marks = [start: number, end: number][]

/** Threads that look through an archive. Kept for a while after their use: starting one takes longer than a search. */
export interface RegexThreads {
  count: number
  /** When the time is up. */
  until: number
  find(thread: number, pattern: Pattern, chats: number[], fields: WordField[]): Promise<Found[] | undefined>
  marks(pattern: Pattern, texts: string[]): Promise<Marks[] | undefined>
  end(): Promise<void>
}

const MOST = 2
const KEPT_MS = 15_000
const idle = new Map<Worker, { folder: string; timer: NodeJS.Timeout }>()

/**
 * Answers are undefined where they would come later than `limitMs` after the threads are there: starting them takes as long as
 * the machine is busy, which is not the pattern's time. They are not used again then.
 */
export async function regexThreads(folder: string, limitMs: number): Promise<RegexThreads> {
  const threads = Array.from({ length: Math.min(MOST, os.availableParallelism()) }, () => taken(folder))
  let isLate = false
  const ask = async <T>(thread: Worker, asked: Asked, by?: number): Promise<T | undefined> => {
    const signal = by === undefined ? undefined : AbortSignal.timeout(Math.max(1, by - Date.now()))
    thread.postMessage(asked)
    try {
      const [answer] = await once(thread, 'message', { signal })
      if (!answer.failed) return answer as T
      throw new RecollectError(answer.failed.code, answer.failed.message, answer.failed.hint)
    } catch (error) {
      isLate = true
      if ((error as Error).name === 'AbortError') return undefined
      throw error
    }
  }
  const rest = () => Promise.all(threads.map((thread) => ask(thread, { ends: true })))
  const endAll = () => Promise.all(threads.map((thread) => thread.terminate()))
  try {
    await rest()
  } catch (error) {
    await endAll()
    throw error
  }
  const until = Date.now() + limitMs
  return {
    count: threads.length,
    until,
    find: (thread, pattern, chats, fields) => ask(threads[thread]!, { pattern, chats, fields }, until),
    marks: (pattern, texts) => ask(threads[0]!, { pattern, texts }, until),
    async end() {
      if (!isLate) await rest()
      if (isLate) await endAll()
      else for (const thread of threads) keep(thread, folder)
    },
  }
}

function taken(folder: string): Worker {
  for (const [thread, { folder: of, timer }] of idle) {
    if (of !== folder) continue
    idle.delete(thread)
    clearTimeout(timer)
    thread.removeAllListeners('error')
    thread.ref()
    return thread
  }
  const code = codeBeside('regex-worker', import.meta.url)
  // What Node says there, as that its SQLite is experimental, is nothing for who searches; what fails is answered.
  return new Worker(code, { workerData: { folder }, stdout: true, stderr: true })
}

function keep(thread: Worker, folder: string): void {
  const timer = setTimeout(() => {
    idle.delete(thread)
    void thread.terminate()
  }, KEPT_MS)
  timer.unref()
  thread.unref()
  thread.on('error', () => idle.delete(thread))
  idle.set(thread, { folder, timer })
}
