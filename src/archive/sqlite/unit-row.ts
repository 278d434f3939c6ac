import type { KnownUnit } from '../archive.ts'
import type { Connection } from './connection.ts'
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

/** The file of a unit lies elsewhere. Its numbers are written here: older versions of SQLite (3.50) write fractions with fewer digits than they have. */
export function moveUnit(
  { prepare }: Connection,
  source: string,
  from: string,
  { path, stat }: { path: string; stat: { ino: number; mtimeMs: number } },
): void {
  const row = prepare('SELECT fingerprint FROM unit WHERE path = ? AND source = ?').get(from, source)
  if (!row) return
  const fingerprint = { ...JSON.parse(String(row.fingerprint)), inode: stat.ino, mtime: stat.mtimeMs }
  prepare(
    `UPDATE OR IGNORE unit SET path = ?, stamp = '', fingerprint = ? WHERE path = ? AND source = ?`,
  ).run(path, JSON.stringify(fingerprint), from, source)
}
