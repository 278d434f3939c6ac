import type { Chat, Message } from '../../model/chat.ts'
import { bounded, label } from '../../model/limits.ts'
import { knownTime } from '../../model/merge.ts'
import { nodeCrypto } from '../../platform/node-crypto.ts'
import type { Connection } from './connection.ts'

/**
 * Knows forgotten chats again: by their ids, and where a file was renamed, copied, forked or resumed
 * under another id, by marks of their messages. A mark is a salted hash; no word is kept.
 */
export class Forgotten {
  readonly #connection: Connection
  readonly #salt: string
  /** Sources of which something was forgotten. */
  readonly #sources: Set<string>

  constructor(connection: Connection) {
    this.#connection = connection
    const rows = connection.prepare('SELECT DISTINCT source FROM forgotten').all()
    this.#sources = new Set(rows.map((row) => String(row.source)))
    this.#salt = this.#sources.size > 0 ? (saltOf(connection) ?? '') : ''
  }

  /** A telling without the chats and messages that were forgotten. `isOpen` are chats that are written just now. */
  screen<M extends Markable>(
    telling: Telling<M>,
    isOpen: (id: string) => boolean = () => false,
  ): Screened<M> {
    const { source, chats, messages } = telling
    if (!this.#sources.has(source)) return { chats, messages, hidden: [] }
    const headers = new Map(chats.map((chat) => [label(chat.id), chat]))
    const told = Map.groupBy(messages, ({ chatId }) => label(chatId))
    const hidden = new Map<string, Hidden>()
    const dropped = new Set<M>()
    const shared = new Set<string>()
    for (const id of new Set([...headers.keys(), ...told.keys()])) {
      const header = headers.get(id)
      const ofChat = (told.get(id) ?? []).map(({ message }) => message)
      const known = this.#known(source, id)
      if (known) {
        hidden.set(id, { id, root: known.root, isNew: false, learns: known.learns })
        continue
      }
      const root = this.#rootOf(source, header, id, isOpen)
      const hits = this.#hits(source, header, ofChat)
      const found = root ?? hits.values().next().value
      if (found === undefined) continue
      if (root === undefined && (isOpen(id) || this.#isArchived(source, id))) {
        for (const message of hits.keys()) dropped.add(message)
        for (const each of hits.values()) shared.add(each)
      } else {
        const { learns = false } = this.#known(source, found) ?? {}
        hidden.set(id, { id, root: found, isNew: true, learns })
      }
    }
    return {
      chats: chats.flatMap((chat) => (hidden.has(label(chat.id)) ? [] : [this.#untitled(source, chat)])),
      messages: messages.filter(({ chatId, message }) => !hidden.has(label(chatId)) && !dropped.has(message)),
      hidden: [...hidden.values()],
      ...(shared.size > 0 && { shared: [...shared] }),
    }
  }

  /** Notes what a file tells of forgotten chats, in a transaction: what was said since is known again too. */
  learn<M extends Markable>(
    { source, chats, messages }: Telling<M>,
    { hidden, shared = [] }: Screened<M>,
    unit: number,
  ): void {
    const { prepare } = this.#connection
    const note = prepare('INSERT OR IGNORE INTO forgotten_unit (unit, source, id) VALUES (?, ?, ?)')
    for (const root of shared) note.run(unit, source, root)
    for (const { id, root, isNew, learns } of hidden) {
      note.run(unit, source, root)
      if (isNew)
        prepare('INSERT INTO forgotten (source, id, at, copy_of, learns) VALUES (?, ?, ?, ?, ?)').run(
          source,
          id,
          Date.now(),
          root,
          Number(learns),
        )
      if (!learns) continue
      const header = chats.find((chat) => label(chat.id) === id)
      const ofChat = messages.filter(({ chatId }) => label(chatId) === id).map(({ message }) => message)
      for (const { mark } of marksOf(this.#salt, header?.createdAt, ofChat))
        keepMark(prepare, source, mark, root)
      if (header?.title) keepMark(prepare, source, titleMark(this.#salt, header.title), root)
    }
  }

  #known(source: string, id: string): { root: string; learns: boolean } | undefined {
    const row = this.#connection
      .prepare('SELECT copy_of, learns FROM forgotten WHERE source = ? AND id = ?')
      .get(source, id)
    return row && { root: String(row.copy_of ?? id), learns: Boolean(row.learns) }
  }

  /** By what its header says: a sub-agent of a forgotten chat, or a fork of one that was made since. */
  #rootOf(
    source: string,
    header: Chat | undefined,
    id: string,
    isOpen: (id: string) => boolean,
  ): string | undefined {
    const parent = header?.subagent && header.parentId && this.#known(source, label(header.parentId))
    if (parent) return isOpen(id) ? undefined : parent.root
    const original = header?.forkOf && this.#known(source, label(header.forkOf))
    return original && !isOpen(id) && !this.#isArchived(source, id) ? original.root : undefined
  }

  /** Messages of forgotten chats, and of which. */
  #hits<M extends Markable>(source: string, header: Chat | undefined, messages: M[]): Map<M, string> {
    const hits = new Map<M, string>()
    if (messages.length === 0 || !this.#salt) return hits
    for (const { mark, of } of marksOf(this.#salt, header?.createdAt, messages)) {
      const root = this.#rootOfMark(source, mark)
      if (root !== undefined) for (const message of of) hits.set(message, root)
    }
    return hits
  }

  #rootOfMark(source: string, mark: Uint8Array): string | undefined {
    const row = this.#connection
      .prepare('SELECT id FROM forgotten_mark WHERE source = ? AND mark = ? LIMIT 1')
      .get(source, mark)
    return row && String(row.id)
  }

  /** Forks take over titles, with a word around them. */
  #untitled(source: string, chat: Chat): Chat {
    if (!chat.title || !this.#salt) return chat
    const { title: _, ...rest } = chat
    return this.#rootOfMark(source, titleMark(this.#salt, chat.title)) === undefined ? chat : rest
  }

  /** Whether messages of the chat are in the archive, told by more than a stand-in. */
  #isArchived(source: string, id: string): boolean {
    return (
      this.#connection
        .prepare(
          `SELECT 1 FROM chat JOIN chat_message ON chat_message.chat = chat.key
           LEFT JOIN unit ON unit.key = chat_message.unit
           WHERE chat.id = ? AND chat.source = ? AND NOT coalesce(unit.stands_in, 0) LIMIT 1`,
        )
        .get(id, source) !== undefined
    )
  }
}

export interface Telling<M> {
  source: string
  chats: Chat[]
  messages: { chatId: string; message: M }[]
}

export interface Screened<M> extends Pick<Telling<M>, 'chats' | 'messages'> {
  /** Chats that are kept out. */
  hidden: Hidden[]
  /** Forgotten chats whose messages were left out of others. */
  shared?: string[]
}

interface Hidden {
  id: string
  /** The forgotten chat that it is, or is a copy of. */
  root: string
  /** Recognised just now. */
  isNew: boolean
  learns: boolean
}

/** Made once for each archive: equal words have other marks in another archive. */
export function makeSalt(connection: Connection): string {
  connection
    .prepare(`INSERT OR IGNORE INTO setting (name, value) VALUES ('forgetSalt', ?)`)
    .run(nodeCrypto().randomBytes(24).toString('base64'))
  return saltOf(connection)!
}

function saltOf({ prepare }: Connection): string | undefined {
  return prepare(`SELECT value FROM setting WHERE name = 'forgetSalt'`).get()?.value as string | undefined
}

export function keepMark(prepare: Connection['prepare'], source: string, mark: Uint8Array, id: string): void {
  prepare('INSERT OR IGNORE INTO forgotten_mark (source, mark, id) VALUES (?, ?, ?)').run(source, mark, id)
}

/** What a message's mark is made of. */
export type Markable = Pick<Message, 'id' | 'order' | 'role' | 'createdAt' | 'text'>

/** Of which messages a mark is. */
export interface Mark<T> {
  mark: Uint8Array
  of: T[]
}

/**
 * The marks of a chat's messages. Ids that nobody else has tell by themselves. Others are numbers, which every chat
 * has: with them goes when it was said, by the message or its chat, and what. Where no time is known, the first two
 * messages count together: the same question is asked in many chats, and answered in other words.
 */
export function* marksOf<T extends Markable>(
  salt: string,
  chatCreatedAt: number | undefined,
  messages: T[],
): Generator<Mark<T>> {
  const first: T[] = []
  for (const message of messages) {
    const id = label(message.id)
    const at = knownTime(message.createdAt) ?? knownTime(chatCreatedAt)
    if (OWN_ID.test(id)) yield { mark: markOf(salt, ['id', id]), of: [message] }
    else {
      if (at !== undefined)
        yield { mark: markOf(salt, ['said', id, message.role, at, textOf(message)]), of: [message] }
      if (knownTime(message.createdAt) === undefined) keepFirst(first, message)
    }
  }
  const opening = first.map((message) => [message.role, textOf(message)])
  if (first.length === OPENING && opening.join('').length >= TELLING)
    yield { mark: markOf(salt, ['opening', ...opening.flat()]), of: first }
}

export function titleMark(salt: string, title: string): Uint8Array {
  const bare = title.trim().replace(AROUND_TITLES, '').trim()
  return markOf(salt, ['title', bare])
}

/** A UUID, or a run of letters and digits that is as long. */
const OWN_ID =
  /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}|(?=[a-z]*[0-9])(?=[0-9]*[a-z])[0-9a-z]{16}/i
const AROUND_TITLES = /^(?:fork|copy|branch)(?: of)?:?\s+|\s*\((?:fork|copy|branch)(?: ?#?\d+)?\)$/gi
const OPENING = 2
const TELLING = 40
const MARK_BYTES = 16

function keepFirst<T extends Markable>(first: T[], message: T): void {
  first.push(message)
  first.sort((a, b) => a.order - b.order)
  if (first.length > OPENING) first.pop()
}

function textOf({ text }: Markable): string {
  return bounded({ id: '', order: 0, role: 'user', kind: 'notice', text }).text
}

function markOf(salt: string, facts: unknown[]): Uint8Array {
  return nodeCrypto()
    .hash('sha256', `${salt}\0${JSON.stringify(facts)}`, 'buffer')
    .subarray(0, MARK_BYTES)
}
