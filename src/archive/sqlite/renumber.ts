import type { Connection } from './connection.ts'

interface Row {
  key: number
  place: number
  position: number
  vanished: number
  created_at: number | null
}

/**
 * Gives the messages of a chat their places anew. Those that vanished from their file stay behind
 * the message they stood behind before; all others stand as their source orders them.
 */
export function renumber({ prepare }: Connection, chat: number): void {
  const rows = prepare(
    `SELECT key, place, position, hash = 0 AS vanished, created_at FROM message WHERE chat = ? ORDER BY place, key`,
  ).all(chat) as unknown as Row[]
  const followers = new Map<number | undefined, Row[]>()
  let before: number | undefined
  for (const row of rows) {
    if (!row.vanished) before = row.key
    else followers.set(before, [...(followers.get(before) ?? []), row])
  }
  const told = rows
    .filter((row) => !row.vanished)
    .sort((a, b) => a.position - b.position || (a.created_at ?? 0) - (b.created_at ?? 0) || a.key - b.key)
  let place = 0
  const put = (row: Row): void => {
    if (row.place !== place) prepare('UPDATE message SET place = ? WHERE key = ?').run(place, row.key)
    place++
  }
  for (const row of followers.get(undefined) ?? []) put(row)
  for (const row of told) {
    put(row)
    for (const follower of followers.get(row.key) ?? []) put(follower)
  }
}
