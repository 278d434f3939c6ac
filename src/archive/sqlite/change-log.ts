import type { LocalGone } from '../archive.ts'
import type { Connection } from './connection.ts'

/**
 * What changed of the chats that were read on this machine, for the hub to push. Written only while a space is
 * joined. A change that comes again moves to the end, so it is never longer than the archive; what every space has
 * pushed is deleted.
 */
export class ChangeLog {
  readonly #connection: Connection
  readonly #isOn: boolean

  constructor(connection: Connection) {
    this.#connection = connection
    this.#isOn = isOn(connection)
  }

  /** What is known of the chat itself changed. */
  chat(chat: number): void {
    this.message(chat, 0)
  }

  message(chat: number, message: number): void {
    if (!this.#isOn) return
    this.#connection
      .prepare('INSERT OR REPLACE INTO change_log (chat, message) VALUES (?, ?)')
      .run(chat, message)
  }

  /** A chat is no longer here, or one message of it. */
  gone({ source, id, author, message = '' }: LocalGone): void {
    if (!this.#isOn) return
    this.#connection
      .prepare('INSERT OR REPLACE INTO change_gone (source, id, message, author) VALUES (?, ?, ?, ?)')
      .run(source, id, message, author ?? null)
  }
}

/** Whether a space is joined. */
export function isOn({ prepare }: Connection): boolean {
  return prepare('SELECT 1 FROM hub_space LIMIT 1').get() !== undefined
}
