import { DatabaseSync } from 'node:sqlite'
import type { CheckOptions } from '../archive.ts'
import { detailsOf, textsOf, unpack } from './blocks.ts'
import type { Connection } from './connection.ts'
import { createTables } from './migrate.ts'
import { SEALED } from './seal-tables.ts'
import { brokenRanges, chatsIn } from './seals.ts'
import { BLOCK_ROW, SEGMENT_ROW, soundBlock, soundSegment, soundVectors, VECTOR_ROW } from './sums.ts'

/** So many findings of a kind are told. */
const TOLD = 20

/**
 * What is damaged: pages and tables by SQLite's own check, rows by their seals, the word index, vectors
 * and texts by their checksums. Deep, SQLite also compares its indexes with the rows, and every text is unpacked.
 * Over one state of the archive.
 */
export function check(connection: Connection, { deep = false, onProgress }: CheckOptions = {}): string[] {
  const steps: [string, (connection: Connection) => Iterable<string>][] = [
    ['pages', (each) => pages(each, deep)],
    ['tables', tables],
    ['rows', rows],
    ['word index', wordIndex],
    ['vectors', vectors],
    ...(deep ? [['texts', texts] as [string, typeof texts]] : []),
  ]
  const findings: string[] = []
  connection.reading(() => {
    for (const [number, [name, step]] of steps.entries()) {
      onProgress?.({ done: number, all: steps.length, what: name })
      try {
        let told = 0
        for (const finding of step(connection)) {
          if (told++ < TOLD) findings.push(finding)
          else break
        }
      } catch (error) {
        findings.push(`${name}: ${(error as Error).message}`)
      }
    }
  })
  return [...new Set(findings)]
}

function pages({ prepare }: Connection, deep: boolean): string[] {
  const name = deep ? 'integrity_check' : 'quick_check'
  return prepare(`PRAGMA ${name}(${TOLD})`)
    .all()
    .map((row) => String(row[name]))
    .filter((line) => line !== 'ok')
}

/** Whether all tables, indexes and triggers are those that this version makes. */
function* tables({ db }: Connection): Generator<string> {
  ownShape ??= shapeOfNew()
  const found = shapeOf(db)
  for (const [name, shape] of ownShape)
    if (found.get(name) !== shape) yield `tables: ${name} is ${found.has(name) ? 'changed' : 'missing'}`
}

/** What this version makes: the same as long as it runs. */
let ownShape: Map<string, string> | undefined

function shapeOfNew(): Map<string, string> {
  const made = new DatabaseSync(':memory:')
  try {
    createTables(made)
    return shapeOf(made)
  } finally {
    made.close()
  }
}

function shapeOf(db: DatabaseSync): Map<string, string> {
  const columns = db.prepare('SELECT name, type FROM pragma_table_info(?) ORDER BY cid')
  return new Map(
    db
      .prepare(`SELECT type, name, tbl_name, sql FROM sqlite_schema WHERE name NOT LIKE 'sqlite_%'`)
      .all()
      .map((row) => [
        `${row.type} ${row.name}`,
        row.type === 'table'
          ? JSON.stringify(columns.all(String(row.name)))
          : // How a renamed table is quoted differs among versions of SQLite.
            String(row.sql).replace(/["\s]+/g, ''),
      ]),
  )
}

function* rows(connection: Connection): Generator<string> {
  for (const sealed of SEALED) {
    for (const range of brokenRanges(connection, sealed)) {
      const chats = chatsIn(connection, sealed, range)
      yield `rows of the table ${sealed.table} are not what was written${chats.length > 0 ? `, among the chats ${chats.join(', ')}` : ''}`
    }
  }
}

function* wordIndex(connection: Connection): Generator<string> {
  const { prepare } = connection
  for (const row of prepare(`SELECT key, ${SEGMENT_ROW} FROM word_segment`).iterate())
    yield* finding(() => soundSegment(connection, row))
  for (const row of prepare(`SELECT key, ${BLOCK_ROW} FROM word_block`).iterate())
    yield* finding(() => soundBlock(connection, row))
}

function* vectors(connection: Connection): Generator<string> {
  for (const row of connection.prepare(`SELECT key, ${VECTOR_ROW} FROM vector`).iterate())
    yield* finding(() => soundVectors(connection, row))
}

function* texts(connection: Connection): Generator<string> {
  const { prepare } = connection
  const blocks = prepare('SELECT key, chat FROM block ORDER BY key').all()
  for (const { key, chat } of blocks) {
    for (const problem of finding(() => {
      unpack(textsOf(connection, Number(key)))
      const details = detailsOf(connection, Number(key))
      if (details) unpack(details)
    })) {
      const owner = prepare('SELECT source, id FROM chat WHERE key = ?').get(chat!)
      yield `a part of the chat ${owner?.source}:${owner?.id} cannot be read: ${problem}`
    }
  }
}

function finding(work: () => unknown): string[] {
  try {
    work()
    return []
  } catch (error) {
    return [(error as Error).message]
  }
}
