import fs from 'node:fs'
import { removeParts } from '../../platform/parts.ts'
import { renamePatiently } from '../../platform/patience.ts'
import { redactJsonIn } from '../../platform/redact.ts'
import { AGENT_SOURCE, RUN_ID, runFile } from '../../sources/recollect-agent/place.ts'
import type { Connection } from './connection.ts'
import { seenBy } from './seen-secrets.ts'

/** What our own agent keeps of its dialogs beside the archive is rewritten with them, whole or not at all. */
export function redactRuns(connection: Connection, folder: string): void {
  const rows = connection
    .prepare(
      'SELECT chat.key, id FROM chat JOIN redacted_chat ON chat.key = redacted_chat.chat WHERE source = ?',
    )
    .all(AGENT_SOURCE)
  for (const { key, id } of rows) {
    const file = RUN_ID.test(String(id)) ? runFile(folder, String(id)) : ''
    if (!file || !fs.existsSync(file)) continue
    const seen = seenBy(connection, Number(key))
    const before = fs.readFileSync(file, 'utf8')
    const after = before
      .split('\n')
      .map((line) => redactedLine(line, (value) => redactJsonIn(value, seen)))
      .join('\n')
    if (after === before) continue
    const part = `${file}.part-${process.pid}`
    try {
      fs.writeFileSync(part, after, { mode: 0o600, flush: true })
      renamePatiently(part, file)
    } finally {
      removeParts(part)
    }
  }
}

function redactedLine(line: string, clean: <T>(value: T) => T): string {
  if (line.trim() === '') return line
  try {
    return JSON.stringify(clean(JSON.parse(line)))
  } catch {
    return clean(line)
  }
}
