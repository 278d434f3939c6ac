import { mayHold, RULES, redactJsonIn, Seen, secretsIn } from '../../platform/redact.ts'
import { BODY_COLUMNS, Bodies, type BodyPlace } from './blocks.ts'
import type { Connection } from './connection.ts'
import { SECRET } from './seal-tables.ts'
import { assertSealed } from './seals.ts'

/**
 * What was found to be a secret in a chat, for the rest of the chat: `hunter2xyz` alone is masked where another
 * message says that it is the password. Whoever syncs looks through what is new, a little at a time and the newest
 * first; a chat that was not looked through yet is, when it is shown. Kept are lengths and keyed hashes.
 */
export class SeenSecrets {
  readonly #connection: Connection
  /** Of any chats, as long as nothing is written at all: who searches is shown the same ones again and again. */
  readonly #unchanged = new Map<number, Seen>()
  #any: Seen | undefined
  #state = ''
  /** Of chats that are not looked through yet, as long as nothing is written to them. */
  readonly #known = new Map<number, { state: string; seen: Seen }>()

  constructor(connection: Connection) {
    this.#connection = connection
  }

  /** Those of a chat. Cost: some rows; where messages were not looked through yet, 15 µs for each kilobyte of them, once. */
  of(chat: number | undefined): Seen {
    const connection = this.#connection
    const { prepare } = connection
    if (chat === undefined) return new Seen(keyOf(connection))
    this.#followState()
    const known = this.#unchanged.get(chat)
    if (known) return known
    const own = seenBy(connection, chat)
    const todo = prepare('SELECT since FROM secret_todo WHERE chat = ?').get(chat)
    const seen = todo ? this.#withRest(chat, Number(todo.since), own) : own
    if (this.#unchanged.size >= MOST_UNCHANGED) this.#unchanged.clear()
    this.#unchanged.set(chat, seen)
    return seen
  }

  /** A title without secrets. Cost: some microseconds, and the chat's secrets where one may be in it. */
  shownTitle(chat: number, title: string): string {
    return redactJsonIn({ title }, mayHold(title) ? this.of(chat) : undefined).title
  }

  /**
   * Those of all chats, for names that chats have in common. Cost: 2 µs for each, once as long as nothing is written;
   * of chats that were not looked through yet, the newest are, for a moment.
   */
  ofAny(): Seen {
    const connection = this.#connection
    this.#followState()
    if (this.#any) return this.#any
    const seen = new Seen(keyOf(connection))
    const rows = connection.prepare('SELECT length, mark FROM chat_secret')
    for (const row of rows.iterate()) seen.addMark(Number(row.length), Number(row.mark))
    const until = performance.now() + MOMENT_MS
    let todo = nextOf(connection)
    while (todo && performance.now() < until) {
      for (const { length, mark } of this.of(todo.chat).marks()) seen.addMark(length, mark)
      todo = nextOf(connection, todo.chat)
    }
    this.#any = seen
    return seen
  }

  #followState(): void {
    const { prepare } = this.#connection
    const others = prepare('PRAGMA data_version').get()!.data_version
    const own = prepare('SELECT total_changes() AS changes').get()!.changes
    const state = `${others} ${own}`
    if (state !== this.#state) {
      this.#unchanged.clear()
      this.#any = undefined
    }
    this.#state = state
  }

  #withRest(chat: number, since: number, seen: Seen): Seen {
    const { key, count, hashes } = this.#connection
      .prepare(
        'SELECT max(key) AS key, count(*) AS count, sum(hash % 65536) AS hashes FROM chat_message WHERE chat = ? AND key >= ?',
      )
      .get(chat, since)!
    const state = [since, key, count, hashes, seen.size].join()
    const known = this.#known.get(chat)
    if (known?.state === state) return known.seen
    look(this.#connection, chat, since, seen)
    this.#known.delete(chat)
    if (this.#known.size >= MOST_KNOWN) this.#known.delete(this.#known.keys().next().value!)
    this.#known.set(chat, { state, seen })
    return seen
  }
}

/** As far as a chat was looked through. */
export function seenBy(connection: Connection, chat: number): Seen {
  assertSealed(connection, SECRET, chat)
  const seen = new Seen(keyOf(connection))
  for (const row of connection.prepare('SELECT length, mark FROM chat_secret WHERE chat = ?').all(chat))
    seen.addMark(Number(row.length), Number(row.mark))
  return seen
}

const MOST_KNOWN = 200
const MOST_UNCHANGED = 1_000
/** How long chats are looked through while somebody waits for a list of names. */
const MOMENT_MS = 30
/** How long whoever syncs looks at a time: what is left waits for the next sync. */
const TURN_MS = 200

/** Notes, in the transaction that writes them, that messages from this one on are to be looked through. */
export function noteUnseen({ prepare }: Connection, chat: number, since: number): void {
  prepare(
    `INSERT INTO secret_todo (chat, since) VALUES (?, ?)
     ON CONFLICT (chat) DO UPDATE SET since = min(since, excluded.since)`,
  ).run(chat, since)
}

/** Looks through some chats that wait for it, the newest first; true where more are left. In a transaction. */
export function lookForSecrets(
  connection: Connection,
  redactChat: (chat: number) => void,
  turnMs = TURN_MS,
): boolean {
  const { prepare } = connection
  startAgainWithNewRules(connection)
  const until = performance.now() + turnMs
  while (performance.now() < until) {
    const next = nextOf(connection)
    if (!next) return false
    note(connection, next, lookedThrough(connection, next), redactChat)
  }
  return prepare('SELECT 1 FROM secret_todo LIMIT 1').get() !== undefined
}

/**
 * The same while nothing else is to be done, without keeping others from writing while it looks: what was found is
 * noted in one transaction at the end. Nothing is written where nothing waits.
 */
export function lookFurther(
  connection: Connection,
  assertRight: () => void,
  redactChat: (chat: number) => void,
  turnMs = IDLE_TURN_MS,
): boolean {
  const others = () => connection.prepare('PRAGMA data_version').get()!.data_version
  const before = others()
  const found: { todo: Todo; seen: Seen | undefined }[] = []
  const until = performance.now() + turnMs
  let todo = nextOf(connection)
  while (todo && performance.now() < until) {
    found.push({ todo, seen: lookedThrough(connection, todo) })
    todo = nextOf(connection, todo.chat)
  }
  if (found.length === 0) return false
  connection.transaction(() => {
    assertRight()
    // What another process wrote meanwhile may be of these chats: they are looked through again.
    if (others() !== before) return
    for (const { todo: each, seen } of found) note(connection, each, seen, redactChat)
  })
  return true
}

const IDLE_TURN_MS = 50

interface Todo {
  chat: number
  since: number
}

/** The newest that waits, of those before another. */
function nextOf({ prepare }: Connection, before = Number.MAX_SAFE_INTEGER): Todo | undefined {
  return prepare('SELECT chat, since FROM secret_todo WHERE chat < ? ORDER BY chat DESC LIMIT 1').get(
    before,
  ) as Todo | undefined
}

/** Nothing of a chat that is kept without its secrets. */
function lookedThrough(connection: Connection, { chat, since }: Todo): Seen | undefined {
  if (isRedactedChat(connection, chat)) return undefined
  const seen = new Seen(keyOf(connection))
  look(connection, chat, since, seen)
  return seen
}

function note(
  connection: Connection,
  { chat, since }: Todo,
  seen: Seen | undefined,
  redactChat: (chat: number) => void,
): void {
  // What was said before a secret was named may hold it bare.
  if (!seen && since === 0) redactChat(chat)
  if (seen) keepSeen(connection, chat, seen)
  connection.prepare('DELETE FROM secret_todo WHERE chat = ?').run(chat)
}

export function keepSeen({ prepare }: Connection, chat: number, seen: Seen): void {
  const keep = prepare('INSERT OR IGNORE INTO chat_secret (chat, length, mark) VALUES (?, ?, ?)')
  for (const { length, mark } of seen.marks()) keep.run(chat, length, mark)
}

/** Whether a chat is kept without its secrets. */
export function isRedactedChat({ prepare }: Connection, chat: number): boolean {
  return prepare('SELECT 1 FROM redacted_chat WHERE chat = ?').get(chat) !== undefined
}

/** Equal values have other hashes in another archive. */
function keyOf({ prepare }: Connection): number {
  return Number(prepare(`SELECT value FROM setting WHERE name = 'secretKey'`).get()?.value ?? 0)
}

/** What was looked through by other rules is looked through again. */
function startAgainWithNewRules({ prepare }: Connection): void {
  const known = prepare(`SELECT value FROM setting WHERE name = 'secretRules'`).get()?.value
  if (known === RULES) return
  if (known !== undefined) prepare('INSERT OR REPLACE INTO secret_todo SELECT key, 0 FROM chat').run()
  prepare(`INSERT OR REPLACE INTO setting (name, value) VALUES ('secretRules', ?)`).run(RULES)
}

function look(connection: Connection, chat: number, since: number, seen: Seen): void {
  const bodies = new Bodies(connection)
  const rows = connection
    .prepare(`SELECT ${BODY_COLUMNS} FROM chat_message WHERE chat = ? AND key >= ? ORDER BY key`)
    .all(chat, since) as unknown as BodyPlace[]
  for (const row of rows) for (const { secret } of secretsIn(bodyOf(bodies, row))) seen.add(secret)
}

/** A damaged message has nothing to show either. */
function bodyOf(bodies: Bodies, row: BodyPlace): unknown {
  try {
    const detail = bodies.detail(row)
    return [bodies.text(row), detail === null ? null : withoutPictures(JSON.parse(detail))]
  } catch {
    return null
  }
}

/** What an attachment holds in base64 is no text. */
function withoutPictures<T extends { attachments?: { data?: string }[] }>(detail: T): T {
  if (!detail.attachments) return detail
  return { ...detail, attachments: detail.attachments.map(({ data: _, ...rest }) => rest) }
}
