import type { Chat } from '../../model/chat.ts'
import { label } from '../../model/limits.ts'
import { soundChat, soundMessage } from '../../model/sound.ts'
import type {
  Lease,
  PushCursor,
  RemoteChat,
  RemoteGone,
  RemotePage,
  RemoteRemoval,
  RemoteResult,
  SpaceState,
} from '../archive.ts'
import { BODY_COLUMNS, type BodyPlace } from './blocks.ts'
import { fromTheStart, trimLog } from './changes-since.ts'
import type { Connection } from './connection.ts'
import { assertLease } from './lease.ts'
import { storedId } from './message-id.ts'
import { noteTime, type OpenChat, type OpenTeller, setHeader } from './open-chat.ts'
import { preparedFrom } from './prepared-message.ts'
import { eraseRemote } from './remote-erase.ts'
import { noteWipe } from './wipe.ts'
import { Writer } from './write.ts'

/**
 * Chats of other machines and people. Each is a row of its own beside what was read here, under its own id with the
 * author behind it, and is told by one space only; so nothing that others say gets into a chat of this machine, or of
 * anybody else. What is read here too is shown as it was read, whichever came first.
 */
export function applyRemote(
  connection: Connection,
  page: RemotePage,
  lease: Lease,
  atRest = false,
): RemoteResult {
  return connection.transaction(() => {
    assertLease(connection, lease)
    const { prepare } = connection
    const nothing = { chats: new Set<number>(), added: 0, changed: 0, erased: 0, hidden: 0, skipped: 0 }
    join(connection, page.space)
    const pulled = prepare('SELECT pulled FROM hub_space WHERE space = ?').get(page.space)!.pulled
    if (pulled !== page.from) return { applied: false, ...nothing }
    prepare('UPDATE hub_space SET pulled = ?, kind = ? WHERE space = ?').run(page.to, page.kind, page.space)
    const writer = new Writer(connection, { atRest })
    const erased = withdrawn(connection, page.space, page.gone ?? [])
    const apply = new Applying(writer, page)
    // All at once, since it looks through the index.
    eraseRemote(writer, new Set([...erased, ...apply.outranked()]))
    for (const each of page.chats) apply.chat(each)
    const { hidden, skipped } = apply
    return { applied: true, ...writer.finish(), erased: erased.size, hidden, skipped }
  })
}

export function removeRemote(
  connection: Connection,
  { space, chats }: RemoteRemoval,
  lease: Lease,
): { chats: number; messages: number } {
  return connection.transaction(() => {
    assertLease(connection, lease)
    const { prepare } = connection
    const writer = new Writer(connection)
    const all = () =>
      prepare(
        `SELECT author, source, id FROM remote_chat WHERE space = ? UNION
         SELECT author, source, substr(id, 1, length(id) - length(author) - 1) FROM chat WHERE space = ?`,
      )
        .all(space, space)
        .map((row) => ({ author: String(row.author), source: String(row.source), id: String(row.id) }))
    const before = messagesHere(connection)
    const erased = withdrawn(connection, space, chats ?? all())
    eraseRemote(writer, erased)
    writer.finish()
    if (!chats) {
      prepare('DELETE FROM hub_space WHERE space = ?').run(space)
      trimLog(connection)
    }
    return { chats: erased.size, messages: before - messagesHere(connection) }
  })
}

/**
 * Erases what others told and is not among what is known now, in a copy of the archive. What the spaces told is pulled
 * from the start where it is restored, so that nothing is missed that was not among it for another reason.
 */
export function eraseRemoteBut(connection: Connection, known: ReadonlySet<string>): number {
  return connection.transaction(() => {
    const { prepare } = connection
    const gone = prepare('SELECT key, source, id, author FROM chat WHERE author IS NOT NULL')
      .all()
      .filter(({ source, id }) => !known.has(remoteName(source, id)))
    if (gone.length === 0) return 0
    const writer = new Writer(connection)
    eraseRemote(writer, new Set(gone.map(({ key }) => Number(key))))
    writer.finish()
    const unlist = prepare(
      `DELETE FROM remote_chat WHERE source = ? AND id || '@' || author = ? AND author = ?`,
    )
    for (const { source, id, author } of gone) unlist.run(String(source), String(id), String(author))
    prepare('UPDATE hub_space SET pulled = 0').run()
    noteWipe(connection)
    return gone.length
  })
}

/** By what `eraseRemoteBut` knows a chat. */
export function remoteName(source: unknown, id: unknown): string {
  return JSON.stringify([source, id])
}

export function spaces({ prepare }: Connection): SpaceState[] {
  return prepare('SELECT * FROM hub_space ORDER BY space')
    .all()
    .map((row) => {
      const here = prepare(
        'SELECT count(*) AS chats, coalesce(sum(messages), 0) AS messages FROM chat WHERE space = ? AND messages > 0',
      ).get(row.space!)!
      return {
        space: String(row.space),
        pulled: Number(row.pulled),
        ...(row.pushed !== null && { pushed: String(row.pushed) }),
        ...(row.state !== null && { state: JSON.parse(String(row.state)) }),
        chats: Number(here.chats),
        messages: Number(here.messages),
      }
    })
}

export function saveSpace(
  connection: Connection,
  space: string,
  { pulled, state }: Partial<Pick<SpaceState, 'pulled' | 'state'>> = {},
): void {
  const { prepare } = connection
  connection.transaction(() => {
    join(connection, space)
    if (pulled !== undefined) prepare('UPDATE hub_space SET pulled = ? WHERE space = ?').run(pulled, space)
    if (state !== undefined)
      prepare('UPDATE hub_space SET state = ? WHERE space = ?').run(JSON.stringify(state), space)
  })
}

export function movePushCursor(
  connection: Connection,
  space: string,
  from: PushCursor | undefined,
  to: PushCursor,
): boolean {
  return connection.transaction(() => {
    const moved = connection
      .prepare('UPDATE hub_space SET pushed = ? WHERE space = ? AND pushed IS ?')
      .run(to, space, from ?? null)
    if (Number(moved.changes) === 0) return false
    trimLog(connection)
    return true
  })
}

export function pushFromTheStart(connection: Connection, space: string): void {
  const { prepare } = connection
  connection.transaction(() => {
    join(connection, space)
    const { pushed } = prepare('SELECT pushed FROM hub_space WHERE space = ?').get(space)!
    const start = fromTheStart(connection, pushed === null ? undefined : String(pushed))
    prepare('UPDATE hub_space SET pushed = ? WHERE space = ?').run(start, space)
    trimLog(connection)
  })
}

function join({ prepare }: Connection, space: string): void {
  prepare('INSERT OR IGNORE INTO hub_space (space) VALUES (?)').run(space)
}

function messagesHere({ prepare }: Connection): number {
  return Number(prepare('SELECT coalesce(sum(messages), 0) AS n FROM chat WHERE author IS NOT NULL').get()!.n)
}

/** Takes chats out of a space, and says which of those that are shown are to be erased. */
function withdrawn(connection: Connection, space: string, chats: RemoteGone[]): Set<number> {
  const { prepare } = connection
  const erased = new Set<number>()
  for (const { author, source, id } of chats) {
    const values = [label(source), label(id), label(author)]
    // Asked for in the chats themselves: a repaired archive has lost its list of what spaces tell of.
    const known = prepare(
      'SELECT key AS chat FROM chat WHERE source = ? AND id = ? AND author = ? AND space = ?',
    ).get(label(source), label(nameOf(label(id), label(author))), label(author), space)
    prepare('DELETE FROM remote_chat WHERE source = ? AND id = ? AND author = ? AND space = ?').run(
      ...values,
      space,
    )
    if (typeof known?.chat !== 'number') continue
    erased.add(known.chat)
    // Another space tells it too, and what it told was not kept: it is pulled again.
    prepare(
      `UPDATE hub_space SET pulled = 0 WHERE space IN
         (SELECT space FROM remote_chat WHERE source = ? AND id = ? AND author = ?)`,
    ).run(...values)
  }
  if (erased.size > 0) noteWipe(connection)
  return erased
}

class Applying {
  readonly #writer: Writer
  readonly #page: RemotePage
  readonly #now = Date.now()
  hidden = 0
  skipped = 0

  constructor(writer: Writer, page: RemotePage) {
    this.#writer = writer
    this.#page = page
  }

  chat(told: RemoteChat): void {
    const chat = soundChat(told.chat)
    const messages = chat ? told.messages.flatMap((message) => soundMessage(message) ?? []) : []
    this.skipped += told.messages.length - messages.length
    if (!chat) return
    const { source, id } = chat
    const telling = { source, chats: [chat], messages: messages.map((message) => ({ chatId: id, message })) }
    const screened = this.#writer.forgotten.screen(telling)
    const open = screened.hidden.length > 0 ? undefined : this.#open(told, chat)
    if (!open) {
      this.hidden++
      return
    }
    const [header = chat] = screened.chats
    const named = {
      ...screened,
      chats: [{ ...header, id: open.id }],
      messages: screened.messages.map(({ message }) => ({ chatId: open.id, message })),
    }
    const clean = this.#writer.redacting.clean(named, () => open)
    const teller = this.#teller()
    open.tellers.set(REMOTE, teller)
    setHeader(open, this.#header(clean.chats[0]!, told.author), teller)
    for (const removed of told.removed ?? []) this.#drop(open, removed)
    for (const { message } of clean.messages) {
      const at = message.createdAt
      noteTime(open, teller, at === undefined ? undefined : Math.min(at, this.#now))
      const { toolKeys } = this.#writer
      const by = { reading: { generation: 1, rank: 0 }, unit: null, teller, toolKeys }
      this.#writer.message(open, 'hash' in message ? message : preparedFrom(message), by)
    }
  }

  /** Its row, if it is to be shown. */
  #open({ author: givenAuthor, machine }: RemoteChat, chat: Chat): OpenChat | undefined {
    const { prepare } = this.#writer.connection
    const [author, source, id] = [label(givenAuthor), label(chat.source), label(chat.id)]
    const { space } = this.#page
    const note = (key: number | null) =>
      prepare(
        'INSERT OR REPLACE INTO remote_chat (source, id, author, space, chat) VALUES (?, ?, ?, ?, ?)',
      ).run(source, id, author, space, key)
    const local = prepare(
      'SELECT 1 FROM chat WHERE id = ? AND source = ? AND author IS NULL AND messages > 0',
    )
    const name = nameOf(id, author)
    if (local.get(id, source) || local.get(name, source) || !this.#isBest(this.#others(source, id, author))) {
      note(null)
      return undefined
    }
    const open = this.#writer.opened(source, name)
    if (!open) {
      note(null)
      return undefined
    }
    open.isRemote = true
    prepare('UPDATE chat SET author = ?, machine = ?, space = ? WHERE key = ?').run(
      author,
      label(machine),
      space,
      open.key,
    )
    note(open.key)
    return open
  }

  /** Chats that another space told, and that this one tells better. */
  outranked(): Set<number> {
    const keys = new Set<number>()
    for (const told of this.#page.chats) {
      const chat = soundChat(told.chat)
      const others = chat ? this.#others(label(chat.source), label(chat.id), label(told.author)) : []
      if (!this.#isBest(others)) continue
      for (const other of others) if (other.chat !== null) keys.add(other.chat)
    }
    return keys
  }

  #others(source: string, id: string, author: string): OtherTelling[] {
    return this.#writer.connection
      .prepare(
        `SELECT remote_chat.space, kind, chat FROM remote_chat JOIN hub_space ON hub_space.space = remote_chat.space
         WHERE source = ? AND id = ? AND author = ? AND remote_chat.space <> ?`,
      )
      .all(source, id, author, this.#page.space) as unknown as OtherTelling[]
  }

  /** Whether this space's telling is shown. */
  #isBest(others: OtherTelling[]): boolean {
    const rank = ({ kind, space }: { kind: string; space: string }) => `${kind === 'own' ? 0 : 1} ${space}`
    return others.every((other) => rank(this.#page) < rank(other))
  }

  #teller(): OpenTeller {
    const facts = { path: '', rank: 0, standsIn: false, changedAt: 0, header: {} }
    return { ...facts, tells: true, changed: false }
  }

  #header(chat: Chat, author: string): Chat {
    const { parentId, forkOf, createdAt, updatedAt, ...facts } = chat
    const cut = (time: number | undefined) => (time === undefined ? undefined : Math.min(time, this.#now))
    return {
      ...facts,
      ...(parentId && { parentId: nameOf(label(parentId), label(author)) }),
      ...(forkOf && { forkOf: nameOf(label(forkOf), label(author)) }),
      createdAt: cut(createdAt),
      updatedAt: cut(updatedAt),
    }
  }

  #drop(open: OpenChat, id: string): void {
    const row = this.#writer.connection
      .prepare(`SELECT ${BODY_COLUMNS} FROM chat_message WHERE chat = ? AND id = ?`)
      .get(open.key, storedId(label(id)))
    if (row) this.#writer.drop(open, row as unknown as BodyPlace)
  }
}

interface OtherTelling {
  space: string
  kind: string
  chat: number | null
}

/** No unit has this number: what a space tells of a chat is noted in the chat's row alone. */
const REMOTE = -1

/** What a chat of somebody is called here: with the id its assistant gave it, of which a beginning is enough. */
function nameOf(id: string, author: string): string {
  return `${id}@${author}`
}
