import fs from 'node:fs'
import type { KnownUnit } from '../archive/archive.ts'
import { nodeCrypto } from '../platform/node-crypto.ts'
import type { Checkpoint } from '../sources/source.ts'
import type { FoundUnit } from './discover.ts'
import { statOf } from './look.ts'

const HEAD_BYTES = 4096
const TAIL_BYTES = 256
/** The stamp noted while a unit is not read to its end: no file has it, so it is taken up again. */
export const UNFINISHED = ''

/** What can be told without opening the file: its size first. Equal stamps mean unchanged. */
export function stampOf({ stat, beside }: FoundUnit): string {
  let stamp = `${stat.size} ${stat.mtimeMs} ${stat.ino}`
  for (const file of beside ?? []) {
    const side = statOf(file)
    stamp += side ? ` ${side.size}/${side.mtimeMs}` : ' -'
  }
  return stamp
}

/** How many bytes a stamp says there were. */
export function sizeIn(stamp: string | undefined): number {
  return stamp ? Number(stamp.slice(0, stamp.indexOf(' '))) : 0
}

/**
 * The checkpoint from which reading may go on, if the file still begins as it did and the bytes
 * before the checkpoint are those read then. Otherwise it was rewritten and is read anew.
 */
export function checkpointToGoOn(unit: FoundUnit, known: KnownUnit | undefined): Checkpoint | undefined {
  const checkpoint = known?.checkpoint
  if (!known || !checkpoint || unit.growth === 'whole') return undefined
  if (unit.growth === 'database') return checkpoint
  const { fingerprint } = known
  const { size, ino, mtimeMs } = unit.stat
  // What was read behind the checkpoint is gone where it is shorter than it was.
  if (ino !== fingerprint.inode || size < Math.max(checkpoint.offset, fingerprint.size)) return undefined
  // Same size but written to: changed in place.
  if (size === fingerprint.size && mtimeMs !== fingerprint.mtime) return undefined
  const { head, tail } = marks(unit.path, checkpoint.offset)
  return head === fingerprint.head && tail === fingerprint.tail ? checkpoint : undefined
}

/** Hashes of what was read of the file: of its beginning, and of the bytes just before `offset`. */
export function marks(file: string, offset: number): { head: string; tail: string } {
  const fd = fs.openSync(file, 'r')
  try {
    return {
      head: hashOf(fd, 0, Math.min(HEAD_BYTES, offset)),
      tail: hashOf(fd, Math.max(0, offset - TAIL_BYTES), offset),
    }
  } finally {
    fs.closeSync(fd)
  }
}

const scratch = Buffer.allocUnsafeSlow(HEAD_BYTES)

function hashOf(fd: number, from: number, to: number): string {
  const read = fs.readSync(fd, scratch, 0, to - from, from)
  return nodeCrypto().hash('sha1', scratch.subarray(0, read), 'base64')
}
