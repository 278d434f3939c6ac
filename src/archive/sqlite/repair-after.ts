import type { BodyPlace } from './blocks.ts'
import { connect } from './connection.ts'
import { storedId } from './message-id.ts'
import type { DamagedChat } from './repair.ts'
import { RECOVERED } from './repair-rows.ts'
import { Writer } from './write.ts'

/** A damaged chat after the assistants' files were read again. */
export interface MendedChat extends DamagedChat {
  /** Messages that came back from its files. */
  fromFiles: number
}

/**
 * What is still missing of the damaged chats, after a sync read the files again. Messages that had lost their chat's
 * name, and that a file has told under it since, are there twice: the nameless ones go.
 */
export function settle(home: string, damaged: DamagedChat[]): MendedChat[] {
  const connection = connect(home)
  try {
    const { prepare } = connection
    connection.transaction(() => {
      for (const { key } of prepare(`SELECT key FROM chat WHERE id GLOB '${RECOVERED}[0-9]*'`).all()) {
        const rows = prepare(
          `SELECT * FROM chat_message WHERE chat = ? AND EXISTS (SELECT 1 FROM chat_message AS other
             JOIN chat ON chat.key = other.chat WHERE other.id = chat_message.id AND other.hash = chat_message.hash
             AND other.chat <> chat_message.chat AND chat.id NOT GLOB '${RECOVERED}[0-9]*')`,
        ).all(key!)
        if (rows.length === 0) continue
        const writer = new Writer(connection)
        const open = writer.chatAt(Number(key))!
        for (const row of rows) writer.drop(open, row as unknown as BodyPlace)
        writer.finish()
        if (!prepare('SELECT 1 FROM chat_message WHERE chat = ?').get(key!)) {
          prepare('DELETE FROM unit_chat WHERE chat = ?').run(key!)
          prepare('DELETE FROM chat WHERE key = ?').run(key!)
        }
      }
    })
    const chatNamed = prepare(
      'SELECT key, coalesce(title, first_request) AS title, title AS given, messages FROM chat WHERE id = ? AND source = ?',
    )
    const message = prepare('SELECT hash FROM chat_message WHERE chat = ? AND id = ?')
    return damaged.flatMap((each) => {
      const chat = chatNamed.get(each.id, each.source)
      // It has its name back.
      if (!chat && each.id.startsWith(RECOVERED)) return []
      const hashOf = (id: string) => chat && message.get(Number(chat.key), storedId(id))?.hash
      const missing = each.missing.filter((id) => hashOf(id) === undefined)
      const withoutDetails = each.withoutDetails.filter((id) => hashOf(id) === 1)
      const more = Math.max(
        0,
        Number(chat?.messages ?? 0) - each.kept - (each.missing.length - missing.length),
      )
      const unnamed = Math.max(0, each.unnamed - more)
      return {
        ...each,
        ...(typeof chat?.title === 'string' && { title: chat.title }),
        kept: Number(chat?.messages ?? 0),
        fromFiles: each.missing.length - missing.length + (each.unnamed - unnamed),
        missing,
        withoutDetails,
        unnamed,
        withoutHeader: each.withoutHeader && chat?.given === null,
      }
    })
  } finally {
    connection.close()
  }
}
