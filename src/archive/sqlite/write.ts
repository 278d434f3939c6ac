import type { Chat, Message } from '../../model/chat.ts'
import { bounded, label } from '../../model/limits.ts'
import { type Lease, SEARCHABLE, type UnitReading, type WriteResult } from '../archive.ts'
import { type Connection, widen } from './connection.ts'
import { lexiconOf, WordGathering } from './index-build.ts'
import { mergeSegments } from './index-merge.ts'
import { assertLease } from './lease.ts'
import { detailOf, hashOf, wordsOf } from './message-row.ts'
import { renumber } from './renumber.ts'

/**
 * Writes readings in one transaction. Cost: proportional to the messages told. A message that is
 * told again unchanged costs one look-up; an appended one an insert into the table and the index.
 */
export function write(connection: Connection, readings: UnitReading[], lease: Lease): WriteResult {
  widen(connection)
  return connection.transaction(() => {
    assertLease(connection, lease)
    const writer = new Writer(connection)
    for (const reading of readings) writer.reading(reading)
    return writer.finish()
  })
}

/** How many messages may be merged into larger segments for each one written: bounds what a batch costs. */
const MERGED_PER_MESSAGE = 12

const NO_WORDS = { said: '', thought: '', tools: '' }

/** The state of one transaction: what is known of the chats it touches. */
class Writer {
  readonly connection: Connection
  readonly chats = new Map<string, OpenChat | 'forgotten'>()
  readonly words: WordGathering
  added = 0
  changed = 0

  constructor(connection: Connection) {
    this.connection = connection
    this.words = new WordGathering(lexiconOf(connection))
  }

  reading(reading: UnitReading): void {
    const unit = this.unit(reading)
    const touched = new Set<OpenChat>()
    let forgotten = false
    for (const chat of reading.chats) {
      const open = this.chat(reading.source, chat.id)
      if (open === 'forgotten') {
        forgotten = true
        continue
      }
      touched.add(open)
      if (!isOlderExport(reading, chat, open)) this.header(open, chat)
    }
    for (const { chatId, message } of reading.messages) {
      const open = this.chat(reading.source, chatId)
      if (open === 'forgotten') continue
      touched.add(open)
      this.message(open, bounded(message), reading, unit)
    }
    const { prepare } = this.connection
    // What a source notes to go on reading may hold the words of a chat that was to be forgotten.
    if (forgotten) prepare('UPDATE unit SET checkpoint = NULL WHERE key = ?').run(unit)
    for (const open of touched) {
      prepare('INSERT OR IGNORE INTO unit_chat (unit, chat) VALUES (?, ?)').run(unit, open.key)
    }
    if (reading.begins) prepare('DELETE FROM problem WHERE unit = ?').run(unit)
    for (const { offset, reason } of reading.problems) {
      prepare('INSERT INTO problem (unit, byte_offset, reason, seen_at) VALUES (?, ?, ?, ?)').run(
        unit,
        offset ?? null,
        label(reason),
        Date.now(),
      )
    }
    if (reading.completes) this.vanished(unit, reading)
  }

  finish(): WriteResult {
    const keys = new Set<number>()
    for (const open of this.chats.values()) {
      if (open === 'forgotten') continue
      keys.add(open.key)
      if (open.disordered) renumber(this.connection, open.key)
      this.save(open)
    }
    this.words.write(this.connection)
    mergeSegments(this.connection, (this.added + this.changed) * MERGED_PER_MESSAGE)
    return { chats: keys, added: this.added, changed: this.changed }
  }

  /** No upsert: a statement that may have to be undone makes SQLite write out the word index each time. */
  unit({ source, path, fingerprint, checkpoint, generation }: UnitReading): number {
    const { prepare } = this.connection
    const values = [
      fingerprint.stamp,
      JSON.stringify(fingerprint),
      checkpoint ? JSON.stringify(checkpoint) : null,
      generation,
      Date.now(),
    ]
    const known = prepare('SELECT key FROM unit WHERE path = ? AND source = ?').get(path, source)
    if (known) {
      prepare(
        'UPDATE unit SET stamp = ?, fingerprint = ?, checkpoint = ?, generation = ?, read_at = ? WHERE key = ?',
      ).run(...values, known.key as number)
      return Number(known.key)
    }
    const added = prepare(
      'INSERT INTO unit (stamp, fingerprint, checkpoint, generation, read_at, path, source) VALUES (?, ?, ?, ?, ?, ?, ?)',
    ).run(...values, path, source)
    return Number(added.lastInsertRowid)
  }

  chat(source: string, givenId: string): OpenChat | 'forgotten' {
    const id = label(givenId)
    const name = `${source}\0${id}`
    const open = this.chats.get(name) ?? this.openChat(source, id)
    this.chats.set(name, open)
    return open
  }

  openChat(source: string, id: string): OpenChat | 'forgotten' {
    const { prepare } = this.connection
    const row = prepare('SELECT * FROM chat WHERE id = ? AND source = ?').get(id, source)
    if (!row) {
      if (prepare('SELECT 1 FROM forgotten WHERE source = ? AND id = ?').get(source, id)) return 'forgotten'
      const created = prepare('INSERT INTO chat (source, id) VALUES (?, ?)').run(source, id)
      return { ...EMPTY, models: new Set(), key: Number(created.lastInsertRowid), source, id }
    }
    const last = prepare('SELECT copy_of FROM message WHERE chat = ? ORDER BY place DESC LIMIT 1').get(
      row.key as number,
    )
    return {
      ...EMPTY,
      copying: last !== undefined && last.copy_of !== null,
      key: Number(row.key),
      source,
      id,
      models: new Set(JSON.parse(String(row.models))),
      messages: Number(row.messages),
      requests: Number(row.requests),
      lastPosition: Number(row.last_position),
      createdAt: row.created_at as number | null,
      updatedAt: row.updated_at as number | null,
      title: row.title as string | null,
      firstRequest: row.first_request as string | null,
      forkOf: row.fork_of as string | null,
    }
  }

  header(open: OpenChat, chat: Chat): void {
    this.connection
      .prepare(
        `UPDATE chat SET workspace = coalesce(?, workspace), repository = coalesce(?, repository),
           branch = coalesce(?, branch), parent_id = coalesce(?, parent_id), subagent = coalesce(?, subagent),
           resume = coalesce(?, resume), status = coalesce(?, status),
           format = coalesce(?, format) WHERE key = ?`,
      )
      .run(
        kept(chat.workspace),
        kept(chat.repository),
        kept(chat.branch),
        kept(chat.parentId),
        chat.subagent === undefined ? null : Number(chat.subagent),
        kept(chat.resume),
        chat.status ?? null,
        kept(chat.format),
        open.key,
      )
    if (chat.forkOf && chat.forkOf !== open.id) open.forkOf = label(chat.forkOf)
    if (chat.title?.trim()) open.title = label(chat.title.trim())
    open.createdAt = least(open.createdAt, chat.createdAt)
    open.updatedAt = greatest(open.updatedAt, chat.updatedAt)
  }

  message(open: OpenChat, message: Message, reading: UnitReading, unit: number): void {
    const detail = detailOf(message)
    const hash = hashOf(message, detail)
    const known = this.connection
      .prepare(
        'SELECT key, hash, unit, generation, rank, text, kind, undone, copy_of, position FROM message WHERE id = ? AND chat = ?',
      )
      .get(message.id, open.key)
    if (!known) this.insert(open, message, detail, hash, reading, unit)
    else this.update(open, message, detail, hash, reading, unit, known)
    open.createdAt = least(open.createdAt, message.createdAt)
    open.updatedAt = greatest(open.updatedAt, message.createdAt)
    if (message.model) open.models.add(message.model)
  }

  insert(
    open: OpenChat,
    message: Message,
    detail: string | null,
    hash: number,
    reading: UnitReading,
    unit: number,
  ): void {
    const appended = message.order > open.lastPosition
    if (!appended) open.disordered = true
    const original = this.original(open, message, hash)
    const { usage = {} } = message
    const inserted = this.connection
      .prepare(
        `INSERT INTO message (chat, id, unit, generation, rank, hash, position, place, role, kind, created_at, undone,
           copy_of, text, detail, model, input_tokens, output_tokens, cached_tokens, cache_write_tokens,
           reasoning_tokens, cost, latency_ms)
         VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
      )
      .run(
        open.key,
        message.id,
        unit,
        reading.generation,
        reading.rank,
        hash,
        message.order,
        open.messages,
        message.role,
        message.kind,
        message.createdAt ?? null,
        Number(message.undone ?? false),
        original ?? null,
        message.text,
        detail,
        message.model ?? null,
        usage.input ?? null,
        usage.output ?? null,
        usage.cached ?? null,
        usage.cacheWrite ?? null,
        usage.reasoning ?? null,
        usage.cost ?? null,
        message.latencyMs ?? null,
      )
    if (original === undefined) this.index(open, Number(inserted.lastInsertRowid), message)
    open.messages++
    open.lastPosition = Math.max(open.lastPosition, message.order)
    if (isRequest(message)) {
      open.requests++
      if (open.firstRequest === null && appended) open.firstRequest = preview(message.text)
    }
    this.added++
  }

  update(
    open: OpenChat,
    message: Message,
    detail: string | null,
    hash: number,
    reading: UnitReading,
    unit: number,
    known: Record<string, unknown>,
  ): void {
    const { prepare } = this.connection
    const key = Number(known.key)
    const sameUnit = known.unit === unit
    if (known.hash === hash) {
      if (sameUnit && known.generation !== reading.generation) {
        prepare('UPDATE message SET generation = ? WHERE key = ?').run(reading.generation, key)
      }
      if (!sameUnit || known.position === message.order) return
    } else if (!sameUnit && !this.isFuller(message, reading, known)) return
    const { usage = {} } = message
    prepare(
      `UPDATE message SET unit = ?, generation = ?, rank = ?, hash = ?, position = ?, role = ?, kind = ?, created_at = ?,
         undone = ?, text = ?, detail = ?, model = ?, input_tokens = ?, output_tokens = ?, cached_tokens = ?,
         cache_write_tokens = ?, reasoning_tokens = ?, cost = ?, latency_ms = ? WHERE key = ?`,
    ).run(
      unit,
      reading.generation,
      reading.rank,
      hash,
      message.order,
      message.role,
      message.kind,
      message.createdAt ?? null,
      Number(message.undone ?? false),
      message.text,
      detail,
      message.model ?? null,
      usage.input ?? null,
      usage.output ?? null,
      usage.cached ?? null,
      usage.cacheWrite ?? null,
      usage.reasoning ?? null,
      usage.cost ?? null,
      message.latencyMs ?? null,
      key,
    )
    if (known.hash !== hash && known.copy_of === null) this.index(open, key, message)
    if (known.position !== message.order || isRequest(message) !== wasRequest(known) || isRequest(message)) {
      open.disordered = true
    }
    this.changed++
  }

  /** Two files tell one message differently: the one of higher rank is right, then the longer, then the first by name. */
  isFuller(message: Message, reading: UnitReading, known: Record<string, unknown>): boolean {
    const rank = Number(known.rank)
    if (reading.rank !== rank) return reading.rank > rank
    const length = String(known.text).length
    if (message.text.length !== length) return message.text.length > length
    const path = this.connection
      .prepare('SELECT path FROM unit WHERE key = ?')
      .get(known.unit as number)?.path
    return path === undefined || reading.path < String(path)
  }

  /**
   * The message of another chat that this one repeats. A fork copies the beginning of a chat with
   * its ids, so only a first message, or one that follows a copy, needs the look-up.
   */
  original(open: OpenChat, message: Message, hash: number): number | undefined {
    if (open.messages > 0 && !open.copying) return undefined
    const row = this.connection
      .prepare(
        `SELECT message.key, chat.id FROM message JOIN chat ON chat.key = message.chat
         WHERE message.id = ? AND message.chat <> ? AND chat.source = ? AND message.copy_of IS NULL
           AND (message.hash = ? OR message.created_at = ?) LIMIT 1`,
      )
      .get(message.id, open.key, open.source, hash, message.createdAt ?? null)
    open.copying = row !== undefined
    if (!row) return undefined
    open.forkOf ??= String(row.id)
    return Number(row.key)
  }

  index({ key: chat }: OpenChat, key: number, message: Message): void {
    const { role, kind, createdAt } = message
    const words = SEARCHABLE.has(kind) ? wordsOf(message) : NO_WORDS
    this.words.message({ key, chat, role, kind, createdAt, ...words })
  }

  /**
   * Messages that a new reading of their file did not tell again: kept, and marked as taken back.
   * Where a better file tells the whole chat by now, they were only its preview, and go.
   */
  vanished(unit: number, reading: UnitReading): void {
    const { prepare } = this.connection
    const gone = prepare(
      `SELECT message.key, message.chat FROM unit_chat
       CROSS JOIN message ON message.chat = unit_chat.chat
       WHERE unit_chat.unit = ? AND message.unit = ? AND message.generation < ? AND message.hash <> 0`,
    ).all(unit, unit, reading.generation) as { key: number; chat: number }[]
    const better = prepare('SELECT 1 FROM message WHERE chat = ? AND rank > ? AND unit <> ? LIMIT 1')
    for (const { key, chat } of gone) {
      if (better.get(chat, reading.rank, unit)) {
        this.words.message({ key, chat, role: 'user', kind: 'notice', ...NO_WORDS })
        prepare('DELETE FROM message WHERE key = ?').run(key)
      }
      // Hash 0: should the message come back, it is taken as changed. Its old position is stale.
      else prepare('UPDATE message SET undone = 1, hash = 0 WHERE key = ?').run(key)
      const owner = prepare('SELECT source, id FROM chat WHERE key = ?').get(chat)!
      const open = this.chat(String(owner.source), String(owner.id))
      if (open !== 'forgotten') open.disordered = true
      this.changed++
    }
  }

  save(open: OpenChat): void {
    const { prepare } = this.connection
    if (open.disordered) {
      const counts = prepare(
        `SELECT count(*) AS messages, coalesce(sum(kind = 'request' AND NOT undone), 0) AS requests,
           coalesce(max(position) FILTER (WHERE hash <> 0), -1) AS last FROM message WHERE chat = ?`,
      ).get(open.key)!
      open.messages = Number(counts.messages)
      open.requests = Number(counts.requests)
      open.lastPosition = Number(counts.last)
      const first = prepare(
        `SELECT text FROM message WHERE chat = ? AND kind = 'request' AND NOT undone ORDER BY place LIMIT 1`,
      ).get(open.key)
      open.firstRequest = first ? preview(String(first.text)) : null
    }
    const before = prepare('SELECT title, first_request FROM chat WHERE key = ?').get(open.key)!
    const shown = open.title ?? open.firstRequest
    if (shown !== null && shown !== (before.title ?? before.first_request)) {
      this.words.title(open.key, shown)
    }
    prepare(
      `UPDATE chat SET title = ?, first_request = ?, created_at = ?, updated_at = ?, fork_of = ?, models = ?,
         messages = ?, requests = ?, last_position = ? WHERE key = ?`,
    ).run(
      open.title,
      open.firstRequest,
      open.createdAt,
      open.updatedAt,
      open.forkOf,
      JSON.stringify([...open.models]),
      open.messages,
      open.requests,
      open.lastPosition,
      open.key,
    )
  }
}

interface OpenChat {
  key: number
  source: string
  id: string
  models: Set<string>
  messages: number
  requests: number
  lastPosition: number
  createdAt: number | null
  updatedAt: number | null
  title: string | null
  firstRequest: string | null
  forkOf: string | null
  /** The last message was a copy, so the next may be one too. */
  copying: boolean
  /** Something was put elsewhere than at the end: places and counts are made anew. */
  disordered: boolean
}

const EMPTY = {
  messages: 0,
  requests: 0,
  lastPosition: -1,
  createdAt: null,
  updatedAt: null,
  title: null,
  firstRequest: null,
  forkOf: null,
  copying: false,
  disordered: false,
}

/** An export that was made before the chat went on has an old title. */
function isOlderExport({ rank }: UnitReading, chat: Chat, open: OpenChat): boolean {
  return rank < 0 && (chat.updatedAt ?? 0) < (open.updatedAt ?? 0)
}

function isRequest({ kind, undone }: Message): boolean {
  return kind === 'request' && !undone
}

function wasRequest({ kind, undone }: Record<string, unknown>): boolean {
  return kind === 'request' && !undone
}

const PREVIEW = 200

/** The first line with something on it. */
function preview(text: string): string {
  const line = text.split('\n', 50).find((each) => each.trim() !== '') ?? ''
  return line.trim().slice(0, PREVIEW).toWellFormed()
}

function kept(text: string | undefined): string | null {
  return text ? label(text) : null
}

function least(a: number | null, b: number | undefined): number | null {
  return b === undefined ? a : a === null ? b : Math.min(a, b)
}

function greatest(a: number | null, b: number | undefined): number | null {
  return b === undefined ? a : a === null ? b : Math.max(a, b)
}
