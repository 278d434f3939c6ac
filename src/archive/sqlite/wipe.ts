import { log } from '../../platform/log.ts'
import type { Connection } from './connection.ts'

/** Larger archives are written anew by way of a temporary file, smaller ones in memory. */
const MOST_IN_MEMORY = 256_000_000

/** Notes, in the transaction that erases, that the file is to be written anew: a kill does not undo it. */
export function noteWipe({ prepare }: Connection): void {
  prepare(`INSERT OR REPLACE INTO setting (name, value) VALUES ('wipe', 1)`).run()
}

export function isWipeDue({ prepare }: Connection): boolean {
  return prepare(`SELECT 1 FROM setting WHERE name = 'wipe'`).get() !== undefined
}

/**
 * Writes the file anew, so that pages hold nothing but what is in the archive, and empties the
 * write-ahead log. False where others read an older state or there is no room: the next sync tries again.
 */
export function wipe(connection: Connection): boolean {
  const { db, prepare } = connection
  const read = (pragma: string) => Number(Object.values(db.prepare(`PRAGMA ${pragma}`).get() ?? {})[0])
  const isLarge = read('page_count') * read('page_size') > MOST_IN_MEMORY
  try {
    if (isLarge) db.exec('PRAGMA temp_store = FILE')
    db.exec('PRAGMA auto_vacuum = INCREMENTAL; VACUUM')
  } catch (error) {
    log('debug', `the archive could not be written anew: ${(error as Error).message}`)
    return false
  } finally {
    if (isLarge) db.exec('PRAGMA temp_store = MEMORY')
  }
  if (db.prepare('PRAGMA wal_checkpoint(TRUNCATE)').get()?.busy !== 0) return false
  prepare(`DELETE FROM setting WHERE name = 'wipe'`).run()
  return true
}

/** Runs what may erase chats, and leaves no byte of them behind. Costs nothing where it erases none. */
export function erasing<T>(connection: Connection, work: () => T): T {
  const { db } = connection
  db.exec('PRAGMA secure_delete = ON')
  try {
    const result = work()
    if (isWipeDue(connection)) wipe(connection)
    return result
  } finally {
    db.exec('PRAGMA secure_delete = FAST')
  }
}
