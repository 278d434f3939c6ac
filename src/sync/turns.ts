import { bornAt } from './discover.ts'
import type { Job } from './job.ts'

/**
 * So many of the files that were written last are read first, with so many bytes at most: a fraction of a second. They are
 * written a few at a time, the last ones before the others: code that runs for the first time is slow.
 */
const NEWEST = { units: 32, bytes: 1_000_000, atOnce: 8 }
/** A file that is written to while others are read is read before its turn, unless there is more to read in it. */
const OVERTAKES_BYTES = 8_000_000

/**
 * A fork is younger than what it was forked from: in this order the original is archived first. What
 * stands in for other files comes after them, so that it goes as soon as they are there.
 */
export function inTurn({ unit: a }: Job, { unit: b }: Job): number {
  const standsIn = Number(a.standsIn === true) - Number(b.standsIn === true)
  return standsIn || bornAt(a) - bornAt(b) || (a.path < b.path ? -1 : 1)
}

/**
 * The jobs whose files were written last, some at a time, each time in their turn; without what stands in for others: who
 * has just said something looks for that first. A file with much to read waits for its turn.
 */
export function newestOf(jobs: Job[], bytesOf: (job: Job) => number): Job[][] {
  let room = NEWEST.bytes
  const newest = jobs
    .filter((job) => !job.unit.standsIn && mayOvertake(job, bytesOf(job)))
    .sort((a, b) => b.unit.stat.mtimeMs - a.unit.stat.mtimeMs)
    .slice(0, NEWEST.units)
    .filter((job) => {
      const bytes = bytesOf(job)
      if (bytes > room) return false
      room -= bytes
      return true
    })
  const groups: Job[][] = []
  while (newest.length > 0) groups.push(newest.splice(0, NEWEST.atOnce).sort(inTurn))
  return groups
}

/** Whether a job may be done before its turn. Databases are large, and change all the time. */
export function mayOvertake({ unit }: Job, bytes: number): boolean {
  return unit.growth !== 'database' && bytes <= OVERTAKES_BYTES
}
