import fs from 'node:fs'
import path from 'node:path'
import type { Chat, ChatStatus } from '../../model/chat.ts'
import { type Json, millis, object, objects, version, words } from '../json.ts'
import { readJson } from '../lines.ts'
import type { Found } from '../source.ts'
import { conversation } from './conversation.ts'

const STATUS: Record<string, ChatStatus> = {
  running: 'running',
  completed: 'done',
  failed: 'failed',
  cancelled: 'cancelled',
}

/** A session of the Cline CLI (3.x): `<id>/<id>.messages.json` with its manifest `<id>/<id>.json` beside it. */
export function* readSession(file: string, source: string): Generator<Found> {
  const folder = path.dirname(file)
  const rootId = path.basename(folder)
  const stem = path.basename(file, '.messages.json')
  const subagent = stem !== rootId
  let document: Json | undefined
  try {
    document = object(readJson(file))
  } catch (error) {
    yield { problem: { reason: (error as Error).message } }
    return
  }
  if (!document) {
    yield { problem: { reason: 'not a Cline session' } }
    return
  }
  const manifest = manifestIn(path.join(folder, `${rootId}.json`))
  const origin = object(document.origin) ?? object(object(manifest?.metadata)?.sessionHistoryOrigin)
  const id = words(document.sessionId) ?? (subagent ? `${rootId}__${stem}` : rootId)
  const messages = conversation(objects(document.messages), subagent ? 'delegated' : 'request')
  const chat: Chat = {
    source,
    id,
    workspace: words(manifest?.cwd) ?? words(manifest?.workspace_root),
    branch: words(object(object(manifest?.metadata)?.git)?.branch),
    updatedAt: millis(document.updated_at) ?? messages.at(-1)?.createdAt,
    format: `cli ${version(origin?.version) ?? ''}`.trimEnd(),
  }
  if (subagent) {
    Object.assign(chat, { subagent: true, parentId: rootId, createdAt: messages[0]?.createdAt })
  } else {
    chat.title = words(object(manifest?.metadata)?.title)
    chat.createdAt = millis(manifest?.started_at) ?? messages[0]?.createdAt
    chat.resume = /^[\w-]+$/.test(id) ? `cline --id ${id}` : undefined
    const status = words(manifest?.status) ?? ''
    chat.status = Object.hasOwn(STATUS, status) ? STATUS[status] : undefined
  }
  yield { chat }
  for (const message of messages) yield { chatId: id, message }
}

/** It is rewritten while the session runs; without it the transcript still stands. */
function manifestIn(file: string): Json | undefined {
  try {
    return fs.existsSync(file) ? object(readJson(file)) : undefined
  } catch {
    return undefined
  }
}
