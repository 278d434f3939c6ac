import { randomUUID } from 'node:crypto'
import { RecollectError } from '../../model/errors.ts'
import { hostName } from '../../platform/lock.ts'
import { isAlive } from '../../platform/parts.ts'
import type { Lease, LeaseHolder, Right } from '../archive.ts'
import type { Connection } from './connection.ts'

/** A holder that was not heard of for so long is taken for dead. */
const LEASE_MS = 5_000

export function takeLease(
  connection: Connection,
  purpose: string,
  right: Right = 'sync',
): Lease | LeaseHolder {
  // Whoever waits for it asks twice a second, and need not keep others from writing for that.
  const other = leaseHolder(connection, right)
  if (other) return other
  return connection.transaction(() => {
    const now = Date.now()
    const current = leaseHolder(connection, right)
    if (current) return current
    const lease = { holder: randomUUID() }
    connection
      .prepare(
        `INSERT OR REPLACE INTO lease (name, holder, pid, host, purpose, since, expires_at)
         VALUES (?, ?, ?, ?, ?, ?, ?)`,
      )
      .run(right, lease.holder, process.pid, hostName(), purpose, now, now + LEASE_MS)
    return lease
  })
}

/** Whether it is still ours. */
export function renewLease(connection: Connection, lease: Lease): boolean {
  const renewed = connection
    .prepare(`UPDATE lease SET expires_at = ? WHERE holder = ?`)
    .run(Date.now() + LEASE_MS, lease.holder)
  return Number(renewed.changes) > 0
}

export function releaseLease(connection: Connection, lease: Lease): void {
  connection.prepare(`DELETE FROM lease WHERE holder = ?`).run(lease.holder)
}

export function leaseHolder(connection: Connection, right: Right = 'sync'): LeaseHolder | undefined {
  const row = connection.prepare('SELECT * FROM lease WHERE name = ?').get(right)
  if (!row || Number(row.expires_at) < Date.now()) return undefined
  const holder = {
    pid: Number(row.pid),
    host: String(row.host),
    purpose: String(row.purpose),
    since: Number(row.since),
  }
  return holder.host === hostName() && !isAlive(holder.pid) ? undefined : holder
}

/**
 * Called inside every writing transaction: a process that slept past its lease must not write
 * beside its successor.
 */
export function assertLease(connection: Connection, lease: Lease): void {
  if (!renewLease(connection, lease)) {
    throw new RecollectError(
      'LEASE_LOST',
      'Another process took over the syncing.',
      'Nothing was lost; it goes on from here.',
    )
  }
}
