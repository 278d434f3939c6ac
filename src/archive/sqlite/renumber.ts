import { inOrder, type Placed } from '../../model/merge.ts'
import type { Connection } from './connection.ts'
import { idFrom } from './message-id.ts'
import type { OpenChat } from './open-chat.ts'

/** Gives the messages of a chat their places anew. Says which ones moved. */
export function renumber({ prepare }: Connection, open: OpenChat): number[] {
  const rows = prepare(
    `SELECT key, id, place, position, unit, undone = 2 OR hash = 0 AS vanished, created_at FROM chat_message
     WHERE chat = ? ORDER BY place, key`,
  ).all(open.key)
  const before = rows.map((row) => ({
    key: Number(row.key),
    place: Number(row.place),
    id: idFrom(row.id),
    order: Number(row.position),
    createdAt: (row.created_at as number | null) ?? undefined,
    path: open.tellers.get(Number(row.unit))?.path ?? '',
    vanished: Boolean(row.vanished),
  })) satisfies Placed[]
  const moved: number[] = []
  for (const [place, row] of inOrder(before).entries()) {
    if (row.place === place) continue
    prepare('UPDATE chat_message SET place = ? WHERE key = ?').run(place, row.key)
    moved.push(row.key)
  }
  return moved
}
