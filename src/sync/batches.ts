import type { Archive, Lease, WriteResult } from '../archive/archive.ts'
import { withReader } from '../sources/source.ts'
import type { Job } from './job.ts'
import type { Readers } from './read-in-threads.ts'
import { PIECE, type Piece, readUnit } from './read-unit.ts'
import { writeEach } from './write-each.ts'

/** What is written in one transaction. */
export interface Batch {
  readings: Pick<Piece, 'source' | 'path' | 'fingerprint'>[]
  /** Jobs that were read to their end since the batch before. */
  done: Job[]
  /** Where reading is, and how far within that file. */
  at: Job
  offset: number
  write(lease: Lease): Promise<WriteResult & { failed: string[] }>
}

/** Whether a unit is to be read on. */
export type IsLeft = (unit: { source: string; path: string }) => boolean

const MOST_READINGS = 500

/** Reads jobs one after the other, in this thread, as batches are asked for. */
export async function* batchesOf(jobs: Job[], archive: Archive, isLeft: IsLeft): AsyncGenerator<Batch> {
  let waiting: Piece[] = []
  let done: Job[] = []
  let messages = 0
  let weight = 0
  const batch = (at: Job, offset: number): Batch => {
    const pieces = waiting
    const batched = { readings: pieces, done, at, offset }
    waiting = []
    done = []
    messages = 0
    weight = 0
    return {
      ...batched,
      write: (lease) => writeEach(archive, pieces, lease, (some) => archive.write(some, lease)),
    }
  }
  for (const job of jobs) {
    const { source, unit, machine } = job
    const name = { source: source.id, path: unit.path }
    if (!isLeft(name)) continue
    const known = await archive.knownUnit(source.id, unit.path)
    for (const piece of readUnit(await withReader(source), unit, known, machine)) {
      waiting.push(piece)
      messages += piece.messages.length
      weight += piece.weight
      if (messages < PIECE.messages && weight < PIECE.characters && waiting.length < MOST_READINGS) continue
      yield batch(job, piece.checkpoint?.offset ?? 0)
      if (!isLeft(name)) break
    }
    done.push(job)
  }
  const last = jobs.at(-1)
  if (last && (waiting.length > 0 || done.length > 0)) yield batch(last, 0)
}

/**
 * Reads jobs in other threads, while this one writes; in the same order, and with the same outcome. What is urgent is read
 * while this one waits for them.
 */
export async function* batchesFromThreads(
  readers: Readers,
  archive: Archive,
  isLeft: IsLeft,
  { lease, urgent }: { lease: Lease; urgent: () => Promise<void> },
): AsyncGenerator<Batch> {
  const { readInThreads } = await import('./read-in-threads.ts')
  let isBegun = 0
  const meanwhile = async () => {
    await urgent()
    return await archive.clearUpSome(lease)
  }
  for await (const { jobs: ofLot, delivery } of readInThreads(readers, { archive, meanwhile })) {
    if (!delivery) yield* batchesOf(ofLot.slice(isBegun), archive, isLeft)
    else {
      const { parcel, unitsDone } = delivery
      const readings = parcel.readings.filter(isLeft)
      yield {
        readings,
        done: ofLot.slice(isBegun, unitsDone),
        at: ofLot[Math.min(unitsDone, ofLot.length - 1)]!,
        offset: parcel.readings.at(-1)?.offset ?? 0,
        write: (lease) =>
          writeEach(archive, readings, lease, (some) =>
            archive.writeParcel({ ...parcel, readings: some }, lease),
          ),
      }
    }
    isBegun = !delivery || delivery.isLast ? 0 : delivery.unitsDone
  }
}
