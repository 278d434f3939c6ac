import type { Connection } from './connection.ts'
import { eraseWords } from './index-merge.ts'
import type { OpenChat } from './open-chat.ts'
import { eraseVectors } from './vectors.ts'

/** What of the transaction is needed for it. */
interface Writer {
  readonly connection: Connection
  readonly chats: Map<string, OpenChat | undefined>
  readonly forks: { leave(key: number): void }
  readonly words: { holds(message: number): boolean }
  unindex(key: number, chat: number): void
  opened(source: string, id: string): OpenChat | undefined
}

/** Erases chats that others told, as if they had never been told. Says how many messages went. In a transaction. */
export function eraseRemote(writer: Writer, chats: Set<number>): number {
  if (chats.size === 0) return 0
  const { prepare } = writer.connection
  for (const key of chats) prepare('UPDATE chat_message SET copy_of = NULL WHERE chat = ?').run(key)
  const gone = new Set<number>()
  for (const key of chats) {
    for (const row of prepare('SELECT key FROM chat_message WHERE chat = ?').all(key)) {
      const message = Number(row.key)
      gone.add(message)
      if (writer.words.holds(message)) writer.unindex(message, key)
      writer.forks.leave(message)
    }
  }
  for (const key of chats) {
    const { source, id } = prepare('SELECT source, id FROM chat WHERE key = ?').get(key) ?? {}
    prepare('UPDATE chat SET fork_of = NULL WHERE fork_of = ? AND source = ? AND NOT fork_told').run(
      id as string,
      source as string,
    )
    for (const open of writer.chats.values())
      if (open && !open.forkTold && open.forkOf === id && open.source === source) open.forkOf = null
    prepare('DELETE FROM chat_message WHERE chat = ?').run(key)
    prepare('DELETE FROM chat WHERE key = ?').run(key)
  }
  for (const [name, open] of writer.chats) if (open && chats.has(open.key)) writer.chats.delete(name)
  eraseWords(writer.connection, gone, chats)
  eraseVectors(writer.connection, gone)
  return gone.size
}

/** A file of this machine tells of a chat: what others told of the same one goes. */
export function eraseShadowed(writer: Writer): void {
  if (!hasRemote(writer.connection)) return
  const shown = writer.connection.prepare(
    'SELECT chat FROM remote_chat WHERE source = ? AND id = ? AND chat IS NOT NULL',
  )
  const shadowed = new Set<number>()
  for (const open of writer.chats.values()) {
    if (!open || open.isRemote || open.messages === 0) continue
    for (const row of shown.all(open.source, open.id)) shadowed.add(Number(row.chat))
  }
  eraseRemote(writer, shadowed)
}

/** A file of this machine tells of a chat that by chance is called as one of others is here. */
export function giveWay(writer: Writer, open: OpenChat): OpenChat | undefined {
  eraseRemote(writer, new Set([open.key]))
  return writer.opened(open.source, open.id)
}

function hasRemote({ prepare }: Connection): boolean {
  return prepare('SELECT 1 FROM remote_chat LIMIT 1').get() !== undefined
}
