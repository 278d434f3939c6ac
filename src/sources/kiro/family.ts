import { createHash } from 'node:crypto'
import type { DatabaseSync } from 'node:sqlite'
import type { Chat, Message } from '../../model/chat.ts'
import { columnsOf, readForeign } from '../foreign-db.ts'
import { type Json, list, millis, object, parsed, string, words } from '../json.ts'
import { MAX_DOCUMENT_BYTES } from '../lines.ts'
import type { Checkpoint, Found } from '../source.ts'
import { historyMessages } from './history.ts'

/** A conversation's row is rewritten with each turn: so many are remembered by a fingerprint of 10 characters. */
const REMEMBERED = 20_000

/** The conversations that changed since the checkpoint. No other table is looked at: some hold tokens. */
export function readDatabase(file: string, from: Checkpoint | undefined, source: string): Iterable<Found> {
  return readForeign(file, (db) => changedConversations(db, from, source))
}

function* changedConversations(
  db: DatabaseSync,
  from: Checkpoint | undefined,
  source: string,
): Generator<Found> {
  const tables = ['conversations_v2', 'conversations'].filter((table) =>
    columnsOf(db, table).includes('value'),
  )
  if (tables.length === 0) {
    yield { problem: { reason: 'it has no table of conversations' } }
    return
  }
  const seen = new Set(list(object(from?.state)?.seen))
  const now: string[] = []
  for (const table of tables) {
    const times = ['created_at', 'updated_at'].filter((name) => columnsOf(db, table).includes(name))
    const order = times.includes('updated_at') ? 'updated_at, rowid' : 'rowid'
    const rows = db.prepare(
      `SELECT ${['CAST(key AS TEXT) AS key', ...times].join(', ')},
         CASE WHEN octet_length(value) <= ${MAX_DOCUMENT_BYTES} THEN CAST(value AS TEXT) END AS value
       FROM ${table} ORDER BY ${order}`,
    )
    for (const row of rows.iterate()) {
      const print = createHash('sha1').update(`${row.key}\n${row.value}`).digest('base64').slice(0, 10)
      if (!seen.has(print)) yield* conversationOf(row, source)
      now.push(print)
    }
  }
  yield { checkpoint: { offset: now.length, state: { seen: now.slice(-REMEMBERED) } } }
}

function* conversationOf(row: Json, source: string): Generator<Found> {
  const value = object(parsed(row.value))
  const id = words(value?.conversation_id)
  if (!value || !id) {
    yield { problem: { offset: 0, reason: `the conversation of ${string(row.key) ?? '?'} is not readable` } }
    return
  }
  const messages: Message[] = historyMessages(value)
  if (messages.length === 0) return
  const times = messages.flatMap(({ createdAt }) => createdAt ?? [])
  const chat: Chat = {
    source,
    id,
    workspace: words(row.key),
    createdAt: millis(row.created_at) ?? times[0],
    updatedAt: millis(row.updated_at) ?? times.at(-1),
    format: 'database',
  }
  yield { chat }
  for (const message of messages) yield { chatId: id, message }
}
