import type { Archive, Lease, WriteResult } from '../archive/archive.ts'
import { RecollectError } from '../model/errors.ts'
import type { Piece } from './read-unit.ts'

/** Of SQLite's errors those that lie in what is written, not in the archive or its disk: too big, a constraint, a type, a range. */
const OF_THE_VALUE = new Set([18, 19, 20, 25])

/**
 * Writes pieces in one transaction. Where one of them cannot be archived, each unit is written by
 * itself, and the bad one gets a problem instead; `failed` names it.
 */
export async function writeEach(
  archive: Archive,
  pieces: Piece[],
  lease: Lease,
): Promise<WriteResult & { failed: string[] }> {
  try {
    return { ...(await archive.write(pieces, lease)), failed: [] }
  } catch (error) {
    if (!liesInPiece(error)) throw error
    if (new Set(pieces.map(nameOf)).size === 1)
      return { ...(await noteUnit(archive, pieces[0]!, error, lease)), failed: [pieces[0]!.path] }
  }
  const all = { chats: new Set<number>(), added: 0, changed: 0, failed: [] as string[] }
  for (const ofUnit of Map.groupBy(pieces, nameOf).values()) {
    const { chats, added, changed, failed } = await writeEach(archive, ofUnit, lease)
    for (const chat of chats) all.chats.add(chat)
    all.added += added
    all.changed += changed
    all.failed.push(...failed)
  }
  return all
}

/** Leaves the unit as it is known, with its problem; it is tried again when its file changes. */
async function noteUnit(archive: Archive, piece: Piece, error: unknown, lease: Lease): Promise<WriteResult> {
  const known = await archive.knownUnit(piece.source, piece.path)
  const reason = `could not be archived: ${error instanceof Error ? error.message : error}`
  return await archive.write(
    [
      {
        ...piece,
        checkpoint: known?.checkpoint,
        fingerprint: { ...(known?.fingerprint ?? piece.fingerprint), stamp: piece.fingerprint.stamp },
        generation: known?.generation ?? piece.generation,
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

function nameOf({ source, path }: Piece): string {
  return `${source}\0${path}`
}
