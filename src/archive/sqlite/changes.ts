import type { Changes, WorkspaceOverview } from '../archive.ts'
import type { Connection } from './connection.ts'
import { chatReader } from './read.ts'

/** So many changed chats are remembered by name: who asks a few times a second never misses one. */
const REMEMBERED = 500

interface Log {
  revision: number
  /** All changes after this revision are in `chats`. */
  complete: number
  chats: [revision: number, key: number][]
}

/**
 * Writes down which chats changed, for other processes to hear of. A row of its own, because
 * `PRAGMA data_version` also changes with whatever else is written, and does not say what changed.
 */
export function noteChanges(connection: Connection, keys: Iterable<number> | 'unknown'): void {
  connection.transaction(() => {
    const log = read(connection)
    // What this connection writes is no news to `data_version`; and it may be undone.
    lastRead.delete(connection.prepare)
    const revision = log.revision + 1
    const added = keys === 'unknown' ? [] : [...keys].map((key): [number, number] => [revision, key])
    const known = new Set(added.map(([, key]) => key))
    const all = [...log.chats.filter(([, key]) => !known.has(key)), ...added]
    const chats = keys === 'unknown' ? [] : all.slice(-REMEMBERED)
    const dropped = keys === 'unknown' ? revision : (all[all.length - chats.length - 1]?.[0] ?? 0)
    connection
      .prepare(`INSERT OR REPLACE INTO setting (name, value) VALUES ('changes', ?)`)
      .run(JSON.stringify({ revision, complete: Math.max(log.complete, dropped), chats } satisfies Log))
  })
}

export function changes(connection: Connection, since?: number): Changes {
  const log = read(connection)
  if (since === log.revision) return { mark: log.revision, chats: [] }
  if (since === undefined || since < log.complete) return { mark: log.revision }
  const { prepare } = connection
  const keys = log.chats.filter(([revision]) => revision > since).map(([, key]) => key)
  const chats = keys.flatMap((key) =>
    prepare('SELECT * FROM chat WHERE key = ?').all(key).map(chatReader(connection)),
  )
  return { mark: log.revision, chats }
}

export function workspaces({ prepare }: Connection): WorkspaceOverview[] {
  return prepare(
    // Of several spellings of a folder, SQLite gives the one in the row of the newest.
    `SELECT workspace, count(*) AS chats, max(updated_at) AS newest FROM chat
     WHERE messages > 0 AND NOT subagent AND workspace IS NOT NULL
     GROUP BY workspace_key ORDER BY newest DESC`,
  )
    .all()
    .map((row) => ({
      path: String(row.workspace),
      chats: Number(row.chats),
      newestAt: (row.newest as number | null) ?? undefined,
    }))
}

/** So many chats are looked at for their folders: in one folder there may be any number. */
const NEWEST = 500

export function newestWorkspaces({ prepare }: Connection, most: number): string[] {
  return prepare(
    `SELECT workspace, max(used) FROM (
       SELECT workspace, workspace_key, coalesce(updated_at, 0) AS used FROM chat
       WHERE messages > 0 AND NOT subagent AND workspace IS NOT NULL
       ORDER BY coalesce(updated_at, 0) DESC, key DESC LIMIT ${NEWEST})
     GROUP BY workspace_key ORDER BY max(used) DESC LIMIT ?`,
  )
    .all(most)
    .map(({ workspace }) => String(workspace))
}

export function chatCount({ prepare }: Connection): number {
  return Number(prepare('SELECT count(*) AS n FROM chat WHERE messages > 0').get()!.n)
}

/** The log as it was last read, by connection: who listens asks three times a second, and mostly nobody wrote since. */
const lastRead = new WeakMap<Connection['prepare'], { others: unknown; log: Log }>()

function read({ prepare }: Connection): Log {
  // Asked before the log: what is written between the two is read with the next look.
  const others = prepare('PRAGMA data_version').get()!.data_version
  const before = lastRead.get(prepare)
  if (before && before.others === others) return before.log
  const value = prepare(`SELECT value FROM setting WHERE name = 'changes'`).get()?.value
  const log = typeof value === 'string' ? (JSON.parse(value) as Log) : { revision: 0, complete: 0, chats: [] }
  lastRead.set(prepare, { others, log })
  return log
}
