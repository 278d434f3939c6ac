import type { Archive } from '../archive/archive.ts'
import { openSqliteArchive } from '../archive/sqlite/index.ts'
import { capabilities } from '../capabilities/index.ts'
import { onTold, tell as say } from '../platform/beside-line.ts'
import { exit } from '../platform/exit.ts'
import { keepCompiled } from '../platform/kept-code.ts'
import { stepBack } from '../platform/step-back.ts'
import { refusalCode } from '../recall/refusal-code.ts'
import type { Service } from './answering.ts'
import type { Answered, CallAnswer, Order, ToHelper } from './aside-words.ts'
import type { Caller } from './caller.ts'
import { failureOf, orThrow } from './failure.ts'
import { type Reader, readerFor } from './reader.ts'
import { call } from './service.ts'

/** Runs beside, for `asideFor`: answers through the same gate, from a connection that only reads. */
stepBack('waitedFor')
const archives = new Map<string, Archive>()
const downloads = new Map<number, AsyncGenerator<string>>()
const running = new Map<number, AbortController>()
let lastDownload = 0
/** Who asks once mostly asks again at once. */
const ANSWERED_MS = 1_000
/** Between two words on how far it has come: there may be a thousand chats, and the server takes each word in. */
const BETWEEN_MS = 50

const tell = (answered: Answered) => say(answered)

onTold((told: ToHelper) => {
  if (told === 'end') void end()
  else if ('cancelled' in told) running.get(told.cancelled)?.abort()
  else if ('dropped' in told) void drop(told.dropped)
  else void answer(told.id, told.order)
})

async function answer(id: number, order: Order): Promise<void> {
  const stop = new AbortController()
  running.set(id, stop)
  let toldAt = 0
  const caller: Caller = {
    ...order.caller,
    signal: stop.signal,
    progress: (done, of) => {
      // Where work goes on piece by piece, it ends here when nobody wants it any more.
      stop.signal.throwIfAborted()
      if (done < of && performance.now() - toldAt < BETWEEN_MS) return
      toldAt = performance.now()
      tell({ id, progress: [done, of] })
    },
  }
  try {
    tell({ id, answer: await done(order, caller) })
    setTimeout(keepCompiled, ANSWERED_MS).unref()
  } catch (error) {
    tell({ id, failure: failureOf(error, caller) })
  } finally {
    running.delete(id)
  }
}

async function done(order: Order, caller: Caller): Promise<unknown> {
  const { task } = order
  if (task.kind === 'piece') return (await downloads.get(task.number)?.next())?.value
  const service = serviceOf(order)
  if (task.kind === 'call') {
    const answer = orThrow(await call(service, task.name, task.given, caller))
    return { answer, refusal: refusalCode(answer) } satisfies CallAnswer
  }
  const reader = readerFor(service, caller)
  if (task.kind === 'read') {
    const method = reader[task.method] as (...given: unknown[]) => Promise<unknown>
    return await method(...task.given)
  }
  const { extension, pieces } = await reader.download(task.input as Parameters<Reader['download']>[0])
  const number = ++lastDownload
  downloads.set(number, pieces)
  return { extension, number }
}

function serviceOf({ folder, sources: ids, machine, homes = [], syncing }: Order): Service {
  const archive = archives.get(folder) ?? openSqliteArchive(folder, { isReading: true })
  archives.set(folder, archive)
  return {
    archive,
    env: machine.env,
    machine: async () => machine,
    // The assistants' formats are loaded for who reads their files: sums and searches need none.
    readable: async () => {
      if (!ids) return (await import('../sync/readable.ts')).readableBy(folder, machine)
      const { sources } = await import('../sources/index.ts')
      return { sources: sources.filter(({ id }) => ids.includes(id)), machine, homes }
    },
    capabilities: async () => capabilities,
    syncing: () => syncing,
  }
}

async function drop(number: number): Promise<void> {
  const pieces = downloads.get(number)
  downloads.delete(number)
  await pieces?.return(undefined).catch(() => {})
}

async function end(): Promise<void> {
  for (const archive of archives.values()) await archive.close().catch(() => {})
  // What goes on is nobody's any more.
  await exit()
}
