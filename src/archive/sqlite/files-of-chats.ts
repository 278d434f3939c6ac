import type { FileChat, FileOfChat } from '../archive.ts'
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

export function filesOfChats({ prepare }: Connection): Map<string, FileOfChat[]> {
  const rows = prepare(
    `SELECT unit.source, unit.path, unit_chat.chat
     FROM unit_chat JOIN unit ON unit.key = unit_chat.unit JOIN chat ON chat.key = unit_chat.chat
     WHERE chat.messages > 0`,
  )
  const bySource = new Map<string, FileOfChat[]>()
  for (const [source, path, chat] of rows.lists()) {
    const files = bySource.get(source as string)
    const file = { path: path as string, chat: chat as number }
    if (files) files.push(file)
    else bySource.set(source as string, [file])
  }
  return bySource
}
