import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { hostName } from '../../platform/lock.ts'
import { isAlive } from '../../platform/parts.ts'
import { heardAt, LEASE_MS } from './lease.ts'
import { assertCurrent } from './migrate.ts'

/** Another process that keeps the archive up to date. */
export interface OtherSync {
  pid: number
  /** Whether it is still there: costs one `stat`, and the archive need not be open for it. */
  isThere(): boolean
}

/**
 * Who keeps the archive in a folder up to date, for a process that need not even begin to as long as somebody else does.
 * Nothing where nobody does, and where a look cannot tell: then it is found out by trying.
 */
export function syncedBy(folder: string): OtherSync | undefined {
  return lookedInto(folder, (db) => {
    const row = db.prepare(`SELECT holder, pid, host, expires_at FROM lease WHERE name = 'sync'`).get()
    if (!row) return undefined
    const pid = Number(row.pid)
    const isHere = String(row.host) === hostName()
    let hasSign = false
    const isThere = () => {
      const heard = heardAt(folder, String(row.holder))
      hasSign ||= heard > 0
      // Where its file cannot be written, the row says it; who gives the lease back takes the file away.
      const until = hasSign ? heard + LEASE_MS : Number(row.expires_at)
      return until >= Date.now() && (!isHere || isAlive(pid))
    }
    return isThere() ? { pid, isThere } : undefined
  })
}

/** Whether anything is in the archive yet, as far as a look can tell. */
export function hasChats(folder: string): boolean {
  return lookedInto(folder, (db) => db.prepare('SELECT 1 FROM chat LIMIT 1').get()) !== undefined
}

/** A look at the archive in a folder that opens nothing for writing; undefined where there is none, or none that can be read. */
function lookedInto<T>(folder: string, look: (db: DatabaseSync) => T): T | undefined {
  const file = path.join(folder, 'archive.db')
  let db: DatabaseSync | undefined
  try {
    db = new DatabaseSync(file, { readOnly: true })
    assertCurrent(db, file)
    return look(db)
  } catch {
    return undefined
  } finally {
    db?.close()
  }
}
