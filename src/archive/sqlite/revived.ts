import type { Connection } from './connection.ts'

/**
 * Files that were written out of the archive, for an assistant to go on with. What is in the part that was written is
 * known already, and better: only what the assistant adds is read from them.
 */
export interface RevivedUnit {
  /** How many bytes were written. */
  bytes: number
  /** The newest message then. */
  upto: number
}

export function revivedUnit({ prepare }: Connection, source: string, path: string): RevivedUnit | undefined {
  const row = prepare('SELECT bytes, upto FROM revived_unit WHERE source = ? AND path = ?').get(source, path)
  return row && { bytes: Number(row.bytes), upto: Number(row.upto) }
}
