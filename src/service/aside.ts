import type { Machine } from '../platform/machine.ts'
import type { BackgroundState } from '../sync/background.ts'
import type { Service } from './answering.ts'
import { type Stop, stopOf } from './aside-stop.ts'
import { AsideThread, ending } from './aside-thread.ts'
import type { Aside, Download, Order, Task } from './aside-words.ts'
import type { Caller } from './caller.ts'
import { failureOf, orThrow } from './failure.ts'

export interface AsidePlan extends Pick<Service, 'readable'> {
  folder(): Promise<string>
  /** Where it is known, a thread finds out what is read: the assistants' formats are not loaded here for that. */
  machine?(): Promise<Machine>
  syncing(): BackgroundState | undefined
  keptMs?: number
  limitMs?: number
  /** What a thread runs. */
  code?: URL
}

/** Calls that compute have a thread for themselves, which can be ended; those that mostly wait share one more. */
const MOST = 2
/** Starting a thread takes longer than most of the calls. */
const KEPT_MS = 15_000
const LIMIT_MS = 180_000

export function asideFor(plan: AsidePlan): Aside {
  const { keptMs = KEPT_MS, limitMs = LIMIT_MS } = plan
  const free: AsideThread[] = []
  const busy = new Set<AsideThread>()
  const waiting: { take(thread: AsideThread): void; refuse(error: unknown): void }[] = []
  let shared: AsideThread | undefined
  let isClosed = false

  const everyone = () => [...free, ...busy, ...(shared ? [shared] : [])]
  const started = (): AsideThread => new AsideThread(keptMs, plan.code)
  const taken = async (stop: Stop): Promise<AsideThread> => {
    const known = nextFree()
    if (known) return known
    const { promise, resolve, reject } = Promise.withResolvers<AsideThread>()
    const place = { take: resolve, refuse: reject }
    waiting.push(place)
    stop.signal.addEventListener('abort', () => {
      const at = waiting.indexOf(place)
      if (at >= 0) waiting.splice(at, 1)
      reject(stop.signal.reason)
    })
    return await promise
  }
  const nextFree = (): AsideThread | undefined => {
    let thread = free.pop()
    while (thread?.isGone) thread = free.pop()
    if (!thread && busy.size < MOST) thread = started()
    if (thread) busy.add(thread)
    return thread
  }
  const back = (thread: AsideThread): void => {
    busy.delete(thread)
    if (!thread.isGone) free.push(thread)
    if (waiting.length === 0) return
    const next = nextFree()
    if (next) waiting.shift()!.take(next)
  }
  const sharedOne = (): AsideThread => {
    if (!shared || shared.isGone) shared = started()
    return shared
  }
  const orderOf = async (task: Task, { progress: _, signal: __, ...caller }: Caller): Promise<Order> => {
    const { sources, machine } = plan.machine
      ? { sources: undefined, machine: await plan.machine() }
      : await plan.readable()
    return {
      folder: await plan.folder(),
      sources: sources?.map(({ id }) => id),
      // `process.env` is no plain object.
      machine: { ...machine, env: { ...machine.env } },
      syncing: plan.syncing(),
      task,
      caller,
    }
  }
  const guarded = async <T>(caller: Caller, limit: number | undefined, work: (stop: Stop) => Promise<T>) => {
    const stop = stopOf(caller.signal, limit)
    try {
      if (isClosed) throw ending()
      stop.signal.throwIfAborted()
      return await work(stop)
    } catch (error) {
      stop.over()
      return orThrow<T>({ failure: failureOf(error, caller) })
    }
  }
  return {
    run: (task, caller) =>
      guarded(caller, limitMs, async (stop) => {
        const order = await orderOf(task, caller)
        const thread = task.isWaiting ? sharedOne() : await taken(stop)
        try {
          const asked = { progress: caller.progress, isAlone: !task.isWaiting }
          return orThrow(await thread.ask(order, stop.signal, asked))
        } finally {
          stop.over()
          if (!task.isWaiting) back(thread)
        }
      }),
    // Whoever reads it may take as long as they like.
    download: (input, caller) =>
      guarded(caller, undefined, async (stop) => {
        const order = await orderOf({ kind: 'download', input }, caller)
        return await downloaded(sharedOne(), order, stop)
      }),
    threads: () => everyone().filter(({ isGone }) => !isGone).length,
    async close() {
      isClosed = true
      for (const { refuse } of waiting.splice(0)) refuse(ending())
      await Promise.all(everyone().map((thread) => thread.end()))
    },
  }
}

/** Pieces are made one at a time, as they are asked for. */
async function downloaded(thread: AsideThread, order: Order, stop: Stop): Promise<Download> {
  const letGo = thread.hold()
  const over = (number?: number) => {
    if (number !== undefined) thread.send({ dropped: number })
    letGo()
    stop.over()
  }
  try {
    const begun = orThrow(await thread.ask(order, stop.signal)) as { extension: string; number: number }
    return { extension: begun.extension, pieces: pieces(begun.number) }
  } catch (error) {
    over()
    throw error
  }
  async function* pieces(number: number): AsyncGenerator<string> {
    try {
      for (;;) {
        const asked = { ...order, task: { kind: 'piece' as const, number } }
        const piece = orThrow(await thread.ask(asked, stop.signal))
        if (piece === undefined) return
        yield piece as string
      }
    } finally {
      over(number)
    }
  }
}
