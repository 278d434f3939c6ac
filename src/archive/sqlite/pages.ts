import type { SQLInputValue } from 'node:sqlite'
import type { ArchivedChat, ArchivedMessage, ChatFilter, ChatPage, ChatSort } from '../archive.ts'
import { Bodies } from './blocks.ts'
import type { Connection } from './connection.ts'
import { foldedIn } from './folded.ts'
import { idsBegunWith } from './message-id.ts'
import { messageFrom } from './message-row.ts'
import { chatReader, conditions } from './read.ts'

const ORDERS: Record<ChatSort, { by: string; direction: 'ASC' | 'DESC' }> = {
  updated: { by: 'coalesce(updated_at, 0)', direction: 'DESC' },
  created: { by: 'coalesce(created_at, 0)', direction: 'DESC' },
  messages: { by: 'messages', direction: 'DESC' },
  title: { by: foldedIn(`coalesce(name, title, first_request, '(no title)')`), direction: 'ASC' },
}

export function pageChats(
  connection: Connection,
  filter: ChatFilter,
  { sort, limit, after }: ChatPage,
): ArchivedChat[] {
  const { where, values } = conditions(filter)
  const { by, direction } = ORDERS[sort]
  const beyond = direction === 'DESC' ? '<' : '>'
  let rest = ''
  const given: SQLInputValue[] = []
  if (typeof after?.value === 'string') {
    // As the order has it: a title that SQLite and JavaScript take otherwise would be left out, or told for ever.
    rest = `AND (${by}, key) ${beyond} ((SELECT ${by} FROM chat WHERE key = ?), ?)`
    given.push(after.key, after.key)
  } else if (after) {
    // Said twice, since only the simpler form lets SQLite begin there in an index.
    rest = `AND ${by} ${beyond}= ? AND (${by}, key) ${beyond} (?, ?)`
    given.push(after.value, after.value, after.key)
  }
  return connection
    .prepare(
      `SELECT chat.* FROM chat WHERE messages > 0 AND ${where} ${rest}
     ORDER BY ${by} ${direction}, key ${direction} LIMIT ?`,
    )
    .all(...values, ...given, limit)
    .map(chatReader(connection))
}

export function chatsBegunWith(connection: Connection, prefix: string, limit: number): ArchivedChat[] {
  return connection
    .prepare(
      'SELECT * FROM chat WHERE id >= ? AND id < ? AND messages > 0 ORDER BY updated_at DESC, key DESC LIMIT ?',
    )
    .all(prefix, `${prefix}\u{10ffff}`, limit)
    .map(chatReader(connection))
}

export function chatNamesBegunWith(
  { prepare }: Connection,
  prefix: string,
  limit: number,
): { id: string; source: string }[] {
  return prepare('SELECT id, source FROM chat WHERE id >= ? AND id < ? AND messages > 0 LIMIT ?').all(
    prefix,
    `${prefix}\u{10ffff}`,
    limit,
  ) as { id: string; source: string }[]
}

export function messagesBegunWith(
  connection: Connection,
  prefix: string,
  limit: number,
): { chat: ArchivedChat; message: ArchivedMessage }[] {
  const { prepare } = connection
  const bodies = new Bodies(connection)
  const { where, values } = idsBegunWith(prefix)
  return connection.reading(() =>
    prepare(`SELECT * FROM chat_message WHERE ${where} ORDER BY id, chat LIMIT ?`)
      .all(...values, limit)
      .map((row) => ({
        chat: chatReader(connection)(prepare('SELECT * FROM chat WHERE key = ?').get(row.chat as number)!),
        message: messageFrom(row, bodies),
      })),
  )
}

export function unitsOf({ prepare }: Connection, { key }: ArchivedChat): { source: string; path: string }[] {
  return prepare(
    'SELECT unit.source, unit.path FROM unit_chat JOIN unit ON unit.key = unit_chat.unit WHERE unit_chat.chat = ?',
  )
    .all(key)
    .map((row) => ({ source: String(row.source), path: String(row.path) }))
}

export function isForgotten({ prepare }: Connection, source: string, id: string): boolean {
  return prepare('SELECT 1 FROM forgotten WHERE source = ? AND id = ?').get(source, id) !== undefined
}
