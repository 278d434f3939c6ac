import { RecollectError } from '../../model/errors.ts'
import type { ArchivedChat, ChatFilter, ChatGroup, OwnNotes } from '../archive.ts'
import type { Connection } from './connection.ts'
import { indexTitles } from './forget.ts'
import { conditions } from './read.ts'

const LONGEST_NAME = 200

export function groupChats(
  { prepare }: Connection,
  filter: ChatFilter,
  by: 'source' | 'folder',
): ChatGroup[] {
  const { where, values } = conditions(filter)
  const [column, key] = by === 'source' ? ['source', 'source'] : ['workspace', 'workspace_key']
  return prepare(
    // Of several spellings of a folder, SQLite gives the one in the row of the newest.
    `SELECT ${column} AS value, count(*) AS chats, max(coalesce(updated_at, 0)) AS newest FROM chat
     WHERE messages > 0 AND ${where} GROUP BY ${key} ORDER BY newest DESC`,
  )
    .all(...values)
    .map((row) => ({
      ...(row.value !== null && { value: String(row.value) }),
      chats: Number(row.chats),
      ...(Number(row.newest) > 0 && { newestAt: Number(row.newest) }),
    }))
}

export function countChats({ prepare }: Connection, filter: ChatFilter): number {
  const { where, values } = conditions(filter)
  return Number(prepare(`SELECT count(*) AS n FROM chat WHERE messages > 0 AND ${where}`).get(...values)!.n)
}

/** Writes the owner's notes; by a new name the chat is found as well. */
export function noteOwn(
  connection: Connection,
  { key, title }: Pick<ArchivedChat, 'key' | 'title'>,
  notes: OwnNotes,
): void {
  const { prepare } = connection
  connection.transaction(() => {
    const row = prepare('SELECT name, pinned, archived FROM chat WHERE key = ?').get(key)
    if (!row) throw new RecollectError('SESSION_NOT_FOUND', `“${title}” is no longer in the archive.`)
    const name =
      notes.name === undefined
        ? row.name
        : notes.name.replace(/\s+/g, ' ').trim().slice(0, LONGEST_NAME) || null
    const flag = (given: boolean | undefined, before: unknown) =>
      given === undefined ? Number(before) : Number(given)
    prepare('UPDATE chat SET name = ?, pinned = ?, archived = ? WHERE key = ?').run(
      name as string | null,
      flag(notes.pinned, row.pinned),
      flag(notes.archived, row.archived),
      key,
    )
    if (name !== row.name) indexTitles(connection, [key])
  })
}
