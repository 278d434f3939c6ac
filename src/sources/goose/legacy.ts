import fs from 'node:fs'
import path from 'node:path'
import type { Chat } from '../../model/chat.ts'
import { openForeignDatabase } from '../foreign-db.ts'
import { type Json, millis, object, objects, words } from '../json.ts'
import { jsonLines } from '../lines.ts'
import type { Found } from '../source.ts'
import { recordMessages, sessionKind } from './messages.ts'

/** `<id>.jsonl` of versions before the database: a line about the session, then a line for each message. */
export function* readLegacy(file: string): Generator<Found> {
  const id = path.basename(file, '.jsonl')
  if (!fs.existsSync(file)) {
    yield { problem: { reason: 'the file is gone' } }
    return
  }
  if (wasImported(file, id)) return
  let about: Json | undefined
  let index = 0
  let last: number | undefined
  let told = false
  const chat: Chat = { source: 'goose', id, createdAt: startIn(id), format: 'jsonl' }
  for (const line of jsonLines(file)) {
    if (line.problem) {
      yield { problem: line.problem }
      continue
    }
    const value = object(line.value)
    if (!value) continue
    if (!about && index === 0 && value.role === undefined) {
      about = value
      chat.title = words(about.description)
      chat.workspace = words(about.working_dir)
      continue
    }
    const record = {
      id: `m${index++}`,
      order: line.offset,
      role: words(value.role) ?? '',
      createdAt: millis(value.created),
      content: objects(value.content),
      pieces: 1,
    }
    last = record.createdAt ?? last
    for (const message of recordMessages(record, sessionKind(about?.schedule_id ? 'scheduled' : undefined))) {
      if (!told) yield { chat: { ...chat, createdAt: chat.createdAt ?? message.createdAt } }
      told = true
      yield { chatId: id, message }
    }
  }
  if (told) yield { chat: { ...chat, createdAt: undefined, updatedAt: last } }
}

/** The first start with the database took the old files over and left them where they were. */
function wasImported(file: string, id: string): boolean {
  const database = path.join(path.dirname(file), 'sessions.db')
  if (!fs.existsSync(database)) return false
  try {
    const db = openForeignDatabase(database)
    try {
      return db.prepare('SELECT 1 AS there FROM sessions WHERE id = ?').get(id) !== undefined
    } finally {
      db.close()
    }
  } catch {
    return false
  }
}

/** Sessions without a name were called by their local time: `20250601_140100`. */
function startIn(id: string): number | undefined {
  const parts = /^(\d{4})(\d\d)(\d\d)_(\d\d)(\d\d)(\d\d)$/.exec(id)
  if (!parts) return undefined
  const [year, month, day, hour, minute, second] = parts.slice(1).map(Number) as [
    number,
    number,
    number,
    number,
    number,
    number,
  ]
  return new Date(year, month - 1, day, hour, minute, second).getTime()
}
