import fs from 'node:fs'
import path from 'node:path'
import type { DatabaseSync } from 'node:sqlite'
import type { Chat, Message, ToolCall, ToolResult } from '../../model/chat.ts'
import type { Machine } from '../../platform/machine.ts'
import { columnsOf, openForeignDatabase, textOf } from '../foreign-db.ts'
import { type Json, millis, object, objects, parsed, plain, string, words } from '../json.ts'
import { readJson } from '../lines.ts'
import type { Found } from '../source.ts'
import { asked } from './query.ts'

const LARGEST_BLOB = 32 * 1024 * 1024
const HASH_BYTES = 32

/**
 * A chat of the command-line agent: `~/.cursor/chats/<hash of the folder>/<chat>/store.db`. Its blobs
 * are named by their content; the newest root, in Protobuf, lists those of the talk in order.
 */
export function* readStore(file: string): Generator<Found> {
  let db: DatabaseSync | undefined
  try {
    db = openForeignDatabase(file)
    if (columnsOf(db, 'blobs').includes('data') && columnsOf(db, 'meta').includes('value'))
      yield* readChat(db, file)
  } catch (error) {
    yield {
      problem: { reason: `cannot read the database: ${error instanceof Error ? error.message : error}` },
    }
  } finally {
    db?.close()
  }
}

/** Whether the command-line agent has this chat, and so can go on with it. */
export function isStored({ home }: Machine, id: string): boolean {
  const chats = path.join(home, '.cursor', 'chats')
  try {
    return fs.readdirSync(chats).some((folder) => fs.existsSync(path.join(chats, folder, id, 'store.db')))
  } catch {
    return false
  }
}

function* readChat(db: DatabaseSync, file: string): Generator<Found> {
  const meta = metaOf(db)
  const root = words(meta?.latestRootBlobId)
  if (!meta || !root) return
  const side = sideFile(path.join(path.dirname(file), 'meta.json'))
  const id = path.basename(path.dirname(file))
  const isSubagent = side?.isSubagent === true
  const { children, workspace } = rootOf(blobOf(db, root)?.bytes)
  const messages = messagesOf(db, children, isSubagent, words(meta.lastUsedModel))
  if (messages.length === 0) return
  const name = words(meta.name) ?? words(side?.title)
  const chat: Chat = {
    source: 'cursor',
    id,
    title: name === 'New Agent' ? undefined : name,
    workspace: words(side?.cwd) ?? workspace,
    createdAt: millis(meta.createdAt) ?? millis(side?.createdAtMs),
    updatedAt: millis(side?.updatedAtMs) ?? Math.round(fs.statSync(file).mtimeMs),
    format: 'store',
    ...(isSubagent ? { subagent: true } : /^[\w-]+$/.test(id) && { resume: `cursor-agent --resume ${id}` }),
  }
  yield { chat }
  for (const message of messages) yield { chatId: id, message }
  yield { checkpoint: { offset: 0 } }
}

/** One row, its value JSON in hexadecimal. */
function metaOf(db: DatabaseSync): Json | undefined {
  const row = db.prepare("SELECT CAST(value AS TEXT) AS value FROM meta WHERE key = '0'").get()
  const stored = string(row?.value) ?? ''
  const text = /^[\da-f]+$/i.test(stored) ? Buffer.from(stored, 'hex').toString('utf8') : stored
  return object(parsed(text))
}

function sideFile(file: string): Json | undefined {
  try {
    return object(readJson(file))
  } catch {
    return undefined
  }
}

function blobOf(db: DatabaseSync, id: string): { place: number; bytes: Uint8Array } | undefined {
  const row = db
    .prepare(
      `SELECT rowid AS place, CAST(data AS BLOB) AS data FROM blobs WHERE id = ? AND octet_length(data) <= ${LARGEST_BLOB}`,
    )
    .get(id)
  return row?.data instanceof Uint8Array ? { place: Number(row.place), bytes: row.data } : undefined
}

/** Field 1, repeated: the names of the blobs of the talk. Field 9: the folder. All else is passed over. */
function rootOf(bytes: Uint8Array | undefined): { children: string[]; workspace?: string } {
  const root: { children: string[]; workspace?: string } = { children: [] }
  if (!bytes) return root
  let at = 0
  const varint = (): number => {
    let value = 0
    for (let shift = 0; at < bytes.length && shift < 50; shift += 7) {
      const byte = bytes[at++]!
      value += (byte & 0x7f) * 2 ** shift
      if (byte < 0x80) return value
    }
    return Number.NaN
  }
  while (at < bytes.length) {
    const tag = varint()
    const [field, wire] = [Math.floor(tag / 8), tag % 8]
    if (wire === 0) varint()
    else if (wire === 1) at += 8
    else if (wire === 5) at += 4
    else if (wire === 2) {
      const length = varint()
      if (!(length <= bytes.length - at)) return root
      const value = Buffer.from(bytes.buffer, bytes.byteOffset + at, length)
      at += length
      if (field === 1 && length === HASH_BYTES) root.children.push(value.toString('hex'))
      else if (field === 9 && /^(?:[A-Za-z]:)?[/\\]/.test(value.toString('utf8')))
        root.workspace ??= value.toString('utf8')
    } else return root
  }
  return root
}

function messagesOf(
  db: DatabaseSync,
  children: string[],
  isSubagent: boolean,
  model: string | undefined,
): Message[] {
  const messages: Message[] = []
  const times = new Map<string, number>()
  let order = 0
  for (const child of children) {
    const blob = blobOf(db, child)
    const record = object(parsed(textOf(blob?.bytes)))
    if (!blob || !record) continue
    // The same words said twice are one blob.
    const again = times.get(child) ?? 0
    times.set(child, again + 1)
    order = blob.place > order ? blob.place : order + 1 / 1024
    const id = `${child.slice(0, 24)}${again > 0 ? `-${again}` : ''}`
    const message = toMessage(record, { id, order }, isSubagent)
    if (message) messages.push(message.role === 'assistant' && model ? { ...message, model } : message)
  }
  return messages
}

function toMessage(
  record: Json,
  about: Pick<Message, 'id' | 'order'>,
  isSubagent: boolean,
): Message | undefined {
  const blocks =
    typeof record.content === 'string' ? [{ type: 'text', text: record.content }] : objects(record.content)
  const textOfType = (type: string) =>
    blocks.flatMap((block) => (block.type === type ? (words(block.text) ?? []) : [])).join('\n\n')
  const createdAt = millis(record.createdAt) ?? millis(record.timestamp)
  if (record.role === 'user') {
    const said = asked(textOfType('text'), isSubagent)
    return said.text.trim() ? { ...about, role: 'user', createdAt, ...said } : undefined
  }
  if (record.role === 'tool') {
    const toolResults = blocks.filter(({ type }) => type === 'tool-result').map(toResult)
    return toolResults.length > 0
      ? { ...about, role: 'tool', kind: 'tool', createdAt, text: '', toolResults }
      : undefined
  }
  if (record.role !== 'assistant') return undefined
  const toolCalls = blocks.flatMap((block, place): ToolCall[] =>
    block.type === 'tool-call'
      ? [
          {
            id: words(block.toolCallId) ?? `${about.id}.${place}`,
            tool: words(block.toolName) ?? 'unknown',
            args: parsed(block.args ?? block.input),
          },
        ]
      : [],
  )
  const [text, thinking] = [textOfType('text'), textOfType('reasoning')]
  if (!text && !thinking && toolCalls.length === 0) return undefined
  return {
    ...about,
    role: 'assistant',
    kind: 'answer',
    createdAt,
    text,
    ...(thinking && { thinking }),
    ...(toolCalls.length > 0 && { toolCalls }),
  }
}

function toResult(block: Json): ToolResult {
  const given = block.result ?? object(block.output)?.value ?? block.output
  const texts = objects(given).flatMap((item) => words(item.text) ?? [])
  const text = texts.length > 0 ? texts.join('\n') : plain(given)
  const callId = words(block.toolCallId) ?? ''
  return block.isError === true ? { callId, error: text } : { callId, text }
}
