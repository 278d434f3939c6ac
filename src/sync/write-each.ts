import type { Archive, Lease, UnitReading, WriteResult } from '../archive/archive.ts'
import { RecollectError } from '../model/errors.ts'

/** Of SQLite's errors those that lie in what is written, not in the archive or its disk: too big, a constraint, a type, a range. */
const OF_THE_VALUE = new Set([18, 19, 20, 25])

/** A reading of a unit, or a piece of one, whatever it holds its messages in. */
type Reading = Omit<UnitReading, 'messages' | 'checkpoint'>

/**
 * Writes readings in one transaction. Where one of them cannot be archived, each unit is written by
 * itself, and the bad one gets a problem instead; `failed` names it.
 */
export async function writeEach<R extends Reading>(
  archive: Archive,
  readings: R[],
  lease: Lease,
  write: (readings: R[]) => Promise<WriteResult>,
): Promise<WriteResult & { failed: string[] }> {
  if (readings.length === 0) return { chats: new Set(), added: 0, changed: 0, failed: [] }
  try {
    return { ...(await write(readings)), failed: [] }
  } catch (error) {
    if (!liesInPiece(error)) throw error
    if (new Set(readings.map(nameOf)).size === 1)
      return { ...(await noteUnit(archive, readings[0]!, error, lease)), failed: [readings[0]!.path] }
  }
  const all = { chats: new Set<number>(), added: 0, changed: 0, failed: [] as string[] }
  for (const ofUnit of Map.groupBy(readings, nameOf).values()) {
    const { chats, added, changed, failed } = await writeEach(archive, ofUnit, lease, write)
    for (const chat of chats) all.chats.add(chat)
    all.added += added
    all.changed += changed
    all.failed.push(...failed)
  }
  return all
}

/** Leaves the unit as it is known, with its problem; it is tried again when its file changes. */
async function noteUnit(
  archive: Archive,
  { source, path, rank, standsIn, growth, fingerprint, generation }: Reading,
  error: unknown,
  lease: Lease,
): Promise<WriteResult> {
  const known = await archive.knownUnit(source, path)
  const reason = `could not be archived: ${error instanceof Error ? error.message : error}`
  return await archive.write(
    [
      {
        ...{ source, path, rank, standsIn, growth },
        checkpoint: known?.checkpoint,
        fingerprint: { ...(known?.fingerprint ?? fingerprint), stamp: fingerprint.stamp },
        generation: known?.generation ?? generation,
        chats: [],
        messages: [],
        problems: [{ reason }],
        begins: true,
        completes: false,
      },
    ],
    lease,
  )
}

function liesInPiece(error: unknown): boolean {
  if (error instanceof RecollectError) return false
  const { errcode } = error as { errcode?: number }
  return errcode === undefined || OF_THE_VALUE.has(errcode & 0xff)
}

function nameOf({ source, path }: Reading): string {
  return `${source}\0${path}`
}
