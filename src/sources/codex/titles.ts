import crypto from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import type { DatabaseSync } from 'node:sqlite'
import { columnsOf, openForeignDatabase } from '../foreign-db.ts'
import { object, words } from '../json.ts'
import { jsonLines } from '../lines.ts'
import type { Checkpoint, Found } from '../source.ts'
import { rolloutNameOf, rolloutsBelow } from './rollout-files.ts'

const TITLE_LENGTH = 500

/** `session_index.jsonl`: names that older versions gave to threads; the last one counts. */
export function* readIndexTitles(file: string): Generator<Found> {
  const names = new Map<string, string>()
  for (const { value, problem } of jsonLines(file)) {
    if (problem) yield { problem }
    const entry = object(value)
    const id = words(entry?.id)
    const name = words(entry?.thread_name)
    if (id && name) names.set(id, name.slice(0, TITLE_LENGTH))
  }
  yield* titlesOnDisk(names, path.dirname(file))
}

/** `state_<n>.sqlite`: read for the titles only; all else is told better by the rollouts. */
export function* readStateTitles(file: string, from: Checkpoint | undefined): Generator<Found> {
  if (isOutdated(file)) return
  let names: Map<string, string>
  try {
    names = stateTitles(file)
  } catch (error) {
    yield { problem: { reason: `thread titles: ${(error as Error).message}` } }
    return
  }
  // The database changes with every turn of every thread, its titles hardly ever.
  const digest = crypto
    .createHash('sha1')
    .update(JSON.stringify([...names]))
    .digest('hex')
  if (object(from?.state)?.titles !== digest) yield* titlesOnDisk(names, path.dirname(file))
  yield { checkpoint: { offset: 0, state: { titles: digest } } }
}

/** A thread keeps its title here after its rollout is deleted: only those still on disk are told. */
function* titlesOnDisk(names: Map<string, string>, home: string): Generator<Found> {
  if (names.size === 0) return
  const threads = threadsOnDisk(home)
  for (const [id, title] of names) {
    if (threads.has(id)) yield { chat: { source: 'codex', id, title } }
  }
}

function stateTitles(file: string): Map<string, string> {
  const db = openForeignDatabase(file)
  try {
    return titlesIn(db)
  } finally {
    db.close()
  }
}

function titlesIn(db: DatabaseSync): Map<string, string> {
  const columns = new Set(columnsOf(db, 'threads'))
  if (!columns.has('id')) return new Map()
  const column = (name: string) => (columns.has(name) ? `substr(${name}, 1, ${TITLE_LENGTH})` : 'NULL')
  const rows = db
    .prepare(
      `SELECT id, ${column('name')} AS name, ${column('title')} AS title, ${column('first_user_message')} AS first
       FROM threads ORDER BY id`,
    )
    .all()
  const names = new Map<string, string>()
  for (const row of rows) {
    // Without a better one, `title` repeats the first request.
    const given = words(row.name) ?? (row.title !== row.first ? words(row.title) : undefined)
    if (typeof row.id === 'string' && given) names.set(row.id, given)
  }
  return names
}

/** The number grows with each incompatible schema, and old databases are left behind. */
function isOutdated(file: string): boolean {
  const version = (name: string) => Number(/^state_(\d+)\.sqlite$/.exec(name)?.[1] ?? -1)
  const own = version(path.basename(file))
  return fs.readdirSync(path.dirname(file)).some((name) => version(name) > own)
}

function threadsOnDisk(home: string): Set<string> {
  const ids = new Set<string>()
  for (const file of rolloutsBelow(home)) {
    const id = rolloutNameOf(file)?.threadId
    if (id) ids.add(id)
  }
  return ids
}
