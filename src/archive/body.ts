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
  return detail ? JSON.stringify(detail) : null
}

/** Equal for messages that say the same. 48 bits, so that it fits a JavaScript number. */
export function hashOf(message: Message, detail: string | null): number {
  const { role, kind, createdAt, model, usage, latencyMs, undone } = message
  const facts = JSON.stringify([role, kind, createdAt, model, usage, latencyMs, undone ?? false])
  return hash('sha1', `${facts}\0${message.text}\0${detail}`, 'buffer').readUIntBE(0, 6)
}
