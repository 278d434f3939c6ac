import { hash } from 'node:crypto'
import type { Message, MessageKind, Role } from '../../model/chat.ts'
import { toolText } from '../../model/tool-text.ts'
import type { ArchivedMessage } from '../archive.ts'

const DETAILS = [
  'via',
  'thinking',
  'thinkingMs',
  'toolCalls',
  'toolResults',
  'citations',
  'attachments',
  'files',
  'outcome',
] as const

/** What a message has beside its columns, as JSON; null where it is only text. */
export function detailOf(message: Message): string | null {
  let detail: Record<string, unknown> | undefined
  for (const name of DETAILS) {
    const value = message[name]
    if (value === undefined || (Array.isArray(value) && value.length === 0)) continue
    detail ??= {}
    detail[name] = value
  }
  return detail ? JSON.stringify(detail) : null
}

/** Equal for messages that say the same. 48 bits, so that it fits a JavaScript number. */
export function hashOf(message: Message, detail: string | null): number {
  const { role, kind, createdAt, model, usage, latencyMs, undone } = message
  const facts = JSON.stringify([role, kind, createdAt, model, usage, latencyMs, undone ?? false])
  return hash('sha1', `${facts}\0${message.text}\0${detail}`, 'buffer').readUIntBE(0, 6)
}

/** What of a message is searched, by field. */
export function wordsOf(message: Message): { said: string; thought: string; tools: string } {
  return { said: message.text, thought: message.thinking ?? '', tools: toolText(message) }
}

export function messageFrom(row: Record<string, unknown>): ArchivedMessage {
  const detail = typeof row.detail === 'string' ? JSON.parse(row.detail) : {}
  const usage = {
    input: row.input_tokens ?? undefined,
    output: row.output_tokens ?? undefined,
    cached: row.cached_tokens ?? undefined,
    cacheWrite: row.cache_write_tokens ?? undefined,
    reasoning: row.reasoning_tokens ?? undefined,
    cost: row.cost ?? undefined,
  } as NonNullable<Message['usage']>
  return {
    key: Number(row.key),
    id: String(row.id),
    index: Number(row.place),
    order: Number(row.position),
    role: row.role as Role,
    kind: row.kind as MessageKind,
    ...(row.created_at !== null && { createdAt: Number(row.created_at) }),
    text: String(row.text),
    ...detail,
    ...(row.model !== null && { model: String(row.model) }),
    ...(Object.values(usage).some((value) => value !== undefined) && { usage }),
    ...(row.latency_ms !== null && { latencyMs: Number(row.latency_ms) }),
    ...(row.undone ? { undone: true } : {}),
    ...(row.copy_of !== null && { copy: true }),
  }
}
