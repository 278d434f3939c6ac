import fs from 'node:fs'
import { AGENT_SOURCE, RUN_ID, runFile } from '../../sources/recollect-agent/place.ts'
import { type ArchivedChat, type Forgotten, SEARCHABLE } from '../archive.ts'
import { Bodies } from './blocks.ts'
import { type Connection, giveBack } from './connection.ts'
import { lexiconOf, WordGathering } from './index-build.ts'
import { eraseWords } from './index-merge.ts'
import { messageFrom, wordsOf } from './message-row.ts'
import { shrink } from './pack.ts'
import { eraseUnusedTools } from './tools.ts'
import { eraseVectors } from './vectors.ts'

/**
 * Erases chats and their sub-agents' chats so that no byte of them stays: freed pages are overwritten
 * (secure_delete) and cut off, also those that were freed before; the parts of the word index that
 * hold them are rewritten; the write-ahead log is emptied. It needs no lease: a sync that goes on meanwhile finds the chats forgotten. Cost: at most
 * the index is rewritten once, some seconds for a large archive.
 */
export function forget(connection: Connection, chats: ArchivedChat[]): Forgotten {
  const { db } = connection
  let erased = { chats: 0, messages: 0 }
  db.exec('PRAGMA secure_delete = ON')
  try {
    erased = connection.transaction(() => {
      const keys = chats.flatMap((chat) => [chat.key, ...subagentsOf(connection, chat)])
      const heirs = new WordGathering(lexiconOf(connection))
      const gone = new Set<number>()
      for (const key of new Set(keys)) eraseChat(connection, key, erased, gone, heirs)
      eraseWords(connection, gone, new Set(keys))
      eraseVectors(connection, gone)
      eraseUnusedTools(connection)
      heirs.write(connection)
      return erased
    })
  } finally {
    db.exec('PRAGMA secure_delete = FAST')
  }
  shrink(connection)
  giveBack(connection, { all: true })
  const checkpoint = db.prepare('PRAGMA wal_checkpoint(TRUNCATE)').get()
  return { ...erased, pending: checkpoint?.busy !== 0 }
}

/** What our own agent keeps of a dialog beside the archive goes with it. */
export function eraseRuns(folder: string, chats: ArchivedChat[]): void {
  for (const { source, id } of chats)
    if (source === AGENT_SOURCE && RUN_ID.test(id)) fs.rmSync(runFile(folder, id), { force: true })
}

function subagentsOf({ prepare }: Connection, { source, id }: ArchivedChat): number[] {
  return prepare('SELECT key FROM chat WHERE parent_id = ? AND source = ? AND subagent')
    .all(id, source)
    .map((row) => Number(row.key))
}

function eraseChat(
  connection: Connection,
  key: number,
  erased: { chats: number; messages: number },
  gone: Set<number>,
  heirs: WordGathering,
): void {
  const { prepare } = connection
  const chat = prepare('SELECT source, id, title FROM chat WHERE key = ?').get(key)
  if (!chat) return
  prepare('INSERT OR REPLACE INTO forgotten (source, id, at) VALUES (?, ?, ?)').run(
    chat.source as string,
    chat.id as string,
    Date.now(),
  )
  for (const { key: message } of prepare('SELECT key FROM chat_message WHERE chat = ?').all(key)) {
    handOver(connection, message as number, heirs)
    gone.add(message as number)
    erased.messages++
  }
  prepare('DELETE FROM chat_message WHERE chat = ?').run(key)
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
function handOver(connection: Connection, message: number, words: WordGathering): void {
  const { prepare } = connection
  const heirs = prepare('SELECT * FROM chat_message WHERE copy_of = ? ORDER BY key').all(message)
  const [heir, ...others] = heirs
  if (!heir) return
  prepare('UPDATE chat_message SET copy_of = NULL WHERE key = ?').run(heir.key as number)
  const inherited = messageFrom(heir, new Bodies(connection))
  if (SEARCHABLE.has(inherited.kind))
    words.message({ ...inherited, chat: Number(heir.chat), ...wordsOf(inherited) })
  for (const other of others)
    prepare('UPDATE chat_message SET copy_of = ? WHERE key = ?').run(heir.key as number, other.key as number)
}
