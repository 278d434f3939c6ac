import type { Origins } from '../archive.ts'
import type { Connection } from './connection.ts'

export function origins({ prepare }: Connection): Origins {
  const counted = (name: string, key = name) =>
    prepare(
      // Of several spellings SQLite gives the one in the row of the newest.
      `SELECT ${name} AS name, count(*) AS chats, max(coalesce(updated_at, 0)) FROM chat
       WHERE messages > 0 AND NOT subagent AND ${key} IS NOT NULL GROUP BY ${key} ORDER BY chats DESC, ${key}`,
    )
      .all()
      .map((row) => ({ name: String(row.name), chats: Number(row.chats) }))
  return {
    repository: counted('coalesce(git_remote, repository_key)', 'repository_key'),
    author: counted('author'),
    machine: counted('machine'),
  }
}

export function authorsOf({ prepare }: Connection, chats: Iterable<number>): string[] {
  return prepare(
    `SELECT DISTINCT author FROM chat WHERE key IN (SELECT value FROM json_each(?)) AND author IS NOT NULL
     ORDER BY author`,
  )
    .all(JSON.stringify([...chats]))
    .map((row) => String(row.author))
}
