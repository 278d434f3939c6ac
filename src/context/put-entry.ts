import type { Change } from '../platform/change-file.ts'
import { appended, tailIn } from './append.ts'
import { wholeFile } from './bytes.ts'
import { type Entry, entriesIn, isAsWritten, type NewEntry, timestampAfter } from './entry.ts'

export interface PutResult {
  outcome: 'added' | 'updated' | 'unchanged'
  timestamp: string
  /** The earlier entry was edited by hand, so it was not replaced. */
  kept: boolean
}

/**
 * Puts an entry with a provenance at the end of a file, in place of the one that was made from the
 * same source before. An entry that somebody edited is theirs and stays.
 */
export async function putEntry(
  real: string,
  entry: Omit<NewEntry, 'timestamp'> & { provenance: NonNullable<NewEntry['provenance']> },
  now: () => number,
): Promise<{ change: Change; answer: PutResult; before: Buffer; after: Buffer }> {
  const before = wholeFile(real)
  const entries = entriesIn(before)
  const earlier = entries.findLast(({ provenance }) => isSameSource(provenance, entry.provenance))
  const { hash, format } = entry.provenance
  if (earlier?.provenance?.hash === hash && earlier.provenance.format === format) {
    const answer: PutResult = { outcome: 'unchanged', timestamp: earlier.timestamp, kept: false }
    return { change: undefined, answer, before, after: before }
  }
  const replaces = earlier !== undefined && isAsWritten(earlier)
  const rest = replaces ? without(before, earlier) : before
  const tail = tailIn(rest)
  const timestamp = timestampAfter(tail.lastTimestamp, now())
  const after = Buffer.concat([rest, appended(tail, { ...entry, timestamp })])
  const answer: PutResult = {
    outcome: replaces ? 'updated' : 'added',
    timestamp,
    kept: earlier !== undefined && !replaces,
  }
  return { change: { replace: after }, answer, before, after }
}

function isSameSource(a: Entry['provenance'], b: NewEntry['provenance']): boolean {
  return a !== undefined && a.chat === b?.chat && a.file === b?.file
}

/** Without an entry, and without the blank line that set it off. */
function without(bytes: Buffer, { from, to }: Entry): Buffer {
  const rest = bytes.subarray(to)
  let end = from
  if (rest.length === 0) while (end > 1 && isBlankLineBefore(bytes, end)) end -= bytes[end - 2] === 13 ? 2 : 1
  return Buffer.concat([bytes.subarray(0, end), rest])
}

function isBlankLineBefore(bytes: Buffer, at: number): boolean {
  if (bytes[at - 1] !== 10) return false
  const before = bytes[at - 2] === 13 ? at - 3 : at - 2
  return before < 0 || bytes[before] === 10
}
