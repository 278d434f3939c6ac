import fs from 'node:fs'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { ForgottenChat } from '../archive.ts'
import { backupFiles } from '../backups.ts'
import type { Connection } from './connection.ts'
import { eraseWords } from './index-merge.ts'

/** What became of the copies beside an archive. */
export interface CopiesDone {
  rewritten: string[]
  deleted: string[]
  /** They hold chats as pages of an archive that was changed since, and can only be deleted. */
  left: string[]
}

export function deleteCopies(folder: string): CopiesDone {
  const deleted = backupFiles(folder)
  for (const file of deleted) fs.rmSync(file, { force: true })
  return { rewritten: [], deleted, left: [] }
}

/**
 * Takes forgotten chats out of the copies that were made before an archive was brought up to date. A copy is
 * written anew beside itself and then put in its place: a kill leaves the one or the other.
 */
export function rewriteCopies(folder: string, forgotten: ForgottenChat[]): CopiesDone {
  const done: CopiesDone = { rewritten: [], deleted: [], left: [] }
  for (const file of backupFiles(folder)) {
    const isDone = file.endsWith('.db') && rewritten(file, forgotten)
    if (isDone) done.rewritten.push(file)
    else done.left.push(file)
  }
  return done
}

/** Versions of the tables that hold texts in the rows of messages. */
const PLAIN = new Set([1, 2])
const SUMMED = ['word_segment', 'word_block']

function rewritten(file: string, forgotten: ForgottenChat[]): boolean {
  const part = path.join(path.dirname(file), `${path.basename(file)}.part-${process.pid}`)
  try {
    fs.copyFileSync(file, part)
    fs.chmodSync(part, 0o600)
    const db = new DatabaseSync(part)
    try {
      if (!PLAIN.has(Number(db.prepare('PRAGMA user_version').get()?.user_version))) return false
      // It is thrown away where anything fails: no journal is needed, and none is left.
      db.exec('PRAGMA journal_mode = OFF; PRAGMA temp_store = MEMORY')
      eraseIn(db, part, forgotten)
      db.exec('VACUUM')
    } finally {
      db.close()
    }
    const whole = fs.openSync(part, 'r+')
    fs.fsyncSync(whole)
    fs.closeSync(whole)
    fs.renameSync(part, file)
    return true
  } finally {
    fs.rmSync(part, { force: true })
  }
}

function eraseIn(db: DatabaseSync, file: string, forgotten: ForgottenChat[]): void {
  const connection = over(db, file)
  const gone = new Set<number>()
  const keys = new Set<number>()
  db.exec('BEGIN')
  for (const { source, id, at } of forgotten) {
    const chat = db.prepare('SELECT key FROM chat WHERE id = ? AND source = ?').get(id, source)
    db.prepare('INSERT OR REPLACE INTO forgotten (source, id, at) VALUES (?, ?, ?)').run(source, id, at)
    if (!chat) continue
    const key = Number(chat.key)
    keys.add(key)
    const copies = db
      .prepare('SELECT key, chat FROM message WHERE copy_of IN (SELECT key FROM message WHERE chat = ?)')
      .all(key)
    for (const copy of copies) gone.add(Number(copy.key))
    for (const message of db.prepare('SELECT key FROM message WHERE chat = ?').all(key))
      gone.add(Number(message.key))
    for (const fork of new Set(copies.map((copy) => Number(copy.chat)))) shorten(db, fork, key, keys)
    db.prepare('DELETE FROM message WHERE chat = ?').run(key)
    db.prepare(
      `UPDATE unit SET checkpoint = NULL, stamp = '' WHERE key IN (SELECT unit FROM unit_chat WHERE chat = ?)`,
    ).run(key)
    db.prepare('DELETE FROM problem WHERE unit IN (SELECT unit FROM unit_chat WHERE chat = ?)').run(key)
    db.prepare('DELETE FROM unit_chat WHERE chat = ?').run(key)
    db.prepare('DELETE FROM chat WHERE key = ?').run(key)
  }
  // Those versions have no checksums, which the index is written with by now.
  for (const table of SUMMED) db.exec(`ALTER TABLE ${table} ADD COLUMN sum INTEGER`)
  eraseWords(connection, gone, keys)
  for (const table of SUMMED) db.exec(`ALTER TABLE ${table} DROP COLUMN sum`)
  // The version that wrote it asks for vectors again.
  if (gone.size > 0) db.exec('DELETE FROM vector')
  db.exec('COMMIT')
}

/** A fork keeps its own words only. Its title may be of the others. */
function shorten(db: DatabaseSync, fork: number, original: number, titles: Set<number>): void {
  db.prepare(
    'DELETE FROM message WHERE chat = ? AND copy_of IN (SELECT key FROM message WHERE chat = ?)',
  ).run(fork, original)
  db.prepare(
    `UPDATE message SET place = (SELECT count(*) FROM message AS before
       WHERE before.chat = message.chat AND before.place < message.place) WHERE chat = ?`,
  ).run(fork)
  db.prepare(
    `UPDATE chat SET title = NULL, first_request = NULL, fork_of = NULL,
       messages = (SELECT count(*) FROM message WHERE message.chat = chat.key),
       requests = (SELECT count(*) FROM message WHERE message.chat = chat.key AND kind = 'request' AND NOT undone)
     WHERE key = ?`,
  ).run(fork)
  db.prepare(
    `UPDATE unit SET checkpoint = NULL, stamp = '' WHERE key IN (SELECT unit FROM unit_chat WHERE chat = ?)`,
  ).run(fork)
  titles.add(fork)
}

function over(db: DatabaseSync, file: string): Connection {
  return {
    db,
    file,
    prepare: (sql) => db.prepare(sql),
    transaction: (work) => work(),
    reading: (work) => work(),
    close: () => db.close(),
  }
}
