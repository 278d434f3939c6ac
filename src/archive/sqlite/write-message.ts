import type { SQLInputValue } from 'node:sqlite'
import { type KnownTelling, verdictOn } from '../../model/merge.ts'
import { isUnpacked } from './blocks.ts'
import type { BodyWriter, Put } from './body-writer.ts'
import { addRow, type Connection } from './connection.ts'
import { storedId } from './message-id.ts'
import { noteRequest, type OpenChat, type OpenTeller, tellsAlone } from './open-chat.ts'
import type { PreparedMessage } from './prepared-message.ts'
import { noteTools, type ToolKeys } from './tools.ts'

/** What became of a message that was told: a new row, another text, or nothing. */
export type Written = { key: number; outcome: 'added' | 'changed'; wordsChanged: boolean } | undefined

/** Who tells: a reading of a unit, and its file among those of the chat. */
export interface By {
  reading: { generation: number; rank: number }
  /** None where it was not read on this machine. */
  unit: number | null
  teller: OpenTeller
  /** Of the transaction. */
  toolKeys: ToolKeys
}

/** Writes one message of a reading. One that is told again unchanged costs one look-up. */
export function writeMessage(
  connection: Connection,
  bodies: BodyWriter,
  open: OpenChat,
  message: PreparedMessage,
  by: By,
): Written {
  if (message.model) open.models.add(message.model)
  const known = knownMessage(connection, open, message.id)
  return known
    ? update(connection, bodies, open, message, by, known)
    : insert(connection, bodies, open, message, by)
}

interface MessageRow {
  key: number
  chat: number
  hash: number
  unit: number
  generation: number
  rank: number
  kind: string
  undone: number
  copy_of: number | null
  position: number
  block: number | null
  slot: number | null
  text: string
  detail: string | null
  text_bytes: number | null
}

function knownMessage({ prepare }: Connection, open: OpenChat, id: string): MessageRow | undefined {
  if (open.ids && !open.ids.has(id)) return undefined
  return prepare(
    `SELECT key, chat, hash, unit, generation, rank, kind, undone, copy_of, position, block, slot, text, detail,
       text_bytes FROM chat_message WHERE chat = ? AND id = ?`,
  ).get(open.key, storedId(id)) as MessageRow | undefined
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
  'block',
  'slot',
  'text_bytes',
  'detail_bytes',
  'model',
  'input_tokens',
  'output_tokens',
  'cached_tokens',
  'cache_write_tokens',
  'reasoning_tokens',
  'cost',
  'latency_ms',
  'thinking_ms',
]
const INSERT = `INSERT OR IGNORE INTO chat_message (chat, id, place, text, ${COLUMNS.join(', ')})
  VALUES (?, ?, ?, '', ${COLUMNS.map(() => '?').join(', ')})`
const UPDATE = `UPDATE chat_message SET text = '', detail = NULL, ${COLUMNS.map((name) => `${name} = ?`).join(', ')}
  WHERE key = ?`

function valuesOf(
  message: PreparedMessage,
  { reading: { generation, rank }, unit }: By,
  put: Put,
): SQLInputValue[] {
  return [
    unit,
    generation,
    rank,
    message.hash,
    message.order,
    message.role,
    message.kind,
    message.createdAt ?? null,
    Number(message.undone),
    put.block,
    put.slot,
    put.textBytes,
    put.detailBytes,
    message.model ?? null,
    ...message.usage,
  ]
}

function insert(
  connection: Connection,
  bodies: BodyWriter,
  open: OpenChat,
  message: PreparedMessage,
  by: By,
): Written {
  // Where several files tell of a chat, their messages are put in order by time.
  const appended = message.order > open.lastPosition && tellsAlone(open, by.teller)
  if (!appended) open.disordered = true
  const put = bodies.put(open, { text: message.textBytes, detail: message.detailBytes })
  const values = valuesOf(message, by, put)
  const key = addRow(connection, INSERT, open.key, storedId(message.id), open.messages, ...values)
  noteTools(connection, key, message.tools, false, by.toolKeys)
  open.ids?.add(message.id)
  open.messages++
  open.lastPosition = Math.max(open.lastPosition, message.order)
  if (isRequest(message)) {
    if (appended) noteRequest(open, message)
    open.requests++
  }
  return { key, outcome: 'added', wordsChanged: true }
}

function update(
  connection: Connection,
  bodies: BodyWriter,
  open: OpenChat,
  message: PreparedMessage,
  by: By,
  known: MessageRow,
): Written {
  const { prepare } = connection
  const { generation, rank } = by.reading
  const { hash } = message
  const told = { hash, order: message.order, size: message.textBytes.length }
  const verdict = verdictOn(knownTelling(open, known), told, by.teller, generation)
  if (verdict === 'keep') return undefined
  if (verdict === 'seen') {
    prepare('UPDATE chat_message SET generation = ? WHERE key = ?').run(generation, known.key)
    return undefined
  }
  if (verdict === 'move') {
    prepare('UPDATE chat_message SET unit = ?, generation = ?, rank = ?, position = ? WHERE key = ?').run(
      by.unit,
      generation,
      rank,
      message.order,
      known.key,
    )
    open.disordered = true
    return undefined
  }
  const body = { text: message.textBytes, detail: message.detailBytes }
  const put =
    known.block === null || isUnpacked(known)
      ? bodies.put(open, body)
      : bodies.replace(open, { block: known.block, slot: known.slot! }, body)
  prepare(UPDATE).run(...valuesOf(message, by, put), known.key)
  noteTools(connection, known.key, message.tools, true, by.toolKeys)
  const wasRequest = known.kind === 'request' && !known.undone
  if (known.position !== message.order || known.undone || isRequest(message) || wasRequest)
    open.disordered = true
  return { key: known.key, outcome: 'changed', wordsChanged: known.hash !== hash && known.copy_of === null }
}

function knownTelling(open: OpenChat, row: MessageRow): KnownTelling {
  const { path = '', standsIn = false } = open.tellers.get(row.unit) ?? {}
  return {
    by: { path, standsIn, rank: row.rank },
    hash: row.hash,
    order: row.position,
    size: row.text_bytes ?? Buffer.byteLength(row.text),
    generation: row.generation,
    // Before it was packed, an archive of the first edition said it by a hash of 0.
    vanished: row.undone === 2 || row.hash === 0,
  }
}

function isRequest({ kind, undone }: PreparedMessage): boolean {
  return kind === 'request' && !undone
}
