import type { SQLInputValue } from 'node:sqlite'
import type { Message } from '../../model/chat.ts'
import type { UnitReading } from '../archive.ts'
import type { Connection } from './connection.ts'
import { detailOf, hashOf } from './message-row.ts'
import { greatest, least, noteRequest, type OpenChat } from './open-chat.ts'

/** What became of a message that was told: a new row, another text, or nothing. */
export type Written = { key: number; outcome: 'added' | 'changed'; wordsChanged: boolean } | undefined

/** Writes one message of a reading of `unit`. A message told again unchanged costs one look-up. */
export function writeMessage(
  connection: Connection,
  open: OpenChat,
  message: Message,
  reading: UnitReading,
  unit: number,
): Written {
  open.createdAt = least(open.createdAt, message.createdAt)
  open.updatedAt = greatest(open.updatedAt, message.createdAt)
  if (message.model) open.models.add(message.model)
  const known = knownMessage(connection, open, message.id)
  return known
    ? update(connection, open, message, reading, unit, known)
    : insert(connection, open, message, reading, unit)
}

interface KnownMessage {
  key: number
  hash: number
  unit: number
  generation: number
  rank: number
  text: string
  kind: string
  undone: number
  copy_of: number | null
  position: number
}

function knownMessage({ prepare }: Connection, open: OpenChat, id: string): KnownMessage | undefined {
  if (open.ids && !open.ids.has(id)) return undefined
  return prepare(
    `SELECT key, hash, unit, generation, rank, text, kind, undone, copy_of, position FROM message
     WHERE chat = ? AND id = ?`,
  ).get(open.key, id) as KnownMessage | undefined
}

const COLUMNS = [
  'unit',
  'generation',
  'rank',
  'hash',
  'position',
  'role',
  'kind',
  'created_at',
  'undone',
  'text',
  'detail',
  'model',
  'input_tokens',
  'output_tokens',
  'cached_tokens',
  'cache_write_tokens',
  'reasoning_tokens',
  'cost',
  'latency_ms',
]
const INSERT = `INSERT INTO message (chat, id, place, copy_of, ${COLUMNS.join(', ')})
  VALUES (?, ?, ?, ?, ${COLUMNS.map(() => '?').join(', ')})`
const UPDATE = `UPDATE message SET ${COLUMNS.map((name) => `${name} = ?`).join(', ')} WHERE key = ?`

function valuesOf(
  message: Message,
  { generation, rank }: UnitReading,
  unit: number,
  detail: string | null,
  hash: number,
): SQLInputValue[] {
  const { usage = {} } = message
  return [
    unit,
    generation,
    rank,
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
  ]
}

function insert(
  connection: Connection,
  open: OpenChat,
  message: Message,
  reading: UnitReading,
  unit: number,
): Written {
  const detail = detailOf(message)
  const hash = hashOf(message, detail)
  const appended = message.order > open.lastPosition
  if (!appended) open.disordered = true
  const original = originalOf(connection, open, message, hash)
  const inserted = connection
    .prepare(INSERT)
    .run(
      open.key,
      message.id,
      open.messages,
      original ?? null,
      ...valuesOf(message, reading, unit, detail, hash),
    )
  open.ids?.add(message.id)
  open.messages++
  open.lastPosition = Math.max(open.lastPosition, message.order)
  if (isRequest(message)) {
    if (appended) noteRequest(open, message.text)
    open.requests++
  }
  return { key: Number(inserted.lastInsertRowid), outcome: 'added', wordsChanged: original === undefined }
}

function update(
  connection: Connection,
  open: OpenChat,
  message: Message,
  reading: UnitReading,
  unit: number,
  known: KnownMessage,
): Written {
  const detail = detailOf(message)
  const hash = hashOf(message, detail)
  const sameUnit = known.unit === unit
  if (known.hash === hash) {
    if (sameUnit && known.generation !== reading.generation) {
      connection.prepare('UPDATE message SET generation = ? WHERE key = ?').run(reading.generation, known.key)
    }
    if (!sameUnit || known.position === message.order) return undefined
  } else if (!sameUnit && !isFuller(connection, message, reading, known)) return undefined
  connection.prepare(UPDATE).run(...valuesOf(message, reading, unit, detail, hash), known.key)
  const wasRequest = known.kind === 'request' && !known.undone
  if (known.position !== message.order || isRequest(message) || wasRequest) open.disordered = true
  return { key: known.key, outcome: 'changed', wordsChanged: known.hash !== hash && known.copy_of === null }
}

/** Two files tell one message differently: the one of higher rank is right, then the longer, then the first by name. */
function isFuller(
  { prepare }: Connection,
  message: Message,
  reading: UnitReading,
  known: KnownMessage,
): boolean {
  if (reading.rank !== known.rank) return reading.rank > known.rank
  if (message.text.length !== known.text.length) return message.text.length > known.text.length
  const path = prepare('SELECT path FROM unit WHERE key = ?').get(known.unit)?.path
  return path === undefined || reading.path < String(path)
}

/**
 * The message of another chat that this one repeats. A fork copies the beginning of a chat with
 * its ids, so only a first message, or one that follows nothing but copies, needs the look-up, and
 * only in the chats that begin with the same message.
 */
function originalOf(
  { prepare }: Connection,
  open: OpenChat,
  message: Message,
  hash: number,
): number | undefined {
  if (open.messages > 0 && open.copyingSince === undefined) return undefined
  const first = open.copyingSince ?? message.id
  const row = prepare(
    `SELECT message.key, chat.id FROM message AS first
     JOIN message ON message.chat = first.chat AND message.id = ?
     JOIN chat ON chat.key = message.chat
     WHERE first.place = 0 AND first.id = ? AND first.chat <> ? AND chat.source = ? AND message.copy_of IS NULL
       AND (message.hash = ? OR message.created_at = ?) LIMIT 1`,
  ).get(message.id, first, open.key, open.source, hash, message.createdAt ?? null)
  open.copyingSince = row ? first : undefined
  if (!row) return undefined
  open.forkOf ??= String(row.id)
  return Number(row.key)
}

function isRequest({ kind, undone }: Message): boolean {
  return kind === 'request' && !undone
}
