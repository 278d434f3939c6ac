import type { Message } from '../../model/chat.ts'
import { bounded, label } from '../../model/limits.ts'
import { type Lease, SEARCHABLE, type UnitReading, type WriteResult } from '../archive.ts'
import type { Connection } from './connection.ts'
import { lexiconOf, WordGathering } from './index-build.ts'
import { mergeSegments } from './index-merge.ts'
import { assertLease } from './lease.ts'
import { wordsOf } from './message-row.ts'
import { type OpenChat, openChat, saveChat, setHeader } from './open-chat.ts'
import { renumber } from './renumber.ts'
import { writeMessage } from './write-message.ts'

/**
 * Writes readings in one transaction. Cost: proportional to the messages told. A message that is
 * told again unchanged costs one look-up; an appended one an insert into the table and the index.
 */
export function write(connection: Connection, readings: UnitReading[], lease: Lease): WriteResult {
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
  /** Undefined are those that the person had forgotten. */
  readonly chats = new Map<string, OpenChat | undefined>()
  readonly words: WordGathering
  added = 0
  changed = 0

  constructor(connection: Connection) {
    this.connection = connection
    this.words = new WordGathering(lexiconOf(connection))
  }

  reading(reading: UnitReading): void {
    const { prepare } = this.connection
    const unit = this.unit(reading)
    const touched = new Set<OpenChat>()
    for (const chat of reading.chats) {
      const open = this.chat(reading.source, chat.id)
      // What a source notes to go on reading may hold the words of a chat that was to be forgotten.
      if (!open) prepare('UPDATE unit SET checkpoint = NULL WHERE key = ?').run(unit)
      else {
        touched.add(open)
        setHeader(this.connection, open, chat, reading)
      }
    }
    for (const { chatId, message } of reading.messages) {
      const open = this.chat(reading.source, chatId)
      if (!open || (reading.standsIn && this.isTold(open, unit))) continue
      touched.add(open)
      this.message(open, bounded(message), reading, unit)
    }
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
      if (!open) continue
      keys.add(open.key)
      if (open.disordered) renumber(this.connection, open.key)
      const title = saveChat(this.connection, open)
      if (title !== undefined) this.words.title(open.key, title)
    }
    this.words.write(this.connection)
    mergeSegments(this.connection, (this.added + this.changed) * MERGED_PER_MESSAGE)
    return { chats: keys, added: this.added, changed: this.changed }
  }

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

  chat(source: string, givenId: string): OpenChat | undefined {
    const id = label(givenId)
    const name = `${source}\0${id}`
    if (!this.chats.has(name)) this.chats.set(name, openChat(this.connection, source, id))
    return this.chats.get(name)
  }

  message(open: OpenChat, message: Message, reading: UnitReading, unit: number): void {
    const written = writeMessage(this.connection, open, message, reading, unit)
    if (!written) return
    this[written.outcome]++
    if (!written.wordsChanged) return
    const { role, kind, createdAt } = message
    const words = SEARCHABLE.has(kind) ? wordsOf(message) : NO_WORDS
    this.words.message({ key: written.key, chat: open.key, role, kind, createdAt, ...words })
  }

  /** Whether another unit tells of the chat. */
  isTold({ key }: OpenChat, unit: number): boolean {
    const other = this.connection.prepare('SELECT 1 FROM message WHERE chat = ? AND unit <> ? LIMIT 1')
    return other.get(key, unit) !== undefined
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
      if (open) open.disordered = true
      this.changed++
    }
  }
}
