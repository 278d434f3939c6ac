import fs from 'node:fs'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { RecollectError } from '../../model/errors.ts'
import type { FileLock } from '../../platform/lock.ts'
import { log } from '../../platform/log.ts'
import { removeParts } from '../../platform/parts.ts'
import { renamePatiently } from '../../platform/patience.ts'
import { redactJson } from '../../platform/redact.ts'
import type { ForgottenChat } from '../archive.ts'
import { backupFilesIn, copiesIn, foldersOf } from '../backups.ts'
import { lockFolder } from '../folder-lock.ts'
import type { Connection } from './connection.ts'
import { LISTS, listsOf } from './index-build.ts'
import { cut } from './index-docs.ts'
import { eraseWords } from './index-merge.ts'
import { columnsOf, oldListOf } from './old-message-list.ts'
import { Statement } from './statement.ts'

/** What became of the copies beside an archive. */
export interface CopiesDone {
  rewritten: string[]
  deleted: string[]
  /** They could not be read or written. */
  left: string[]
}

export async function deleteCopies(home: string): Promise<CopiesDone> {
  const done: CopiesDone = { rewritten: [], deleted: [], left: [] }
  await inEachFolder(home, done, async (folder) => {
    for (const file of copiesIn(home, folder))
      try {
        fs.rmSync(file, { force: true })
        done.deleted.push(file)
      } catch (error) {
        log('warn', `${file} could not be deleted: ${(error as Error).message}`)
        done.left.push(file)
      }
  })
  return done
}

/**
 * Does something with the copies in every folder that has some, one after the other, while nobody else makes or changes any
 * there. A folder that cannot be had is left: it is read-only, or another process does not come to its end.
 */
export async function inEachFolder(
  home: string,
  done: CopiesDone,
  work: (folder: string, lock: FileLock) => Promise<void>,
): Promise<void> {
  for (const folder of foldersOf(home)) {
    let lock: FileLock
    try {
      lock = await lockFolder(folder)
    } catch (error) {
      // Whoever is busy there may make one of which nothing is to be seen yet.
      const left = error instanceof RecollectError ? [folder] : backupFilesIn(home, folder)
      done.left.push(...left)
      if (left.length > 0) log('warn', `copies in ${folder} stay as they are: ${(error as Error).message}`)
      continue
    }
    try {
      await work(folder, lock)
    } finally {
      lock.release()
    }
  }
}

/** Takes forgotten chats out of a copy that was made before an archive was brought up to date. */
export function forgetInCopy(file: string, forgotten: ForgottenChat[]): boolean {
  return rewritten(file, (db, part) => eraseIn(db, part, forgotten))
}

/** Takes secrets out of such a copy. */
export function redactCopy(file: string): boolean {
  return rewritten(file, redactIn)
}

/** Versions of the tables that hold texts in the rows of messages. */
const PLAIN = new Set([1, 2])
const SUMMED = ['word_segment', 'word_block']

/** It is written anew beside itself and then put in its place: a kill leaves the one or the other. False for newer ones. */
function rewritten(file: string, change: (db: DatabaseSync, part: string) => void): boolean {
  const part = path.join(path.dirname(file), `${path.basename(file)}.part-${process.pid}`)
  try {
    fs.copyFileSync(file, part)
    fs.chmodSync(part, 0o600)
    const db = new DatabaseSync(part)
    try {
      if (!PLAIN.has(Number(db.prepare('PRAGMA user_version').get()?.user_version))) return false
      // It is thrown away where anything fails: no journal is needed, and none is left.
      db.exec('PRAGMA journal_mode = OFF; PRAGMA temp_store = MEMORY')
      change(db, part)
      db.exec('VACUUM')
    } finally {
      db.close()
    }
    const whole = fs.openSync(part, 'r+')
    fs.fsyncSync(whole)
    fs.closeSync(whole)
    renamePatiently(part, file)
    return true
  } finally {
    removeParts(part)
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
  eraseFound(connection, gone, keys)
  db.exec('COMMIT')
}

function eraseFound(connection: Connection, messages: Set<number>, chats: Set<number>): void {
  const { db } = connection
  // Those versions have no checksums, which the index is written with by now, and their lists no columns.
  for (const table of SUMMED) db.exec(`ALTER TABLE ${table} ADD COLUMN sum INTEGER`)
  rewriteLists(db, ({ documents }) => columnsOf(documents))
  eraseWords(connection, messages, chats)
  rewriteLists(db, (segment) => oldListOf(oneListOf(connection, segment)))
  for (const table of SUMMED) db.exec(`ALTER TABLE ${table} DROP COLUMN sum`)
  // The version that wrote it asks for vectors again.
  if (messages.size > 0) db.exec('DELETE FROM vector')
}

/** Their sums are void then. */
function rewriteLists(db: DatabaseSync, rewrite: (segment: SegmentRow) => Uint8Array): void {
  const update = db.prepare('UPDATE word_segment SET documents = ?, sum = NULL WHERE key = ?')
  for (const row of db.prepare('SELECT key, messages, documents FROM word_segment').all()) {
    const key = Number(row.key)
    const documents = (row.documents as Uint8Array | null) ?? NOTHING
    update.run(rewrite({ key, messages: Number(row.messages), documents }), key)
  }
}

interface SegmentRow {
  key: number
  messages: number
  documents: Uint8Array
}

/** Those versions know one list of a segment, in its row. */
function oneListOf(connection: Connection, segment: SegmentRow): Uint8Array {
  const [one = NOTHING] = cut(listsOf(connection, segment.key, segment), Number.POSITIVE_INFINITY)
  connection.prepare('DELETE FROM word_block WHERE segment = ? AND field = ?').run(segment.key, LISTS)
  return one
}

const NOTHING = new Uint8Array(0)

/** What held one is not found by its words any more in that version; it is read as before. */
function redactIn(db: DatabaseSync, file: string): void {
  const changed = new Set<number>()
  const chats = new Set<number>()
  db.exec('BEGIN')
  const update = db.prepare('UPDATE message SET text = ?, detail = ? WHERE key = ?')
  for (const { key } of db.prepare('SELECT key FROM chat').all()) {
    const rows = db.prepare('SELECT key, text, detail FROM message WHERE chat = ?').all(key!)
    const bodies = rows.map((row) => [row.text, row.detail === null ? null : JSON.parse(String(row.detail))])
    // Together: what is named in one message is bare in another.
    for (const [i, [text, detail]] of redactJson(bodies).entries()) {
      const written = detail === null ? null : JSON.stringify(detail)
      if (text === rows[i]!.text && written === rows[i]!.detail) continue
      update.run(String(text), written, rows[i]!.key!)
      changed.add(Number(rows[i]!.key))
    }
    const { title, first_request } = db
      .prepare('SELECT title, first_request FROM chat WHERE key = ?')
      .get(key!)!
    const [, clean] = redactJson([bodies, { title, first: first_request }] as const)
    if (clean.title === title && clean.first === first_request) continue
    db.prepare('UPDATE chat SET title = ?, first_request = ? WHERE key = ?').run(
      clean.title!,
      clean.first!,
      key!,
    )
    chats.add(Number(key))
  }
  if (changed.size > 0) db.exec('UPDATE unit SET checkpoint = NULL')
  eraseFound(over(db, file), changed, chats)
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
    readOnly: false,
    prepare: (sql) => new Statement(db.prepare(sql)),
    transaction: (work) => work(),
    reading: (work) => work(),
    close: () => db.close(),
  }
}
