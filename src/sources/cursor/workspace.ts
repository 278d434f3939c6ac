import { createHash } from 'node:crypto'
import path from 'node:path'
import type { DatabaseSync } from 'node:sqlite'
import { fileURLToPath } from 'node:url'
import type { Chat, Message } from '../../model/chat.ts'
import type { Machine } from '../../platform/machine.ts'
import { columnsOf, openForeignDatabase } from '../foreign-db.ts'
import { type Json, list, millis, object, objects, parsed, string, words } from '../json.ts'
import { readJson } from '../lines.ts'
import type { Checkpoint, Found } from '../source.ts'
import { chatsInDatabase } from './known-chats.ts'
import { valueReader } from './values.ts'

/**
 * The database of one window: which chats belong to its folder (their text is elsewhere), and the
 * chats of the first versions, whole.
 */
export function* readWorkspaceDatabase(
  file: string,
  from: Checkpoint | undefined,
  machine: Machine,
): Generator<Found> {
  let db: DatabaseSync | undefined
  try {
    db = openForeignDatabase(file)
    if (!columnsOf(db, 'ItemTable').includes('value')) return
    const value = valueReader(db, 'ItemTable')
    const folder = folderIn(path.join(path.dirname(file), 'workspace.json'), machine)
    const told = [...placed(value('composer.composerData') ?? undefined, folder, machine)]
    const oldest = value('workbench.panel.aichat.view.aichat.chatdata')
    if (oldest === null) yield { problem: { reason: 'the chats of the first version are not readable' } }
    told.push(...tabs(oldest ?? undefined, folder))
    const look = createHash('sha1').update(JSON.stringify(told)).digest('base64')
    if (object(from?.state)?.look !== look) yield* told
    yield { checkpoint: { offset: 0, state: { look } } }
  } catch (error) {
    yield {
      problem: { reason: `cannot read the database: ${error instanceof Error ? error.message : error}` },
    }
  } finally {
    db?.close()
  }
}

/** Only chats that have something in them: the list also holds drafts. */
function* placed(data: Json | undefined, folder: string | undefined, machine: Machine): Generator<Found> {
  if (!data || !folder) return
  const ids = [
    ...objects(data.allComposers).map((composer) => composer.composerId),
    ...list(data.selectedComposerIds),
    ...list(data.lastFocusedComposerIds),
  ]
  const known = chatsInDatabase(machine)
  for (const id of new Set(ids))
    if (typeof id === 'string' && known.has(id)) yield { chat: { source: 'cursor', id, workspace: folder } }
}

/** The chat panel of 2023 and 2024. */
function* tabs(data: Json | undefined, folder: string | undefined): Generator<Found> {
  for (const tab of objects(data?.tabs)) {
    const id = words(tab.tabId) ?? words(tab.id)
    const messages = objects(tab.bubbles).flatMap((bubble, place) => toMessage(bubble, place) ?? [])
    if (!id || messages.length === 0) continue
    const chat: Chat = {
      source: 'cursor',
      id,
      title: words(tab.chatTitle) ?? words(tab.title),
      workspace: folder,
      createdAt: millis(tab.createdAt),
      updatedAt: millis(tab.lastSendTime),
      format: 'tabs',
    }
    yield { chat }
    for (const message of messages) yield { chatId: id, message }
  }
}

function toMessage(bubble: Json, place: number): Message | undefined {
  const isUser = bubble.type === 'user'
  if (!isUser && bubble.type !== 'ai' && bubble.type !== 'assistant') return undefined
  const text = words(bubble.text) ?? words(bubble.rawText) ?? textOfEditor(parsed(bubble.initText))
  if (!text) return undefined
  return {
    id: words(bubble.id) ?? words(bubble.bubbleId) ?? String(place),
    order: place + 1,
    role: isUser ? 'user' : 'assistant',
    kind: isUser ? 'request' : 'answer',
    createdAt: millis(bubble.createdAt) ?? millis(bubble.timestamp),
    text,
    ...(!isUser && { model: words(bubble.modelType) }),
  }
}

/** The editor's own tree of paragraphs and words, where only that was kept. */
function textOfEditor(node: unknown, depth = 0): string {
  const entry = object(node)
  if (!entry || depth > 20) return ''
  const own = string(entry.text) ?? ''
  const below = list(entry.children).map((child) => textOfEditor(child, depth + 1))
  return own + textOfEditor(entry.root, depth + 1) + below.join(entry.type === 'root' ? '\n' : '')
}

function folderIn(file: string, machine: Machine): string | undefined {
  try {
    const document = object(readJson(file))
    const uri = words(document?.folder) ?? words(document?.workspace)
    if (!uri) return undefined
    if (uri.startsWith('file:')) return fileURLToPath(uri, { windows: machine.platform === 'win32' })
    return decodeURIComponent(new URL(uri).pathname) || undefined
  } catch {
    return undefined
  }
}
