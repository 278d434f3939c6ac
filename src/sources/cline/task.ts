import fs from 'node:fs'
import path from 'node:path'
import type { Chat, Message, MessageKind } from '../../model/chat.ts'
import { type Json, list, millis, object, objects, string, words } from '../json.ts'
import { readJson } from '../lines.ts'
import type { Found } from '../source.ts'
import { conversation } from './conversation.ts'
import { statusOf, uiMessages } from './ui.ts'

/**
 * A task of the editor extension. `ui_messages.json` is what the person saw and typed, with times and
 * costs, so it is preferred; the model's transcript stands in where there is none.
 */
export function* readTask(apiFile: string, source: string): Generator<Found> {
  const folder = path.dirname(apiFile)
  const id = path.basename(folder)
  const item = historyItem(folder, id)
  const parentId = words(item?.parentTaskId)
  const kind: MessageKind = parentId ? 'delegated' : 'request'
  let messages: Message[] | undefined
  let status: Chat['status']
  let updatedAt: number | undefined
  for (const name of ['ui_messages.json', 'claude_messages.json']) {
    const found = listIn(path.join(folder, name))
    if (found instanceof Error) yield { problem: { reason: `${name}: ${found.message}` } }
    else if (found && found.length > 0) {
      messages = uiMessages(found, kind)
      status = statusOf(found)
      updatedAt = millis(found.at(-1)?.ts)
      break
    }
  }
  if (!messages) {
    const found = listIn(apiFile)
    if (found instanceof Error) {
      yield { problem: { reason: found.message } }
      return
    }
    messages = conversation(found ?? [], kind)
  }
  addModels(messages, folder)
  const chat: Chat = {
    source,
    id,
    workspace: words(item?.workspace) ?? words(item?.cwdOnTaskInitialization) ?? workspaceIn(apiFile),
    createdAt: messages[0]?.createdAt ?? (/^\d{13}$/.test(id) ? Number(id) : undefined),
    updatedAt: updatedAt ?? messages.at(-1)?.createdAt ?? millis(item?.ts),
    parentId,
    subagent: parentId ? true : undefined,
    status,
    format: 'task',
  }
  yield { chat }
  for (const message of messages) yield { chatId: id, message }
}

function listIn(file: string): Json[] | Error | undefined {
  try {
    return fs.existsSync(file) ? objects(readJson(file)) : undefined
  } catch (error) {
    return error as Error
  }
}

/** Roo Code keeps a task's entry of the history beside it, Cline all of them in one file. */
function historyItem(folder: string, id: string): Json | undefined {
  try {
    const own = path.join(folder, 'history_item.json')
    if (fs.existsSync(own)) return object(readJson(own))
    return historyOf(path.join(folder, '..', '..', 'state', 'taskHistory.json')).get(id)
  } catch {
    return undefined
  }
}

let history: { file: string; stamp: string; items: Map<string, Json> } | undefined

/** One file for all tasks: read once, and again when it changed. */
function historyOf(file: string): Map<string, Json> {
  const stat = fs.statSync(file, { throwIfNoEntry: false })
  if (!stat) return new Map()
  const stamp = `${stat.mtimeMs} ${stat.size}`
  if (history?.file !== file || history.stamp !== stamp) {
    const items = objects(readJson(file)).map((item): [string, Json] => [String(item.id), item])
    history = { file, stamp, items: new Map(items) }
  }
  return history.items
}

/** Cline notes in `task_metadata.json` from when on which model was used. */
function addModels(messages: Message[], folder: string): void {
  const answers = messages.filter(({ role, model }) => role === 'assistant' && !model)
  const file = path.join(folder, 'task_metadata.json')
  if (answers.length === 0 || !fs.existsSync(file)) return
  let uses: Json[]
  try {
    uses = objects(list(object(readJson(file))?.model_usage))
  } catch {
    return
  }
  for (const answer of answers) {
    const at = answer.createdAt ?? Number.POSITIVE_INFINITY
    answer.model = words(uses.findLast((use) => (millis(use.ts) ?? 0) <= at)?.model_id)
  }
}

const HEAD = 64 * 1024

/** The first message to the model names the folder: `# Current Working Directory (/home/me/proj) Files`. */
function workspaceIn(apiFile: string): string | undefined {
  let head: string
  try {
    const fd = fs.openSync(apiFile, 'r')
    try {
      const buffer = Buffer.alloc(HEAD)
      head = buffer.toString('utf8', 0, fs.readSync(fd, buffer, 0, HEAD, 0))
    } finally {
      fs.closeSync(fd)
    }
  } catch {
    return undefined
  }
  const named = /# Current (?:Working|Workspace) Directory \(([^)\n]{1,1000})\)/.exec(head)?.[1]
  if (!named) return undefined
  try {
    return string(JSON.parse(`"${named}"`))
  } catch {
    return undefined
  }
}
