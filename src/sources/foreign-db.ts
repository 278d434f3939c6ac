import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { DatabaseSync, type SQLInputValue, type SQLOutputValue } from 'node:sqlite'
import { pathToFileURL } from 'node:url'
import { MAX_LINE_BYTES, withoutBase64 } from './lines.ts'
import type { Found } from './source.ts'

const COPY_LIMIT = 64 * 1024 * 1024

/**
 * Opens another program's SQLite database without leaving a trace: read-only, and where SQLite
 * would have to create its `-shm` file beside it, as an immutable file or from a copy. Throws when
 * it is locked or damaged; the caller reports that and tries again at the next sync.
 */
export function openForeignDatabase(file: string): DatabaseSync {
  const hasWal = sizeOf(`${file}-wal`) > 0
  if (!hasWal) return open(`${databaseUri(file)}?immutable=1`)
  if (fs.existsSync(`${file}-shm`) || sizeOf(file) > COPY_LIMIT) return open(`${databaseUri(file)}?mode=ro`)
  return openCopy(file)
}

/** What is told of a database; one that cannot be read is a problem of its own. */
export function* readForeign(file: string, tell: (db: DatabaseSync) => Iterable<Found>): Generator<Found> {
  let db: DatabaseSync | undefined
  try {
    db = openForeignDatabase(file)
    yield* tell(db)
  } catch (error) {
    yield { problem: { reason: `cannot read the database: ${(error as Error).message}` } }
  } finally {
    db?.close()
  }
}

/** SQLite takes no host in a URI: a share on the network (`\\\\corp\\share`) is a path that begins with two slashes. */
export function databaseUri(file: string, windows = process.platform === 'win32'): string {
  const url = pathToFileURL(file, { windows })
  return url.host ? `file:////${url.host}${url.pathname}` : url.href
}

/** The columns of a table, or none where there is no such table. A view is none: it may never come to an end. */
export function columnsOf(db: DatabaseSync, table: string): string[] {
  return db
    .prepare(
      `SELECT name FROM pragma_table_info(?)
       WHERE EXISTS (SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = ? COLLATE NOCASE)`,
    )
    .all(table, table)
    .map((row) => String(row.name))
}

/** The text of a value that was read as a BLOB; of a very long one without the base64 in it. */
export function textOf(value: unknown): string | undefined {
  if (!(value instanceof Uint8Array)) return undefined
  const bytes = Buffer.from(value.buffer, value.byteOffset, value.length)
  return (bytes.length > MAX_LINE_BYTES ? withoutBase64(bytes) : bytes).toString('utf8')
}

/** The JSON of a value that was read as a BLOB; undefined where it is none. */
export function jsonOf(value: unknown): unknown {
  const text = textOf(value)
  try {
    return text === undefined ? undefined : JSON.parse(text)
  } catch {
    return undefined
  }
}

function open(url: string): DatabaseSync {
  return withNumbers(new DatabaseSync(url, { readOnly: true, timeout: 2000 }))
}

/**
 * Whole numbers of any size are numbers, the largest rounded: a single one that JavaScript cannot count would end the reading. Only
 * where there is one are they read as such, which takes longer.
 */
function withNumbers(db: DatabaseSync): DatabaseSync {
  const prepare = db.prepare.bind(db)
  db.prepare = (sql) => {
    const statement = prepare(sql)
    const all = statement.all.bind(statement)
    const get = statement.get.bind(statement)
    const iterate = statement.iterate.bind(statement)
    const read = <T>(rows: () => T, largeRows: () => T): T => {
      try {
        return rows()
      } catch (error) {
        if (!isTooLarge(error)) throw error
        statement.setReadBigInts(true)
        return largeRows()
      }
    }
    return Object.assign(statement, {
      all: (...values: SQLInputValue[]) =>
        read(
          () => all(...values),
          () => all(...values).map(asNumbers),
        ),
      get: (...values: SQLInputValue[]) =>
        read(
          () => get(...values),
          () => asNumbers(get(...values)!),
        ),
      *iterate(...values: SQLInputValue[]) {
        let told = 0
        try {
          for (const row of iterate(...values)) {
            told++
            yield row
          }
          return
        } catch (error) {
          if (!isTooLarge(error)) throw error
        }
        statement.setReadBigInts(true)
        for (const row of iterate(...values)) if (told-- <= 0) yield asNumbers(row)
      },
    })
  }
  return db
}

function isTooLarge(error: unknown): boolean {
  return (error as NodeJS.ErrnoException).code === 'ERR_OUT_OF_RANGE'
}

function asNumbers<T extends Record<string, SQLOutputValue>>(row: T): T {
  const values = row as Record<string, SQLOutputValue>
  for (const name in values) if (typeof values[name] === 'bigint') values[name] = Number(values[name])
  return row
}

/** A crashed program left a write-ahead log that only a writer may replay: replay it in a copy. */
function openCopy(file: string): DatabaseSync {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'recollect-db-'))
  try {
    const copy = path.join(folder, 'copy.db')
    fs.copyFileSync(file, copy)
    fs.copyFileSync(`${file}-wal`, `${copy}-wal`)
    const db = withNumbers(new DatabaseSync(copy, { timeout: 2000 }))
    const close = db.close.bind(db)
    db.close = () => {
      close()
      fs.rmSync(folder, { recursive: true, force: true })
    }
    db.exec('PRAGMA query_only = 1')
    return db
  } catch (error) {
    fs.rmSync(folder, { recursive: true, force: true })
    throw error
  }
}

function sizeOf(file: string): number {
  return fs.statSync(file, { throwIfNoEntry: false })?.size ?? 0
}
