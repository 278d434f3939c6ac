import { createHash } from 'node:crypto'
import type { DatabaseSync } from 'node:sqlite'
import zlib from 'node:zlib'
import type { Chat } from '../../model/chat.ts'
import { columnsOf, openForeignDatabase } from '../foreign-db.ts'
import { type Json, list, millis, object, objects, version, words } from '../json.ts'
import { MAX_DOCUMENT_BYTES, withoutBase64 } from '../lines.ts'
import type { Checkpoint, Found } from '../source.ts'
import { threadMessages } from './messages.ts'

/** A thread's row is rewritten with each turn: these are remembered by a fingerprint of 10 characters each. */
const REMEMBERED = 20_000

/** The threads that changed since the checkpoint, each as a whole. */
export function* readThreads(file: string, from: Checkpoint | undefined): Generator<Found> {
  let db: DatabaseSync
  try {
    db = openForeignDatabase(file)
  } catch (error) {
    yield { problem: { reason: (error as Error).message } }
    return
  }
  try {
    yield* changedThreads(db, new Set(list(object(from?.state)?.seen)))
  } catch (error) {
    yield { problem: { reason: (error as Error).message } }
  } finally {
    db.close()
  }
}

function* changedThreads(db: DatabaseSync, seen: Set<unknown>): Generator<Found> {
  const columns = columnsOf(db, 'threads')
  if (!['id', 'updated_at', 'data_type', 'data'].every((name) => columns.includes(name))) {
    yield { problem: { reason: 'not a database of Zed threads' } }
    return
  }
  const now: string[] = []
  const data = db.prepare('SELECT * FROM threads WHERE rowid = ?')
  const rows = db.prepare(
    'SELECT rowid AS row, id, updated_at, length(data) AS size FROM threads ORDER BY rowid',
  )
  for (const row of rows.all()) {
    const print = createHash('sha1')
      .update(`${row.id}\n${row.updated_at}\n${row.size}`)
      .digest('base64')
      .slice(0, 10)
    if (!seen.has(print)) {
      const thread = object(data.get(row.row as number))
      if (!thread) continue
      try {
        yield* threadOf(thread)
      } catch (error) {
        yield { problem: { reason: `thread ${row.id}: ${(error as Error).message}` } }
      }
    }
    now.push(print)
  }
  yield { checkpoint: { offset: now.length, state: { seen: now.slice(-REMEMBERED) } } }
}

function* threadOf(row: Json): Generator<Found> {
  const id = words(row.id)
  const thread = object(documentIn(row))
  if (!id || !thread) throw new Error('not a thread')
  const parentId = words(row.parent_id) ?? words(object(thread.subagent_context)?.parent_thread_id)
  const messages = threadMessages(thread, parentId ? 'delegated' : 'request')
  if (messages.length === 0) return
  const snapshot = object(objects(object(thread.initial_project_snapshot)?.worktree_snapshots)[0])
  const git = object(snapshot?.git_state)
  const chat: Chat = {
    source: 'zed',
    id,
    title: words(row.summary) ?? words(thread.title) ?? words(thread.summary),
    workspace: firstFolder(row) ?? words(snapshot?.worktree_path),
    repository: withoutPassword(words(git?.remote_url)),
    branch: words(git?.current_branch),
    createdAt: millis(row.created_at) ?? millis(object(thread.initial_project_snapshot)?.timestamp),
    updatedAt: millis(row.updated_at) ?? millis(thread.updated_at),
    parentId,
    subagent: parentId ? true : undefined,
    format: version(thread.version),
  }
  yield { chat }
  for (const message of messages) yield { chatId: id, message }
}

function documentIn({ data, data_type: type }: Json): unknown {
  const stored = typeof data === 'string' ? Buffer.from(data) : Buffer.from(data as Uint8Array)
  const bytes =
    type === 'zstd' ? zlib.zstdDecompressSync(stored, { maxOutputLength: MAX_DOCUMENT_BYTES }) : stored
  try {
    return JSON.parse(withoutBase64(bytes).toString('utf8'))
  } catch {
    throw new Error('not valid JSON')
  }
}

/** Folders are stored sorted, one a line; `folder_paths_order` is the order in which they were opened. */
function firstFolder(row: Json): string | undefined {
  const folders = (words(row.folder_paths) ?? '').split('\n')
  const first = Number((words(row.folder_paths_order) ?? '0').split(',')[0])
  return words(folders[first]) ?? words(folders[0])
}

function withoutPassword(url: string | undefined): string | undefined {
  return url?.replace(/^([a-z+]+:\/\/)[^/@]*@/i, '$1')
}
