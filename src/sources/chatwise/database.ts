import { createHash } from 'node:crypto'
import type { DatabaseSync } from 'node:sqlite'
import type { Chat } from '../../model/chat.ts'
import { columnsOf, openForeignDatabase, textOf } from '../foreign-db.ts'
import { millis, number, object, parsed, words } from '../json.ts'
import type { Checkpoint, Found } from '../source.ts'
import { toMessage } from './message.ts'

/** A message of the database longer than this is reported instead of read. */
const MAX_TEXT_BYTES = 32 * 1024 * 1024
/** An answer's row is written when it begins and filled while it comes: the last rows are looked at again. */
const TAIL = 64
const ROWS_BETWEEN_CHECKPOINTS = 1000
const MOST_STAMPS = 2000
const MOST_TOLD = 100

/** Never another table: `provider` holds keys. */
const COLUMNS = {
  chat: ['id', 'title', 'model', 'createdAt', 'lastReplyAt', 'assistantId', 'agentOptions'],
  message: ['id', 'chatId', 'role', 'content', 'model', 'createdAt', 'files', 'reasoningContent', 'meta'],
}
const NEEDED = { chat: ['id'], message: ['id', 'chatId', 'role', 'content', 'createdAt'] }

/** How far the messages were read (by row), and how the latest of them and the chats looked then. */
interface State {
  row: number
  tail: Record<string, string>
  chats: Record<string, [lastReplyAt: number, look: string]>
  /** Chats that are not among `chats` and whose last reply is not after this are as they were. */
  since: number
  /** What has been reported as unknown. */
  told: string[]
}

export function* readDatabase(file: string, from: Checkpoint | undefined): Generator<Found> {
  let db: DatabaseSync | undefined
  try {
    db = openForeignDatabase(file)
    yield* readChats(db, from)
  } catch (error) {
    yield {
      problem: { reason: `cannot read the database: ${error instanceof Error ? error.message : error}` },
    }
  } finally {
    db?.close()
  }
}

function* readChats(db: DatabaseSync, from: Checkpoint | undefined): Generator<Found> {
  const columns = { chat: columnsOf(db, 'chat'), message: columnsOf(db, 'message') }
  for (const table of ['chat', 'message'] as const) {
    const missing = NEEDED[table].filter((column) => !columns[table].includes(column))
    if (missing.length > 0) {
      yield { problem: { reason: `not a ChatWise database: no ${table}.${missing.join(`, ${table}.`)}` } }
      return
    }
  }
  const before = stateOf(from)
  if (from && !before) yield { restart: true }
  const unknown = new Set(
    (['chat', 'message'] as const).flatMap((table) =>
      columns[table].filter((name) => !COLUMNS[table].includes(name)).map((name) => `${table}.${name}`),
    ),
  )

  const { changed, chats, since } = yield* readHeaders(db, columns.chat, before)
  const state: State = {
    row: before?.row ?? 0,
    tail: { ...before?.tail },
    chats,
    since,
    told: before?.told ?? [],
  }
  const tellUnknown = (what: string) => unknown.add(what)
  const select = messageQuery(columns.message)
  // Rows at the end may have been deleted, or numbered anew by VACUUM.
  state.row = Math.min(
    state.row,
    Number(db.prepare('SELECT max(rowid) AS last FROM message').get()?.last ?? 0),
  )
  const again = Math.max(0, state.row - TAIL)

  if (changed.length > 0 && again > 0) {
    const older = `${select} WHERE rowid <= ? AND chatId IN (SELECT value FROM json_each(?)) ORDER BY rowid`
    for (const row of db.prepare(older).iterate(again, JSON.stringify(changed)))
      yield found(row as Row, tellUnknown)
  }

  let rows = 0
  for (const next of db.prepare(`${select} WHERE rowid > ? ORDER BY rowid`).iterate(again)) {
    const row = next as Row
    const place = Number(row.place)
    const look = lookOf(row)
    if (state.tail[place] !== look) yield found(row, tellUnknown)
    state.tail[place] = look
    state.row = place
    if (++rows % ROWS_BETWEEN_CHECKPOINTS === 0) yield checkpoint(state)
  }

  const news = [...unknown].filter((what) => !state.told.includes(what)).slice(0, MOST_TOLD)
  if (news.length > 0) yield { problem: { reason: `not understood: ${news.join(', ')}` } }
  state.told = [...state.told, ...news].slice(-MOST_TOLD)
  yield checkpoint(state)
}

/** Tells the chats that look different, and names those that were answered since. */
function* readHeaders(
  db: DatabaseSync,
  columns: string[],
  before: State | undefined,
): Generator<Found, { changed: string[] } & Pick<State, 'chats' | 'since'>> {
  const stamps: [id: string, at: number, look: string][] = []
  const changed: string[] = []
  // The app writes no version; agents came with its second generation.
  const format = columns.includes('agentOptions') ? 'database with agents' : 'database'
  for (const row of db.prepare(headerQuery(columns)).iterate()) {
    const id = words(row.id)
    if (!id) continue
    const chat: Chat = {
      source: 'chatwise',
      id,
      title: words(row.title),
      workspace: words(object(parsed(row.agentOptions))?.workDirectory),
      createdAt: millis(row.createdAt),
      updatedAt: millis(row.lastReplyAt) ?? millis(row.createdAt),
      format,
    }
    const at = chat.updatedAt ?? 0
    const look = digest(JSON.stringify(chat))
    stamps.push([id, at, look])
    const known = before?.chats[id]
    const isNew = !known && !(before && at <= before.since)
    if (isNew || (known && known[1] !== look)) yield { chat }
    if (before && (isNew || (known && known[0] !== at))) changed.push(id)
  }
  stamps.sort((a, b) => a[1] - b[1])
  const kept = stamps.slice(-MOST_STAMPS)
  return {
    changed,
    chats: Object.fromEntries(kept.map(([id, at, look]) => [id, [at, look]])),
    since: kept.length < stamps.length ? kept[0]![1] : Number.NEGATIVE_INFINITY,
  }
}

type Row = Record<string, unknown>

function found(row: Row, unknown: (what: string) => void): Found {
  const [id, chatId] = [words(row.id), words(row.chatId)]
  if (!id || !chatId) return { problem: { reason: `message row ${row.place} without an id` } }
  if (Number(row.bytes) > MAX_TEXT_BYTES)
    return { problem: { reason: `message ${id} is longer than ${MAX_TEXT_BYTES >> 20} MB` } }
  const stored = {
    id,
    role: row.role,
    content: row.content,
    model: row.model,
    createdAt: row.createdAt,
    files: textOf(row.files),
    reasoningContent: row.reasoningContent,
    meta: textOf(row.meta),
  }
  return { chatId, message: toMessage(stored, Number(row.place), unknown) }
}

/** Every column is cast: SQLite lets any value stand anywhere, and integers beyond 2^53 would throw. */
function messageQuery(columns: string[]): string {
  const has = (name: string) => columns.includes(name)
  const long = ['content', 'files', 'reasoningContent', 'meta'].filter(has)
  const bytes = long.map((name) => `coalesce(octet_length("${name}"), 0)`).join(' + ')
  const read = (name: string, type: string) =>
    has(name)
      ? `CASE WHEN ${bytes} <= ${MAX_TEXT_BYTES} THEN CAST("${name}" AS ${type}) END AS "${name}"`
      : []
  return `SELECT rowid AS place, ${[
    'CAST(id AS TEXT) AS id',
    'CAST(chatId AS TEXT) AS chatId',
    'CAST(role AS TEXT) AS role',
    time('createdAt'),
    `${bytes} AS bytes`,
    read('content', 'TEXT'),
    read('reasoningContent', 'TEXT'),
    read('files', 'BLOB'),
    read('meta', 'BLOB'),
    has('model') ? 'CAST(model AS TEXT) AS model' : [],
  ]
    .flat()
    .join(', ')} FROM message`
}

function headerQuery(columns: string[]): string {
  const wanted = [
    ...['id', 'title', 'agentOptions'].map((name) => [name, `CAST("${name}" AS TEXT) AS "${name}"`]),
    ...['createdAt', 'lastReplyAt'].map((name) => [name, time(name)]),
  ]
  return `SELECT ${wanted
    .filter(([name]) => columns.includes(name!))
    .map(([, expression]) => expression)
    .join(', ')} FROM chat`
}

function time(name: string): string {
  return `CASE WHEN typeof("${name}") = 'text' AND "${name}" GLOB '*[^0-9.]*' THEN "${name}" ELSE CAST("${name}" AS REAL) END AS "${name}"`
}

function lookOf(row: Row): string {
  const hash = createHash('sha1')
  for (const name of ['id', 'content', 'reasoningContent', 'files', 'meta'])
    hash.update(row[name] instanceof Uint8Array ? row[name] : `${row[name]}\0`)
  return hash.digest('base64').slice(0, 12)
}

function digest(text: string): string {
  return createHash('sha1').update(text).digest('base64').slice(0, 12)
}

function checkpoint(state: State): Found {
  const oldest = state.row - TAIL
  for (const place of Object.keys(state.tail)) if (Number(place) <= oldest) delete state.tail[place]
  return { checkpoint: { offset: state.row, state: { ...state, tail: { ...state.tail } } } }
}

function stateOf(from: Checkpoint | undefined): State | undefined {
  const state = object(from?.state)
  const row = number(state?.row)
  const chats = object(state?.chats)
  if (!state || row === undefined || !chats) return undefined
  return {
    row,
    tail: (object(state.tail) ?? {}) as State['tail'],
    chats: chats as State['chats'],
    since: number(state.since) ?? Number.NEGATIVE_INFINITY,
    told: (Array.isArray(state.told) ? state.told : []).filter((what) => typeof what === 'string'),
  }
}
