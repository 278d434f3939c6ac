import type { SQLInputValue } from 'node:sqlite'
import type { ChatStatus } from '../../model/chat.ts'
import { RecollectError } from '../../model/errors.ts'
import { focusOf } from '../../model/focus.ts'
import { folderKey } from '../../model/folder-key.ts'
import { repositoryOf } from '../../model/repository.ts'
import { LONGEST_RUN_MS } from '../../model/status.ts'
import type {
  ArchivedChat,
  ArchivedMessage,
  ArchivedProblem,
  ChatFilter,
  ChatOutline,
  KnownUnit,
  Relatives,
} from '../archive.ts'
import { BODY_COLUMNS, Bodies, type BodyPlace } from './blocks.ts'
import type { Connection } from './connection.ts'
import { folded, foldedFor } from './folded.ts'
import { messageFrom } from './message-row.ts'
import { REPAIR } from './next-steps.ts'
import { originTerms } from './origin-terms.ts'
import { CHAT } from './seal-tables.ts'
import { assertSealed, soundRow } from './seals.ts'
import { readCheckpoint } from './unit-row.ts'

export function listChats(
  connection: Connection,
  filter: ChatFilter,
  { limit = 50, offset = 0 }: { limit?: number; offset?: number } = {},
): ArchivedChat[] {
  const { where, values } = conditions(filter)
  return connection
    .prepare(
      `SELECT chat.* FROM chat WHERE messages > 0 AND ${where}
     ORDER BY coalesce(updated_at, 0) DESC, key DESC LIMIT ? OFFSET ?`,
    )
    .all(...values, limit, offset)
    .map(chatReader(connection))
}

/** SQL for a filter over the table `chat`. */
export function conditions(filter: ChatFilter): { where: string; values: SQLInputValue[] } {
  const terms = ['1']
  const values: SQLInputValue[] = []
  const add = (term: string, ...given: SQLInputValue[]) => {
    terms.push(term)
    values.push(...given)
  }
  if (!filter.subagents) add('NOT chat.subagent')
  if (filter.source) add('chat.source = ?', filter.source)
  if (filter.updatedFrom !== undefined) add('chat.updated_at >= ?', filter.updatedFrom)
  if (filter.updatedTo !== undefined) add('chat.created_at <= ?', filter.updatedTo)
  if (filter.titleContains) {
    const wanted = folded(filter.titleContains)
    const title = `coalesce(chat.name, chat.title, chat.first_request, '')`
    const has = (text: string) => `instr(${foldedFor(wanted, text)}, ?) > 0`
    // By what is shown of it: whoever may not see a secret must not find it letter by letter.
    add(`CASE WHEN ${has(title)} THEN ${has(`shown_title(chat.key, ${title})`)} ELSE 0 END`, wanted, wanted)
  }
  const given = (list: readonly string[]) => JSON.stringify(list)
  if (filter.sources?.length) add('chat.source IN (SELECT value FROM json_each(?))', given(filter.sources))
  if (filter.withoutSources?.length)
    add('chat.source NOT IN (SELECT value FROM json_each(?))', given(filter.withoutSources))
  if (filter.statuses?.length)
    add(
      `CASE WHEN chat.status IN ('running', 'waiting') AND coalesce(chat.updated_at, 0) < ? THEN 'cancelled'
         ELSE chat.status END IN (SELECT value FROM json_each(?))`,
      Date.now() - LONGEST_RUN_MS,
      given(filter.statuses),
    )
  if (filter.updatedBefore !== undefined) add('coalesce(chat.updated_at, 0) < ?', filter.updatedBefore)
  if (filter.updatedIn?.length)
    add(
      `(${filter.updatedIn.map(() => 'chat.updated_at >= ? AND chat.updated_at < ?').join(' OR ')})`,
      ...filter.updatedIn.flat(),
    )
  if (filter.folder === null) add('chat.workspace_key IS NULL')
  else if (filter.folder !== undefined) add('chat.workspace_key = ?', folderKey(filter.folder))
  if (filter.about) {
    const { folders, chats } = filter.about
    const keys = folders.map((folder) => folderKey(folder.replace(/(?<=.)[\\/]+$/, '')))
    add(
      `(chat.source = ? AND chat.id IN (SELECT value FROM json_each(?)) OR EXISTS (SELECT 1 FROM json_each(?)
         WHERE chat.workspace_key = value OR substr(chat.workspace_key, 1, length(value) + 1) = value || '/'))`,
      chats.source,
      given(chats.ids),
      given(keys),
    )
  }
  for (const [term, ...those] of originTerms(filter)) add(term, ...those)
  if (filter.pinned !== undefined) add(filter.pinned ? 'chat.pinned' : 'NOT chat.pinned')
  if (filter.archived !== undefined) add(filter.archived ? 'chat.archived' : 'NOT chat.archived')
  if (filter.models?.length)
    add(
      'EXISTS (SELECT 1 FROM json_each(chat.models) WHERE value IN (SELECT value FROM json_each(?)))',
      given(filter.models),
    )
  for (const folders of [filter.workspace ? [filter.workspace] : [], filter.workspaces ?? []]) {
    const each = folders.map(inFolder)
    if (each.length > 0)
      add(`(${each.map(([term]) => term).join(' OR ')})`, ...each.flatMap(([, ...those]) => those))
  }
  return { where: terms.join(' AND '), values }
}

function inFolder(workspace: string): [term: string, ...values: SQLInputValue[]] {
  const folder = workspace.replace(/(?<=.)[\\/]+$/, '')
  if (!/[\\/:]/.test(folder)) {
    const end = `/${folded(folder)}`
    return [`substr(${foldedFor(end, 'chat.workspace_key')}, -length(?)) = ?`, end, end]
  }
  const key = folderKey(folder)
  return ['chat.workspace_key = ? OR substr(chat.workspace_key, 1, ?) = ?', key, key.length + 1, `${key}/`]
}

/** By the index `chat_counted`, which begins with whether a chat has messages. */
const OF_SOURCE = 'SELECT 1 FROM chat WHERE (messages > 0) IN (0, 1) AND source = ? LIMIT 1'

const LEAST_PREFIX = 4
/** So many of the chats that could be meant are looked at. */
const MOST_MEANT = 100

export function resolveChat(connection: Connection, reference: string): ArchivedChat {
  const { prepare } = connection
  const colon = reference.indexOf(':')
  const bySource = colon > 0 && prepare(OF_SOURCE).get(reference.slice(0, colon))
  const source = bySource ? reference.slice(0, colon) : undefined
  const id = bySource ? reference.slice(colon + 1) : reference
  const read = chatReader(connection)

  const exact = prepare('SELECT * FROM chat WHERE id = ?')
    .all(id)
    .map(read)
    .filter((chat) => source === undefined || chat.source === source)
  if (exact.length > 0) return theOne(reference, exact)
  if (id.length >= LEAST_PREFIX) {
    const begun = prepare(
      `SELECT * FROM chat WHERE id >= ? AND id < ? AND (? IS NULL OR source = ?)
       ORDER BY subagent, updated_at DESC LIMIT ${MOST_MEANT}`,
    ).all(id, `${id}\u{10ffff}`, source ?? null, source ?? null)
    if (begun.length > 0) return theOne(reference, begun.map(read))
  }
  const inFile = prepare(
    `SELECT chat.* FROM unit JOIN unit_chat ON unit_chat.unit = unit.key JOIN chat ON chat.key = unit_chat.chat
     WHERE unit.path = ? ORDER BY chat.subagent, chat.updated_at DESC LIMIT ${MOST_MEANT}`,
  ).all(reference)
  if (inFile.length > 0) return theOne(reference, inFile.map(read))
  throw new RecollectError(
    'SESSION_NOT_FOUND',
    `Session not found: ${reference}`,
    id.length < LEAST_PREFIX
      ? `A beginning of an id needs at least ${LEAST_PREFIX} characters. list_chats shows the ids.`
      : '`recollect list` shows the ids; `recollect sync` reads what is new.',
  )
}

function theOne(reference: string, candidates: ArchivedChat[]): ArchivedChat {
  const own = candidates.filter((chat) => !chat.subagent)
  const [first, ...others] = own.length > 0 ? own : candidates
  if (others.length === 0) return first!
  const count = others.length + 1
  const listed = [first!, ...others].slice(0, 10)
  throw new RecollectError(
    'AMBIGUOUS_ID',
    `${reference} could be any of ${count < MOST_MEANT ? count : `${MOST_MEANT} or more`} chats:\n${listed
      .map((chat) => `  ${chat.source}:${chat.id}  ${chat.title}`)
      .join('\n')}`,
    'Give more of the id, or `source:id`.',
    { candidates: listed.map(({ source, id, title }) => ({ source, id, title })) },
  )
}

export function messages(
  connection: Connection,
  chat: ArchivedChat,
  { from = 0, to = Number.MAX_SAFE_INTEGER }: { from?: number; to?: number } = {},
): ArchivedMessage[] {
  return connection.reading(() => {
    const bodies = new Bodies(connection)
    const rows = connection
      .prepare('SELECT * FROM chat_message WHERE chat = ? AND place BETWEEN ? AND ? ORDER BY place')
      .all(chat.key, from, to)
    assertAllThere(connection, chat, rows, from, to)
    return rows.map((row) => messageFrom(row, bodies))
  })
}

/** A message that a damaged index of SQLite's hides must not just be missing. */
function assertAllThere(
  { prepare, file }: Connection,
  { key, source, id }: ArchivedChat,
  rows: Record<string, unknown>[],
  from: number,
  to: number,
): void {
  const count = Number(prepare('SELECT messages FROM chat WHERE key = ?').get(key)?.messages ?? 0)
  const expected = Math.max(0, Math.min(to, count - 1) - Math.max(from, 0) + 1)
  if (rows.length === expected) return
  throw new RecollectError(
    'ARCHIVE_DAMAGED',
    `Of the chat ${source}:${id} ${expected} messages are expected here, and ${rows.length} are found in ${file}.`,
    REPAIR,
  )
}

export function outline(connection: Connection, { key }: ArchivedChat): ChatOutline {
  return connection.reading(() => outlineOf(connection, key))
}

function outlineOf(connection: Connection, key: number): ChatOutline {
  const { prepare } = connection
  const bodies = new Bodies(connection)
  const requests = prepare(
    `SELECT place, created_at, ${BODY_COLUMNS} FROM chat_message
     WHERE chat = ? AND kind = 'request' AND NOT undone ORDER BY place`,
  ).all(key)
  const sizes = prepare(
    `SELECT coalesce(text_bytes, octet_length(text)) + coalesce(detail_bytes, octet_length(detail), 0) AS bytes
     FROM chat_message
     WHERE chat = ? ORDER BY place`,
  ).all(key)
  const said = prepare(
    `SELECT place, kind FROM chat_message WHERE chat = ? AND NOT undone AND (kind IN ('request', 'delegated')
       OR kind = 'answer' AND coalesce(text_bytes, octet_length(text)) > 0) ORDER BY place`,
  ).all(key)
  return {
    requests: requests.map((row) => ({
      index: Number(row.place),
      ...(row.created_at !== null && { createdAt: Number(row.created_at) }),
      text: bodies.text(row as unknown as BodyPlace),
    })),
    sizes: sizes.map(({ bytes }) => Number(bytes)),
    focus: focusOf(said.map(({ place, kind }) => ({ index: Number(place), kind: String(kind) }))),
  }
}

/**
 * All of them at once, as rows by the ten thousand take twice as long. No path and no stamp holds a NUL; as bytes, since
 * Node 22 ends a text at one.
 */
export function unitStamps(
  { prepare }: Connection,
  source: string,
  paths?: readonly string[],
): Map<string, string> {
  if (paths) {
    const rows = prepare(
      'SELECT path, stamp FROM unit WHERE source = ? AND path IN (SELECT value FROM json_each(?))',
    ).all(source, JSON.stringify(paths))
    return new Map(rows.map(({ path, stamp }) => [String(path), String(stamp)]))
  }
  const { all } = prepare(
    'SELECT CAST(group_concat(path || char(0) || stamp, char(0)) AS BLOB) AS "all" FROM unit WHERE source = ?',
  ).get(source)!
  const stamps = new Map<string, string>()
  if (all === null) return stamps
  const parts = new TextDecoder().decode(all as Uint8Array).split('\0')
  for (let i = 0; i < parts.length; i += 2) stamps.set(parts[i]!, parts[i + 1]!)
  return stamps
}

export function unitsCalled({ prepare }: Connection, source: string, ends: readonly string[]): string[] {
  const called = prepare('SELECT path FROM unit WHERE source = ? AND substr(path, -length(?)) = ?')
  return ends.flatMap((end) => called.all(source, end, end).map(({ path }) => String(path)))
}

export function knownUnit({ prepare }: Connection, source: string, path: string): KnownUnit | undefined {
  const row = prepare(
    'SELECT fingerprint, checkpoint, generation FROM unit WHERE path = ? AND source = ?',
  ).get(path, source)
  return (
    row && {
      path,
      fingerprint: JSON.parse(String(row.fingerprint)),
      ...(row.checkpoint !== null && { checkpoint: readCheckpoint(row.checkpoint) }),
      generation: Number(row.generation),
    }
  )
}

export function problems({ prepare }: Connection): ArchivedProblem[] {
  return prepare(
    `SELECT unit.source, unit.path, byte_offset, reason, seen_at FROM problem JOIN unit ON unit.key = problem.unit
     ORDER BY unit.source, unit.path, byte_offset`,
  )
    .all()
    .map((row) => ({
      source: String(row.source),
      path: String(row.path),
      ...(row.byte_offset !== null && { offset: Number(row.byte_offset) }),
      reason: String(row.reason),
      seenAt: Number(row.seen_at),
    }))
}

/** The chat it comes from, and the chats that come from it: sub-agents and forks. */
export function relatives(connection: Connection, { source, id, parentId, forkOf }: ArchivedChat): Relatives {
  const chats = (sql: string, ...values: string[]) =>
    connection
      .prepare(`SELECT * FROM chat WHERE source = ? AND ${sql} ORDER BY created_at, key`)
      .all(source, ...values)
      .map(chatReader(connection))
  return {
    parent: parentId ? chats('id = ?', parentId)[0] : undefined,
    original: forkOf ? chats('id = ?', forkOf)[0] : undefined,
    subagents: chats('parent_id = ? AND id <> ?', id, id),
    forks: chats('fork_of = ? AND id <> ?', id, id),
  }
}

/** Which formats were seen, and in how many chats. */
export function formats({ prepare }: Connection): { source: string; format: string; chats: number }[] {
  return prepare(
    `SELECT source, format, count(*) AS chats FROM chat WHERE format IS NOT NULL AND messages > 0
     GROUP BY source, format ORDER BY source, chats DESC`,
  )
    .all()
    .map((row) => ({ source: String(row.source), format: String(row.format), chats: Number(row.chats) }))
}

/** Reads rows of chats, if they are what was written. */
export function chatReader(connection: Connection): (row: Record<string, unknown>) => ArchivedChat {
  return (row) => {
    assertSealed(connection, CHAT, Number(row.key))
    return chatFrom(row)
  }
}

/** The same for one chat here and one there: its neighbours are not looked at. */
export function chatAt(connection: Connection, key: number): ArchivedChat {
  return chatFrom(soundRow(connection, CHAT, key, '*')!)
}

function chatFrom(row: Record<string, unknown>): ArchivedChat {
  return {
    key: Number(row.key),
    source: String(row.source),
    id: String(row.id),
    title: String(row.name ?? row.title ?? row.first_request ?? '(no title)'),
    ...(typeof row.name === 'string' && { name: row.name }),
    ...(row.pinned === 1 && { pinned: true as const }),
    ...(row.archived === 1 && { archived: true as const }),
    workspace: text(row.workspace),
    repository: repositoryOf(text(row.repository), text(row.git_remote)),
    branch: text(row.branch),
    createdAt: (row.created_at as number | null) ?? undefined,
    updatedAt: (row.updated_at as number | null) ?? undefined,
    parentId: text(row.parent_id),
    forkOf: text(row.fork_of),
    subagent: Boolean(row.subagent),
    resume: text(row.resume),
    status: text(row.status) as ChatStatus | undefined,
    format: text(row.format),
    models: JSON.parse(String(row.models)),
    messageCount: Number(row.messages),
    requestCount: Number(row.requests),
    ...(row.author !== null && {
      origin: { author: String(row.author), machine: String(row.machine), space: String(row.space) },
    }),
  }
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined
}
