import { setImmediate } from 'node:timers/promises'
import { secretsIn } from '../../platform/redact.ts'
import type { AtRest, AtRestOptions, SecretsInChat } from '../archive.ts'
import { allChats, bodyOf, messagesOf, namesOf, redactSome } from './at-rest.ts'
import type { Connection } from './connection.ts'
import { wipe } from './wipe.ts'

/** What is in the archive, by chat and kind; never the secrets. Reads all of it. */
export async function countSecrets(
  connection: Connection,
  { chats, onProgress, signal }: AtRestOptions = {},
): Promise<SecretsInChat[]> {
  const keys = chats ?? allChats(connection)
  const found: SecretsInChat[] = []
  for (const [done, chat] of keys.entries()) {
    signal?.throwIfAborted()
    const kinds = new Map<string, number>()
    let messages = 0
    const seen = new Set<string>()
    const note = ({ secret, kind }: { secret: string; kind: string }) => {
      seen.add(secret)
      kinds.set(kind, (kinds.get(kind) ?? 0) + 1)
    }
    connection.reading(() => {
      for (const message of messagesOf(connection, chat)) {
        const secrets = secretsIn(bodyOf(message))
        if (secrets.length > 0) messages++
        secrets.forEach(note)
      }
      // The address of a repository may hold a token that nobody said.
      for (const said of namesOf(connection, chat))
        for (const secret of secretsIn(said)) if (!seen.has(secret.secret)) note(secret)
    })
    if (kinds.size > 0) found.push({ key: chat, messages, kinds: Object.fromEntries(kinds) })
    onProgress?.({ done: done + 1, all: keys.length })
    await setImmediate()
  }
  return found
}

/**
 * Rewrites chats without their secrets: record, titles, index, vectors and what was noted of their files; then the
 * file as a whole, for SQLite leaves bytes of what it moved. What their files tell again is written without them too.
 */
export async function redactAtRest(
  connection: Connection,
  { chats, onProgress, signal }: AtRestOptions = {},
): Promise<Omit<AtRest, 'running'>> {
  const keys = chats ?? allChats(connection)
  const sum = { chats: 0, messages: 0, secrets: 0 }
  connection.db.exec('PRAGMA secure_delete = ON')
  try {
    for (let at = 0; at < keys.length; ) {
      signal?.throwIfAborted()
      const step = connection.transaction(() => redactSome(connection, keys, at))
      at = step.next
      for (const name of ['chats', 'messages', 'secrets'] as const) sum[name] += step[name]
      onProgress?.({ done: at, all: keys.length })
      await setImmediate()
    }
    return { ...sum, pending: !wipe(connection) }
  } finally {
    connection.db.exec('PRAGMA secure_delete = FAST')
  }
}
