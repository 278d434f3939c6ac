import type { Lease } from '../archive.ts'
import { detailsOf, textsOf, unpack } from './blocks.ts'
import type { Connection } from './connection.ts'
import { assertLease } from './lease.ts'
import { SEALED, type SealedTable } from './seal-tables.ts'
import { chatsIn, sumsOf } from './seals.ts'
import { BLOCK_ROW, SEGMENT_ROW, soundBlock, soundSegment, soundVectors, VECTOR_ROW } from './sums.ts'

/** How long a turn takes; a minute apart, that is a thirtieth of a percent of a processor. */
const TURN_MS = 20
/** So many findings are kept. */
const KEPT = 20

/** Where the check is, between turns and processes. */
interface Cursor {
  step: number
  /** The last key or range that was checked. */
  at: number
  /** Of this round. */
  found: string[]
}

/** The next piece after one, checked: its key, and what is wrong with it; undefined where there is none. */
type Step = (connection: Connection, after: number) => { at: number; problem?: string } | undefined

const STEPS: Step[] = [
  ...SEALED.map((sealed) => rowsOf(sealed)),
  keyed('block', 'key, chat', (connection, row) => {
    try {
      unpack(textsOf(connection, Number(row.key)))
      const details = detailsOf(connection, Number(row.key))
      if (details) unpack(details)
    } catch (error) {
      const owner = connection.prepare('SELECT source, id FROM chat WHERE key = ?').get(Number(row.chat))
      throw new Error(`a part of the chat ${owner?.source}:${owner?.id}: ${(error as Error).message}`)
    }
  }),
  keyed('word_segment', `key, ${SEGMENT_ROW}`, soundSegment),
  keyed('word_block', `key, ${BLOCK_ROW}`, soundBlock),
  keyed('vector', `key, ${VECTOR_ROW}`, soundVectors),
]

/**
 * Checks the next part of the archive and keeps where it was, and what it found: all of the archive by and by, without
 * anybody noticing. One that holds the lease calls it now and then, while there is nothing else to do.
 */
export function checkSome(connection: Connection, lease: Lease, turnMs = TURN_MS): void {
  const cursor = readCursor(connection)
  const until = performance.now() + turnMs
  do {
    try {
      const next = STEPS[cursor.step]!(connection, cursor.at)
      if (next) cursor.at = next.at
      else Object.assign(cursor, { step: cursor.step + 1, at: -1 })
      if (next?.problem !== undefined) note(cursor, next.problem)
    } catch (error) {
      // Not even the next one can be found.
      note(cursor, (error as Error).message)
      Object.assign(cursor, { step: cursor.step + 1, at: -1 })
    }
  } while (performance.now() < until && cursor.step < STEPS.length)
  connection.transaction(() => {
    assertLease(connection, lease)
    const isOver = cursor.step >= STEPS.length
    // What an earlier round found is over when a whole round finds nothing.
    if (cursor.found.length > 0 || isOver)
      keep(connection, 'damage', cursor.found.length > 0 ? cursor.found : undefined)
    keep(connection, 'checkCursor', isOver ? undefined : cursor)
  })
}

/** What the checks while idle found, if anything. */
export function foundDamage({ prepare }: Connection): { damage?: string[] } {
  const value = prepare(`SELECT value FROM setting WHERE name = 'damage'`).get()?.value
  return typeof value === 'string' ? { damage: JSON.parse(value) as string[] } : {}
}

function rowsOf(sealed: SealedTable): Step {
  return (connection, after) =>
    connection.reading(() => {
      const next = connection
        .prepare(
          `SELECT range, sum FROM seal WHERE part = ? AND range > ? AND NOT EXISTS (SELECT 1 FROM unsealed
             WHERE unsealed.part = seal.part AND unsealed.range = seal.range) ORDER BY range LIMIT 1`,
        )
        .get(sealed.part, after)
      if (!next) return undefined
      const range = Number(next.range)
      if (sumsOf(connection, sealed, range)?.whole === next.sum) return { at: range }
      const chats = chatsIn(connection, sealed, range)
      const among = chats.length > 0 ? `, among the chats ${chats.join(', ')}` : ''
      return { at: range, problem: `rows of the table ${sealed.table} are not what was written${among}` }
    })
}

function keyed(
  table: string,
  columns: string,
  check: (connection: Connection, row: Record<string, unknown>) => unknown,
): Step {
  return (connection, after) =>
    connection.reading(() => {
      const row = connection
        .prepare(`SELECT ${columns} FROM ${table} WHERE key > ? ORDER BY key LIMIT 1`)
        .get(after)
      if (!row) return undefined
      try {
        check(connection, row)
        return { at: Number(row.key) }
      } catch (error) {
        return { at: Number(row.key), problem: (error as Error).message }
      }
    })
}

function note(cursor: Cursor, problem: string): void {
  if (cursor.found.length < KEPT && !cursor.found.includes(problem)) cursor.found.push(problem)
}

function readCursor({ prepare }: Connection): Cursor {
  const value = prepare(`SELECT value FROM setting WHERE name = 'checkCursor'`).get()?.value
  return typeof value === 'string' ? (JSON.parse(value) as Cursor) : { step: 0, at: -1, found: [] }
}

function keep({ prepare }: Connection, name: string, value: unknown): void {
  if (value === undefined) prepare('DELETE FROM setting WHERE name = ?').run(name)
  else prepare('INSERT OR REPLACE INTO setting (name, value) VALUES (?, ?)').run(name, JSON.stringify(value))
}
