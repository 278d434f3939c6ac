import fs from 'node:fs'
import { AGENT_SOURCE, RUN_ID, runFile } from '../../sources/recollect-agent/place.ts'
import type { ArchivedChat, Forgotten } from '../archive.ts'
import { BODY_COLUMNS, type BodyPlace } from './blocks.ts'
import type { Connection } from './connection.ts'
import { eraseChat, type Leaving, silence } from './erase.ts'
import { makeSalt, titleMark } from './forgotten.ts'
import { lexiconOf, WordGathering } from './index-build.ts'
import { eraseWords } from './index-merge.ts'
import { eraseUnusedFolders } from './repositories.ts'
import { eraseUnusedTools } from './tools.ts'
import { eraseVectors } from './vectors.ts'
import { noteWipe, wipe } from './wipe.ts'
import { Writer } from './write.ts'

/**
 * Erases chats and their sub-agents' chats so that no byte of them stays: rows, blocks, index, vectors
 * and what was noted of their files; then the file is written anew, for SQLite leaves bytes of what it
 * moved in pages that are in use, and the write-ahead log is emptied. Forks lose the beginning that they share with
 * them, and keep their own words. It needs no lease: a sync that goes on meanwhile finds the chats
 * forgotten. Cost: the archive is written once.
 */
export function forget(connection: Connection, chats: ArchivedChat[]): Forgotten {
  connection.db.exec('PRAGMA secure_delete = ON')
  try {
    return { ...erase(connection, chats), pending: !wipe(connection) }
  } finally {
    connection.db.exec('PRAGMA secure_delete = FAST')
  }
}

function erase(connection: Connection, chats: ArchivedChat[]): Omit<Forgotten, 'pending'> {
  return connection.transaction(() => {
    const leaving = leavingWith(connection, chats)
    const originals = [
      ...new Set([...leaving.values()].flatMap(({ key }) => sharedWith(connection, key, leaving))),
    ]
    const gone = new Set<number>()
    const writer = new Writer(connection)
    const forks = shortenForks(connection, writer, leaving, gone)
    for (const each of leaving.values()) for (const message of eraseChat(connection, each)) gone.add(message)
    eraseWords(connection, gone, new Set([...leaving.keys(), ...forks]))
    eraseVectors(connection, gone)
    writer.finish()
    indexTitles(connection, forks)
    eraseUnusedTools(connection)
    eraseUnusedFolders(connection)
    noteWipe(connection)
    return {
      chats: leaving.size,
      messages: gone.size,
      ...(forks.length > 0 && { forks: forks.flatMap((key) => nameOf(connection, key)) }),
      ...(originals.length > 0 && { originals: originals.flatMap((key) => nameOf(connection, key)) }),
    }
  })
}

/** What our own agent keeps of a dialog beside the archive goes with it. */
export function eraseRuns(folder: string, chats: ArchivedChat[]): void {
  for (const { source, id } of chats)
    if (source === AGENT_SOURCE && RUN_ID.test(id)) fs.rmSync(runFile(folder, id), { force: true })
}

/** The chats, their sub-agents, and copies of them in which nothing else was said. */
function leavingWith(connection: Connection, chats: ArchivedChat[]): Map<number, Leaving> {
  const leaving = new Map<number, Leaving>()
  const take = (key: number, source: string, id: string, root: string) => {
    leaving.set(key, root === id ? { key } : { key, copyOf: root })
    for (const part of subagentsOf(connection, source, id))
      if (leaving.get(part.key)?.copyOf !== root && part.id !== root) take(part.key, source, part.id, root)
  }
  for (const { key, source, id } of chats) if (!leaving.has(key)) take(key, source, id, id)
  const chosen = new Map(chats.map(({ key, id }) => [key, id]))
  for (const { key, copyOf = chosen.get(key)! } of [...leaving.values()]) {
    for (const fork of forksOf(connection, key))
      if (!leaving.has(fork) && !saysMoreThan(connection, fork, leaving))
        leaving.set(fork, { key: fork, copyOf })
  }
  for (const each of leaving.values()) each.isShared = sharedWith(connection, each.key, leaving).length > 0
  return leaving
}

function subagentsOf({ prepare }: Connection, source: string, id: string): { key: number; id: string }[] {
  return prepare(
    'SELECT key, id FROM chat WHERE parent_id = ? AND source = ? AND subagent AND id <> parent_id',
  )
    .all(id, source)
    .map((row) => ({ key: Number(row.key), id: String(row.id) }))
}

function forksOf({ prepare }: Connection, chat: number): number[] {
  return prepare(
    `SELECT DISTINCT copy.chat FROM chat_message AS original
     JOIN chat_message AS copy ON copy.copy_of = original.key WHERE original.chat = ?`,
  )
    .all(chat)
    .map((row) => Number(row.chat))
}

function saysMoreThan({ prepare }: Connection, fork: number, leaving: Map<number, Leaving>): boolean {
  const owners = prepare(
    `SELECT DISTINCT original.chat FROM chat_message AS copy
     LEFT JOIN chat_message AS original ON original.key = copy.copy_of WHERE copy.chat = ?`,
  ).all(fork)
  return owners.some(({ chat }) => chat === null || !leaving.has(Number(chat)))
}

/** Chats that stay and begin with messages which this one repeats. */
function sharedWith({ prepare }: Connection, chat: number, leaving: Map<number, Leaving>): number[] {
  return prepare(
    `SELECT DISTINCT original.chat FROM chat_message AS copy
     JOIN chat_message AS original ON original.key = copy.copy_of WHERE copy.chat = ?`,
  )
    .all(chat)
    .map((row) => Number(row.chat))
    .filter((key) => !leaving.has(key))
}

/** Takes the messages that leave out of the forks that stay. Says which forks. */
function shortenForks(
  connection: Connection,
  writer: Writer,
  leaving: Map<number, Leaving>,
  gone: Set<number>,
): number[] {
  const { prepare } = connection
  const forks = new Set<number>()
  for (const { key } of leaving.values()) {
    const chat = prepare('SELECT source, id, title FROM chat WHERE key = ?').get(key)
    for (const fork of forksOf(connection, key)) {
      if (leaving.has(fork)) continue
      forks.add(fork)
      const open = writer.chatAt(fork)!
      const rows = prepare(
        `SELECT copy.key, ${BODY_COLUMNS.replaceAll(/(\w+)/g, 'copy.$1')} FROM chat_message AS copy
         JOIN chat_message AS original ON original.key = copy.copy_of WHERE copy.chat = ? AND original.chat = ?`,
      ).all(fork, key)
      for (const row of rows) {
        writer.drop(open, row as unknown as BodyPlace & { key: number })
        gone.add(Number(row.key))
      }
      for (const unit of open.tellers.keys())
        silence(connection, unit, String(chat!.source), leaving.get(key)!.copyOf ?? String(chat!.id))
      if (chat?.title && open.title && isTitleOf(connection, open.title, String(chat.title))) {
        open.title = null
        for (const teller of open.tellers.values()) {
          teller.header = { ...teller.header, title: undefined }
          teller.changed = true
        }
      }
    }
  }
  return [...forks]
}

function isTitleOf(connection: Connection, fork: string, title: string): boolean {
  const salt = makeSalt(connection)
  return Buffer.compare(titleMark(salt, fork), titleMark(salt, title)) === 0
}

/** By what they are called now. */
export function indexTitles(connection: Connection, chats: number[]): void {
  const words = new WordGathering(lexiconOf(connection))
  for (const key of chats) {
    const chat = connection.prepare('SELECT name, title, first_request FROM chat WHERE key = ?').get(key)
    const title = chat?.name ?? chat?.title ?? chat?.first_request
    if (title) words.title(key, String(title))
  }
  words.write(connection)
}

function nameOf({ prepare }: Connection, key: number): string[] {
  return prepare('SELECT source, id FROM chat WHERE key = ?')
    .all(key)
    .map((row) => `${row.source}:${row.id}`)
}
