import fs from 'node:fs'
import { RecollectError } from '../../model/errors.ts'
import { type FileLock, lockFileSync } from '../../platform/lock.ts'
import { removeParts } from '../../platform/parts.ts'
import { renamePatiently } from '../../platform/patience.ts'
import { redactJsonIn, type Seen } from '../../platform/redact.ts'
import { AGENT_SOURCE, RUN_ID, runFile } from '../../sources/recollect-agent/place.ts'
import type { Connection } from './connection.ts'
import { seenBy } from './seen-secrets.ts'

/** For an answer that is just being noted. */
const PATIENCE_MS = 1_000

/**
 * What our own agent keeps of its dialogs beside the archive is rewritten with them, whole or not at all. Says which were left, as
 * somebody is at them: what is said there would go into the file that was replaced.
 */
export function redactRuns(connection: Connection, folder: string): string[] {
  const rows = connection
    .prepare(
      'SELECT chat.key, id FROM chat JOIN redacted_chat ON chat.key = redacted_chat.chat WHERE source = ?',
    )
    .all(AGENT_SOURCE)
  const left: string[] = []
  for (const { key, id } of rows) {
    const file = RUN_ID.test(String(id)) ? runFile(folder, String(id)) : ''
    if (!file || !fs.existsSync(file)) continue
    const seen = seenBy(connection, Number(key))
    if (redacted(file, seen) === undefined) continue
    const lock = lockUnlessBusy(file)
    if (!lock) {
      left.push(file)
      continue
    }
    try {
      const text = redacted(file, seen)
      if (text === undefined) continue
      fs.writeFileSync(lock.temp, text, { mode: 0o600, flush: true })
      if (lock.isHeld()) renamePatiently(lock.temp, file)
      else left.push(file)
    } finally {
      removeParts(lock.temp)
      lock.release()
    }
  }
  return left
}

function lockUnlessBusy(file: string): FileLock | undefined {
  try {
    return lockFileSync(file, { patience: PATIENCE_MS, sparesSilent: true })
  } catch (error) {
    if (error instanceof RecollectError) return undefined
    throw error
  }
}

/** A dialog without its secrets; undefined where it has none. */
function redacted(file: string, seen: Seen): string | undefined {
  const before = fs.readFileSync(file, 'utf8')
  const after = before
    .split('\n')
    .map((line) => redactedLine(line, (value) => redactJsonIn(value, seen)))
    .join('\n')
  return after === before ? undefined : after
}

function redactedLine(line: string, clean: <T>(value: T) => T): string {
  if (line.trim() === '') return line
  try {
    return JSON.stringify(clean(JSON.parse(line)))
  } catch {
    return clean(line)
  }
}
