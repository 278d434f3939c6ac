import { setTimeout as sleep } from 'node:timers/promises'
import type { Call, Sighting, Source } from '../sources/source.ts'
import type { Asker } from './live.ts'
import { unitsOf } from './open.ts'

/** A sighting, and in which assistant's files. */
export interface Seen extends Sighting {
  source: Source
  /** When that file was last written to. */
  writtenAt: number
  /** The call was written down just now, as one that is being made is. */
  isFresh: boolean
}

/** The call is in one of the files that were written last. */
const NEWEST_FILES = 12
/** When it is looked for, after it reached us: those who write it down in time do so within 0.3 s. */
const LOOKS_MS = [0, 50, 150, 300, 600, 1_000, 1_500]
/** Earlier the same call of another dialog may be seen, and the right one not yet. */
const SETTLED_MS = 300
const SECONDS_MS = 10_000
/** A person may take that long to allow a call that is written down already. */
const MINUTES_MS = 10 * 60_000

/**
 * Where a call is found in the newest session files of these assistants: by its own id at once, else
 * all dialogs that have the same call open, or, where one of them is as expected, that one alone.
 */
export async function trace(
  asker: Asker,
  sources: Source[],
  call: Call,
  isExpected?: (seen: Seen) => boolean,
): Promise<Seen[]> {
  const began = Date.now()
  const looks = LOOKS_MS.filter((at) => sources.length === 1 || (sources.length > 0 && at <= SETTLED_MS))
  let seen: Seen[] = []
  for (const at of looks) {
    await sleep(Math.max(0, began + at - Date.now()))
    seen = sources.flatMap((source) => seenIn(asker, source, call))
    const own = lastOf(seen.filter(({ by }) => by === 'id'))
    if (own) return [own]
    const hit = isExpected && seen.find(isExpected)
    if (hit) return [hit]
    if (at >= SETTLED_MS && seen.some(({ isFresh }) => isFresh) && !isExpected) break
  }
  return seen.filter(({ at = 0 }) => call.at - at <= MINUTES_MS)
}

function seenIn(asker: Asker, source: Source, call: Call): Seen[] {
  const units = unitsOf(asker, source)
    .sort((a, b) => b.at - a.at)
    .slice(0, NEWEST_FILES)
  return units.flatMap(({ unit, at }) =>
    (source.calls?.seenIn?.(unit, call) ?? []).map((seen) => ({
      ...seen,
      at: seen.at ?? at,
      source,
      writtenAt: at,
      isFresh: call.at - (seen.at ?? at) <= SECONDS_MS,
    })),
  )
}

/** A fork has copies of the calls before it: the call itself is not answered yet, and was written last. */
function lastOf(seen: Seen[]): Seen | undefined {
  const open = seen.filter(({ isAnswered }) => !isAnswered)
  return (open.length > 0 ? open : seen).sort((a, b) => b.writtenAt - a.writtenAt)[0]
}
