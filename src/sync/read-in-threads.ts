import { availableParallelism } from 'node:os'
import { setImmediate } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import type { Archive } from '../archive/archive.ts'
import { codeBeside } from '../platform/code-beside.ts'
import { log } from '../platform/log.ts'
import { sendable } from '../platform/machine.ts'
import type { Job } from './job.ts'
import type { Delivery, GoOn, Order } from './reader-thread.ts'

/**
 * Units are given out in lots of so many bytes or files: what one thread reads at a time, and what is written at a time. The first are
 * smaller, so that something is there soon; with larger ones fewer words are merged at the end.
 */
const FIRST_LOTS = { count: 6, bytes: 2_000_000, units: 100 }
const LOT = { bytes: 8_000_000, units: 400 }
/** A thread has one lot more to go on with while its last one is being written. */
const LOTS_AHEAD = 2
/** Reading takes about as much as writing, so that more would wait for the writer. */
const MOST_THREADS = 2
/** While a thread is waited for, it is asked so often whether something else is to be done. */
const ASK_AGAIN_MS = 50
/** Young objects of a thread that reads, three times the room that is filled at a time: with more, more memory would be taken and no time gained. */
const YOUNG_MB = 12

/** What a thread made ready of some jobs; without a delivery they are left to whoever asked, as the thread died. */
export interface Lot {
  jobs: Job[]
  delivery?: Delivery
}

export interface ThreadOptions {
  archive: Archive
  /** Done, a little at a time and again and again, while what is to be written is not ready; says whether more is left. */
  meanwhile: () => Promise<boolean>
}

/** How many threads may read beside the one that writes. */
export function threadsToRead(): number {
  return Math.min(MOST_THREADS, availableParallelism() - 1)
}

/** Threads that load their code, and what they will be given to read. */
export interface Readers {
  lots: GivenLot[]
  readers: Reader[]
}

/** Threads take as long to start as many files to read: they are started while something else is done. */
export function startReaders(jobs: Job[], threads: number): Readers {
  const lots = lotsOf(jobs)
  return { lots, readers: Array.from({ length: Math.min(threads, lots.length) }, () => new Reader()) }
}

/** Whether or not `readInThreads` has come to its end. */
export async function endReaders({ readers }: Readers): Promise<void> {
  await Promise.all(readers.map((reader) => reader.end()))
}

/**
 * Reads jobs in threads, several files at once, and tells what they made ready in the order of the jobs: what is
 * written is the same whatever the number of threads. No thread gets far ahead of the writer, which bounds the memory.
 */
export async function* readInThreads(
  { lots, readers }: Readers,
  { archive, meanwhile }: ThreadOptions,
): AsyncGenerator<Lot> {
  let given = 0
  const give = async (reader: Reader): Promise<void> => {
    const order = given++
    const lot = lots[order]
    if (!lot) return
    lot.reader = reader
    const machines = [...new Set(lot.jobs.map(({ machine }) => machine))]
    const units = await Promise.all(
      lot.jobs.map(async ({ source, unit, machine }) => ({
        source: source.id,
        unit,
        known: await archive.knownUnit(source.id, unit.path),
        machine: machines.indexOf(machine),
      })),
    )
    reader.send({ order, units, machines: machines.map(sendable) })
  }
  for (let n = 0; n < LOTS_AHEAD; n++) for (const reader of readers) await give(reader)
  for (const [order, lot] of lots.entries()) {
    const reader = lot.reader!
    for (;;) {
      const delivery = await reader.next(order, meanwhile)
      if (!delivery || delivery.isLast) await give(reader)
      yield { jobs: lot.jobs, delivery }
      // Now that it is written, its memory is that of the next.
      if (delivery) reader.send('go on')
      if (!delivery || delivery.isLast) break
    }
    lot.jobs = []
  }
}

/** One thread, and what it delivered. */
class Reader {
  readonly #worker: Worker
  readonly #delivered: Delivery[] = []
  #hasDied = false
  #wake = () => {}

  constructor() {
    this.#worker = new Worker(codeBeside('reader-worker', import.meta.url), {
      resourceLimits: { maxYoungGenerationSizeMb: YOUNG_MB },
      // A thread's output goes through ours: nothing of it may reach stdout.
      stdout: true,
      stderr: true,
    })
    this.#worker.unref()
    this.#worker.on('message', (delivery: Delivery) => {
      this.#delivered.push(delivery)
      this.#wake()
    })
    // Whatever it died of, memory for one: its units are read without it, and what is wrong with one of them is said then.
    this.#worker.on('error', (error) => {
      log('debug', `a thread that reads ended: ${error.message}`)
      this.#die()
    })
    this.#worker.on('exit', () => this.#die())
  }

  send(message: Order | GoOn): void {
    if (!this.#hasDied) this.#worker.postMessage(message)
  }

  /** The next delivery of an order; nothing if the thread died before it. */
  async next(order: number, meanwhile: () => Promise<boolean>): Promise<Delivery | undefined> {
    while (this.#delivered[0]?.order !== order) {
      if (this.#hasDied) return undefined
      const isMore = await meanwhile()
      // What was delivered meanwhile is heard of.
      await setImmediate()
      if (isMore || this.#hasDied || this.#delivered.length > 0) continue
      const { promise, resolve } = Promise.withResolvers<void>()
      this.#wake = resolve
      // One that is waited for keeps the process alive.
      const asking = setTimeout(resolve, ASK_AGAIN_MS)
      await promise
      clearTimeout(asking)
    }
    return this.#delivered.shift()
  }

  async end(): Promise<void> {
    await this.#worker.terminate()
  }

  #die(): void {
    this.#hasDied = true
    this.#wake()
  }
}

interface GivenLot {
  jobs: Job[]
  reader?: Reader
}

function lotsOf(jobs: Job[]): GivenLot[] {
  const lots: GivenLot[] = []
  let bytes = Number.POSITIVE_INFINITY
  for (const job of jobs) {
    const most = lots.length <= FIRST_LOTS.count ? FIRST_LOTS : LOT
    if (bytes >= most.bytes || lots.at(-1)!.jobs.length >= most.units) {
      lots.push({ jobs: [] })
      bytes = 0
    }
    lots.at(-1)!.jobs.push(job)
    bytes += job.unit.stat.size
  }
  return lots
}
