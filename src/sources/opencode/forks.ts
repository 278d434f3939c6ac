import type { DatabaseSync } from 'node:sqlite'
import { columnsOf } from '../foreign-db.ts'
import { type Json, millis, object, words } from '../json.ts'
import type { Session } from './message.ts'

/** What a session was copied from. */
export interface Fork {
  of: string
  /** The id of the message that this one repeats. */
  originalOf(info: Json): string | undefined
}

const MOST_AT_HAND = 100
/** More sessions than anybody forks from one. */
const MOST_HOLDERS = 100

/**
 * A fork gets its messages copied under new ids, and nothing names its origin. But the copies keep their
 * times, so they are older than the session they are in; of all that share a time the smallest id came first.
 */
export function forkReader(db: DatabaseSync): (session: Session) => Fork | undefined {
  if (!['session', 'message'].every((table) => columnsOf(db, table).includes('time_created')))
    return () => undefined
  const copied =
    db.prepare(`SELECT CAST(min(time_created) AS REAL) AS first, CAST(max(time_created) AS REAL) AS last
    FROM message WHERE session_id = ? AND time_created < ?`)
  const older = db.prepare(`SELECT CAST(s.id AS TEXT) AS id
    FROM session s CROSS JOIN message m ON m.session_id = s.id AND m.time_created = ?
    WHERE s.time_created < ? LIMIT ${MOST_HOLDERS}`)
  const held = db.prepare(`SELECT CAST(m.id AS TEXT) AS id, CAST(m.session_id AS TEXT) AS session,
      CASE WHEN json_valid(m.data) THEN m.data ->> '$.role' END AS role
    FROM json_each(?) AS holder CROSS JOIN message m ON m.session_id = holder.value AND m.time_created = ?
    ORDER BY m.id`)

  const look = ({ id, createdAt }: Session): Fork | undefined => {
    const created = millis(createdAt)
    const times = created === undefined ? undefined : copied.get(id, created)
    const first = millis(times?.first)
    const last = millis(times?.last)
    if (created === undefined || first === undefined || last === undefined) return undefined
    const holders = JSON.stringify(older.all(first, created).map((row) => row.id))
    const of = words(held.get(holders, last)?.session)
    if (of === undefined) return undefined
    return {
      of,
      originalOf(info) {
        const time = millis(object(info.time)?.created)
        if (time === undefined || time >= created) return undefined
        return words(held.all(holders, time).find((row) => row.role === info.role)?.id)
      },
    }
  }

  const atHand = new Map<string, Fork | undefined>()
  return (session) => {
    if (!atHand.has(session.id)) {
      if (atHand.size >= MOST_AT_HAND) atHand.clear()
      atHand.set(session.id, look(session))
    }
    return atHand.get(session.id)
  }
}
