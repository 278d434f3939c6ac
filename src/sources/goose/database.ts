import type { DatabaseSync } from 'node:sqlite'
import type { Chat } from '../../model/chat.ts'
import { columnsOf, openForeignDatabase } from '../foreign-db.ts'
import { type Json, millis, number, object, objects, parsed, string, version, words } from '../json.ts'
import { MAX_LINE_BYTES } from '../lines.ts'
import type { Checkpoint, Found } from '../source.ts'
import { ledgerOf } from './ledger.ts'
import { type GooseRecord, recordMessages, sessionKind } from './messages.ts'

/**
 * `sessions.db`. The checkpoint is the last row of `messages` that was read and the time of the last
 * change to `sessions`. Goose adds rows, or deletes a session's rows and adds all of them anew
 * (compaction, edits): either way what is new has a higher row number.
 */
export function* readDatabase(file: string, from: Checkpoint | undefined): Generator<Found> {
  let db: DatabaseSync
  try {
    db = openForeignDatabase(file)
  } catch (error) {
    yield { problem: { reason: (error as Error).message } }
    return
  }
  try {
    yield* changedSessions(db, from)
  } catch (error) {
    yield { problem: { reason: (error as Error).message } }
  } finally {
    db.close()
  }
}

const SESSION_COLUMNS = [
  'id',
  'name',
  'description',
  'session_type',
  'working_dir',
  'created_at',
  'updated_at',
  'model_config_json',
  'parent_session_id',
]

function* changedSessions(db: DatabaseSync, from: Checkpoint | undefined): Generator<Found> {
  const known = columnsOf(db, 'sessions')
  const columns = SESSION_COLUMNS.filter((name) => known.includes(name))
  const messageColumns = columnsOf(db, 'messages')
  if (!columns.includes('id') || !messageColumns.includes('content_json')) {
    yield { problem: { reason: 'not a database of Goose sessions' } }
    return
  }
  const last = lastRow(db)
  if (from && from.offset > last.everUsed) {
    yield { restart: true }
    from = undefined
  }
  const after = from?.offset ?? 0
  // A clock that ran ahead must not hide what comes after it was set right.
  const changedAt = Math.min(number(object(from?.state)?.changedAt) ?? 0, Date.now() / 1000)
  const ledger = ledgerOf(db)
  const counted = number(object(from?.state)?.counted) ?? 0
  const when = columns.includes('updated_at') ? 'coalesce(unixepoch(updated_at), 0)' : '0'
  const sessions = db.prepare(
    `SELECT ${columns.join(', ')}, ${when} AS changed FROM sessions
     WHERE ${when} >= ? OR id IN (SELECT session_id FROM messages WHERE id > ?)
     ${ledger ? `OR id IN (${ledger.changed})` : ''} ORDER BY rowid`,
  )
  const format = formatOf(db)
  let changed = changedAt
  for (const row of sessions.all(changedAt, after, ...(ledger ? [counted] : []))) {
    changed = Math.max(changed, number(row.changed) ?? 0)
    // Made by Goose for itself: naming a session, summing it up.
    if (row.session_type === 'hidden') continue
    yield* sessionOf(db, { ...row, format }, messageColumns, after, last.row, ledger)
  }
  const state = { changedAt: changed, ...(ledger && { counted: ledger.last }) }
  yield { checkpoint: { offset: Math.max(last.row, after), state } }
}

function formatOf(db: DatabaseSync): string {
  if (!columnsOf(db, 'schema_version').includes('version')) return 'database'
  const schema = db.prepare('SELECT max(version) AS version FROM schema_version').get()
  return `database ${version(schema?.version) ?? ''}`.trimEnd()
}

/** The highest row there is, and the highest there ever was: a deleted session takes the former down. */
function lastRow(db: DatabaseSync): { row: number; everUsed: number } {
  const row = number(db.prepare('SELECT max(id) AS last FROM messages').get()?.last) ?? 0
  const counted = columnsOf(db, 'sqlite_sequence').length > 0
  const sequence = counted
    ? db.prepare("SELECT seq FROM sqlite_sequence WHERE name = 'messages'").get()?.seq
    : row
  return { row, everUsed: Math.max(row, number(sequence) ?? 0) }
}

function* sessionOf(
  db: DatabaseSync,
  row: Json,
  columns: string[],
  after: number,
  last: number,
  ledger: ReturnType<typeof ledgerOf>,
): Generator<Found> {
  const id = words(row.id)
  if (!id) return
  const model = words(object(parsed(row.model_config_json))?.model_name)
  const typedKind = sessionKind(string(row.session_type))
  const name = words(row.name) ?? words(row.description)
  const chat: Chat = {
    source: 'goose',
    id,
    title: name && !/^(CLI Session|New Chat|New session \d+)$/i.test(name) ? name : undefined,
    workspace: words(row.working_dir),
    createdAt: utc(row.created_at),
    updatedAt: utc(row.updated_at),
    subagent: row.session_type === 'sub_agent' ? true : undefined,
    parentId: words(row.parent_session_id),
    format: words(row.format),
    resume: /^[\w-]+$/.test(id) ? `goose session --resume --session-id ${id}` : undefined,
  }
  if (!db.prepare('SELECT 1 AS there FROM messages WHERE session_id = ? LIMIT 1').get(id)) return
  yield { chat }
  for (const { record, problem } of recordsOf(db, id, columns, after, last)) {
    if (problem) yield { problem: { reason: problem } }
    if (!record) continue
    for (const message of recordMessages(record, typedKind, model)) yield { chatId: id, message }
  }
  for (const message of ledger?.messages(id) ?? []) yield { chatId: id, message }
}

/** The records of a session behind a row. Older versions stored a streamed answer in pieces, under one message id. */
function* recordsOf(
  db: DatabaseSync,
  session: string,
  columns: string[],
  after: number,
  last: number,
): Generator<{ record?: GooseRecord; problem?: string }> {
  const optional = ['message_id', 'metadata_json'].filter((name) => columns.includes(name))
  const start = firstRow(db, session, columns.includes('message_id'), after)
  if (start === undefined) return
  const before = db.prepare('SELECT count(*) AS count FROM messages WHERE session_id = ? AND id < ?')
  let index = number(before.get(session, start)?.count) ?? 0
  const rows = db.prepare(
    `SELECT ${['id', 'role', 'content_json', 'created_timestamp', ...optional].join(', ')} FROM messages
     WHERE session_id = ? AND id BETWEEN ? AND ? ORDER BY id`,
  )
  let record: GooseRecord | undefined
  for (const row of rows.iterate(session, start, last)) {
    const content = contentIn(row.content_json)
    const id = words(row.message_id) ?? `m${index}`
    index++
    if (!content) {
      yield { problem: `message ${row.id}: not valid JSON` }
      continue
    }
    if (record?.id === id) {
      record.content.push(...content)
      record.pieces++
      continue
    }
    if (record) yield { record }
    record = {
      id,
      order: Number(row.id),
      role: string(row.role) ?? '',
      createdAt: millis(row.created_timestamp),
      content,
      metadata: object(parsed(row.metadata_json)),
      pieces: 1,
    }
  }
  if (record) yield { record }
}

/** The first row to read: the first new one, or, where it goes on with a message, that message's first. */
function firstRow(db: DatabaseSync, session: string, hasIds: boolean, after: number): number | undefined {
  const first = db
    .prepare('SELECT min(id) AS row FROM messages WHERE session_id = ? AND id > ?')
    .get(session, after)?.row
  if (!hasIds || first === null || first === undefined) return number(first)
  const same = db.prepare(
    `SELECT min(id) AS row FROM messages WHERE session_id = ?
     AND message_id = (SELECT message_id FROM messages WHERE id = ?)`,
  )
  return number(same.get(session, first)?.row) ?? number(first)
}

function contentIn(stored: unknown): Json[] | undefined {
  const text = string(stored)
  if (text === undefined || text.length > MAX_LINE_BYTES) return undefined
  try {
    const value: unknown = JSON.parse(text)
    return Array.isArray(value) ? objects(value) : undefined
  } catch {
    return undefined
  }
}

/** SQLite's own `2026-05-01 10:00:00` is UTC without saying so. */
function utc(value: unknown): number | undefined {
  const text = string(value)
  return millis(
    text && /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(\.\d+)?$/.test(text) ? `${text.replace(' ', 'T')}Z` : value,
  )
}
