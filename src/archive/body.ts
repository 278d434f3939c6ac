import type { Message } from '../model/chat.ts'
import { nodeCrypto } from '../platform/node-crypto.ts'

/** What a message has beside its text and the facts about it, as JSON; null where it is only text. */
export function detailOf(message: Message): string | null {
  const { via, thinking, thinkingMs, toolCalls, toolResults, citations, attachments, files, outcome } =
    message
  // Few calls have any: a column for it would be empty.
  const searches = message.usage?.searches || undefined
  const detail: Partial<Message> & { searches?: number } = {}
  if (via !== undefined) detail.via = via
  if (thinking !== undefined) detail.thinking = thinking
  if (thinkingMs !== undefined) detail.thinkingMs = thinkingMs
  if (isSome(toolCalls)) detail.toolCalls = toolCalls
  if (isSome(toolResults)) detail.toolResults = toolResults
  if (isSome(citations)) detail.citations = citations
  if (isSome(attachments)) detail.attachments = attachments
  if (isSome(files)) detail.files = files
  if (outcome !== undefined) detail.outcome = outcome
  if (searches !== undefined) detail.searches = searches
  for (const _ in detail) return JSON.stringify(detail)
  return null
}

function isSome(list: unknown[] | undefined): boolean {
  return list !== undefined && !(Array.isArray(list) && list.length === 0)
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
  const bytes = nodeCrypto().hash('sha1', written, 'binary')
  return threeBytes(bytes, 0) * 2 ** 24 + threeBytes(bytes, 3)
}

function threeBytes(bytes: string, at: number): number {
  return (bytes.charCodeAt(at) << 16) | (bytes.charCodeAt(at + 1) << 8) | bytes.charCodeAt(at + 2)
}
