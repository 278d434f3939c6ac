import type { ArchivedChat, Forgotten } from '../archive.ts'
import type { Connection } from './connection.ts'
import { messageFrom, wordsOf } from './message-row.ts'

/**
 * Erases chats and their sub-agents' chats so that no byte of them stays: freed pages are
 * overwritten (secure_delete), the word index is rewritten without them, the write-ahead log is
 * emptied. It needs no lease: a sync that goes on meanwhile finds the chats forgotten. Cost: the index is rewritten once, some seconds for a large archive.
 */
export function forget(connection: Connection, chats: ArchivedChat[]): Forgotten {
  const { db, prepare } = connection
  let erased = { chats: 0, messages: 0 }
  db.exec('PRAGMA secure_delete = ON')
  try {
    erased = connection.transaction(() => {
      const keys = chats.flatMap((chat) => [chat.key, ...subagentsOf(connection, chat)])
      for (const key of new Set(keys)) eraseChat(connection, key, erased)
      prepare(`INSERT INTO words (words) VALUES ('optimize')`).run()
      prepare(`INSERT INTO title_words (title_words) VALUES ('optimize')`).run()
      return erased
    })
  } finally {
    db.exec('PRAGMA secure_delete = OFF')
  }
  const checkpoint = db.prepare('PRAGMA wal_checkpoint(TRUNCATE)').get()
  return { ...erased, pending: checkpoint?.busy !== 0 }
}

function subagentsOf({ prepare }: Connection, { source, id }: ArchivedChat): number[] {
  return prepare('SELECT key FROM chat WHERE parent_id = ? AND source = ? AND subagent')
    .all(id, source)
    .map((row) => Number(row.key))
}

function eraseChat({ prepare }: Connection, key: number, erased: { chats: number; messages: number }): void {
  const chat = prepare('SELECT source, id, title FROM chat WHERE key = ?').get(key)
  if (!chat) return
  prepare('INSERT OR REPLACE INTO forgotten (source, id, at) VALUES (?, ?, ?)').run(
    chat.source as string,
    chat.id as string,
    Date.now(),
  )
  for (const { key: message } of prepare('SELECT key FROM message WHERE chat = ?').all(key)) {
    handOver(prepare, message as number)
    prepare('DELETE FROM words WHERE rowid = ?').run(message as number)
    erased.messages++
  }
  prepare('DELETE FROM message WHERE chat = ?').run(key)
  prepare('DELETE FROM title_words WHERE rowid = ?').run(key)
  // What a source noted to go on reading may hold the chat's words.
  prepare(
    `UPDATE unit SET checkpoint = NULL, stamp = ''
     WHERE key IN (SELECT unit FROM unit_chat WHERE chat = ?)`,
  ).run(key)
  prepare('DELETE FROM unit_chat WHERE chat = ?').run(key)
  prepare('UPDATE chat SET fork_of = NULL WHERE fork_of = ? AND source = ?').run(
    chat.id as string,
    chat.source as string,
  )
  prepare('DELETE FROM chat WHERE key = ?').run(key)
  erased.chats++
}

/** Forks that repeat an erased message keep their own text: the first of them is found by search from now on. */
function handOver(prepare: Connection['prepare'], message: number): void {
  const heirs = prepare('SELECT * FROM message WHERE copy_of = ? ORDER BY key').all(message)
  const [heir, ...others] = heirs
  if (!heir) return
  prepare('UPDATE message SET copy_of = NULL WHERE key = ?').run(heir.key as number)
  const { said, thought, tools } = wordsOf(messageFrom(heir))
  prepare('INSERT INTO words (rowid, said, thought, tools) VALUES (?, ?, ?, ?)').run(
    heir.key as number,
    said,
    thought,
    tools,
  )
  for (const other of others)
    prepare('UPDATE message SET copy_of = ? WHERE key = ?').run(heir.key as number, other.key as number)
}
