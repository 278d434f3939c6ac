import type { Message, MessageKind, Role } from '../../model/chat.ts'
import { toolText } from '../../model/tool-text.ts'
import type { ArchivedMessage } from '../archive.ts'
import type { Bodies, BodyPlace } from './blocks.ts'
import { idFrom } from './message-id.ts'

/** The most that is searched of what was said or thought in one message; all of it is kept. */
const SEARCHED = 1_000_000

/** What of a message is searched, by field. */
export function wordsOf(message: Message): { said: string; thought: string; tools: string } {
  return { said: searched(message.text), thought: searched(message.thinking ?? ''), tools: toolText(message) }
}

export function searched(text: string): string {
  return text.length > SEARCHED ? text.slice(0, SEARCHED) : text
}

/** A message from its row and its body. */
export function messageFrom(row: Record<string, unknown>, bodies: Bodies): ArchivedMessage {
  const place = row as unknown as BodyPlace
  const written = bodies.detail(place)
  const { searches, ...detail } = written === null ? {} : JSON.parse(written)
  const usage = {
    input: row.input_tokens ?? undefined,
    output: row.output_tokens ?? undefined,
    cached: row.cached_tokens ?? undefined,
    cacheWrite: row.cache_write_tokens ?? undefined,
    reasoning: row.reasoning_tokens ?? undefined,
    searches,
    cost: row.cost ?? undefined,
  } as NonNullable<Message['usage']>
  return {
    key: Number(row.key),
    id: idFrom(row.id),
    index: Number(row.place),
    order: Number(row.position),
    role: row.role as Role,
    kind: row.kind as MessageKind,
    ...(row.created_at !== null && { createdAt: Number(row.created_at) }),
    text: bodies.text(place),
    ...detail,
    ...(row.model !== null && { model: String(row.model) }),
    ...(Object.values(usage).some((value) => value !== undefined) && { usage }),
    ...(row.latency_ms !== null && { latencyMs: Number(row.latency_ms) }),
    ...(row.undone ? { undone: true } : {}),
    ...(row.copy_of !== null && { copy: true }),
  }
}
