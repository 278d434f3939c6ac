import { crc32 } from 'node:zlib'
import { RecollectError } from '../../model/errors.ts'
import type { Connection } from './connection.ts'
import { REPAIR } from './next-steps.ts'
import { BITS, ROWS, SEALED, type SealedTable, unsealAll } from './seal-tables.ts'

/**
 * Checksums over rows. A seal covers 32 neighbouring rows of a table; triggers note which ranges were
 * written since (`unsealed`), and the end of a sync seals those. So no statement that writes has to think of it,
 * and a row that is written often is summed once. A range that waits for its seal is not checked.
 * Texts, blocks of the word index and vectors have checksums of their own (blocks.ts, sums.ts).
 */

/** How many ranges one transaction seals. */
const STEP = 400

/** Seals some of what was written since; false when nothing is left. Within a transaction. */
export function sealSome(connection: Connection, step = STEP): boolean {
  const { prepare } = connection
  // A newer version may have added columns meanwhile.
  statements.clear()
  const rows = prepare('SELECT part, range FROM unsealed LIMIT ?').all(step)
  const put = prepare('INSERT OR REPLACE INTO seal (part, range, sum) VALUES (?, ?, ?)')
  const drop = prepare('DELETE FROM seal WHERE part = ? AND range = ?')
  const done = prepare('DELETE FROM unsealed WHERE part = ? AND range = ?')
  for (const row of rows) {
    const [part, range] = [Number(row.part), Number(row.range)]
    const sealed = SEALED.find((each) => each.part === part)
    const sums = sealed && sumsOf(connection, sealed, range)
    if (sums === undefined) drop.run(part, range)
    else put.run(part, range, sums.whole)
    if (sums?.rows) put.run(part + ROWS, range, sums.rows)
    else if (sealed?.rows) drop.run(part + ROWS, range)
    done.run(part, range)
  }
  return rows.length === step
}

/** An archive that was sealed before single rows had sums gets them, once. */
export function wantRowSums({ db, prepare, transaction }: Connection, assertRight: () => void): void {
  if (prepare(`SELECT 1 FROM setting WHERE name = 'rowSums'`).get()) return
  transaction(() => {
    assertRight()
    unsealAll(db)
    prepare(`INSERT OR REPLACE INTO setting (name, value) VALUES ('rowSums', 1)`).run()
  })
}

/** What a process has seen to fit its seal, by part and range. */
const seen = new WeakMap<Connection, Map<number, number>>()

/** Throws where the row with this key, or one of its neighbours, is not what was written. */
export function assertSealed(connection: Connection, sealed: SealedTable, key: number): void {
  const range = key >> BITS
  const { part } = sealed
  const sum = connection
    .prepare(
      `SELECT sum FROM seal WHERE part = ? AND range = ?
       AND NOT EXISTS (SELECT 1 FROM unsealed WHERE unsealed.part = seal.part AND unsealed.range = seal.range)`,
    )
    .get(part, range)?.sum
  if (sum === undefined) return
  const known = seen.get(connection) ?? new Map<number, number>()
  seen.set(connection, known)
  const place = range * 32 + part
  if (known.get(place) === sum) return
  assertRange(connection, sealed, range)
  known.set(place, Number(sum))
}

function assertRange(connection: Connection, sealed: SealedTable, range: number): void {
  // Seal and rows of one state: another process may have written since.
  connection.reading(() => {
    if (fits(connection, sealed, range)) return
    statements.clear()
    if (!fits(connection, sealed, range)) throw damaged(connection, sealed, range)
  })
}

/**
 * One row by its own sum, for who reads rows here and there: to sum up 31 neighbours for each took a tenth of a
 * search. A row that is gone or one too many makes the sums of those behind it others, too.
 */
export function assertRowSealed(connection: Connection, sealed: SealedTable, key: number): void {
  soundRow(connection, sealed, key, sealed.by!)
}

/** These columns of a row, if it is what was written: reading and summing it up at once is half of the work. */
export function soundRow(
  connection: Connection,
  sealed: SealedTable,
  key: number,
  columns: string,
): Record<string, unknown> | undefined {
  const name = `${sealed.part} ${columns}`
  const sql = statements.get(name) ?? summingRow(connection, sealed, columns)
  statements.set(name, sql)
  const row = connection.prepare(sql).get(key)
  if (row?.seal_is_waiting) return row
  const sums = row?.seal_sums as Uint8Array | null | undefined
  if (!row || !sums) assertSealed(connection, sealed, key)
  else if (readSum(sums, Number(row.seal_number)) !== crc32(row.seal_bytes as Uint8Array))
    assertRange(connection, sealed, rangeOf(key))
  return row
}

export function rangeOf(key: number): number {
  return key >> BITS
}

/** Ranges of a table that do not fit their seals. Reads all of it. */
export function brokenRanges(connection: Connection, sealed: SealedTable): number[] {
  const { prepare } = connection
  const { part, table, by } = sealed
  const range = by ? `${by} >> ${BITS}` : '0'
  const waiting = new Set(
    prepare('SELECT range FROM unsealed WHERE part = ?')
      .all(part)
      .map((row) => Number(row.range)),
  )
  const seals = new Map(
    prepare('SELECT range, sum FROM seal WHERE part = ?')
      .all(part)
      .map((row) => [Number(row.range), Number(row.sum)]),
  )
  const broken: number[] = []
  const ranges = new Set([
    ...seals.keys(),
    ...prepare(`SELECT DISTINCT ${range} AS range FROM ${table}`)
      .all()
      .map((row) => Number(row.range)),
  ])
  const ofRows = prepare('SELECT sum FROM seal WHERE part = ? AND range = ?')
  for (const each of ranges) {
    if (waiting.has(each)) continue
    const sums = sumsOf(connection, sealed, each)
    const rows = sealed.rows && (ofRows.get(part + ROWS, each)?.sum as Uint8Array | undefined)
    if (
      sums?.whole !== seals.get(each) ||
      (rows && Buffer.compare(rows, sums?.rows ?? Buffer.alloc(0)) !== 0)
    )
      broken.push(each)
  }
  return broken
}

/** Which chats have rows in a range, for people: at most some of them. */
export function chatsIn({ prepare }: Connection, { table, by }: SealedTable, range: number): string[] {
  const chat =
    table === 'chat'
      ? 'key'
      : ['chat_message', 'block', 'unit_chat', 'chat_secret', 'redacted_chat'].includes(table)
        ? 'chat'
        : undefined
  if (!chat || !by) return []
  return prepare(
    `SELECT source, id FROM chat WHERE key IN (SELECT ${chat} FROM ${table} WHERE ${by} BETWEEN ? AND ?) LIMIT 5`,
  )
    .all(...boundsOf(range))
    .map((row) => `${row.source}:${row.id}`)
}

function fits(connection: Connection, sealed: SealedTable, range: number): boolean {
  const row = connection
    .prepare(
      `SELECT sum FROM seal WHERE part = ? AND range = ?
       AND NOT EXISTS (SELECT 1 FROM unsealed WHERE unsealed.part = seal.part AND unsealed.range = seal.range)`,
    )
    .get(sealed.part, range)
  return !row || row.sum === sumOf(connection, sealed, range)
}

function damaged(connection: Connection, sealed: SealedTable, range: number): RecollectError {
  const chats = chatsIn(connection, sealed, range)
  return new RecollectError(
    'ARCHIVE_DAMAGED',
    `What ${connection.file} holds of ${chats.length > 0 ? `the chats ${chats.join(', ')}` : 'some chats'} is not what was written.`,
    REPAIR,
  )
}

/** The sum of a range, and of each of its rows where a table has those; undefined where it has no rows. */
export function sumsOf(
  connection: Connection,
  sealed: SealedTable,
  range: number,
): { whole: number; rows?: Uint8Array } | undefined {
  if (!sealed.rows) {
    const whole = sumOf(connection, sealed, range)
    return whole === undefined ? undefined : { whole }
  }
  const name = sealed.part + ROWS
  const sql = statements.get(name) ?? summing(connection, sealed, true)
  statements.set(name, sql)
  const row = connection.prepare(sql).get(...(sealed.by ? boundsOf(range) : []))
  const bytes = row?.bytes as Uint8Array | null | undefined
  if (!bytes) return undefined
  const lengths = String(row!.lengths).split(',').map(Number)
  const rows = Buffer.alloc(lengths.length * 4)
  let at = 0
  for (let number = 0; number < lengths.length; number++) {
    const end = at + lengths[number]!
    rows.writeUInt32LE(crc32(bytes.subarray(at, end)), number * 4)
    at = end + 1
  }
  return { whole: crc32(bytes), rows }
}

/** The rows of a range with the sum of each. */
export function rowsWithSums(
  connection: Connection,
  sealed: SealedTable,
  range: number,
): { row: Record<string, unknown>; sum: number }[] {
  const { line, from } = linesOf(connection, sealed)
  return connection
    .prepare(`SELECT *, CAST(${line} AS BLOB) AS line_bytes ${from}`)
    .all(...(sealed.by ? boundsOf(range) : []))
    .map(({ line_bytes, ...row }) => ({ row, sum: crc32(line_bytes as Uint8Array) }))
}

function readSum(sums: Uint8Array, number: number): number | undefined {
  const at = number * 4
  return at + 4 > sums.length
    ? undefined
    : Buffer.from(sums.buffer, sums.byteOffset, sums.length).readUInt32LE(at)
}

/** The statements of `sumOf` by part, of `sumsOf` by the number of its rows, of `soundRow` by part and columns. */
const statements = new Map<number | string, string>()

/** The checksum of a range; undefined where it has no rows. */
function sumOf(connection: Connection, sealed: SealedTable, range: number): number | undefined {
  let sql = statements.get(sealed.part)
  if (sql === undefined) {
    sql = summing(connection, sealed)
    statements.set(sealed.part, sql)
  }
  const bytes = connection.prepare(sql).get(...(sealed.by ? boundsOf(range) : []))?.bytes as Uint8Array | null
  return bytes ? crc32(bytes) : undefined
}

function boundsOf(range: number): [number, number] {
  const first = range * 2 ** BITS
  return [first, first + 2 ** BITS - 1]
}

/** One query gives all values of a range as bytes: much quicker than rows one by one. */
function summing(connection: Connection, sealed: SealedTable, withRows = false): string {
  const { line, from } = linesOf(connection, sealed)
  if (!withRows) return `SELECT CAST(group_concat(${line}, char(30)) AS BLOB) AS bytes ${from}`
  return `WITH lines AS MATERIALIZED (SELECT ${line} AS line ${from})
    SELECT CAST(group_concat(line, char(30)) AS BLOB) AS bytes, group_concat(octet_length(line)) AS lengths FROM lines`
}

/** Columns of a row, its values as bytes, its place in its range, and the sums of the range's rows. */
function summingRow(connection: Connection, sealed: SealedTable, columns: string): string {
  const { line } = linesOf(connection, sealed)
  const { part, table, by } = sealed
  const own = `${table}.${by}`
  return `SELECT ${columns}, CAST(${line} AS BLOB) AS seal_bytes,
    (SELECT count(*) FROM ${table} AS other WHERE other.${by} >= ${own} >> ${BITS} << ${BITS} AND other.${by} < ${own}) AS seal_number,
    (SELECT sum FROM seal WHERE part = ${part + ROWS} AND range = ${own} >> ${BITS}) AS seal_sums,
    EXISTS (SELECT 1 FROM unsealed WHERE part = ${part} AND range = ${own} >> ${BITS}) AS seal_is_waiting
    FROM ${table} WHERE ${own} = ?`
}

function linesOf(
  { prepare }: Connection,
  { table, by, apart = [] }: SealedTable,
): { line: string; from: string } {
  const columns = prepare(`SELECT name, type FROM pragma_table_info('${table}') ORDER BY cid`).all()
  const values = columns.map((column) => {
    const name = `"${column.name}"`
    if (apart.includes(String(column.name))) return `octet_length(${name})`
    // How SQLite writes a fraction as text differs among its versions; its bits do not.
    if (column.type === 'REAL')
      return `coalesce(CAST(${name} AS INTEGER) || '.' || CAST((${name} - CAST(${name} AS INTEGER)) * 4611686018427387904.0 AS INTEGER), char(0))`
    return `coalesce(${name}, char(0))`
  })
  return {
    line: `concat_ws(char(31), ${values.join(', ')})`,
    from: `FROM ${table}${by ? ` WHERE ${by} BETWEEN ? AND ?` : ''}`,
  }
}
