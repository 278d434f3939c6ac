import type { Chat } from '../../model/chat.ts'
import { folderKey } from '../../model/folder-key.ts'
import { label } from '../../model/limits.ts'
import { type HeaderTelling, joined, knownTime, mergedHeader } from '../../model/merge.ts'
import { repositoryKey, repositoryOf } from '../../model/repository.ts'
import { NAMING_REQUESTS, namingRequest, tells, titleLine } from '../../model/title.ts'
import { requestTitle } from '../request-title.ts'
import type { UnitReading } from '../unit-shapes.ts'
import { BODY_COLUMNS, type BodyPlace } from './blocks.ts'
import type { BodyWriter } from './body-writer.ts'
import { addRow, type Connection } from './connection.ts'
import { idFrom } from './message-id.ts'
import { packChat } from './pack.ts'

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
  /** How much that tells, once it was asked; -1 while there is none. */
  firstTells?: number
  /** The block that is not full. */
  openBlock: number | null
  /** The owner's own, by which it is found then. */
  name: string | null
  /** What each file says of it, by its unit. */
  tellers: Map<number, OpenTeller>
  /** What they say together. */
  header: Partial<Chat>
  forkOf: string | null
  /** Its own file says what it is a fork of. */
  forkTold: boolean
  background: boolean
  bornAt: number | null
  /** Ids of its messages, where all of them were written by this transaction. */
  ids: Set<string> | undefined
  /** The id of its first message while all so far are shared with another chat: forks share their beginning. */
  sharedSince: string | undefined
  /** What tells an original from its copies was learnt after messages were written. */
  forkDoubtful: boolean
  /** Something was put elsewhere than at the end: places and counts are made anew. */
  disordered: boolean
  /** It was not read on this machine. */
  isRemote: boolean
}

export interface OpenTeller extends HeaderTelling {
  /** Messages, not only facts about the chat. */
  tells: boolean
  changed: boolean
  /** What it says was not written down: it stands in the chat's row. */
  isImplied?: boolean
}

/** The chat, made where it is new; undefined where the person had it forgotten. */
export function openChat(
  connection: Connection,
  bodies: BodyWriter,
  source: string,
  id: string,
): OpenChat | undefined {
  const { prepare } = connection
  const row = prepare('SELECT * FROM chat WHERE id = ? AND source = ?').get(id, source)
  if (!row) {
    if (prepare('SELECT 1 FROM forgotten WHERE source = ? AND id = ?').get(source, id)) return undefined
    const key = addRow(
      connection,
      'INSERT OR IGNORE INTO chat (source, id, packed) VALUES (?, ?, 1)',
      source,
      id,
    )
    return { ...EMPTY, models: new Set(), tellers: new Map(), header: {}, ids: new Set(), key, source, id }
  }
  const key = Number(row.key)
  if (!row.packed) {
    packChat(connection, key, bodies)
    return openChat(connection, bodies, source, id)
  }
  return {
    ...EMPTY,
    key,
    source,
    id,
    sharedSince: sharedSince(prepare, key),
    models: new Set(JSON.parse(String(row.models))),
    messages: Number(row.messages),
    requests: Number(row.requests),
    lastPosition: Number(row.last_position),
    createdAt: row.created_at as number | null,
    updatedAt: row.updated_at as number | null,
    title: row.title as string | null,
    firstRequest: row.first_request as string | null,
    name: row.name as string | null,
    openBlock: row.open_block as number | null,
    tellers: tellersOf(prepare, key, row),
    header: {},
    forkOf: row.fork_of as string | null,
    forkTold: Boolean(row.fork_told),
    background: Boolean(row.background),
    bornAt: row.born_at as number | null,
    isRemote: row.author !== null,
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
  name: null,
  openBlock: null,
  forkOf: null,
  forkTold: false,
  background: false,
  bornAt: null,
  ids: undefined,
  sharedSince: undefined,
  forkDoubtful: false,
  disordered: false,
  isRemote: false,
}

/** The files that tell of a chat, by their units. */
export function tellersOf(
  prepare: Connection['prepare'],
  chat: number,
  row: Record<string, unknown>,
): Map<number, OpenTeller> {
  const rows = prepare(
    `SELECT unit.key, path, tells, rank, stands_in, changed_at, header FROM unit_chat
     JOIN unit ON unit.key = unit_chat.unit WHERE unit_chat.chat = ?`,
  ).all(chat)
  return new Map(
    rows.map((teller) => [
      Number(teller.key),
      {
        path: String(teller.path),
        tells: Boolean(teller.tells),
        rank: Number(teller.rank),
        standsIn: Boolean(teller.stands_in),
        changedAt: Number(teller.changed_at),
        header:
          teller.header === null
            ? rows.length === 1
              ? headerFrom(row)
              : {}
            : JSON.parse(String(teller.header)),
        changed: false,
        isImplied: teller.header === null,
      },
    ]),
  )
}

/** What a chat's row says of it, as far as a file may have told it. */
export function headerFrom(row: Record<string, unknown>): Partial<Chat> {
  const { title, workspace, repository, branch, resume, format } = row as Record<string, string | null>
  const facts = {
    title,
    workspace,
    repository,
    branch,
    resume,
    format,
    parentId: row.parent_id,
    status: row.status,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    subagent: row.subagent ? true : null,
    background: row.background ? true : null,
    forkOf: row.fork_told ? row.fork_of : null,
  }
  return Object.fromEntries(Object.entries(facts).filter(([, value]) => value !== null)) as Partial<Chat>
}

/** The id of the first message, where the last one is shared with another chat. */
function sharedSince(prepare: Connection['prepare'], chat: number): string | undefined {
  const last = prepare(
    `SELECT copy_of IS NOT NULL OR EXISTS (SELECT 1 FROM chat_message AS copy WHERE copy.copy_of = chat_message.key)
       AS shared FROM chat_message WHERE chat = ? ORDER BY place DESC LIMIT 1`,
  ).get(chat)
  if (!last?.shared) return undefined
  const first = prepare('SELECT id FROM chat_message WHERE chat = ? AND place = 0').get(chat)
  return first ? idFrom(first.id) : undefined
}

/** What a reading says of its file. */
export type TellingFile = Pick<UnitReading, 'path' | 'rank' | 'standsIn' | 'fingerprint'>

/** The file of a reading among those that tell of the chat. */
export function tellerOf(open: OpenChat, unit: number, reading: TellingFile): OpenTeller {
  const { path, rank, standsIn = false, fingerprint } = reading
  const changedAt = Math.floor(fingerprint.mtime) || 0
  const born = knownTime(fingerprint.born)
  if (born !== undefined && (open.bornAt === null || born < open.bornAt)) {
    open.bornAt = Math.floor(born)
    open.forkDoubtful ||= open.messages > 0
  }
  const known = open.tellers.get(unit)
  if (known && known.rank === rank && known.standsIn === standsIn && known.changedAt === changedAt)
    return known
  const { tells = false, header } = known ?? {}
  const teller = { path, tells, rank, standsIn, changedAt, header: { ...header }, changed: true }
  open.tellers.set(unit, teller)
  return teller
}

/** Whether a file that is no stand-in tells messages of the chat. */
export function isFirstHand({ tellers }: OpenChat): boolean {
  for (const { tells, standsIn } of tellers.values()) if (tells && !standsIn) return true
  return false
}

/** Whether no other file tells messages of the chat. */
export function tellsAlone({ tellers }: OpenChat, teller: OpenTeller): boolean {
  for (const other of tellers.values()) if (other !== teller && other.tells) return false
  return true
}

/** Takes note of when a message was said, counted or not: it is of the same chat. */
export function noteTime(open: OpenChat, teller: OpenTeller, at: number | undefined): void {
  const time = knownTime(at)
  if (time === undefined) return
  open.createdAt = least(open.createdAt, time)
  open.updatedAt = greatest(open.updatedAt, time)
  // As `withTime`, without a new object for every message.
  const { header } = teller
  if (header.createdAt === undefined || time < header.createdAt) header.createdAt = time
  else if (header.updatedAt !== undefined && time <= header.updatedAt) return
  header.updatedAt = Math.max(header.updatedAt ?? time, time)
  teller.changed = true
}

/** Takes over what a reading says of the chat itself. */
export function setHeader(open: OpenChat, chat: Chat, teller: OpenTeller): void {
  const { source: _, id: __, ...facts } = chat
  teller.header = joined(teller.header, {
    ...facts,
    title: kept(chat.title?.trim()),
    workspace: kept(chat.workspace),
    repository: kept(chat.repository),
    branch: kept(chat.branch),
    parentId: kept(chat.parentId),
    forkOf: chat.forkOf === open.id ? undefined : kept(chat.forkOf),
    resume: kept(chat.resume),
    format: kept(chat.format),
  })
  teller.changed = true
  open.header = mergedHeader([...open.tellers.values()])
  const { forkOf, background = false } = open.header
  if ((forkOf !== undefined && forkOf !== open.forkOf) || background !== open.background)
    open.forkDoubtful ||= open.messages > 0
  if (forkOf !== undefined) {
    open.forkOf = forkOf
    open.forkTold = true
  }
  open.background = background
}

/** Writes the chat's row; tells the title to be indexed where it is a new one. */
export function saveChat(
  connection: Connection,
  open: OpenChat,
  textOf: (row: BodyPlace) => string,
): string | undefined {
  const { prepare } = connection
  if (open.disordered) recount(connection, open, textOf)
  const header = mergedHeader([...open.tellers.values()])
  if (header.title !== undefined) open.title = header.title
  // "Continue" is no title where a request tells more, whoever gave it.
  if (open.title !== null && tells(open.title) === 0 && tells(open.firstRequest ?? '') > 0) open.title = null
  open.createdAt = least(open.createdAt, header.createdAt)
  open.updatedAt = greatest(open.updatedAt, header.updatedAt)
  const before = prepare('SELECT title, first_request, repository, git_remote FROM chat WHERE key = ?').get(
    open.key,
  )!
  const gitRemote = remoteOf(connection, open, header.workspace) ?? (before.git_remote as string | null)
  const repository = repositoryOf(header.repository ?? textOrNone(before.repository), gitRemote ?? undefined)
  prepare(
    `UPDATE chat SET title = ?, first_request = ?, created_at = ?, updated_at = ?, fork_of = ?, models = ?,
       messages = ?, requests = ?, last_position = ?, open_block = ?, fork_told = ?, background = ?, born_at = ?,
       workspace_key = coalesce(?, workspace_key), workspace = coalesce(?, workspace),
       repository = coalesce(?, repository), branch = coalesce(?, branch), parent_id = coalesce(?, parent_id),
       subagent = coalesce(?, subagent), resume = coalesce(?, resume), status = coalesce(?, status),
       format = coalesce(?, format), git_remote = ?, repository_key = ? WHERE key = ?`,
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
    open.openBlock,
    Number(open.forkTold),
    Number(open.background),
    open.bornAt,
    header.workspace === undefined ? null : folderKey(header.workspace),
    header.workspace ?? null,
    header.repository ?? null,
    header.branch ?? null,
    header.parentId ?? null,
    header.subagent === undefined ? null : Number(header.subagent),
    header.resume ?? null,
    header.status ?? null,
    header.format ?? null,
    gitRemote,
    (repository && repositoryKey(repository)) ?? null,
    open.key,
  )
  saveTellers(connection, open)
  const shown = open.title ?? open.firstRequest
  if (open.name !== null) return undefined
  return shown !== null && shown !== (before.title ?? before.first_request) ? shown : undefined
}

/** What the folder of a chat of this machine is known to be a checkout of. */
function remoteOf(
  { prepare }: Connection,
  open: OpenChat,
  workspace: string | undefined,
): string | undefined {
  if (workspace === undefined || open.isRemote) return undefined
  return textOrNone(
    prepare('SELECT remote FROM folder_remote WHERE folder = ?').get(folderKey(workspace))?.remote,
  )
}

function textOrNone(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined
}

function recount({ prepare }: Connection, open: OpenChat, textOf: (row: BodyPlace) => string): void {
  const counts = prepare(
    `SELECT count(*) AS messages, coalesce(sum(kind = 'request' AND NOT undone), 0) AS requests,
       coalesce(max(position) FILTER (WHERE undone < 2 AND hash <> 0), -1) AS last FROM chat_message WHERE chat = ?`,
  ).get(open.key)!
  open.messages = Number(counts.messages)
  open.requests = Number(counts.requests)
  open.lastPosition = Number(counts.last)
  const first = prepare(
    `SELECT ${BODY_COLUMNS} FROM chat_message
     WHERE chat = ? AND kind = 'request' AND NOT undone ORDER BY place LIMIT ?`,
  ).all(open.key, NAMING_REQUESTS) as unknown as BodyPlace[]
  const naming = namingRequest(first.map(textOf))
  open.firstRequest = naming === undefined ? null : requestTitle(naming)
}

function saveTellers({ prepare }: Connection, open: OpenChat): void {
  if (open.isRemote) return
  // What a single file says of the chat stands in the chat's row already.
  const isAlone = open.tellers.size === 1
  for (const [unit, { tells, rank, changedAt, header, changed, isImplied }] of open.tellers) {
    if (!changed && (isAlone || !isImplied)) continue
    prepare(
      'INSERT OR REPLACE INTO unit_chat (chat, unit, tells, rank, changed_at, header) VALUES (?, ?, ?, ?, ?, ?)',
    ).run(open.key, unit, Number(tells), rank, changedAt, isAlone ? null : JSON.stringify(header))
  }
}

/** Takes note of a request at the chat's end: it may name the chat better than those before it. */
export function noteRequest(open: OpenChat, request: { text: string }): void {
  if (open.requests >= NAMING_REQUESTS) return
  open.firstTells ??= open.firstRequest === null ? -1 : tells(open.firstRequest)
  if (open.firstTells === 2) return
  const line = titleLine(request.text)
  const telling = tells(line)
  if (telling <= open.firstTells) return
  open.firstRequest = requestTitle(line)
  open.firstTells = telling
}

function least(a: number | null, b: number | undefined): number | null {
  return b === undefined ? a : a === null ? b : Math.min(a, b)
}

function greatest(a: number | null, b: number | undefined): number | null {
  return b === undefined ? a : a === null ? b : Math.max(a, b)
}

function kept(text: string | undefined): string | undefined {
  return text ? label(text) : undefined
}
