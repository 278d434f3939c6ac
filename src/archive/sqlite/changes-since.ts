import type { ArchivedMessage, ChangesOptions, LocalChange, LocalChanges, LocalGone } from '../archive.ts'
import { Bodies } from './blocks.ts'
import { isOn } from './change-log.ts'
import type { Connection } from './connection.ts'
import { messageFrom } from './message-row.ts'
import { chatReader } from './read.ts'

/** How far a space has pushed: in both lists, and in all that was there before them. */
interface Cursor {
  log: number
  gone: number
  /** Going through all chats: the one and the place in it that come next. */
  scan?: { chat: number; place: number }
  /** How often all was to be told again: by it a cursor at the start differs from an earlier one there. */
  again?: number
}

const DEFAULT_LIMIT = 1_000

export function changesSince(
  connection: Connection,
  given: string | undefined,
  { limit = DEFAULT_LIMIT, wants = () => true }: ChangesOptions = {},
): LocalChanges {
  return connection.reading(() => {
    const cursor = given === undefined ? beginning(connection) : (JSON.parse(given) as Cursor)
    const gone = goneSince(connection, cursor, limit)
    const changes = new Changes(connection, wants)
    if (cursor.scan) scan(connection, cursor, changes, limit)
    else follow(connection, cursor, changes, limit)
    const isMore =
      cursor.scan !== undefined ||
      connection
        .prepare(
          'SELECT EXISTS (SELECT 1 FROM change_log WHERE seq > ?) OR EXISTS (SELECT 1 FROM change_gone WHERE seq > ?) AS more',
        )
        .get(cursor.log, cursor.gone)?.more === 1
    return { gone, chats: changes.all(), cursor: JSON.stringify(cursor), done: !isMore }
  })
}

/** The same cursor, but everything that is there is told once more. */
export function fromTheStart(connection: Connection, given: string | undefined): string {
  const start = beginning(connection)
  const { gone, again = 0 } = given === undefined ? start : (JSON.parse(given) as Cursor)
  return JSON.stringify({ ...start, gone, again: again + 1 } satisfies Cursor)
}

export function changesWaiting({ prepare, reading }: Connection, given: string | undefined): number {
  return reading(() => {
    const cursor = given === undefined ? undefined : (JSON.parse(given) as Cursor)
    const scanned = cursor ? cursor.scan : { chat: 0, place: 0 }
    const unread =
      scanned &&
      prepare('SELECT coalesce(sum(messages), 0) AS n FROM chat WHERE author IS NULL AND key >= ?').get(
        scanned.chat,
      )?.n
    const changed =
      cursor &&
      prepare('SELECT count(*) AS n FROM change_log WHERE seq > ? AND message > 0').get(cursor.log)?.n
    return Math.max(0, Number(unread ?? 0) - (scanned?.place ?? 0)) + Number(changed ?? 0)
  })
}

/** Deletes what every space has pushed. In a transaction. */
export function trimLog({ prepare }: Connection): void {
  const cursors = prepare('SELECT pushed FROM hub_space WHERE pushed IS NOT NULL')
    .all()
    .map((row) => JSON.parse(String(row.pushed)) as Cursor)
  const least = (of: (cursor: Cursor) => number) => Math.min(...cursors.map(of))
  if (cursors.length === 0 && prepare('SELECT 1 FROM hub_space LIMIT 1').get()) return
  const [log, gone] =
    cursors.length === 0 ? [END, END] : [least((each) => each.log), least((each) => each.gone)]
  prepare('DELETE FROM change_log WHERE seq <= ?').run(log)
  prepare('DELETE FROM change_gone WHERE seq <= ?').run(gone)
}

const END = Number.MAX_SAFE_INTEGER

function beginning(connection: Connection): Cursor {
  if (!isOn(connection)) throw new Error('changesSince is asked before a space was joined')
  const last = (table: string) =>
    Number(connection.prepare('SELECT seq FROM sqlite_sequence WHERE name = ?').get(table)?.seq ?? 0)
  return { log: last('change_log'), gone: last('change_gone'), scan: { chat: 0, place: 0 } }
}

function goneSince({ prepare }: Connection, cursor: Cursor, limit: number): LocalGone[] {
  const rows = prepare('SELECT * FROM change_gone WHERE seq > ? ORDER BY seq LIMIT ?').all(cursor.gone, limit)
  cursor.gone = Number(rows.at(-1)?.seq ?? cursor.gone)
  return rows.map(({ source, id, message, author }) => ({
    source: String(source),
    id: String(id),
    ...(author !== null && { author: String(author) }),
    ...(message !== '' && { message: String(message) }),
  }))
}

/** Goes through all chats, some messages at a time. */
function scan({ prepare }: Connection, cursor: Cursor, changes: Changes, limit: number): void {
  let { chat, place } = cursor.scan!
  let left = limit
  const chats = prepare(
    'SELECT key, messages FROM chat WHERE author IS NULL AND messages > 0 AND key >= ? ORDER BY key',
  )
  for (const row of chats.iterate(chat)) {
    const key = Number(row.key)
    if (key !== chat) place = 0
    chat = key
    if (left <= 0) break
    if (!changes.wants(key)) continue
    const rows = prepare('SELECT key FROM chat_message WHERE chat = ? AND place >= ? ORDER BY place LIMIT ?')
      .all(key, place, left)
      .map((message) => Number(message.key))
    for (const message of rows) changes.message(key, message)
    changes.chat(key)
    left -= rows.length
    place += rows.length
    if (place < Number(row.messages) && rows.length > 0) {
      cursor.scan = { chat, place }
      return
    }
    chat = key + 1
    place = 0
  }
  if (left <= 0) cursor.scan = { chat, place }
  else delete cursor.scan
}

function follow({ prepare }: Connection, cursor: Cursor, changes: Changes, limit: number): void {
  const rows = prepare('SELECT seq, chat, message FROM change_log WHERE seq > ? ORDER BY seq LIMIT ?').all(
    cursor.log,
    limit,
  )
  for (const row of rows) {
    const chat = Number(row.chat)
    if (!changes.wants(chat)) continue
    changes.chat(chat)
    if (Number(row.message) > 0) changes.message(chat, Number(row.message))
  }
  cursor.log = Number(rows.at(-1)?.seq ?? cursor.log)
}

/** Changes by chat. */
class Changes {
  readonly #connection: Connection
  readonly #wants: NonNullable<ChangesOptions['wants']>
  readonly #bodies: Bodies
  readonly #chats = new Map<number, LocalChange | undefined>()

  constructor(connection: Connection, wants: NonNullable<ChangesOptions['wants']>) {
    this.#connection = connection
    this.#wants = wants
    this.#bodies = new Bodies(connection)
  }

  wants(key: number): boolean {
    return this.#open(key) !== undefined
  }

  chat(key: number): void {
    this.#open(key)
  }

  message(chat: number, key: number): void {
    const row = this.#connection
      .prepare('SELECT * FROM chat_message WHERE key = ? AND chat = ?')
      .get(key, chat)
    if (row) this.#open(chat)?.messages.push(inPlace(messageFrom(row, this.#bodies)))
  }

  all(): LocalChange[] {
    return [...this.#chats.values()].filter((each) => each !== undefined)
  }

  #open(key: number): LocalChange | undefined {
    if (!this.#chats.has(key)) {
      const row = this.#connection
        .prepare('SELECT * FROM chat WHERE key = ? AND author IS NULL AND messages > 0')
        .get(key)
      const chat = row && chatReader(this.#connection)(row)
      this.#chats.set(key, chat && this.#wants(chat) ? { chat, messages: [] } : undefined)
    }
    return this.#chats.get(key)
  }
}

/** Several files may tell of a chat, each with an order of its own: elsewhere there is only one. */
function inPlace(message: ArchivedMessage): ArchivedMessage {
  return { ...message, order: message.index }
}
