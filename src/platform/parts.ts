import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { log } from './log.ts'

/**
 * Files and folders that are made beside what they become, and named after the process that makes them:
 * `archive-of-0.1.0-2026-11-15.db.part-4711`, `archive.repairing-4711`, `rewriting.part-4711`.
 */
const PART =
  /^(?:archive|rewriting|elsewhere|\d{4}-\d\d-\d\dT|[0-9a-f-]{36}\.jsonl).*\.(?:part|repairing|restoring)-(\d+)(?:-journal|-wal|-shm)?$/

/** Those that this process could not remove: a disk that failed. Another thread may still use others of its number. */
const unremoved = new Set<string>()

/** Removes them, at the end of the work or after it failed; what cannot be removed goes with the next time. */
export function removeParts(...files: string[]): void {
  for (const file of files)
    try {
      fs.rmSync(file, { recursive: true, force: true, maxRetries: 5 })
      unremoved.delete(file)
    } catch (error) {
      unremoved.add(file)
      log('debug', `${file} could not be removed: ${(error as Error).message}`)
    }
}

/** Removes what processes that were ended meanwhile left in a folder. Says whether others are at work there. */
export function removeLeftParts(folder: string, isOf: (name: string) => boolean = () => true): boolean {
  let isBusy = false
  removeParts(...[...unremoved].filter((file) => path.dirname(file) === folder))
  for (const name of namesIn(folder)) {
    const pid = Number(PART.exec(name)?.[1])
    if (!pid || !isOf(name)) continue
    const file = path.join(folder, name)
    if (pid === process.pid) continue
    if (isAtWork(pid, touchedAt(file))) isBusy = true
    else removeParts(file)
  }
  return isBusy
}

/** Whether a process is still at what it touched last at that time. Once the machine was started again, its number is another's. */
export function isAtWork(pid: number, at: number): boolean {
  return at >= startOfMachine() && isAlive(pid)
}

function startOfMachine(): number {
  try {
    return Date.now() - os.uptime() * 1_000
  } catch {
    // Some systems do not say.
    return 0
  }
}

/** What was removed meanwhile has no time. */
function touchedAt(file: string): number {
  return fs.statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0
}

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

/** A folder that is not there has none. */
function namesIn(folder: string): string[] {
  try {
    return fs.readdirSync(folder)
  } catch {
    return []
  }
}
