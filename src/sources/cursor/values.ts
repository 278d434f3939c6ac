import type { DatabaseSync } from 'node:sqlite'
import { jsonOf } from '../foreign-db.ts'
import { type Json, object } from '../json.ts'

/** Values longer than this are reported instead of read. */
const MAX_BYTES = 32 * 1024 * 1024

/** `undefined` where there is nothing; `null` where there is something that cannot be read. */
export type Value = Json | null | undefined

/** JSON objects by key from one of Cursor's key-value tables. */
export function valueReader(db: DatabaseSync, table: 'cursorDiskKV' | 'ItemTable'): (key: string) => Value {
  const statement = db.prepare(
    `SELECT octet_length(value) AS bytes,
      CASE WHEN octet_length(value) <= ${MAX_BYTES} THEN CAST(value AS BLOB) END AS value
      FROM "${table}" WHERE key = ?`,
  )
  return (key) => {
    const row = statement.get(key)
    if (!row?.bytes) return undefined
    return row.value instanceof Uint8Array ? parse(row.value) : null
  }
}

function parse(value: Uint8Array): Value {
  const document = jsonOf(value)
  // Some rows say `null`: a bubble that was taken away.
  return document === null ? undefined : (object(document) ?? null)
}
