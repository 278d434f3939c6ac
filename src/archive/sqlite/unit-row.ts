import type { KnownUnit } from '../archive.ts'
import { unzstd } from './unzstd.ts'
import { zstd } from './zstd.ts'

type Checkpoint = NonNullable<KnownUnit['checkpoint']>

/** Below this packing gains nothing. */
const SHORT = 400

/** A checkpoint as it is stored: JSON, packed where that is long. */
export function writeCheckpoint(checkpoint: Checkpoint | undefined): string | Uint8Array | null {
  return checkpoint ? packCheckpoint(JSON.stringify(checkpoint)) : null
}

export function packCheckpoint(json: string): string | Uint8Array {
  return json.length < SHORT ? json : zstd(Buffer.from(json))
}

export function readCheckpoint(stored: unknown): Checkpoint | undefined {
  if (typeof stored === 'string') return JSON.parse(stored)
  if (stored instanceof Uint8Array) return JSON.parse(unzstd(stored).toString())
  return undefined
}
