import path from 'node:path'
import type { DatabaseSync } from 'node:sqlite'
import type { Chat, Message } from '../../model/chat.ts'
import { columnsOf, readForeign } from '../foreign-db.ts'
import { type Json, millis, number, object, objects, parsed, string, words } from '../json.ts'
import { MAX_LINE_BYTES } from '../lines.ts'
import type { Checkpoint, Found } from '../source.ts'
import { messageOf } from './message.ts'

/** Behind everything that was said. */
const LAST = 2 ** 40

/**
 * `crush.db`. A message is written as it comes in, so those that changed since the newest change are told
 * again. Times are in seconds, whatever the schema says.
 */
export function readDatabase(file: string, from: Checkpoint | undefined): Iterable<Found> {
  return readForeign(file, (db) => changes(db, from, projectOf(file)))
}

/** The project that a database lies in. */
function projectOf(file: string): string | undefined {
  const folder = path.dirname(file)
  return path.basename(folder) === '.crush' ? path.dirname(folder) : undefined
}

function* changes(db: DatabaseSync, from: Checkpoint | undefined, workspace?: string): Generator<Found> {
  const columns = columnsOf(db, 'messages')
  if (!['session_id', 'role', 'parts', 'updated_at'].every((name) => columns.includes(name))) {
    yield { problem: { reason: 'not a database of Crush' } }
    return
  }
  // A clock that ran ahead must not hide what comes after it was set right.
  const since = Math.min(number(object(from?.state)?.since) ?? 0, Date.now() / 1000)
  const newest = Math.max(newestIn(db, 'messages'), newestIn(db, 'sessions'), since)
  const last = number(db.prepare('SELECT max(rowid) AS last FROM messages').get()?.last) ?? 0
  const sessions = db.prepare(`SELECT * FROM sessions WHERE updated_at >= ? OR id IN
    (SELECT session_id FROM messages WHERE updated_at >= ? OR rowid > ?) ORDER BY rowid`)
  const optional = ['model', 'is_summary_message'].filter((name) => columns.includes(name))
  const messages = db.prepare(
    `SELECT ${['rowid AS row', 'id', 'role', 'created_at', ...optional].join(', ')},
       CASE WHEN octet_length(parts) <= ${MAX_LINE_BYTES} THEN CAST(parts AS TEXT) END AS parts
     FROM messages WHERE session_id = ? AND (updated_at >= ? OR rowid > ?) ORDER BY rowid`,
  )
  const any = db.prepare('SELECT 1 AS there FROM messages WHERE session_id = ? LIMIT 1')
  const read = from?.offset ?? 0
  for (const session of sessions.all(since, since, read)) {
    const id = words(session.id)
    if (!id || !any.get(id)) continue
    yield { chat: chatOf(session, id, workspace) }
    for (const row of messages.iterate(id, since, read)) {
      const parts = parsed(row.parts)
      if (!Array.isArray(parts)) {
        yield { problem: { offset: 0, reason: `message ${row.id}: not valid JSON` } }
        continue
      }
      const message = messageOf(row, objects(parts), words(session.parent_session_id) !== undefined)
      if (message) yield { chatId: id, message }
    }
    const usage = usageOf(session)
    if (usage) yield { chatId: id, message: usage }
  }
  yield { checkpoint: { offset: Math.max(last, read), state: { since: newest } } }
}

function newestIn(db: DatabaseSync, table: string): number {
  return number(db.prepare(`SELECT max(updated_at) AS newest FROM ${table}`).get()?.newest) ?? 0
}

function chatOf(session: Json, id: string, workspace: string | undefined): Chat {
  const parentId = words(session.parent_session_id)
  return {
    source: 'crush',
    id,
    title: words(session.title),
    workspace,
    createdAt: millis(session.created_at),
    updatedAt: millis(session.updated_at),
    format: 'database',
    ...(parentId && { parentId, subagent: true }),
  }
}

/** Tokens and their price are counted for a session as a whole. */
function usageOf(session: Json): Message | undefined {
  const input = number(session.prompt_tokens)
  const output = number(session.completion_tokens)
  const cost = number(session.cost)
  if (!input && !output) return undefined
  return {
    id: 'usage',
    order: LAST,
    role: 'system',
    kind: 'notice',
    createdAt: millis(session.updated_at),
    text: `Tokens of ${string(session.title) || 'the session'}.`,
    usage: { input, output, ...(cost && { cost }) },
  }
}
