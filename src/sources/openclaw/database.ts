import type { DatabaseSync } from 'node:sqlite'
import zlib from 'node:zlib'
import type { Chat } from '../../model/chat.ts'
import { columnsOf, openForeignDatabase } from '../foreign-db.ts'
import { type Json, millis, number, object, string, words } from '../json.ts'
import { linkOf, messageOf, takeEntry } from '../pi/family.ts'
import type { Checkpoint, Found } from '../source.ts'
import { Branches } from '../tree-file.ts'

/** Never another table: `auth_profile_…` hold keys. */
const NEEDED = {
  transcript_events: ['session_id', 'seq', 'event_json'],
  session_windows: ['session_id', 'session_key'],
}
const MAX_EVENT_BYTES = 32 * 1024 * 1024

export function* readDatabase(file: string, from: Checkpoint | undefined): Generator<Found> {
  let db: DatabaseSync | undefined
  try {
    db = openForeignDatabase(file)
    yield* readSessions(db, from)
  } catch (error) {
    yield { problem: { reason: `cannot read the database: ${(error as Error).message}` } }
  } finally {
    db?.close()
  }
}

/** Rows are numbered as they are inserted; a session with new ones is told from where they begin. */
function* readSessions(db: DatabaseSync, from: Checkpoint | undefined): Generator<Found> {
  for (const [table, needed] of Object.entries(NEEDED)) {
    const missing = needed.filter((column) => !columnsOf(db, table).includes(column))
    if (missing.length > 0) {
      yield { problem: { reason: `not a database of OpenClaw: no ${table}.${missing.join(', ')}` } }
      return
    }
  }
  const last = Number(db.prepare('SELECT max(rowid) AS last FROM transcript_events').get()?.last ?? 0)
  let before = number(object(from?.state)?.row) ?? 0
  if (from && before > last) {
    yield { restart: true }
    before = 0
  }
  const sessions = db
    .prepare(
      `SELECT CAST(session_id AS TEXT) AS id, min(seq) AS first FROM transcript_events
       WHERE rowid > ? AND rowid <= ? GROUP BY session_id ORDER BY min(rowid)`,
    )
    .all(before, last)
  for (const { id, first } of sessions) yield* readSession(db, String(id), Number(first))
  yield { checkpoint: { offset: last, state: { row: last } } }
}

function* readSession(db: DatabaseSync, id: string, first: number): Generator<Found> {
  const known = chatOf(db, id)
  const rest = [...eventsOf(db, id, first)]
  const branches = new Branches(string(eventBefore(db, id, first)?.id))
  const isLinear = rest.every(({ event }) => {
    const link = event && linkOf(event)
    const follows = !link || branches.follows(link)
    if (link) branches.add(link)
    return follows
  })
  const events = isLinear ? rest : [...eventsOf(db, id, 0)]
  const active = isLinear ? undefined : activeOf(events)
  const header = first === 0 ? undefined : eventsOf(db, id, 0).next().value?.event
  const chat: Chat = { ...known }
  if (header) takeEntry(chat, header)
  for (const { event } of events) if (event) takeEntry(chat, event)
  yield { chat: { ...chat, title: known.title ?? chat.title } }
  for (const { seq, event, problem } of events) {
    if (problem) yield { problem: { reason: problem } }
    const message = event && messageOf(event, seq)
    if (!message) continue
    const isUndone = active !== undefined && !active.has(message.id)
    yield { chatId: id, message: { ...message, ...(isUndone && { undone: true }) } }
  }
}

interface Event {
  seq: number
  event?: Json
  problem?: string
}

function* eventsOf(db: DatabaseSync, id: string, first: number): Generator<Event, undefined> {
  const packed = columnsOf(db, 'transcript_events').includes('event_zstd') ? 'event_zstd' : 'NULL'
  const rows = db.prepare(
    `SELECT seq, CAST(event_json AS TEXT) AS event, ${packed} AS packed FROM transcript_events
     WHERE session_id = ? AND seq >= ? ORDER BY seq`,
  )
  for (const { seq, event: text, packed } of rows.iterate(id, first)) {
    const event = object(eventIn(text, packed))
    yield event
      ? { seq: Number(seq), event }
      : { seq: Number(seq), problem: `event ${seq} of ${id} is not readable` }
  }
}

/** Old events are packed; exactly one of the two is there. */
function eventIn(text: unknown, packed: unknown): unknown {
  try {
    if (typeof text === 'string') return JSON.parse(text)
    if (!(packed instanceof Uint8Array)) return undefined
    return JSON.parse(zlib.zstdDecompressSync(packed, { maxOutputLength: MAX_EVENT_BYTES }).toString('utf8'))
  } catch {
    return undefined
  }
}

/** What the first of the new events has to follow. */
function eventBefore(db: DatabaseSync, id: string, first: number): Json | undefined {
  const before = db
    .prepare('SELECT max(seq) AS seq FROM transcript_events WHERE session_id = ? AND seq < ?')
    .get(id, first)?.seq
  const event = typeof before === 'number' ? eventsOf(db, id, before).next().value?.event : undefined
  return event?.type === 'session' ? undefined : event
}

function activeOf(events: Event[]): Set<string> {
  const branches = new Branches()
  for (const { event } of events) {
    const link = event && linkOf(event)
    if (link) branches.add(link)
  }
  return branches.active()
}

/** What the tables say of a session: its name, and the one that started it or that it was forked from. */
function chatOf(db: DatabaseSync, id: string): Chat {
  const chat: Chat = { source: 'openclaw', id }
  const window = rowOf(db, 'session_windows', 'session_id', id)
  const node = rowOf(db, 'session_nodes', 'session_key', words(window?.session_key))
  chat.title = words(node?.label) ?? words(node?.display_name) ?? words(window?.display_name)
  chat.createdAt = millis(window?.created_at)
  chat.updatedAt = millis(window?.transcript_updated_at) ?? millis(window?.updated_at)
  const starter = rowOf(db, 'session_nodes', 'session_key', words(node?.spawned_by))
  const parentId = words(starter?.current_session_id)
  if (words(node?.spawned_by)) Object.assign(chat, { parentId, subagent: true })
  const origin = words(node?.fork_source_session_id)
  if (origin && origin !== id) chat.forkOf = origin
  return chat
}

function rowOf(db: DatabaseSync, table: string, key: string, value: string | undefined): Json | undefined {
  if (value === undefined || !columnsOf(db, table).includes(key)) return undefined
  return db.prepare(`SELECT * FROM ${table} WHERE ${key} = ?`).get(value) as Json | undefined
}
