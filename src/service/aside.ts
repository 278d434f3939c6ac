import { type Machine, sendable } from '../platform/machine.ts'
import type { BackgroundState } from '../sync/background.ts'
import type { Service } from './answering.ts'
import { AsideHelper, ending } from './aside-helper.ts'
import { type Stop, stopOf } from './aside-stop.ts'
import type { Aside, Download, Order, Task } from './aside-words.ts'
import type { Caller } from './caller.ts'
import { failureOf, orThrow } from './failure.ts'

export interface AsidePlan extends Pick<Service, 'readable'> {
  folder(): Promise<string>
  /** Where it is known, a helper finds out what is read: the assistants' formats are not loaded here for that. */
  machine?(): Promise<Machine>
  syncing(): BackgroundState | undefined
  keptMs?: number
  limitMs?: number
  /** What a helper runs, and where. */
  code?: URL
  isProcess?: boolean
}

/** Calls that compute have a helper for themselves, which can be ended; those that mostly wait share one more. */
const MOST = 2
/** Starting one takes longer than most of the calls. */
const KEPT_MS = 15_000
const LIMIT_MS = 180_000

export function asideFor(plan: AsidePlan): Aside {
  const { keptMs = KEPT_MS, limitMs = LIMIT_MS } = plan
  const free: AsideHelper[] = []
  const busy = new Set<AsideHelper>()
  const waiting: { take(helper: AsideHelper): void; refuse(error: unknown): void }[] = []
  let shared: AsideHelper | undefined
  let isClosed = false

  const everyone = () => [...free, ...busy, ...(shared ? [shared] : [])]
  const started = (): AsideHelper => new AsideHelper(keptMs, plan)
  const taken = async (stop: Stop): Promise<AsideHelper> => {
    const known = nextFree()
    if (known) return known
    const { promise, resolve, reject } = Promise.withResolvers<AsideHelper>()
    const place = { take: resolve, refuse: reject }
    waiting.push(place)
    stop.signal.addEventListener('abort', () => {
      const at = waiting.indexOf(place)
      if (at >= 0) waiting.splice(at, 1)
      reject(stop.signal.reason)
    })
    return await promise
  }
  const nextFree = (): AsideHelper | undefined => {
    let helper = free.pop()
    while (helper?.isGone) helper = free.pop()
    if (!helper && busy.size < MOST) helper = started()
    if (helper) busy.add(helper)
    return helper
  }
  const back = (helper: AsideHelper): void => {
    busy.delete(helper)
    if (!helper.isGone) free.push(helper)
    if (waiting.length === 0) return
    const next = nextFree()
    if (next) waiting.shift()!.take(next)
  }
  const sharedOne = (): AsideHelper => {
    if (!shared || shared.isGone) shared = started()
    return shared
  }
  const orderOf = async (task: Task, { progress: _, signal: __, ...caller }: Caller): Promise<Order> => {
    const { sources, machine, homes } = plan.machine
      ? { machine: await plan.machine() }
      : await plan.readable()
    return {
      folder: await plan.folder(),
      sources: sources?.map(({ id }) => id),
      machine: sendable(machine),
      homes: homes?.map(sendable),
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
        const helper = task.isWaiting ? sharedOne() : await taken(stop)
        try {
          const asked = { progress: caller.progress, isAlone: !task.isWaiting }
          return orThrow(await helper.ask(order, stop.signal, asked))
        } finally {
          stop.over()
          if (!task.isWaiting) back(helper)
        }
      }),
    // Whoever reads it may take as long as they like.
    download: (input, caller) =>
      guarded(caller, undefined, async (stop) => {
        const order = await orderOf({ kind: 'download', input }, caller)
        return await downloaded(sharedOne(), order, stop)
      }),
    helpers: () => everyone().filter(({ isGone }) => !isGone).length,
    async close() {
      isClosed = true
      for (const { refuse } of waiting.splice(0)) refuse(ending())
      await Promise.all(everyone().map((helper) => helper.end()))
    },
  }
}

/** Pieces are made one at a time, as they are asked for. */
async function downloaded(helper: AsideHelper, order: Order, stop: Stop): Promise<Download> {
  const letGo = helper.hold()
  const over = (number?: number) => {
    if (number !== undefined) helper.send({ dropped: number })
    letGo()
    stop.over()
  }
  try {
    const begun = orThrow(await helper.ask(order, stop.signal)) as { extension: string; number: number }
    return { extension: begun.extension, pieces: pieces(begun.number) }
  } catch (error) {
    over()
    throw error
  }
  async function* pieces(number: number): AsyncGenerator<string> {
    try {
      for (;;) {
        const asked = { ...order, task: { kind: 'piece' as const, number } }
        const piece = orThrow(await helper.ask(asked, stop.signal))
        if (piece === undefined) return
        yield piece as string
      }
    } finally {
      over(number)
    }
  }
}
