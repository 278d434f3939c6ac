import type { DatabaseSync } from 'node:sqlite'
import { columnsOf, jsonOf, openForeignDatabase } from '../foreign-db.ts'
import { type Json, number, object, parsed, string, version, words } from '../json.ts'
import type { Checkpoint, Found } from '../source.ts'
import { changedMessages } from './changes.ts'
import { forkReader } from './forks.ts'
import { type Member, type Part, type Session, saidTo, toChat, toMessage } from './message.ts'
import { MOST_PENDING, MOST_REVERTS, type State, startOf, stateOf } from './state.ts'

/** Messages and parts longer than this are reported instead of read. */
const MAX_BYTES = 32 * 1024 * 1024
const ROWS_BETWEEN_CHECKPOINTS = 1000
const MOST_SESSIONS_AT_HAND = 500

/** Never another table: `account`, `credential` and `control_account` hold keys. */
const NEEDED = {
  session: ['id', 'time_updated'],
  message: ['id', 'session_id', 'time_updated', 'data'],
  part: ['id', 'message_id', 'session_id', 'time_updated', 'data'],
}

export function* readDatabase(file: string, from: Checkpoint | undefined, member: Member): Generator<Found> {
  let db: DatabaseSync | undefined
  try {
    db = openForeignDatabase(file)
    yield* readSessions(db, from, member)
  } catch (error) {
    yield {
      problem: { reason: `cannot read the database: ${error instanceof Error ? error.message : error}` },
    }
  } finally {
    db?.close()
  }
}

function* readSessions(db: DatabaseSync, from: Checkpoint | undefined, member: Member): Generator<Found> {
  for (const [table, needed] of Object.entries(NEEDED)) {
    const columns = columnsOf(db, table)
    const missing = needed.filter((column) => !columns.includes(column))
    if (missing.length > 0) {
      yield {
        problem: { reason: `not a database of ${member.id}: no ${table}.${missing.join(`, ${table}.`)}` },
      }
      return
    }
  }
  const before = stateOf(from)
  if (from && !before) yield { restart: true }
  const state = startOf(db, before)
  const sessions = sessionReader(db)
  const forkOf = forkReader(db)
  const linked = new Set<string>()

  const changed: Session[] = []
  for (const row of sessions.since(before?.since)) {
    const session = toSession(row)
    if (!session) continue
    yield { chat: toChat(session, member) }
    changed.push({ id: session.id, revertedFrom: session.revertedFrom, format: session.format })
  }
  const pending = new Set(before?.pending)
  if (before) for (const id of changedMessages(db, before, changed)) yield* one(id)
  keepReverts(state, changed)

  let rows = 0
  for (const group of messagesAfter(db, state.message)) {
    yield* foundMessage(group)
    state.message = group.place
    rows += group.parts.length + 1
    if (rows >= ROWS_BETWEEN_CHECKPOINTS) {
      rows = 0
      yield checkpoint()
    }
  }
  yield checkpoint()

  function* one(id: string): Generator<Found> {
    for (const group of messagesNamed(db, id)) yield* foundMessage(group)
  }

  function* foundMessage({ id, sessionId, info, parts, problem }: Group): Generator<Found> {
    if (problem) yield { problem: { reason: problem } }
    if (!info || !id || !sessionId) return
    const session = sessions.get(sessionId)
    if (!session) yield { chat: { source: member.id, id: sessionId } }
    if (isUnfinished(info, parts)) pending.add(id)
    else pending.delete(id)
    const message = toMessage(id, info, parts, session)
    if (!message) return
    const fork = session && forkOf(session)
    const original = fork?.originalOf(info)
    if (fork && original && !linked.has(sessionId)) {
      linked.add(sessionId)
      yield { chat: { source: member.id, id: sessionId, forkOf: fork.of } }
    }
    const kept = original ? { ...message, id: original } : message
    for (const each of [kept, ...saidTo(kept, parts)]) yield { chatId: sessionId, message: each }
  }

  function checkpoint(): Found {
    state.pending = [...pending].slice(-MOST_PENDING)
    return { checkpoint: { offset: state.message, state: { ...state, reverts: { ...state.reverts } } } }
  }
}

function isUnfinished(info: Json, parts: Part[]): boolean {
  if (info.role === 'assistant' && !info.error && object(info.time)?.completed === undefined) return true
  return parts.some(({ content }) => {
    const status = object(content.state)?.status
    return status === 'pending' || status === 'running'
  })
}

function keepReverts(state: State, changed: Session[]) {
  for (const { id, revertedFrom } of changed) {
    delete state.reverts[id]
    if (revertedFrom) state.reverts[id] = revertedFrom
  }
  for (const id of Object.keys(state.reverts).slice(0, -MOST_REVERTS)) delete state.reverts[id]
}

interface Group {
  place: number
  id?: string
  sessionId?: string
  info?: Json
  parts: Part[]
  problem?: string
}

/** Joined rather than looked up part by part: SQLite makes an index of its own where the table has none. */
const JOINED = `SELECT m.rowid AS place, CAST(p.id AS TEXT) AS part,
    CASE WHEN octet_length(p.data) <= ${MAX_BYTES} THEN CAST(p.data AS BLOB) END AS content
  FROM message m LEFT JOIN part p ON p.message_id = m.id`

function messagesAfter(db: DatabaseSync, place: number): Generator<Group> {
  return groups(db, db.prepare(`${JOINED} WHERE m.rowid > ? ORDER BY m.rowid`).iterate(place))
}

function messagesNamed(db: DatabaseSync, id: string): Generator<Group> {
  return groups(db, db.prepare(`${JOINED} WHERE m.id = ? ORDER BY m.rowid`).iterate(id))
}

function* groups(db: DatabaseSync, rows: Iterable<Record<string, unknown>>): Generator<Group> {
  const message = db.prepare(`SELECT CAST(id AS TEXT) AS id, CAST(session_id AS TEXT) AS session,
      CASE WHEN octet_length(data) <= ${MAX_BYTES} THEN CAST(data AS BLOB) END AS content
    FROM message WHERE rowid = ?`)
  let group: Group | undefined
  for (const row of rows) {
    const place = Number(row.place)
    if (group?.place !== place) {
      if (group) yield group
      const stored = message.get(place)
      const info = object(jsonOf(stored?.content))
      group = { place, id: words(stored?.id), sessionId: words(stored?.session), info, parts: [] }
      if (!info) group.problem = `message ${stored?.id} is not readable JSON`
    }
    const id = string(row.part)
    if (id === undefined) continue
    const content = object(jsonOf(row.content))
    if (content) group.parts.push({ id, content })
    else group.problem ??= `part ${id} is not readable JSON`
  }
  if (group) yield group
}

function sessionReader(db: DatabaseSync) {
  const columns = columnsOf(db, 'session')
  const text = ['id', 'title', 'directory', 'parent_id', 'revert', 'version'].filter((name) =>
    columns.includes(name),
  )
  const times = ['time_created', 'time_updated'].filter((name) => columns.includes(name))
  const hasProject = columns.includes('project_id') && columnsOf(db, 'project').includes('worktree')
  const worktree =
    '(SELECT CAST(p.worktree AS TEXT) FROM project p WHERE p.id = session.project_id) AS worktree'
  const select = `SELECT ${[
    ...(hasProject ? [worktree] : []),
    ...text.map((name) => `CAST("${name}" AS TEXT) AS "${name}"`),
    ...times.map((name) => `CAST("${name}" AS REAL) AS "${name}"`),
  ].join(', ')} FROM session`
  const named = db.prepare(`${select} WHERE id = ?`)
  const atHand = new Map<string, Session | undefined>()
  return {
    since: (time: number | undefined) =>
      time === undefined
        ? db.prepare(select).iterate()
        : db.prepare(`${select} WHERE time_updated >= ? ORDER BY time_updated`).iterate(time),
    get(id: string): Session | undefined {
      if (!atHand.has(id)) {
        if (atHand.size >= MOST_SESSIONS_AT_HAND) atHand.clear()
        atHand.set(id, toSession(named.get(id)))
      }
      return atHand.get(id)
    },
  }
}

function toSession(row: Record<string, unknown> | undefined): Session | undefined {
  const id = words(row?.id)
  if (!row || !id) return undefined
  return {
    id,
    title: row.title,
    directory: words(row.directory) ?? worktreeOf(row.worktree),
    parentId: row.parent_id,
    createdAt: number(row.time_created),
    updatedAt: number(row.time_updated),
    format: version(row.version) ?? 'database',
    revertedFrom: words(object(parsed(row.revert))?.messageID),
  }
}

/** A session outside of any project has the root folder. */
function worktreeOf(value: unknown): string | undefined {
  return value === '/' ? undefined : words(value)
}
