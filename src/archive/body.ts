import { hash } from 'node:crypto'
import type { Message } from '../model/chat.ts'

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

/** What a message has beside its text and the facts about it, as JSON; null where it is only text. */
export function detailOf(message: Message): string | null {
  let detail: Record<string, unknown> | undefined
  for (const name of DETAILS) {
    const value = message[name]
    if (value === undefined || (Array.isArray(value) && value.length === 0)) continue
    detail ??= {}
    detail[name] = value
  }
  // Few calls have any: a column for it would be empty.
  if (message.usage?.searches) detail = { ...detail, searches: message.usage.searches }
  return detail ? JSON.stringify(detail) : null
}

/** Equal for messages that say the same. 48 bits, so that it fits a JavaScript number. */
export function hashOf(message: Message, detail: string | null): number {
  return hashOfBytes(`${factsOf(message)}\0${message.text}\0${detail}`)
}

/** What is hashed of a message beside its text and its details. */
export function factsOf({ role, kind, createdAt, model, usage, latencyMs, undone }: Message): string {
  return JSON.stringify([role, kind, createdAt, model, usage, latencyMs, undone ?? false])
}

/** Of facts, text and details with a NUL between each two. */
export function hashOfBytes(written: string | Uint8Array): number {
  return hash('sha1', written, 'buffer').readUIntBE(0, 6)
}
