import { setTimeout as sleep } from 'node:timers/promises'
import { log } from '../../platform/log.ts'
import type { Connection } from './connection.ts'
import { vacuum } from './vacuum.ts'

/** Who reads has mostly done so after a moment: it is tried again so often, so long apart. */
const TRIES = 10
const AGAIN_MS = 100

/** What is left to be done: all of it, or only the emptying of the write-ahead log. */
const ALL = 1
const LOG_ONLY = 2

/** Notes, in the transaction that erases, that the file is to be written anew: a kill does not undo it. */
export function noteWipe(connection: Connection): void {
  note(connection, ALL)
}

export function isWipeDue(connection: Connection): boolean {
  return due(connection) !== undefined
}

/**
 * Writes the file anew, so that pages hold nothing but what is in the archive, and empties the write-ahead log. False
 * where somebody reads an older state or there is no room: what is left is done by the next call. It waits for nobody
 * who reads.
 */
export function wipe(connection: Connection): boolean {
  if (due(connection) !== LOG_ONLY) {
    if (!rewritten(connection)) return false
    note(connection, LOG_ONLY)
  }
  if (!emptied(connection)) return false
  connection.prepare(`DELETE FROM setting WHERE name = 'wipe'`).run()
  return true
}

/** The same, with a little patience, in which others have their turn. */
export async function wipeSoon(connection: Connection): Promise<boolean> {
  for (let tries = 1; isWipeDue(connection) && !wipe(connection); tries++) {
    if (tries === TRIES) return false
    await sleep(AGAIN_MS)
  }
  return true
}

function rewritten(connection: Connection): boolean {
  try {
    vacuum(connection)
    return true
  } catch (error) {
    log('debug', `the archive could not be written anew: ${(error as Error).message}`)
    return false
  }
}

/** SQLite would wait for whoever reads an older state as long as for a writer, and the whole process with it. */
function emptied({ db }: Connection): boolean {
  const { timeout } = db.prepare('PRAGMA busy_timeout').get()!
  db.exec('PRAGMA busy_timeout = 0')
  try {
    return db.prepare('PRAGMA wal_checkpoint(TRUNCATE)').get()?.busy === 0
  } catch (error) {
    log('debug', `the write-ahead log could not be emptied: ${(error as Error).message}`)
    return false
  } finally {
    db.exec(`PRAGMA busy_timeout = ${Number(timeout)}`)
  }
}

function note({ prepare }: Connection, what: number): void {
  prepare(`INSERT OR REPLACE INTO setting (name, value) VALUES ('wipe', ?)`).run(what)
}

function due({ prepare }: Connection): number | undefined {
  const value = prepare(`SELECT value FROM setting WHERE name = 'wipe'`).get()?.value
  return value === undefined ? undefined : Number(value)
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
