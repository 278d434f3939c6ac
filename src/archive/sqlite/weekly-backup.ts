import { log } from '../../platform/log.ts'
import type { Connection } from './connection.ts'

const DAY_MS = 86_400_000
const EVERY_MS = 7 * DAY_MS

/** Whether a week of use has passed since the last one. The first week begins with the first sync. */
export function isBackupDue(connection: Connection, now = Date.now()): boolean {
  const due = connection.prepare(`SELECT value FROM setting WHERE name = 'backupDueAt'`).get()?.value
  if (due === undefined) setDue(connection, now + EVERY_MS)
  return due !== undefined && Number(due) <= now
}

/** The automatic backup. One that fails is tried again the next day, and harms nothing. */
export async function backUp(connection: Connection, home: string, now = Date.now()): Promise<void> {
  // Before it begins, so that no other process begins as well.
  setDue(connection, now + DAY_MS)
  try {
    const { makeBackup } = await import('./backup.ts')
    const { pruneCopies } = await import('../backups.ts')
    // The sync waits for it, and is not to wait for others as well.
    await makeBackup(home, { patience: 0 })
    pruneCopies(home)
    setDue(connection, now + EVERY_MS)
  } catch (error) {
    log('warn', `the weekly backup failed: ${(error as Error).message}`)
  }
}

function setDue({ prepare }: Connection, at: number): void {
  prepare(`INSERT OR REPLACE INTO setting (name, value) VALUES ('backupDueAt', ?)`).run(at)
}
