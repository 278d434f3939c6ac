import { unzstd } from '../archive/sqlite/unzstd.ts'
import { zstd } from '../archive/sqlite/zstd.ts'
import type { Writing } from './seal.ts'

/** How the bytes of a row are to be read. */
export const FORMAT = {
  /** A message that is no longer in its chat. */
  removed: 0,
  json: 1,
  /** JSON, compressed by zstd. */
  packed: 2,
  /** Sealed; inside, one byte says which of the two above. */
  sealed: 3,
} as const

/** Below this, compressing costs more than it saves. */
const SMALL = 160
/** What a server hands out may be made to grow without end. */
const LARGEST = 256 * 1024 * 1024

export interface Packed {
  format: number
  hash: bigint
  bytes: Buffer
}

/** A value as it is stored. `bound` is what it belongs to: a sealed body that was moved elsewhere does not open. */
export function pack(value: unknown, writing: Writing, bound: string): Packed {
  const json = Buffer.from(JSON.stringify(value))
  const hash = writing.hashOf(json)
  const isPacked = json.length >= SMALL
  const bytes = isPacked ? Buffer.from(zstd(json).buffer) : json
  const format = isPacked ? FORMAT.packed : FORMAT.json
  if (!writing.sealed) return { format, hash, bytes }
  return {
    format: FORMAT.sealed,
    hash,
    bytes: writing.seal(Buffer.concat([Buffer.of(format), bytes]), bound),
  }
}

/** In the place of a message that is no longer there: its id, by which the others know it. */
export function packRemoval(id: string, writing: Writing, bound: string): Packed {
  const json = Buffer.from(JSON.stringify({ id }))
  const bytes = writing.sealed ? writing.seal(Buffer.concat([Buffer.of(FORMAT.json), json]), bound) : json
  return { format: FORMAT.removed, hash: writing.hashOf(json), bytes }
}

export function unpackRemoval(bytes: Buffer, writing: Writing, bound: string): unknown {
  return unpack(writing.sealed ? FORMAT.sealed : FORMAT.json, bytes, writing, bound)
}

/** What was stored, or an error where it cannot be read: another key, another form, damage. */
export function unpack(format: number, bytes: Buffer, writing: Writing, bound: string): unknown {
  // In a sealed space nobody but the server could have put anything else there.
  if (writing.sealed !== (format === FORMAT.sealed)) throw new Error(`a body of form ${format}`)
  if (format === FORMAT.sealed) {
    const opened = writing.open(bytes, bound)
    return plain(opened[0]!, opened.subarray(1))
  }
  return plain(format, bytes)
}

function plain(format: number, bytes: Buffer): unknown {
  if (format === FORMAT.json) return JSON.parse(bytes.toString())
  if (format === FORMAT.packed) return JSON.parse(unzstd(bytes, undefined, LARGEST).toString())
  throw new Error(`a body of form ${format}`)
}
