import type { LocalGone } from '../archive.ts'
import { Bodies, type BodyPlace } from './blocks.ts'
import { ChangeLog } from './change-log.ts'
import type { Connection } from './connection.ts'
import { keepMark, type Markable, makeSalt, marksOf, titleMark } from './forgotten.ts'
import { idFrom } from './message-id.ts'

/** A chat that goes, and the forgotten one that it is a copy or a part of. */
export interface Leaving {
  key: number
  copyOf?: string
  /** It begins with messages of a chat that stays: they are not its own. */
  isShared?: boolean
}

/** Erases a chat's rows, and keeps by what it is known again. Says which messages went. In a transaction. */
export function eraseChat(connection: Connection, { key, copyOf, isShared = false }: Leaving): number[] {
  const { prepare } = connection
  const chat = prepare('SELECT source, id, title, created_at FROM chat WHERE key = ?').get(key)
  if (!chat) return []
  const [source, id] = [String(chat.source), String(chat.id)]
  const root = copyOf ?? id
  new ChangeLog(connection).gone(originalName(connection, key, source, id))
  prepare('INSERT OR REPLACE INTO forgotten (source, id, at, copy_of, learns) VALUES (?, ?, ?, ?, ?)').run(
    source,
    id,
    Date.now(),
    copyOf ?? null,
    Number(!isShared),
  )
  const salt = makeSalt(connection)
  const own = ownMessages(connection, key)
  const createdAt = (chat.created_at as number | null) ?? undefined
  for (const { mark } of marksOf(salt, createdAt, own)) keepMark(prepare, source, mark, root)
  if (chat.title && !isShared) keepMark(prepare, source, titleMark(salt, String(chat.title)), root)

  const gone = prepare('SELECT key FROM chat_message WHERE chat = ?').all(key)
  prepare('DELETE FROM chat_message WHERE chat = ?').run(key)
  const units = prepare('SELECT unit FROM unit_chat WHERE chat = ?').all(key)
  for (const { unit } of units) silence(connection, Number(unit), source, root)
  prepare('DELETE FROM unit_chat WHERE chat = ?').run(key)
  prepare('UPDATE chat SET fork_of = NULL WHERE fork_of = ? AND source = ?').run(id, source)
  prepare('DELETE FROM chat WHERE key = ?').run(key)
  return gone.map((row) => Number(row.key))
}

/** Whose chat it was, and what its assistant calls it. */
function originalName({ prepare }: Connection, key: number, source: string, id: string): LocalGone {
  const remote = prepare('SELECT author, id FROM remote_chat WHERE chat = ? LIMIT 1').get(key)
  return remote ? { source, id: String(remote.id), author: String(remote.author) } : { source, id }
}

/** What a source noted to go on reading a file, and what is wrong with it, may hold words of it. */
export function silence({ prepare }: Connection, unit: number, source: string, id: string): void {
  prepare('INSERT OR IGNORE INTO forgotten_unit (unit, source, id) VALUES (?, ?, ?)').run(unit, source, id)
  const row = prepare('SELECT fingerprint FROM unit WHERE key = ?').get(unit)
  const fingerprint = { ...JSON.parse(String(row?.fingerprint ?? '{}')), head: '', tail: '' }
  prepare('UPDATE unit SET checkpoint = NULL, fingerprint = ? WHERE key = ?').run(
    JSON.stringify(fingerprint),
    unit,
  )
  prepare('UPDATE problem SET reason = ? WHERE unit = ?').run(UNSAID, unit)
}

export const UNSAID = 'a part of this file could not be read; it tells of a forgotten chat'

/** Those that are no copies of messages of another chat. */
function ownMessages(connection: Connection, chat: number): Markable[] {
  const bodies = new Bodies(connection)
  const rows = connection
    .prepare('SELECT * FROM chat_message WHERE chat = ? AND copy_of IS NULL ORDER BY place')
    .all(chat)
  return rows.map((row) => ({
    id: idFrom(row.id),
    order: Number(row.position),
    role: String(row.role) as Markable['role'],
    createdAt: (row.created_at as number | null) ?? undefined,
    text: textOf(bodies, row),
  }))
}

/** A damaged chat can be forgotten too. */
function textOf(bodies: Bodies, row: Record<string, unknown>): string {
  try {
    return bodies.text(row as unknown as BodyPlace)
  } catch {
    return ''
  }
}
