import type { Chat, Message } from '../../model/chat.ts'
import { type Fork, isOriginalOf, type KnownChat } from '../../model/merge.ts'
import type { ArchivedChat, Copies } from '../archive.ts'
import { Bodies } from './blocks.ts'
import type { Connection } from './connection.ts'
import { storedId } from './message-id.ts'
import { messageFrom } from './message-row.ts'
import { headerFrom, tellersOf } from './open-chat.ts'

/** What is known of a chat and by whom. */
export function knownChat(connection: Connection, { key }: ArchivedChat): KnownChat {
  const { prepare } = connection
  return connection.reading(() => {
    const chat = prepare('SELECT * FROM chat WHERE key = ?').get(key)
    if (!chat) return { base: {}, tellings: [], messages: [] }
    const tellers = tellersOf(prepare, key, chat)
    const bodies = new Bodies(connection)
    const rows = prepare('SELECT * FROM chat_message WHERE chat = ? ORDER BY place').all(key)
    return {
      base: headerFrom(chat),
      tellings: [...tellers.values()],
      messages: rows.map((row) => {
        const { path = '', standsIn = false } = tellers.get(Number(row.unit)) ?? {}
        return {
          message: messageFrom(row, bodies),
          by: { path, standsIn, rank: Number(row.rank) },
          hash: Number(row.hash),
          order: Number(row.position),
          size: Number(row.text_bytes ?? Buffer.byteLength(String(row.text))),
          generation: Number(row.generation),
          vanished: row.undone === 2 || row.hash === 0,
        }
      }),
    }
  })
}

/** Which messages of a chat that is not archived repeat those of one that is, and are not the originals. */
export function copiesIn(
  connection: Connection,
  chat: Chat,
  bornAt: number | undefined,
  messages: Message[],
): Copies {
  const { prepare } = connection
  const copies: Copies = { ids: new Set() }
  const [first] = messages
  if (!first) return copies
  const begunAlike = prepare(
    `SELECT chat.* FROM chat_message AS first JOIN chat ON chat.key = first.chat
     WHERE first.place = 0 AND first.id = ? AND chat.source = ? AND chat.id <> ? AND chat.author IS NULL`,
  ).all(storedId(first.id), chat.source, chat.id)
  const own: Fork = { id: chat.id, forkOf: chat.forkOf, background: chat.background, bornAt }
  for (const row of begunAlike) {
    const { forkOf, background } = headerFrom(row)
    const born = row.born_at as number | null
    const other: Fork = { id: String(row.id), forkOf, background, ...(born !== null && { bornAt: born }) }
    if (isOriginalOf(own, other)) continue
    for (const { id, createdAt } of messages) {
      const same = prepare(
        'SELECT 1 FROM chat_message WHERE chat = ? AND id = ? AND created_at = ? AND copy_of IS NULL',
      ).get(row.key as number, storedId(id), createdAt ?? null)
      if (!same) break
      copies.ids.add(id)
      copies.forkOf ??= other.id
    }
  }
  return copies
}
