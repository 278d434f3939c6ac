import type { Message } from '../../model/chat.ts'
import { type Fork, isOriginalOf } from '../../model/merge.ts'
import { Bodies } from './blocks.ts'
import type { BodyWriter } from './body-writer.ts'
import type { Connection } from './connection.ts'
import { storedId } from './message-id.ts'
import { messageFrom } from './message-row.ts'
import type { OpenChat } from './open-chat.ts'

/** What of the transaction is needed for it. */
interface Writer {
  readonly connection: Connection
  readonly bodies: BodyWriter
  chatAt(key: number): OpenChat | undefined
  index(key: number, chat: number, message: Message): void
  unindex(key: number, chat: number): void
}

/**
 * Which messages are copies. A fork begins with the messages of the chat it was copied from, under
 * the same ids: they are shown in both, and found and counted in the original only. Which chat is the
 * original does not depend on the order in which they are read. Chats of others stay apart: who may read a copy need
 * not be allowed to read what it is a copy of.
 */
export class Forks {
  readonly #writer: Writer

  constructor(writer: Writer) {
    this.#writer = writer
  }

  /**
   * Whether a message that was just written repeats one of another chat. Only a first message, or one
   * that follows nothing but shared ones, needs the look-up, and only in chats that begin alike.
   */
  isCopy(open: OpenChat, message: Pick<Message, 'id' | 'createdAt'>, key: number, isFirst: boolean): boolean {
    if (!isFirst && open.sharedSince === undefined) return false
    const { prepare } = this.#writer.connection
    const first = open.sharedSince ?? message.id
    const row = prepare(
      `SELECT message.key, message.chat FROM chat_message AS first
       JOIN chat_message AS message ON message.chat = first.chat AND message.id = ?
       JOIN chat ON chat.key = message.chat
       WHERE first.place = 0 AND first.id = ? AND first.chat <> ? AND chat.source = ? AND message.copy_of IS NULL
         AND (chat.author, chat.space) IS (SELECT author, space FROM chat WHERE key = ?)
         AND (message.hash = (SELECT hash FROM chat_message WHERE key = ?) OR message.created_at = ?) LIMIT 1`,
    ).get(
      storedId(message.id),
      storedId(first),
      open.key,
      open.source,
      open.key,
      key,
      message.createdAt ?? null,
    )
    open.sharedSince = row ? first : undefined
    const other = row && this.#writer.chatAt(Number(row.chat))
    if (!other) return false
    if (isOriginalOf(forkOf(open), forkOf(other))) {
      this.#giveTo(open, key, other, Number(row.key))
      return false
    }
    prepare('UPDATE chat_message SET copy_of = ? WHERE key = ?').run(row.key as number, key)
    linked(open, other)
    return true
  }

  /** Looks again which of the chats that share messages with this one is the original. */
  settle(open: OpenChat): void {
    const { prepare } = this.#writer.connection
    const pairs = prepare(
      `SELECT copy.key AS copy, copy.chat AS fork, original.key AS original, original.chat AS chat
       FROM chat_message AS copy JOIN chat_message AS original ON original.key = copy.copy_of
       WHERE copy.chat = ? OR original.chat = ?`,
    ).all(open.key, open.key)
    for (const pair of pairs) {
      const fork = this.#writer.chatAt(Number(pair.fork))
      const original = this.#writer.chatAt(Number(pair.chat))
      const still = prepare('SELECT 1 FROM chat_message WHERE key = ? AND copy_of = ?')
      if (!fork || !original || !still.get(pair.copy as number, pair.original as number)) continue
      if (!isOriginalOf(forkOf(fork), forkOf(original))) continue
      if (!fork.forkTold && fork.forkOf === original.id) fork.forkOf = null
      this.#giveTo(fork, Number(pair.copy), original, Number(pair.original))
      this.#indexed(fork, Number(pair.copy))
    }
  }

  /** A message goes: the first that repeats it is found by search from now on. */
  leave(key: number): void {
    const { prepare } = this.#writer.connection
    const [heir, ...others] = prepare(
      'SELECT key, chat FROM chat_message WHERE copy_of = ? ORDER BY key',
    ).all(key)
    if (!heir) return
    prepare('UPDATE chat_message SET copy_of = NULL WHERE key = ?').run(heir.key as number)
    for (const other of others)
      prepare('UPDATE chat_message SET copy_of = ? WHERE key = ?').run(
        heir.key as number,
        other.key as number,
      )
    const open = this.#writer.chatAt(Number(heir.chat))
    if (open) this.#indexed(open, Number(heir.key))
  }

  /** Makes a message the original of what was taken for it so far, and of its copies. */
  #giveTo(open: OpenChat, key: number, other: OpenChat, otherKey: number): void {
    const { prepare } = this.#writer.connection
    prepare('UPDATE chat_message SET copy_of = NULL WHERE key = ?').run(key)
    const forks = prepare('SELECT DISTINCT chat FROM chat_message WHERE copy_of = ?').all(otherKey)
    prepare('UPDATE chat_message SET copy_of = ? WHERE (key = ? OR copy_of = ?) AND key <> ?').run(
      key,
      otherKey,
      otherKey,
      key,
    )
    this.#writer.unindex(otherKey, other.key)
    linked(other, open)
    for (const { chat } of forks) {
      const fork = this.#writer.chatAt(Number(chat))
      if (fork && fork !== open && fork.forkOf === other.id && !fork.forkTold) fork.forkOf = open.id
    }
  }

  #indexed(open: OpenChat, key: number): void {
    const { connection, bodies } = this.#writer
    bodies.finish()
    const row = connection.prepare('SELECT * FROM chat_message WHERE key = ?').get(key)
    if (row) this.#writer.index(key, open.key, messageFrom(row, new Bodies(connection)))
  }
}

function linked(fork: OpenChat, original: OpenChat): void {
  fork.forkOf ??= original.id
}

function forkOf({ id, forkOf: of, forkTold, background, bornAt }: OpenChat): Fork {
  return { id, ...(forkTold && of && { forkOf: of }), background, ...(bornAt !== null && { bornAt }) }
}
