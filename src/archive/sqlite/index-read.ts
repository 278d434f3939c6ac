import type { Message, MessageKind, Role } from '../../model/chat.ts'
import { type Held, toolsOf } from '../../model/tool-text.ts'
import { bytes, ints, isInReach, longer, release, type Shorts } from '../../platform/loops/memory.ts'
import { decode, type Postings } from '../../platform/loops/table.ts'
import {
  type ArchivedChat,
  type ArchivedMessage,
  type ChatFacts,
  type ChatFilter,
  type Documents,
  type Nearest,
  type SaidMessage,
  SEARCHABLE,
  type SearchView,
  type WordField,
} from '../archive.ts'
import { BODY_COLUMNS, Bodies, type BodyPlace } from './blocks.ts'
import { type Connection, endReading } from './connection.ts'
import { BlockReader, type Entry } from './index-blocks.ts'
import { listsOf } from './index-build.ts'
import { BlockLookup } from './index-lookup.ts'
import { DocumentTable } from './index-table.ts'
import { idFrom } from './message-id.ts'
import { messageFrom, searched, wordsOf } from './message-row.ts'
import { chatAt, conditions } from './read.ts'
import { SEGMENT_ROW, soundSegment } from './sums.ts'
import { nearest } from './vectors.ts'

const FIELD_NUMBERS: Record<WordField, number> = { said: 0, thought: 1, tools: 2, title: 3 }

/** Beginnings of fewer letters are those of very many words. */
const SHORT_PREFIX = 3
const RARE = 2_000

const MOST_CHATS = 200
const MOST_COUNTED = 4_000

interface OpenSegment {
  key: number
  messages: number
  newest: number
  base: number
  /** Its number in the table of documents. */
  slot: number
}

/** Reads the word index. Holds what ranking needs of every message in memory, some 16 bytes each. */
export class IndexReader implements SearchView {
  readonly #connection: Connection
  readonly #bodies: Bodies
  readonly #lookup: BlockLookup
  readonly #block: BlockReader
  readonly #table = new DocumentTable()
  #segments = new Map<number, OpenSegment>()
  #version: unknown
  #state = { others: -1, own: -1 }
  readonly #chats = new Map<number, ArchivedChat>()
  /** By field, in how many messages a term is: understanding a query asks for the same ones many times. */
  readonly #counted = [0, 1, 2, 3].map(() => new Map<string, number>())
  readonly #found: Postings = { size: 0, keys: ints(1 << 10), counts: bytes(1 << 10) }
  /** A list that is not kept, where it can be decoded. */
  #carried = bytes(1 << 10)

  /** Whether only some chats may be read: those that the connection has. */
  readonly #isPartial: boolean

  constructor(connection: Connection, { isPartial = false } = {}) {
    this.#connection = connection
    this.#isPartial = isPartial
    this.#bodies = new Bodies(connection, { hasRoom: true })
    this.#lookup = new BlockLookup(connection)
    this.#block = new BlockReader(this.#lookup.read)
  }

  get documents(): Documents {
    return this.#table
  }

  /** Runs `work` over one state of the archive. It must not write, nor wait. */
  searching<T>(work: (view: SearchView) => T): T {
    const { db } = this.#connection
    db.exec('BEGIN')
    try {
      this.refresh()
      this.#followState()
      return work(this)
    } catch (error) {
      this.#forgetState()
      throw error
    } finally {
      endReading(db)
    }
  }

  /** What was read of chats and messages is kept as long as nobody writes: who types asks for the same again. */
  #followState(): void {
    const { prepare } = this.#connection
    const others = Number(prepare('PRAGMA data_version').get()!.data_version)
    const own = Number(prepare('SELECT total_changes() AS changes').get()!.changes)
    if (others !== this.#state.others || own !== this.#state.own) this.#forgetState()
    this.#state = { others, own }
  }

  #forgetState(): void {
    this.#bodies.forgetAll()
    this.#chats.clear()
  }

  chatKeys(filter: ChatFilter): Iterable<number> {
    const { where, values } = conditions(filter)
    return this.#connection
      .prepare(`SELECT chat.key FROM chat WHERE ${where}`)
      .all(...values)
      .map((row) => Number(row.key))
  }

  chatFacts(keys: Iterable<number>): ChatFacts[] {
    const models = new Map<string, string[]>()
    return this.#connection
      .prepare(
        `SELECT key, source, workspace, models, updated_at FROM chat
         WHERE key IN (SELECT value FROM json_each(?)) ORDER BY coalesce(updated_at, 0) DESC, key DESC`,
      )
      .all(JSON.stringify([...keys]))
      .map((row) => {
        const told = String(row.models)
        if (!models.has(told)) models.set(told, JSON.parse(told))
        return {
          key: Number(row.key),
          source: String(row.source),
          ...(row.workspace !== null && { workspace: String(row.workspace) }),
          models: models.get(told)!,
          ...(row.updated_at !== null && { updatedAt: Number(row.updated_at) }),
        }
      })
  }

  chat(key: number): ArchivedChat {
    const known = this.#chats.get(key)
    if (known) return known
    const chat = chatAt(this.#connection, key)
    if (this.#chats.size >= MOST_CHATS) this.#chats.clear()
    this.#chats.set(key, chat)
    return chat
  }

  message(key: number): ArchivedMessage {
    return messageFrom(this.#bodies.row(key, '*')!, this.#bodies)
  }

  saidIn(key: number): SaidMessage {
    const row = this.#bodies.row(key, `id, place, role, kind, created_at, ${BODY_COLUMNS}`)!
    return {
      id: idFrom(row.id),
      index: Number(row.place),
      role: row.role as Role,
      kind: row.kind as MessageKind,
      createdAt: (row.created_at as number | null) ?? undefined,
      text: this.#bodies.text(row as unknown as BodyPlace),
    }
  }

  text(key: number): string {
    return this.#bodies.text(this.#bodies.row(key, BODY_COLUMNS) as unknown as BodyPlace)
  }

  texts(keys: readonly number[]): Map<number, string> {
    return this.#bodies.texts(keys)
  }

  fieldTexts(field: WordField, keys: readonly number[]): Map<number, string> {
    if (field === 'title') return new Map(keys.map((key) => [key, this.chat(key).title]))
    if (field !== 'said') return new Map(keys.map((key) => [key, wordsOf(this.message(key))[field]]))
    const texts = this.#bodies.texts(keys)
    for (const [key, text] of texts) texts.set(key, searched(text))
    return texts
  }

  *heldIn(chat: number, fields: WordField[]): Generator<Held> {
    if (fields.includes('title')) yield { title: this.chat(chat).title }
    const inMessages = fields.filter((field) => field !== 'title')
    if (inMessages.length === 0) return
    const hasDetails = inMessages.some((field) => field !== 'said')
    // Rows as a whole would take longer than what is in them.
    const rows = this.#connection.prepare(
      `SELECT kind, ${BODY_COLUMNS} FROM chat_message WHERE chat = ? ORDER BY block, slot`,
    )
    for (const row of rows.all(chat)) {
      if (!SEARCHABLE.has(row.kind as MessageKind)) continue
      const place = row as unknown as BodyPlace
      const detail = JSON.parse((hasDetails && this.#bodies.detail(place)) || '{}') as Partial<Message>
      for (const field of inMessages)
        yield field === 'tools'
          ? toolsOf(detail)
          : { text: (field === 'said' ? this.#bodies.text(place) : detail.thinking) ?? '' }
    }
  }

  messagesWith(field: WordField, term: string): number {
    const number = FIELD_NUMBERS[field]
    const known = this.#counted[number]!.get(term)
    if (known !== undefined) return known
    const messages = this.#isPartial ? this.postings(field, term).size : this.#count(number, term)
    if (this.#counted[number]!.size >= MOST_COUNTED) this.#counted[number]!.clear()
    this.#counted[number]!.set(term, messages)
    return messages
  }

  #count(field: number, term: string): number {
    let messages = 0
    for (const segment of this.#segments.values())
      if (this.#find(segment, field, term)) messages += this.#block.entry.messages
    return messages
  }

  nearest(model: string, vector: ArrayLike<number>, passes: (key: number) => boolean, most: number): Nearest {
    return nearest(this.#connection, model, vector, passes, most)
  }

  /** In step with the archive. Cost: what is new since the last time. */
  refresh(): void {
    const { prepare } = this.#connection
    const { version } = prepare(
      `SELECT max(key) || ' ' || sum(key) || ' ' || count(*) AS version FROM word_segment`,
    ).get()!
    if (version === this.#version) return
    const rows = prepare('SELECT key, newest, messages, base FROM word_segment ORDER BY newest').all()
    const open = new Map<number, OpenSegment>()
    for (const row of rows) {
      const key = Number(row.key)
      const known = this.#segments.get(key)
      if (known) open.set(key, known)
    }
    const allowed = this.#isPartial
      ? new Set(
          prepare('SELECT key FROM chat')
            .all()
            .map((row) => Number(row.key)),
        )
      : undefined
    this.#table.expect(lastKey(prepare, 'chat_message'), lastKey(prepare, 'chat'))
    for (const { key, slot } of this.#segments.values()) if (!open.has(key)) this.#table.retire(slot)
    for (const row of rows) {
      const key = Number(row.key)
      if (open.has(key)) continue
      const segment = soundSegment(
        this.#connection,
        prepare(`SELECT ${SEGMENT_ROW} FROM word_segment WHERE key = ?`).get(key),
      )
      const newest = Number(row.newest)
      const slot = this.#table.add(newest, listsOf(this.#connection, key, segment), segment.titles, allowed)
      open.set(key, { key, newest, messages: Number(row.messages), base: Number(row.base), slot })
    }
    this.#table.settle()
    this.#segments = open
    this.#version = version
    this.#lookup.keepOnly(open)
    for (const counted of this.#counted) counted.clear()
  }

  /** Where a term stands. The answer is overwritten by the next call. */
  postings(field: WordField, term: string): Postings {
    const found = this.#found
    found.size = 0
    const number = FIELD_NUMBERS[field]
    if (this.#counted[number]!.get(term) === 0) return found
    const owners = field === 'title' ? this.#table.titleOwner : this.#table.owner
    for (const segment of this.#segments.values()) {
      if (!this.#find(segment, number, term)) continue
      this.#block.list()
      this.#decode(this.#block.entry, segment.slot, owners)
    }
    return found
  }

  /** Terms that begin so, the commonest first, with about how many messages have them. */
  termsFrom(field: WordField, prefix: string, most: number): { term: string; messages: number }[] {
    const number = FIELD_NUMBERS[field]
    const found = new Map<string, number>()
    for (const segment of this.#segments.values()) {
      // Of very many only those are told that are not rare: the others would not be among the commonest.
      const least = prefix.length < SHORT_PREFIX ? Math.floor(segment.messages / RARE) : 0
      const block = this.#block
      for (const data of this.#lookup.from(segment.key, number, prefix)) {
        block.open(data, segment.base)
        while (block.next()) {
          if (block.entry.messages < least) continue
          const { term } = block
          if (!term.startsWith(prefix)) continue
          const messages = this.#isPartial
            ? this.#allowedIn(block, segment.slot, field)
            : block.entry.messages
          if (messages > 0) found.set(term, (found.get(term) ?? 0) + messages)
        }
      }
    }
    return [...found]
      .map(([term, messages]) => ({ term, messages }))
      .sort((a, b) => b.messages - a.messages || (a.term < b.term ? -1 : 1))
      .slice(0, most)
  }

  /** In how many messages that may be read a term is: of a word of others not even that it exists is told. */
  #allowedIn(block: BlockReader, slot: number, field: WordField): number {
    this.#found.size = 0
    block.list()
    this.#decode(block.entry, slot, field === 'title' ? this.#table.titleOwner : this.#table.owner)
    return this.#found.size
  }

  /** Goes to the entry of a term in a segment. */
  #find(segment: OpenSegment, field: number, term: string): boolean {
    const data = this.#lookup.find(segment, field, term)
    if (!data) return false
    this.#block.open(data, segment.base)
    return this.#block.find(term)
  }

  #decode(entry: Entry, slot: number, owners: Shorts): void {
    const found = this.#found
    const need = found.size + entry.messages
    if (need > found.keys.length) {
      const length = 2 ** Math.ceil(Math.log2(need))
      found.keys = longer(found.keys, length)
      found.counts = longer(found.counts, length)
    }
    const { start, length } = this.#inReach(entry)
    found.size = decode(
      start,
      start + length,
      entry.first,
      Number(entry.messages === 1),
      slot,
      owners,
      owners.length,
      found.keys,
      found.counts,
      found.size,
      found.keys.length,
    )
  }

  /** Where the loops find the bytes of a list. */
  #inReach({ bytes: list, start, end }: Entry): { start: number; length: number } {
    const length = end - start
    if (isInReach(list)) return { start: list.byteOffset + start, length }
    if (this.#carried.length < length) {
      release(this.#carried)
      this.#carried = bytes(2 ** Math.ceil(Math.log2(length)))
    }
    this.#carried.set(list.subarray(start, end))
    return { start: this.#carried.byteOffset, length }
  }
}

function lastKey(prepare: Connection['prepare'], table: 'chat_message' | 'chat'): number {
  return Number(prepare(`SELECT coalesce(max(key), 0) AS key FROM ${table}`).get()!.key)
}
