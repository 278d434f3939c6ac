import type { DatabaseSync } from 'node:sqlite'
import type { Session } from './message.ts'
import { type State, WINDOW } from './state.ts'

/**
 * The messages told before that have changed since: among the last rows, among those that were
 * unfinished, and in the sessions that changed. Nothing here walks a whole table.
 */
export function changedMessages(db: DatabaseSync, before: State, changed: Session[]): Set<string> {
  const ids = new Set<string>()
  const add = (sql: string, ...values: (string | number)[]) => {
    for (const row of db.prepare(sql).iterate(...values)) if (typeof row.id === 'string') ids.add(row.id)
  }
  const { message, part, since } = before
  const lastPart = Math.min(part, Number(db.prepare('SELECT max(rowid) AS last FROM part').get()?.last ?? 0))

  add(
    `SELECT id FROM message WHERE rowid > ? AND rowid <= ? AND time_updated >= ?`,
    message - WINDOW,
    message,
    since,
  )
  add(
    `SELECT DISTINCT p.message_id AS id FROM part p CROSS JOIN message m ON m.id = p.message_id
      WHERE p.rowid > ? AND (p.rowid > ? OR p.time_updated >= ?) AND m.rowid <= ?`,
    lastPart - WINDOW,
    lastPart,
    since,
    message,
  )
  add(
    `SELECT m.id AS id FROM json_each(?) AS pending CROSS JOIN message m ON m.id = pending.value
      WHERE m.rowid <= ? AND (m.time_updated >= ?
        OR EXISTS (SELECT 1 FROM part p WHERE p.message_id = m.id AND p.time_updated >= ?))`,
    JSON.stringify(before.pending),
    message,
    since,
    since,
  )
  for (const session of changed) {
    add(
      `SELECT id FROM message WHERE session_id = ? AND time_updated >= ? AND rowid <= ?`,
      session.id,
      since,
      message,
    )
    add(
      `SELECT DISTINCT p.message_id AS id FROM part p CROSS JOIN message m ON m.id = p.message_id
        WHERE p.session_id = ? AND p.time_updated >= ? AND m.rowid <= ?`,
      session.id,
      since,
      message,
    )
    const [was, is] = [before.reverts[session.id], session.revertedFrom]
    const first = [was, is].filter((id) => id !== undefined).sort()[0]
    if (was !== is && first)
      add(
        `SELECT id FROM message WHERE session_id = ? AND id >= ? AND rowid <= ?`,
        session.id,
        first,
        message,
      )
  }
  return ids
}
