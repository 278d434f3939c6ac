import type { DatabaseSync } from 'node:sqlite'
import type { Chat, Message, Usage } from '../../model/chat.ts'
import { columnsOf, readForeign } from '../foreign-db.ts'
import { type Json, millis, number, words } from '../json.ts'
import { MAX_LINE_BYTES } from '../lines.ts'
import type { Checkpoint, Found } from '../source.ts'
import { messageOf } from './message.ts'

/** Behind everything that was said. */
const LAST = 2 ** 40
const NEEDED = ['id', 'session_id', 'role', 'content']
const OPTIONAL = ['tool_call_id', 'tool_calls', 'timestamp', 'reasoning', 'reasoning_content', 'tool_name']

/** `state.db`. Messages are added and have numbers; the few rows of sessions are told again each time. */
export function readDatabase(file: string, from: Checkpoint | undefined): Iterable<Found> {
  return readForeign(file, (db) => addedTo(db, from))
}

function* addedTo(db: DatabaseSync, from: Checkpoint | undefined): Generator<Found> {
  const columns = columnsOf(db, 'messages')
  if (!NEEDED.every((name) => columns.includes(name)) || !columnsOf(db, 'sessions').includes('id')) {
    yield { problem: { reason: 'not a database of Hermes' } }
    return
  }
  const last = number(db.prepare('SELECT max(rowid) AS last FROM messages').get()?.last) ?? 0
  const isOther = from !== undefined && from.offset > last
  if (isOther) yield { restart: true }
  const after = isOther ? 0 : (from?.offset ?? 0)
  const optional = OPTIONAL.filter((name) => columns.includes(name))
  const messages = db.prepare(
    `SELECT rowid AS row, ${['id', 'role', ...optional].join(', ')},
       CASE WHEN octet_length(content) <= ${MAX_LINE_BYTES} THEN CAST(content AS TEXT) END AS content
     FROM messages WHERE session_id = ? AND rowid > ? AND rowid <= ? ORDER BY rowid`,
  )
  const newest = db.prepare(
    `SELECT ${columns.includes('timestamp') ? 'max(timestamp)' : 'NULL'} AS at, count(*) AS count
     FROM messages WHERE session_id = ?`,
  )
  for (const session of db.prepare('SELECT * FROM sessions ORDER BY rowid').all()) {
    const id = words(session.id)
    const told = id ? newest.get(id) : undefined
    if (!id || !number(told?.count)) continue
    yield { chat: chatOf(session, id, told?.at) }
    for (const row of messages.iterate(id, after, last)) {
      const message = messageOf(row, words(session.model))
      if (message) yield { chatId: id, message }
    }
    const usage = usageOf(session)
    if (usage) yield { chatId: id, message: usage }
  }
  yield { checkpoint: { offset: last } }
}

function chatOf(session: Json, id: string, newest: unknown): Chat {
  return {
    source: 'hermes',
    id,
    title: words(session.title),
    createdAt: millis(session.started_at),
    updatedAt: millis(newest) ?? millis(session.ended_at),
    parentId: words(session.parent_session_id),
    format: 'database',
  }
}

/** Tokens and their price are counted for a session as a whole; what came from a cache is counted apart. */
function usageOf(session: Json): Message | undefined {
  const count = (name: string) => number(session[name]) || 0
  const cached = count('cache_read_tokens')
  const cacheWrite = count('cache_write_tokens')
  const usage: Usage = {
    input: count('input_tokens') + cached + cacheWrite,
    output: count('output_tokens'),
    ...(cached && { cached }),
    ...(cacheWrite && { cacheWrite }),
    ...(count('reasoning_tokens') && { reasoning: count('reasoning_tokens') }),
  }
  const cost = number(session.actual_cost_usd) ?? number(session.estimated_cost_usd)
  if (!usage.input && !usage.output) return undefined
  const model = words(session.model)
  return {
    id: 'usage',
    order: LAST,
    role: 'system',
    kind: 'notice',
    text: `Tokens of ${model ?? 'the session'}.`,
    ...(model && { model }),
    usage: { ...usage, ...(cost && { cost }) },
  }
}
