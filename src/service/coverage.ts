import type { Counts, Overview } from '../archive/archive.ts'
import type { BackgroundState } from '../sync/background.ts'
import type { Service } from './answering.ts'

/** It takes a look at every chat's row: while a sync changes them all the time, not at every call, */
const BETWEEN_MS = 300
/** and so that it takes a small share of the time, however many there are. */
const SHARE = 30
/** Not every fact in it is noted as a change. */
const STALE_MS = 30_000

interface Known<T> {
  at: number
  took: number
  mark: number
  counts: T
}
type Kept<T> = WeakMap<Service['archive'], Known<T>>

const counted: Kept<Counts> = new WeakMap()
const overviews: Kept<Overview> = new WeakMap()

/**
 * One line on what an answer could and could not know: an empty answer must not be read as "it was
 * never said".
 */
export async function coverage({ archive, syncing }: Service): Promise<string> {
  return coverageLine(await countsOf(archive), syncing())
}

/** As much as calls need to know: the rows of all files, which are many and long, are not read for it. */
export async function countsOf(archive: Service['archive']): Promise<Counts> {
  return await lastKnown(counted, archive, () => archive.counts())
}

/** As it was when it was last looked at: `between` milliseconds ago at the most, or without a change since. */
export async function overviewOf(archive: Service['archive'], between?: number): Promise<Overview> {
  return await lastKnown(overviews, archive, () => archive.overview(), between)
}

async function lastKnown<T>(
  kept: Kept<T>,
  archive: Service['archive'],
  count: () => Promise<T>,
  between?: number,
): Promise<T> {
  const known = kept.get(archive)
  const age = known ? Date.now() - known.at : Number.POSITIVE_INFINITY
  if (known && age < (between ?? Math.max(BETWEEN_MS, known.took * SHARE))) return known.counts
  const { mark } = await archive.changes()
  if (known && known.mark === mark && age < STALE_MS) return known.counts
  const began = process.uptime()
  const counts = await count()
  kept.set(archive, { at: Date.now(), took: (process.uptime() - began) * 1_000, mark, counts })
  return counts
}

export function coverageLine(
  { sources, chats, lastSyncAt }: Pick<Counts, 'sources' | 'chats' | 'lastSyncAt'>,
  state: BackgroundState | undefined,
  now = Date.now(),
): string {
  const named = sources.filter((source) => source.chats > 0).map(({ source }) => source)
  const problems = sources.reduce((sum, source) => sum + source.problems, 0)
  const parts = [chats === 0 ? 'No chats archived yet' : `${chats} chats of ${named.join(', ')}`]
  parts.push(freshness(state, lastSyncAt, now))
  if (problems > 0) parts.push(`${problems} records could not be read`)
  return `${parts.join('; ')}.`
}

function freshness(state: BackgroundState | undefined, lastSyncAt: number | undefined, now: number): string {
  if (state?.state === 'reading' || state?.state === 'starting') {
    const { done = 0, total = 0 } = state.state === 'reading' ? state : {}
    const share = total > 0 ? ` (${Math.floor((done / total) * 100)} %)` : ''
    return `sync is running${share}, ${lastSyncAt ? 'the newest' : 'many'} may be missing`
  }
  if (state?.state === 'failed') return `sync failed: ${state.reason}`
  if (state?.state === 'in step' && 'by' in state && lastSyncAt === undefined)
    return 'the first sync is running in another process, many may be missing'
  if (state?.state === 'in step') return 'up to date with the disk'
  return lastSyncAt ? `synced ${span(now - lastSyncAt)} ago` : 'never synced'
}

function span(ms: number): string {
  const minutes = Math.floor(ms / 60_000)
  if (minutes < 1) return 'less than a minute'
  if (minutes < 120) return `${minutes} minutes`
  return minutes < 48 * 60 ? `${Math.floor(minutes / 60)} hours` : `${Math.floor(minutes / 1440)} days`
}
