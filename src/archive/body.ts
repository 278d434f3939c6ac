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
  // Written by hand, as JSON would write the list of them: every message is.
  const used = usage === undefined ? null : JSON.stringify(usage)
  const by = model === undefined ? null : JSON.stringify(model)
  return `["${role}","${kind}",${numeral(createdAt)},${by},${used},${numeral(latencyMs)},${undone ?? false}]`
}

function numeral(value: number | undefined): string {
  return value === undefined || !Number.isFinite(value) ? 'null' : String(value)
}

/** Of facts, text and details with a NUL between each two. */
export function hashOfBytes(written: string | Uint8Array): number {
  // As a string of bytes: a buffer would take longer to make than the hash.
  const bytes = hash('sha1', written, 'binary')
  return threeBytes(bytes, 0) * 2 ** 24 + threeBytes(bytes, 3)
}

function threeBytes(bytes: string, at: number): number {
  return (bytes.charCodeAt(at) << 16) | (bytes.charCodeAt(at + 1) << 8) | bytes.charCodeAt(at + 2)
}
