import { setImmediate } from 'node:timers/promises'
import type { Lease, WriteResult } from '../archive/archive.ts'
import type { Machine } from '../platform/machine.ts'
import type { Source } from '../sources/source.ts'
import { type Batch, batchesFromThreads, batchesOf, type IsLeft } from './batches.ts'
import { discover, existingRoots } from './discover.ts'
import { sizeIn, stampOf } from './fingerprint.ts'
import { glance } from './glance.ts'
import { type Job, MuchToDo, type SyncOptions } from './job.ts'
import { looked, type Trouble } from './look.ts'
import { takeOver } from './moved.ts'
import { noteRepositories } from './repositories.ts'
import { noteTroubles, type SourceTrouble } from './troubles.ts'
import { inTurn, mayOvertake, newestOf } from './turns.ts'
import type { Listing } from './watch-root.ts'

export { type Job, MuchToDo, type Progress, type SyncOptions } from './job.ts'

/** A sync with as much to read takes seconds: it is done in threads, and what was written last goes first. */
const LONG_BYTES = 12_000_000

/** Stamps of so many files are asked for one by one; of more, all of an assistant's. */
const FEW = 100

/** What was found below roots, by the names of source and root. */
type Listings = ReadonlyMap<string, Listing | undefined>

export interface SyncResult {
  /** Files that had changed and were read. */
  read: number
  unchanged: number
  bytes: number
  added: number
  changed: number
  /** Keys of the chats that were touched. */
  chats: Set<number>
  /** Stopped before its end by the signal; what was read is kept. */
  interrupted: boolean
}

/** Keeps an archive in step with the assistants' files, as long as it holds the lease. */
export class Syncer {
  readonly options: SyncOptions
  readonly lease: Lease
  /** By source and path, while all files are looked at, or many. While the lease is held nobody else changes them. */
  readonly stamps = new Map<string, Map<string, string>>()
  /** The same of the files that were asked for last, where these are few. */
  fewStamps = new Map<string, string>()
  /** Others may make stamps void, so that files are read again. */
  voided = 0
  /** How long the last look at all files took. */
  lookMs = 0

  /** By source: when its newest file was last looked at for records of a new kind. */
  readonly glancedAt = new Map<string, number>()

  /**
   * What is read between two batches of a long sync, so that what is said meanwhile need not wait for its end; of some
   * the sync says that it reads them itself.
   */
  urgent?: (waits: (name: string) => boolean) => Job[]
  /** Reads what is urgent for another one, with its stamps. */
  isUrgent = false

  constructor(options: SyncOptions, lease: Lease) {
    this.options = options
    this.lease = lease
  }

  /** Looks at everything but what was listed just now. Unchanged files cost one stat each. */
  async syncAll(listings?: Listings): Promise<SyncResult> {
    const { archive } = this.options
    await this.pack()
    const { jobs, unchanged, troubles } = await this.toRead(listings)
    if (this.options.leavesMuch && this.newBytes(jobs) >= LONG_BYTES) throw new MuchToDo()
    const result = await this.syncUnits(jobs)
    await noteTroubles(this.options, troubles, this.lease)
    // What was said meanwhile need not wait for the work at the end.
    if (!result.interrupted) await this.syncUrgent()
    if (!result.interrupted) await noteRepositories(archive, this.lease)
    if (!result.interrupted) await archive.markSynced(this.lease, { isUnchanged: result.read === 0 })
    // Some hundred bytes a file, which a server that watches would hold until the next look.
    this.stamps.clear()
    return { ...result, unchanged }
  }

  /** What has changed of all, in its turn; how many have not. */
  async toRead(listings?: Listings): Promise<{ jobs: Job[]; unchanged: number; troubles: SourceTrouble[] }> {
    const { all, troubles } = this.look(listings)
    const jobs = await this.changed(all)
    return { jobs: jobs.sort(inTurn), unchanged: all.length - jobs.length, troubles }
  }

  /** All units of all assistants; whatever fails for one file, folder or assistant is noted for it alone. */
  look(listings?: Listings): { all: Job[]; troubles: SourceTrouble[] } {
    const began = performance.now()
    const all: Job[] = []
    const troubles: SourceTrouble[] = []
    for (const machine of machinesOf(this.options)) {
      for (const source of this.options.sources) {
        const onTrouble = (trouble: Trouble) => troubles.push({ source: source.id, ...trouble })
        const roots = looked(machine.home, () => existingRoots(source, machine, onTrouble), onTrouble) ?? []
        for (const root of roots) {
          const listing = listings?.get(nameOf({ source, unit: root }))
          for (const trouble of listing?.troubles ?? []) onTrouble(trouble)
          const units =
            listing?.units ?? looked(root.path, () => discover(source, root, { onTrouble }), onTrouble) ?? []
          for (const unit of units) all.push({ source, unit, machine })
        }
      }
    }
    if (!listings?.size) this.lookMs = performance.now() - began
    return { all, troubles }
  }

  /** Brings an older archive up to date first. */
  async pack(): Promise<void> {
    const { archive, signal, onProgress } = this.options
    await archive.pack(this.lease, {
      signal,
      onProgress: ({ done, all }) =>
        onProgress?.({
          source: 'packing the archive',
          units: 1,
          unitsDone: 0,
          // About a kilobyte each.
          bytes: all * 1000,
          bytesDone: done * 1000,
          messages: done,
        }),
    })
  }

  /** Whether somebody else made stamps void: files that did not change are to be read again. */
  async isBehind(): Promise<boolean> {
    return (await this.options.archive.stampsVoided()) !== this.voided
  }

  async changed(jobs: Job[]): Promise<Job[]> {
    const voided = await this.options.archive.stampsVoided()
    if (voided !== this.voided) this.stamps.clear()
    this.voided = voided
    const { archive } = this.options
    this.fewStamps = new Map()
    for (const [id, ofSource] of Map.groupBy(jobs, ({ source }) => source.id)) {
      if (!this.stamps.has(id)) {
        if (ofSource.length > FEW) this.stamps.set(id, await archive.unitStamps(id))
        else {
          const paths = ofSource.map(({ unit }) => unit.path)
          for (const [path, stamp] of await archive.unitStamps(id, paths))
            this.fewStamps.set(nameIn(id, path), stamp)
        }
      }
      const news = ofSource.filter((job) => this.knownStamp(job) === undefined).map(({ unit }) => unit)
      if (news.length > 0)
        await takeOver(archive, id, this.lease, { news, known: this.stamps.get(id)?.keys() })
    }
    return jobs.filter((job) => this.knownStamp(job) !== stampOf(job.unit))
  }

  knownStamp({ source, unit }: Job): string | undefined {
    return this.stamps.get(source.id)?.get(unit.path) ?? this.fewStamps.get(nameOf({ source, unit }))
  }

  /** Reads these units, unchanged or not. May empty the list: where it is long, each is let go when it was read. */
  async syncUnits(jobs: Job[]): Promise<SyncResult> {
    const { archive, signal } = this.options
    const result: SyncResult = {
      read: 0,
      unchanged: 0,
      bytes: 0,
      added: 0,
      changed: 0,
      chats: new Set(),
      interrupted: false,
    }
    const units = jobs.length
    const lastOfEach = new Map(jobs.map((job) => [job.source.id, job]))
    /** Jobs that are not done, with the bytes to read of each. */
    const pending = new Map(jobs.map((job) => [job, this.bytesToRead(job)]))
    const total = pending.values().reduce((sum, bytes) => sum + bytes, 0)
    const pendingNamed = byName(pending)
    /** Units that are read in part. */
    const begun = new Set<string>()
    /** Units whose pieces could not be archived: the rest of them is not read. */
    const unwritable = new Set<string>()
    /** Units that were read before their turn: what threads may have read of them earlier is void. */
    const overtaken = new Set<string>()
    const isLeft: IsLeft = ({ source, path }) =>
      !signal?.aborted && !unwritable.has(path) && !overtaken.has(nameIn(source, path))
    const finish = (job: Job): void => {
      result.read++
      result.bytes += pending.get(job) ?? 0
      pending.delete(job)
    }
    const urgent = async (): Promise<void> => {
      const waits = (name: string) => {
        const job = pendingNamed(name)
        return begun.has(name) || (job !== undefined && !mayOvertake(job, pending.get(job) ?? 0))
      }
      const { jobs: read, result: ofUrgent } = await this.syncUrgent(waits)
      if (ofUrgent) addTo(result, ofUrgent)
      for (const name of read.map(nameOf)) {
        const job = pendingNamed(name)
        if (!job) continue
        overtaken.add(name)
        finish(job)
      }
    }

    for await (const batch of this.batches(jobs, total, isLeft, urgent)) {
      const written = await batch.write(this.lease)
      for (const failed of written.failed) unwritable.add(failed)
      for (const { source, path, fingerprint } of batch.readings) {
        begun.add(nameIn(source, path))
        // Who reads nothing between two batches does not ask for them again.
        if (this.urgent || this.isUrgent) this.stamps.get(source)?.set(path, fingerprint.stamp)
      }
      addTo(result, written)
      for (const job of batch.done) {
        begun.delete(nameOf(job))
        if (!overtaken.has(nameOf(job))) finish(job)
      }
      const { at } = batch
      this.report(at.source, units, result, total, Math.min(pending.get(at) ?? 0, batch.offset))
      // Signals, timers, files that were written to and other work get their turn between two batches. What the system has to
      // tell is asked for before the second turn at the latest: the first may be that of the round which goes on.
      await setImmediate()
      await setImmediate()
      if (signal?.aborted) break
      if (pending.size > 0) await urgent()
    }
    result.interrupted = signal?.aborted === true
    if (!result.interrupted) {
      await glance(lastOfEach, this.glancedAt, archive, this.lease)
      if (result.chats.size > 0) await noteRepositories(archive, this.lease, result.chats)
    }
    return result
  }

  /** Reads these jobs batch by batch: in threads where that is worth it, and then the newest before. */
  async *batches(
    jobs: Job[],
    bytes: number,
    isLeft: IsLeft,
    urgent: () => Promise<void>,
  ): AsyncGenerator<Batch> {
    const { archive } = this.options
    const first = bytes < LONG_BYTES ? [] : newestOf(jobs, (job) => this.bytesToRead(job))
    const isFirst = new Set(first.flat())
    const others = jobs.filter((job) => !isFirst.has(job))
    const threads = await this.threadsFor(others)
    if (threads === 0) {
      for (const some of first) yield* batchesOf(some, archive, isLeft)
      yield* batchesOf(others, archive, isLeft)
      return
    }
    const { startReaders, endReaders } = await import('./read-in-threads.ts')
    const readers = startReaders(others, threads)
    // There may be tens of thousands, each of some hundred bytes.
    others.length = 0
    jobs.length = 0
    try {
      for (const some of first) yield* batchesOf(some, archive, isLeft)
      yield* batchesFromThreads(readers, archive, isLeft, { lease: this.lease, urgent })
    } finally {
      await endReaders(readers)
    }
  }

  /** Reads what is urgent, also what would have its turn later. */
  async syncUrgent(
    waits: (name: string) => boolean = () => false,
  ): Promise<{ jobs: Job[]; result?: SyncResult }> {
    const jobs = this.urgent ? await this.changed(this.urgent(waits)) : []
    if (jobs.length === 0) return { jobs }
    const syncer = new Syncer({ ...this.options, onProgress: undefined, threads: 0 }, this.lease)
    syncer.voided = this.voided
    for (const [source, stamps] of this.stamps) syncer.stamps.set(source, stamps)
    syncer.fewStamps = this.fewStamps
    syncer.isUrgent = true
    return { jobs, result: await syncer.syncUnits([...jobs]) }
  }

  /** Starting a thread costs as much as reading a few megabytes: only where there is more to read than that. */
  async threadsFor(jobs: Job[]): Promise<number> {
    const { threads } = this.options
    if (threads !== undefined) return threads
    if (this.newBytes(jobs) < LONG_BYTES) return 0
    const { threadsToRead } = await import('./read-in-threads.ts')
    return threadsToRead()
  }

  report(source: Source, units: number, result: SyncResult, bytes: number, withinUnit: number): void {
    this.options.onProgress?.({
      source: source.name,
      units,
      unitsDone: result.read,
      bytes,
      bytesDone: Math.min(bytes, result.bytes + withinUnit),
      messages: result.added,
    })
  }

  /** Of what was never read; a file that is written anew each time, or a database, has little that is new. */
  newBytes(jobs: Job[]): number {
    return jobs
      .filter((job) => job.unit.growth === 'append' || !this.knownStamp(job))
      .reduce((sum, job) => sum + this.bytesToRead(job), 0)
  }

  bytesToRead(job: Job): number {
    const { growth, stat } = job.unit
    const read = growth === 'append' ? sizeIn(this.knownStamp(job)) : 0
    return stat.size >= read ? stat.size - read : stat.size
  }
}

/** What a job is known by. */
export function nameOf({ source, unit }: { source: Source; unit: { path: string } }): string {
  return nameIn(source.id, unit.path)
}

/** Names are made when somebody asks for one: a first sync may have tens of thousands of jobs, and nobody does. */
function byName(pending: ReadonlyMap<Job, unknown>): (name: string) => Job | undefined {
  let known: Map<string, Job> | undefined
  return (name) => {
    known ??= new Map(pending.keys().map((job) => [nameOf(job), job]))
    const job = known.get(name)
    return job && pending.has(job) ? job : undefined
  }
}

function nameIn(source: string, path: string): string {
  return `${source}\0${path}`
}

export function machinesOf({ machine, homes = [] }: SyncOptions): Machine[] {
  return [machine, ...homes]
}

function addTo(result: SyncResult, { added, changed, chats }: WriteResult): void {
  result.added += added
  result.changed += changed
  for (const chat of chats) result.chats.add(chat)
}
