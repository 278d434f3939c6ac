import type { Chat } from '../../model/chat.ts'
import { label } from '../../model/limits.ts'
import { NAMING_REQUESTS, namingRequest, tells, titleLine } from '../../model/title.ts'
import { redact } from '../../platform/redact.ts'
import type { UnitReading } from '../archive.ts'
import type { Connection } from './connection.ts'

/** A chat while a transaction writes to it; saved once, at its end. */
export interface OpenChat {
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
  /** Ids of its messages, where all of them were written by this transaction. */
  ids: Set<string> | undefined
  /** The id of its first message while all so far are copies: forks share their beginning. */
  copyingSince: string | undefined
  /** Something was put elsewhere than at the end: places and counts are made anew. */
  disordered: boolean
}

/** The chat, made where it is new; undefined where the person had it forgotten. */
export function openChat({ prepare }: Connection, source: string, id: string): OpenChat | undefined {
  const row = prepare('SELECT * FROM chat WHERE id = ? AND source = ?').get(id, source)
  if (!row) {
    if (prepare('SELECT 1 FROM forgotten WHERE source = ? AND id = ?').get(source, id)) return undefined
    const created = prepare('INSERT INTO chat (source, id) VALUES (?, ?)').run(source, id)
    return { ...EMPTY, models: new Set(), ids: new Set(), key: Number(created.lastInsertRowid), source, id }
  }
  const key = Number(row.key)
  const last = prepare('SELECT copy_of FROM message WHERE chat = ? ORDER BY place DESC LIMIT 1').get(key)
  const isCopying = last !== undefined && last.copy_of !== null
  const first = isCopying && prepare('SELECT id FROM message WHERE chat = ? AND place = 0').get(key)
  return {
    ...EMPTY,
    key,
    source,
    id,
    copyingSince: first ? String(first.id) : undefined,
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

const EMPTY = {
  messages: 0,
  requests: 0,
  lastPosition: -1,
  createdAt: null,
  updatedAt: null,
  title: null,
  firstRequest: null,
  forkOf: null,
  ids: undefined,
  copyingSince: undefined,
  disordered: false,
}

/** Takes over what a reading says of the chat itself; what it leaves undefined keeps its value. */
export function setHeader({ prepare }: Connection, open: OpenChat, chat: Chat, { rank }: UnitReading): void {
  // An export that was made before the chat went on has an old title.
  if (rank < 0 && (chat.updatedAt ?? 0) < (open.updatedAt ?? 0)) return
  prepare(
    `UPDATE chat SET workspace = coalesce(?, workspace), repository = coalesce(?, repository),
       branch = coalesce(?, branch), parent_id = coalesce(?, parent_id), subagent = coalesce(?, subagent),
       resume = coalesce(?, resume), status = coalesce(?, status), format = coalesce(?, format) WHERE key = ?`,
  ).run(
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

/** Writes the chat's row; tells the title to be indexed where it is a new one. */
export function saveChat({ prepare }: Connection, open: OpenChat): string | undefined {
  if (open.disordered) {
    const counts = prepare(
      `SELECT count(*) AS messages, coalesce(sum(kind = 'request' AND NOT undone), 0) AS requests,
         coalesce(max(position) FILTER (WHERE hash <> 0), -1) AS last FROM message WHERE chat = ?`,
    ).get(open.key)!
    open.messages = Number(counts.messages)
    open.requests = Number(counts.requests)
    open.lastPosition = Number(counts.last)
    const first = prepare(
      `SELECT text FROM message WHERE chat = ? AND kind = 'request' AND NOT undone ORDER BY place LIMIT ?`,
    ).all(open.key, NAMING_REQUESTS)
    const naming = namingRequest(first.map(({ text }) => String(text)))
    open.firstRequest = naming === undefined ? null : cut(naming)
  }
  // "Continue" is no title where a request tells more, whoever gave it.
  if (open.title !== null && tells(open.title) < tells(open.firstRequest ?? '') && tells(open.title) === 0)
    open.title = null
  const before = prepare('SELECT title, first_request FROM chat WHERE key = ?').get(open.key)!
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
  const shown = open.title ?? open.firstRequest
  return shown !== null && shown !== (before.title ?? before.first_request) ? shown : undefined
}

const PREVIEW = 200

/** Takes note of a request at the chat's end: it may name the chat better than those before it. */
export function noteRequest(open: OpenChat, text: string): void {
  if (open.requests >= NAMING_REQUESTS || (open.firstRequest !== null && tells(open.firstRequest) === 2))
    return
  const line = cut(titleLine(text))
  if (open.firstRequest === null || tells(line) > tells(open.firstRequest)) open.firstRequest = line
}

/** Without secrets: half of one, once cut, can no longer be told. */
function cut(line: string): string {
  return redact(line.slice(0, PREVIEW * 20))
    .slice(0, PREVIEW)
    .trimEnd()
    .toWellFormed()
}

export function least(a: number | null, b: number | undefined): number | null {
  return b === undefined ? a : a === null ? b : Math.min(a, b)
}

export function greatest(a: number | null, b: number | undefined): number | null {
  return b === undefined ? a : a === null ? b : Math.max(a, b)
}

function kept(text: string | undefined): string | null {
  return text ? label(text) : null
}
