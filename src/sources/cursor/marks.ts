import type { DatabaseSync } from 'node:sqlite'
import { number, object } from '../json.ts'
import type { Checkpoint } from '../source.ts'

export const MOST_WAITING = 500

/** A row as it was: while it stands unchanged, everything written since has a higher number. */
export type Mark = [row: number, key: string, bytes: number]

/**
 * How far a reading got. The table replaces rows instead of changing them, and a replaced row gets
 * the next free number, so numbers above a mark tell what is new or changed.
 */
export interface State {
  /** The highest row, and others ever further below, for when the highest have been replaced or deleted. */
  marks: Mark[]
  /** The key of the last chat told, while a first reading goes on. */
  after?: string
  /** The latest change among the chats' headers. */
  changedAt: number
  /** Bubbles that came before the chat that will name them: `<chat>:<bubble>`. */
  waiting: string[]
}

export function marksOf(db: DatabaseSync): Mark[] {
  const at = db.prepare(
    'SELECT rowid AS place, key, octet_length(value) AS bytes FROM cursorDiskKV WHERE rowid <= ? ORDER BY rowid DESC LIMIT 1',
  )
  const marks: Mark[] = []
  let below = Number.MAX_SAFE_INTEGER
  for (let step = 1; ; step *= 2) {
    const row = at.get(below)
    if (!row) return marks
    const place = Number(row.place)
    marks.push([place, String(row.key), Number(row.bytes)])
    below = place - step
  }
}

/** The highest mark that stands as it was; 0 when the table was empty, nothing when all are gone. */
export function standing(db: DatabaseSync, marks: Mark[]): number | undefined {
  if (marks.length === 0) return 0
  const at = db.prepare('SELECT key, octet_length(value) AS bytes FROM cursorDiskKV WHERE rowid = ?')
  for (const [place, key, bytes] of marks) {
    const row = at.get(place)
    if (row && String(row.key) === key && Number(row.bytes) === bytes) return place
  }
  return undefined
}

export function stateOf(from: Checkpoint | undefined): State | undefined {
  const state = object(from?.state)
  if (!state || !Array.isArray(state.marks)) return undefined
  const marks = state.marks.filter(isMark)
  if (marks.length !== state.marks.length) return undefined
  return {
    marks,
    ...(typeof state.after === 'string' && { after: state.after }),
    changedAt: number(state.changedAt) ?? 0,
    waiting: (Array.isArray(state.waiting) ? state.waiting : []).filter((key) => typeof key === 'string'),
  }
}

function isMark(mark: unknown): mark is Mark {
  return Array.isArray(mark) && Number.isSafeInteger(mark[0]) && typeof mark[1] === 'string'
}
