import type { ArchivedChat } from '../archive.ts'
import type { Connection } from './connection.ts'

/** To be noted before the file is there, so that nobody reads it as another one. */
export function noteRevived(
  connection: Connection,
  { key, source }: ArchivedChat,
  path: string,
  bytes: number,
): void {
  const { prepare } = connection
  connection.transaction(() => {
    const upto = Number(prepare('SELECT coalesce(max(key), 0) AS key FROM chat_message').get()!.key)
    prepare('INSERT OR REPLACE INTO revived_unit (source, path, bytes, upto) VALUES (?, ?, ?, ?)').run(
      source,
      path,
      bytes,
      upto,
    )
    // What is added comes after all that was said, whatever places the messages had in the old file.
    const { count } = prepare('SELECT count(*) AS count FROM chat_message WHERE chat = ?').get(key)!
    prepare('UPDATE chat_message SET position = place * ? / ? WHERE chat = ?').run(
      bytes,
      Number(count) + 1,
      key,
    )
    prepare(
      `UPDATE chat SET last_position = (SELECT coalesce(max(position), -1) FROM chat_message WHERE chat = chat.key)
       WHERE key = ?`,
    ).run(key)
  })
}

export function noteNotRevived({ prepare }: Connection, source: string, path: string): void {
  prepare('DELETE FROM revived_unit WHERE source = ? AND path = ?').run(source, path)
}
