import { label } from '../../model/limits.ts'
import type { Lease, NotedProblem } from '../archive.ts'
import type { Connection } from './connection.ts'
import { assertLease } from './lease.ts'

/** Notes problems of files, read or not, and forgets others. */
export function noteProblems(
  connection: Connection,
  added: NotedProblem[],
  over: NotedProblem[],
  lease: Lease,
): void {
  const { prepare } = connection
  connection.transaction(() => {
    assertLease(connection, lease)
    for (const { source, path, reason } of over)
      prepare(
        'DELETE FROM problem WHERE unit = (SELECT key FROM unit WHERE path = ? AND source = ?) AND reason = ?',
      ).run(path, source, label(reason))
    for (const { source, path, reason } of added) {
      prepare(
        `INSERT OR IGNORE INTO unit (stamp, fingerprint, generation, read_at, path, source)
         VALUES ('', '{}', 0, ?, ?, ?)`,
      ).run(Date.now(), path, source)
      prepare(
        `INSERT INTO problem (unit, reason, seen_at)
         SELECT key, ?, ? FROM unit WHERE path = ? AND source = ?`,
      ).run(label(reason), Date.now(), path, source)
    }
  })
}
