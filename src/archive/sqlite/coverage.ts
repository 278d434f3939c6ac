import type { FileChat, UnknownRecords } from '../archive.ts'
import type { Connection } from './connection.ts'

/** The chats that each file of a source tells of, with all that was asked in them. */
export function chatsByFile({ prepare }: Connection, source: string): FileChat[] {
  return prepare(
    `SELECT unit.path, chat.format, chat.key,
       (SELECT count(*) FROM chat_message WHERE chat_message.chat = chat.key AND kind = 'request') AS requests
     FROM unit JOIN unit_chat ON unit_chat.unit = unit.key JOIN chat ON chat.key = unit_chat.chat
     WHERE unit.source = ? AND chat.messages > 0`,
  )
    .all(source)
    .map((row) => ({
      path: String(row.path),
      chat: Number(row.key),
      format: row.format === null ? undefined : String(row.format),
      requests: Number(row.requests),
    }))
}

const MOST = 100

export function unknownRecords({ prepare }: Connection): UnknownRecords[] {
  const stored = prepare(`SELECT value FROM setting WHERE name = 'unknownRecords'`).get()?.value
  return stored === undefined ? [] : JSON.parse(String(stored))
}

/** Keeps the newest word on each kind. */
export function noteUnknown(connection: Connection, news: UnknownRecords[]): void {
  const all = new Map(
    [...unknownRecords(connection), ...news].map((each) => [`${each.source} ${each.kind}`, each]),
  )
  const kept = JSON.stringify([...all.values()].slice(-MOST))
  connection.prepare(`INSERT OR REPLACE INTO setting (name, value) VALUES ('unknownRecords', ?)`).run(kept)
}
