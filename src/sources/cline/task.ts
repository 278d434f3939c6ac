import fs from 'node:fs'
import path from 'node:path'
import type { Chat, Message, MessageKind } from '../../model/chat.ts'
import { type Json, list, millis, object, objects, string, words } from '../json.ts'
import { readJson } from '../lines.ts'
import type { Checkpoint, Found } from '../source.ts'
import { conversation } from './conversation.ts'
import { statusOf, uiMessages } from './ui.ts'

/**
 * A task of the editor extension, from what the person saw and typed: `ui_messages.json`, with times
 * and costs.
 */
export function* readSeenTask(file: string, source: string): Generator<Found> {
  const found = listIn(file)
  if (found instanceof Error) {
    yield { problem: { reason: found.message } }
    return
  }
  if (!found || found.length === 0) return
  const task = taskAt(path.dirname(file))
  const messages = uiMessages(found, task.typedKind)
  yield* taskChat(task, messages, source, { status: statusOf(found), updatedAt: millis(found.at(-1)?.ts) })
}

/**
 * The same from the model's transcript, where there is nothing else. It is rewritten at each change,
 * so every reading is one from the start.
 */
export function* readModelTask(file: string, source: string, from: Checkpoint | undefined): Generator<Found> {
  const folder = path.dirname(file)
  const beginning: Checkpoint = { offset: 0 }
  if (from) yield { restart: true }
  if (isSeen(folder)) {
    yield { checkpoint: beginning }
    return
  }
  const found = listIn(file)
  if (found instanceof Error) {
    yield { problem: { reason: found.message } }
    return
  }
  const task = taskAt(folder)
  const messages = conversation(found ?? [], task.typedKind)
  if (messages.length > 0) yield* taskChat(task, messages, source, {})
  yield { checkpoint: beginning }
}

interface Task {
  id: string
  folder: string
  item: Json | undefined
  parentId: string | undefined
  /** The first text of a sub-task was written by its parent. */
  typedKind: MessageKind
}

function taskAt(folder: string): Task {
  const id = path.basename(folder)
  const item = historyItem(folder, id)
  const parentId = words(item?.parentTaskId) ?? (item ? parentAmong(path.dirname(folder), id) : undefined)
  return { id, folder, item, parentId, typedKind: parentId ? 'delegated' : 'request' }
}

function* taskChat(
  { id, folder, item, parentId }: Task,
  messages: Message[],
  source: string,
  { status, updatedAt }: Pick<Chat, 'status' | 'updatedAt'>,
): Generator<Found> {
  addModels(messages, folder)
  const begun = /^\d{13}$/.test(id) ? millis(Number(id)) : undefined
  const chat: Chat = {
    source,
    id,
    workspace:
      words(item?.workspace) ??
      words(item?.cwdOnTaskInitialization) ??
      workspaceIn(path.join(folder, 'api_conversation_history.json')),
    createdAt: messages[0]?.createdAt ?? begun ?? millis(item?.ts),
    updatedAt: updatedAt ?? messages.at(-1)?.createdAt ?? millis(item?.ts) ?? begun,
    parentId,
    subagent: parentId ? true : undefined,
    status,
    format: 'task',
  }
  yield { chat }
  for (const message of messages) yield { chatId: id, message }
}

/** Whether what the person saw is there to be read. */
function isSeen(folder: string): boolean {
  return ['ui_messages.json', 'claude_messages.json'].some((name) => {
    const found = listIn(path.join(folder, name))
    return Array.isArray(found) && found.length > 0
  })
}

const parents = new Map<string, { stamp: number; byChild: Map<string, string> }>()

/** Roo Code notes in a task which others it started (`childIds`), where those do not name it themselves. */
function parentAmong(tasks: string, id: string): string | undefined {
  try {
    const stamp = fs.statSync(tasks).mtimeMs
    if (parents.get(tasks)?.stamp !== stamp) {
      const byChild = new Map<string, string>()
      for (const name of fs.readdirSync(tasks)) {
        const file = path.join(tasks, name, 'history_item.json')
        if (!fs.existsSync(file)) continue
        for (const child of list(object(readJson(file))?.childIds)) byChild.set(String(child), name)
      }
      parents.clear()
      parents.set(tasks, { stamp, byChild })
    }
    return parents.get(tasks)!.byChild.get(id)
  } catch {
    return undefined
  }
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
