import type { DatabaseSync } from 'node:sqlite'

/** The tables whose rows are sealed: seals.ts tells how. */
export interface SealedTable {
  /** Its number in the tables `seal` and `unsealed`. */
  part: number
  table: string
  /** What ranges count by; undefined where all rows are one range. */
  by?: string
  /** Columns with checksums of their own: only their length is summed. */
  apart?: string[]
  /** Each row has a sum too, so that a repair can tell the damaged one from its neighbours. */
  rows?: true
}

/** Sums of single rows have their table's number plus this in the table `seal`. */
export const ROWS = 100

/** A seal covers so many keys: 2 ** BITS. */
export const BITS = 5
export const CHAT: SealedTable = { part: 1, table: 'chat', by: 'key', rows: true }
export const MESSAGE: SealedTable = { part: 2, table: 'chat_message', by: 'key', rows: true }
/** Which values are secrets: one that is damaged would no longer be masked. */
export const SECRET: SealedTable = { part: 15, table: 'chat_secret', by: 'chat' }
const FIRST: SealedTable[] = [
  CHAT,
  MESSAGE,
  { part: 3, table: 'block', by: 'key', apart: ['texts'], rows: true },
  { part: 4, table: 'block_detail', by: 'key', apart: ['details'], rows: true },
  { part: 5, table: 'tool', by: 'key' },
  { part: 6, table: 'tool_call', by: 'message' },
  { part: 7, table: 'tool_failure', by: 'message' },
  { part: 8, table: 'unit', by: 'key', rows: true },
  { part: 9, table: 'unit_chat', by: 'chat', rows: true },
  { part: 10, table: 'problem', by: 'unit' },
  { part: 11, table: 'forgotten', rows: true },
  { part: 12, table: 'setting', rows: true },
  { part: 13, table: 'forgotten_mark' },
  { part: 14, table: 'forgotten_unit' },
]
const LATER: SealedTable[] = [SECRET, { part: 16, table: 'redacted_chat', by: 'chat' }]
export const SEALED: SealedTable[] = [...FIRST, ...LATER]

/** The tables and triggers of a migration that is released: a table that is added is added by another one. */
export const SEAL_TABLES = `
  CREATE TABLE seal (part INTEGER NOT NULL, range INTEGER NOT NULL, sum INTEGER NOT NULL,
    PRIMARY KEY (part, range)) WITHOUT ROWID;
  CREATE TABLE unsealed (part INTEGER NOT NULL, range INTEGER NOT NULL,
    PRIMARY KEY (part, range)) WITHOUT ROWID;
  ${unsealing(FIRST)}
`
/** The same for tables that were made since. */
export const SEAL_SECRETS = unsealing(LATER)

/** Whatever writes a row leaves its range to be sealed again. */
function unsealing(tables: SealedTable[]): string {
  return tables
    .flatMap(({ part, table, by }) =>
      (['INSERT', 'UPDATE', 'DELETE'] as const).map(
        (event) => `CREATE TRIGGER unseal_${table}_${event.toLowerCase()} AFTER ${event} ON ${table} BEGIN
    INSERT OR IGNORE INTO unsealed VALUES (${part}, ${by ? `${event === 'DELETE' ? 'OLD' : 'NEW'}.${by} >> ${BITS}` : 0});
  END;`,
      ),
    )
    .join('\n  ')
}

/** Marks all as waiting for a seal: after the tables themselves changed. */
export function unsealAll(db: DatabaseSync): void {
  db.exec('DELETE FROM seal; DELETE FROM unsealed')
  for (const { part, table, by } of SEALED)
    db.exec(
      `WITH RECURSIVE range (n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM range
         WHERE n < (SELECT coalesce(max(${by ?? 0}), 0) >> ${BITS} FROM ${table}))
       INSERT INTO unsealed SELECT ${part}, n FROM range`,
    )
}
