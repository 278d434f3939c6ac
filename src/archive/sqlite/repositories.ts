import { folderKey } from '../../model/folder-key.ts'
import { repositoryKey, repositoryOf } from '../../model/repository.ts'
import type { Lease } from '../archive.ts'
import { ChangeLog } from './change-log.ts'
import type { Connection } from './connection.ts'
import { assertLease } from './lease.ts'

export function unaskedFolders({ prepare }: Connection, since: number, chats?: Iterable<number>): string[] {
  const [where, values] = chats
    ? [
        `workspace_key IS NOT NULL AND key IN (SELECT value FROM json_each(?)) AND NOT EXISTS
           (SELECT 1 FROM folder_remote WHERE folder_remote.folder = chat.workspace_key AND asked_at >= ?)`,
        [JSON.stringify([...chats]), since],
      ]
    : // By the index alone: most often there are none.
      [
        `workspace_key IN (SELECT workspace_key FROM chat WHERE workspace_key IS NOT NULL
           EXCEPT SELECT folder FROM folder_remote)`,
        [],
      ]
  return prepare(
    `SELECT workspace, max(coalesce(updated_at, 0)) FROM chat
     WHERE author IS NULL AND ${where} GROUP BY workspace_key`,
  )
    .all(...values)
    .map((row) => String(row.workspace))
}

/** What is known of folders that no chat is about any more: their names are words of forgotten chats. */
export function eraseUnusedFolders({ prepare }: Connection): void {
  prepare(
    'DELETE FROM folder_remote WHERE NOT EXISTS (SELECT 1 FROM chat WHERE chat.workspace_key = folder_remote.folder)',
  ).run()
}

/** Says which chats are about another repository than was known. */
export function noteRemotes(
  connection: Connection,
  found: { folder: string; remote: string | null | undefined }[],
  lease: Lease,
): Set<number> {
  const { prepare } = connection
  return connection.transaction(() => {
    assertLease(connection, lease)
    const log = new ChangeLog(connection)
    const changed = new Set<number>()
    for (const { folder, remote } of found) {
      const key = folderKey(folder)
      const known = prepare('SELECT remote FROM folder_remote WHERE folder = ?').get(key)?.remote ?? null
      const now = remote === undefined ? known : remote
      prepare('INSERT OR REPLACE INTO folder_remote (folder, remote, asked_at) VALUES (?, ?, ?)').run(
        key,
        now as string | null,
        Date.now(),
      )
      const chats = prepare(
        `SELECT key, repository FROM chat WHERE workspace_key = ? AND author IS NULL
         AND git_remote IS NOT ?`,
      ).all(key, now as string | null)
      for (const chat of chats) {
        const effective = repositoryOf(
          (chat.repository as string | null) ?? undefined,
          (now as string | null) ?? undefined,
        )
        prepare('UPDATE chat SET git_remote = ?, repository_key = ? WHERE key = ?').run(
          now as string | null,
          (effective && repositoryKey(effective)) ?? null,
          Number(chat.key),
        )
        log.chat(Number(chat.key))
        changed.add(Number(chat.key))
      }
    }
    return changed
  })
}
