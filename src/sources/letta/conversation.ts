import path from 'node:path'
import type { Chat, Message } from '../../model/chat.ts'
import { type Json, millis, object, objects, string, version, words } from '../json.ts'
import { jsonLines, readJson } from '../lines.ts'
import { messageOf, toMessage } from '../pi/family.ts'
import type { Found } from '../source.ts'

/**
 * A conversation of Letta's local backend: pi's messages, in newer versions pi's entries. The clock of its
 * own is a counter that begins in 2026; only what the model's provider said is dated truly.
 */
export function* readConversation(folder: string): Generator<Found> {
  const about = documentIn(path.join(folder, 'conversation.json'))
  const manifest = documentIn(path.join(folder, 'manifest.json'))
  const file = path.join(folder, 'messages.jsonl')
  const told = object(firstRecord(file)?.metadata)
  const id = words(about?.id) ?? words(told?.conversation_id) ?? path.basename(folder)
  const agent = words(about?.agent_id) ?? words(told?.agent_id)
  const chat: Chat = {
    source: 'letta',
    // `local-conv-1` is another conversation in the next home.
    id: agent ? `${agent}:${id}` : id,
    title: words(about?.summary),
    createdAt: millis(manifest?.created_at),
    format: version(manifest?.message_format),
  }
  let offset = 0
  let isTold = false
  for (const line of jsonLines(file)) {
    offset = line.end
    if (line.problem) yield { problem: line.problem }
    const message = line.value === undefined ? undefined : messageIn(object(line.value) ?? {}, line.offset)
    if (!message) continue
    if (!isTold) yield { chat: { ...chat } }
    isTold = true
    chat.updatedAt = message.createdAt ?? chat.updatedAt
    yield { chatId: chat.id, message }
  }
  if (isTold) yield { chat: { ...chat, updatedAt: chat.updatedAt ?? chat.createdAt } }
  yield { checkpoint: { offset } }
}

function messageIn(record: Json, order: number): Message | undefined {
  if (typeof record.type === 'string') return dated(messageOf(record, order))
  const content =
    record.role === 'user' ? objects(record.content).filter((part) => !isReminder(part)) : undefined
  const id = string(record.id) ?? `at-${order}`
  const createdAt = record.role === 'assistant' ? millis(record.timestamp) : undefined
  return dated(toMessage({ id, order, createdAt }, content ? { ...record, content } : record))
}

/** What Letta puts before the words of the person, as parts of the same message. */
function isReminder({ type, text }: Json): boolean {
  return type === 'text' && /^\s*<system-reminder[\s>]/.test(string(text) ?? '')
}

/** The counter stays within the first days of 2026. */
const COUNTED = Date.parse('2026-01-01T00:00:00Z')
const COUNTED_MS = 24 * 3_600_000

function dated(message: Message | undefined): Message | undefined {
  const at = message?.createdAt
  const isCounted = at !== undefined && at >= COUNTED && at < COUNTED + COUNTED_MS
  return message && isCounted ? { ...message, createdAt: undefined } : message
}

function firstRecord(file: string): Json | undefined {
  for (const { value } of jsonLines(file)) if (value !== undefined) return object(value)
  return undefined
}

function documentIn(file: string): Json | undefined {
  try {
    return object(readJson(file))
  } catch {
    return undefined
  }
}
