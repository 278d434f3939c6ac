import fs from 'node:fs'
import path from 'node:path'
import { type Json, millis, object, objects, words } from '../json.ts'
import { readJson } from '../lines.ts'
import type { Found } from '../source.ts'
import { historyMessages } from './messages.ts'
import { pathOf } from './place.ts'

/** Names that Continue gives before there is anything to name. */
const UNNAMED = new Set(['Untitled Session', 'New Session', 'Session'])

/** `sessions/<id>.json`, rewritten as a whole. There are no times in it but those of the file and of the index. */
export function* readSession(file: string): Generator<Found> {
  let session: Json | undefined
  try {
    session = object(readJson(file))
  } catch (error) {
    yield { problem: { reason: (error as Error).message } }
    return
  }
  if (!session || !Array.isArray(session.history)) {
    yield { problem: { reason: 'not a Continue session' } }
    return
  }
  const id = words(session.sessionId) ?? path.basename(file, '.json')
  const messages = historyMessages(objects(session.history))
  if (messages.length === 0) return
  const stat = fs.statSync(file)
  const entry = indexOf(path.join(path.dirname(file), 'sessions.json')).get(id)
  const title = words(session.title) ?? words(entry?.title)
  yield {
    chat: {
      source: 'continue',
      id,
      title: title && !UNNAMED.has(title) ? title : undefined,
      workspace: pathOf(words(session.workspaceDirectory) ?? words(entry?.workspaceDirectory)),
      createdAt:
        millis(entry?.dateCreated) ?? Math.round(Math.min(stat.birthtimeMs || stat.mtimeMs, stat.mtimeMs)),
      updatedAt: Math.round(stat.mtimeMs),
      format: 'session',
      resume: /^[\w-]+$/.test(id) ? `cn --fork ${id}` : undefined,
    },
  }
  for (const message of messages) yield { chatId: id, message }
}

let index: { file: string; stamp: string; entries: Map<string, Json> } | undefined

/** One file for all sessions: read once, and again when it changed. */
function indexOf(file: string): Map<string, Json> {
  try {
    const stat = fs.statSync(file)
    const stamp = `${stat.mtimeMs} ${stat.size}`
    if (index?.file !== file || index.stamp !== stamp) {
      const entries = objects(readJson(file)).map((entry): [string, Json] => [String(entry.sessionId), entry])
      index = { file, stamp, entries: new Map(entries) }
    }
    return index.entries
  } catch {
    return new Map()
  }
}
