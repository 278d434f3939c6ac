import type { AgentEvent, Approval, RunResult, SessionMessage } from '../../lib/types.ts'

/** What a person sees of a dialog, in order. */
export type Part =
  | { kind: 'request'; text: string }
  | { kind: 'text'; text: string }
  | { kind: 'thinking'; text: string }
  | { kind: 'tool'; call: Call }
  | { kind: 'approval'; approval: Approval }
  | { kind: 'notice'; text: string }

export interface Call {
  id: string
  tool: string
  args?: unknown
  result?: { success: boolean; text: string; durationMs?: number }
}

/** A dialog as it was written down. */
export function partsOf(messages: SessionMessage[]): Part[] {
  const parts: Part[] = []
  for (const { role, text, toolCalls = [], toolResult } of messages) {
    if (toolResult) answered(parts, toolResult.id, { success: toolResult.success, text: toolResult.result })
    else if (role === 'user') parts.push({ kind: 'request', text })
    else if (text !== '') parts.push({ kind: 'text', text })
    for (const call of toolCalls) parts.push({ kind: 'tool', call })
  }
  return parts
}

/** The dialog with one more thing that happened. */
export function withEvent(parts: Part[], event: AgentEvent): Part[] {
  const last = parts.at(-1)
  switch (event.type) {
    case 'text':
    case 'thinking':
      return last?.kind === event.type
        ? [...parts.slice(0, -1), { ...last, text: last.text + event.text }]
        : [...parts, { kind: event.type, text: event.text }]
    case 'tool-call': {
      const { id, tool, args } = event
      // After an approval the same call is told again.
      const known = parts.some((part) => part.kind === 'tool' && part.call.id === id)
      return known ? parts : [...parts, { kind: 'tool', call: { id, tool, args } }]
    }
    case 'tool-result': {
      const next = [...parts]
      const { success, result: text, durationMs } = event
      answered(next, event.id, { success, text, durationMs })
      return next
    }
    case 'approval':
      return [
        ...parts.filter((part) => part.kind !== 'approval' || part.approval.id !== event.approval.id),
        { kind: 'approval', approval: event.approval },
      ]
    case 'notice':
      return [...parts, { kind: 'notice', text: event.text }]
    case 'start':
    case 'step':
      return parts
  }
}

/** The chats that tools of Recollect gave, each once: what an answer is based upon. */
export function chatsRead(parts: Part[]): { id: string; title: string }[] {
  const chats = new Map<string, string>()
  for (const part of parts) {
    if (part.kind !== 'tool' || !part.call.result?.success) continue
    for (const { id, title } of chatsIn(part.call.result.text)) chats.set(id, chats.get(id) ?? title)
  }
  return [...chats].map(([id, title]) => ({ id, title })).slice(0, 12)
}

export function isRunResult(value: unknown): value is RunResult {
  return typeof value === 'object' && value !== null && 'sessionId' in value && 'status' in value
}

function answered(parts: Part[], id: string, result: NonNullable<Call['result']>): void {
  const at = parts.findLastIndex((part) => part.kind === 'tool' && part.call.id === id)
  const part = parts[at]
  if (part?.kind === 'tool') parts[at] = { kind: 'tool', call: { ...part.call, result } }
}

/** Found in the answers of search_conversations, gather_chats and list_chats. */
function chatsIn(text: string): { id: string; title: string }[] {
  let answer: unknown
  try {
    answer = JSON.parse(text)
  } catch {
    return []
  }
  if (!isRecord(answer)) return []
  return [answer.results, answer.meta, answer.chats, [answer.chat]].flat().flatMap((chat) => {
    if (!isRecord(chat)) return []
    const id = chat.chatId ?? chat.id
    return typeof id === 'string' && typeof chat.title === 'string' ? { id, title: chat.title } : []
  })
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
