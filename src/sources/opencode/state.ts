import type { DatabaseSync } from 'node:sqlite'
import { number, object } from '../json.ts'
import type { Checkpoint } from '../source.ts'

export const MOST_PENDING = 200
export const MOST_REVERTS = 100
/** Rows are filled in after they were inserted, and numbers of deleted rows come again: the last ones are looked at anew. */
export const WINDOW = 256
/** Rows of several processes arrive in another order than their time stamps. */
const SLACK_MS = 5000

/** How far a reading got. Rows are numbered as they are inserted; `time_updated` tells which changed later. */
export interface State {
  /** The last message told. */
  message: number
  /** The last part that was there when the reading began. */
  part: number
  /** What changed from this time on may not have been told. */
  since: number
  /** Messages that were still being answered, or whose tools ran. */
  pending: string[]
  /** Sessions with messages taken back, and from which message on. */
  reverts: Record<string, string>
}

/** Where this reading will have got to. Taken before anything is read: what is written meanwhile is read next time. */
export function startOf(db: DatabaseSync, before: State | undefined): State {
  const last = (table: 'message' | 'part') =>
    Number(db.prepare(`SELECT max(rowid) AS last FROM ${table}`).get()?.last ?? 0)
  const message = last('message')
  const part = last('part')
  const latest = Number(
    db
      .prepare(
        `SELECT CAST(max(
          coalesce((SELECT max(time_updated) FROM session), 0),
          coalesce((SELECT max(time_updated) FROM message WHERE rowid > ?), 0),
          coalesce((SELECT max(time_updated) FROM part WHERE rowid > ?), 0)) AS REAL) AS latest`,
      )
      .get(message - WINDOW, part - WINDOW)?.latest ?? 0,
  )
  return {
    message: Math.min(before?.message ?? 0, message),
    part,
    // A clock that ran ahead must not hide what comes after it was set right.
    since: Math.min(latest, Date.now()) - SLACK_MS,
    pending: [],
    reverts: { ...before?.reverts },
  }
}

export function stateOf(from: Checkpoint | undefined): State | undefined {
  const state = object(from?.state)
  const [message, part, since] = [number(state?.message), number(state?.part), number(state?.since)]
  if (!state || message === undefined || part === undefined || since === undefined) return undefined
  const pending = Array.isArray(state.pending) ? state.pending.filter((id) => typeof id === 'string') : []
  return { message, part, since, pending, reverts: (object(state.reverts) ?? {}) as State['reverts'] }
}
