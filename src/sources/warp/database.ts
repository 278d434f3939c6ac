import { createHash } from 'node:crypto'
import type { DatabaseSync } from 'node:sqlite'
import type { Chat, Message } from '../../model/chat.ts'
import { columnsOf, readForeign } from '../foreign-db.ts'
import { type Json, list, millis, object, objects, parsed, string, words } from '../json.ts'
import type { Checkpoint, Found } from '../source.ts'
import { taskMessages } from './task.ts'

/** Warp itself keeps 200. */
const REMEMBERED = 20_000
const MAX_BYTES = 64 * 1024 * 1024

/** `warp.sqlite`: the conversations that changed since the checkpoint, each as a whole. */
export function readDatabase(file: string, from: Checkpoint | undefined): Iterable<Found> {
  return readForeign(file, (db) => changedConversations(db, from))
}

function* changedConversations(db: DatabaseSync, from: Checkpoint | undefined): Generator<Found> {
  const hasTasks = columnsOf(db, 'agent_tasks').includes('task')
  const conversations = columnsOf(db, 'agent_conversations')
  if (!hasTasks || !conversations.includes('conversation_id')) {
    yield { problem: { reason: 'it has no conversations of the agent' } }
    return
  }
  const seen = new Set(list(object(from?.state)?.seen))
  const now: string[] = []
  const tasks = db.prepare(
    `SELECT CASE WHEN octet_length(task) <= ${MAX_BYTES} THEN CAST(task AS BLOB) END AS task
     FROM agent_tasks WHERE conversation_id = ? ORDER BY rowid`,
  )
  const queries = queriesOf(db)
  for (const row of db.prepare('SELECT * FROM agent_conversations ORDER BY rowid').all()) {
    const id = words(row.conversation_id)
    if (!id) continue
    const blobs = tasks.all(id).map(({ task }) => task)
    const hash = createHash('sha1').update(`${id}\n${row.summary}\n${row.last_modified_at}`)
    for (const blob of blobs) if (blob instanceof Uint8Array) hash.update(blob)
    const print = hash.digest('base64').slice(0, 10)
    now.push(print)
    if (!seen.has(print)) yield* conversationOf(row, id, blobs, queries(id))
  }
  yield { checkpoint: { offset: now.length, state: { seen: now.slice(-REMEMBERED) } } }
}

interface Query {
  message: Message
  folder: string | undefined
  model: string | undefined
}

function* conversationOf(row: Json, id: string, blobs: unknown[], queries: Query[]): Generator<Found> {
  const messages: Message[] = []
  for (const [index, blob] of blobs.entries()) {
    const told = blob instanceof Uint8Array ? taskMessages(blob, index) : undefined
    if (told) messages.push(...told)
    else yield { problem: { offset: 0, reason: `a task of ${id} is not readable` } }
  }
  // Without its tasks a conversation has what was asked, and no answers.
  if (messages.length === 0) messages.push(...queries.map(({ message }) => message))
  if (messages.length === 0) return
  const summary = object(parsed(row.summary))
  const data = object(parsed(row.conversation_data))
  const times = messages.flatMap(({ createdAt }) => createdAt ?? [])
  const model = queries.map((query) => query.model).find(Boolean)
  const parentId = words(data?.parent_conversation_id)
  const chat: Chat = {
    source: 'warp',
    id,
    title: words(summary?.title),
    workspace: words(summary?.initial_working_directory) ?? queries.map(({ folder }) => folder).find(Boolean),
    createdAt: times[0],
    updatedAt: utc(row.last_modified_at) ?? times.at(-1),
    format: 'database',
    ...(parentId && { parentId, subagent: true }),
  }
  yield { chat }
  for (const message of messages) {
    const told = parentId && message.kind === 'request' ? { ...message, kind: 'delegated' as const } : message
    yield { chatId: id, message: model && told.kind === 'answer' ? { ...told, model } : told }
  }
}

function queriesOf(db: DatabaseSync): (conversation: string) => Query[] {
  const needed = ['exchange_id', 'conversation_id', 'start_ts', 'input', 'working_directory', 'model_id']
  const columns = columnsOf(db, 'ai_queries')
  if (!needed.every((name) => columns.includes(name))) return () => []
  const rows = db.prepare('SELECT rowid AS row, * FROM ai_queries WHERE conversation_id = ? ORDER BY rowid')
  return (conversation) =>
    rows.all(conversation).flatMap((row): Query[] => {
      const text = objects(parsed(row.input))
        .flatMap((input) => words(object(input.Query)?.text) ?? [])
        .join('\n')
      if (!text) return []
      const createdAt = utc(row.start_ts)
      const id = words(row.exchange_id) ?? `query-${row.row}`
      const order = (createdAt ?? 0) * 1000 + (createdAt ? 0 : Number(row.row))
      return [
        {
          message: { id, order, role: 'user', kind: 'request', createdAt, text },
          folder: words(row.working_directory),
          model: words(row.model_id),
        },
      ]
    })
}

/** Times are UTC without saying so. */
function utc(value: unknown): number | undefined {
  const stamp = string(value)
  return millis(
    stamp && /^\d{4}-\d\d-\d\d[ T]\d\d:\d\d:\d\d(\.\d+)?$/.test(stamp)
      ? `${stamp.replace(' ', 'T')}Z`
      : value,
  )
}
