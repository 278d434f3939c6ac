import fs from 'node:fs'
import path from 'node:path'
import { RecollectError } from '../../model/errors.ts'
import { hostName } from '../../platform/lock.ts'
import { nodeCrypto } from '../../platform/node-crypto.ts'
import { isAlive } from '../../platform/parts.ts'
import type { Lease, LeaseHolder, Right } from '../archive.ts'
import type { Connection } from './connection.ts'

/**
 * Who may write is a row of the archive. That its holder is still there is said by the time of a file beside the
 * archive, one for each holder: a row that is written every few seconds would make everybody who searches forget what
 * was read, and keep the disk awake.
 */

/** A holder that was not heard of for so long is taken for dead. */
export const LEASE_MS = 5_000

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
    const lease = { holder: nodeCrypto().randomUUID() }
    connection
      .prepare(
        `INSERT OR REPLACE INTO lease (name, holder, pid, host, purpose, since, expires_at)
         VALUES (?, ?, ?, ?, ?, ?, ?)`,
      )
      .run(right, lease.holder, process.pid, hostName(), purpose, now, now + LEASE_MS)
    silenceGone(connection)
    return lease
  })
}

/** Whether it is still ours; then it is for some more seconds. */
export function renewLease(connection: Connection, { holder }: Lease): boolean {
  const { prepare } = connection
  if (!prepare('SELECT 1 FROM lease WHERE holder = ?').get(holder)) {
    silence(connection, holder)
    return false
  }
  if (isHeard(connection, holder)) return true
  // No file can be written: the row says it.
  const renewed = prepare('UPDATE lease SET expires_at = ? WHERE holder = ?').run(
    Date.now() + LEASE_MS,
    holder,
  )
  return Number(renewed.changes) > 0
}

export function releaseLease(connection: Connection, { holder }: Lease): void {
  silence(connection, holder)
  connection.prepare('DELETE FROM lease WHERE holder = ?').run(holder)
}

export function leaseHolder(connection: Connection, right: Right = 'sync'): LeaseHolder | undefined {
  const row = connection.prepare('SELECT * FROM lease WHERE name = ?').get(right)
  if (!row) return undefined
  const until = Math.max(
    Number(row.expires_at),
    heardAt(path.dirname(connection.file), String(row.holder)) + LEASE_MS,
  )
  if (until < Date.now()) return undefined
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
      'Nothing was lost; it continues from here.',
    )
  }
}

/** The file by whose time a holder is known to be there. */
function signOf(folder: string, holder: string): string {
  return path.join(folder, `lease-${holder}`)
}

/** When the holder of a lease was last heard of; 0 for never. */
export function heardAt(folder: string, holder: string): number {
  try {
    return fs.statSync(signOf(folder, holder), { throwIfNoEntry: false })?.mtimeMs ?? 0
  } catch {
    return 0
  }
}

/** Whether the file could be written. */
function isHeard(connection: Connection, holder: string): boolean {
  const sign = signOf(path.dirname(connection.file), holder)
  const now = new Date()
  try {
    try {
      fs.utimesSync(sign, now, now)
    } catch {
      fs.writeFileSync(sign, '', { mode: 0o600 })
      fs.utimesSync(sign, now, now)
    }
    return true
  } catch {
    return false
  }
}

/** Holders that are in the archive no more may have left their file: they were killed, or the disk failed. */
function silenceGone(connection: Connection): void {
  const holders = new Set(
    connection
      .prepare('SELECT holder FROM lease')
      .all()
      .map(({ holder }) => String(holder)),
  )
  try {
    for (const name of fs.readdirSync(path.dirname(connection.file))) {
      const holder = /^lease-([0-9a-f-]{36})$/.exec(name)?.[1]
      if (holder && !holders.has(holder)) silence(connection, holder)
    }
  } catch {
    // What is left there harms nobody.
  }
}

function silence(connection: Connection, holder: string): void {
  try {
    fs.rmSync(signOf(path.dirname(connection.file), holder), { force: true })
  } catch {
    // It says nothing once its holder is not in the archive.
  }
}
