import path from 'node:path'
import type { Chat, Message } from '../../model/chat.ts'
import { type Json, millis, object, objects, plain, string, words } from '../json.ts'
import { readLineFile } from '../line-file.ts'
import type { Checkpoint, Found } from '../source.ts'
import { documentIn } from './document.ts'

/** `sessions/cli/<id>.jsonl`; what the session is called stands in `<id>.json`. */
export function readCliSession(file: string, from: Checkpoint | undefined): Iterable<Found> {
  const about = documentIn(file.replace(/\.jsonl$/, '.json'))
  const chat: Chat = {
    source: 'kiro',
    id: words(about?.session_id) ?? path.basename(file, '.jsonl'),
    title: words(about?.title),
    workspace: words(about?.cwd),
    createdAt: millis(about?.created_at),
    updatedAt: millis(about?.updated_at),
    format: 'cli',
  }
  return readLineFile(file, from, chat, messagesIn)
}

function* messagesIn({ kind, data }: Json, order: number): Generator<Message> {
  const said = object(data)
  const parts = objects(said?.content)
  const text = parts.flatMap((part) => (part.kind === 'text' ? (words(part.data) ?? []) : [])).join('\n')
  const about = {
    id: words(said?.message_id) ?? `at-${order}`,
    order,
    createdAt: millis(object(said?.meta)?.timestamp) ?? millis(said?.timestamp),
  }
  if (kind === 'Prompt' && text) yield { ...about, role: 'user', kind: 'request', text }
  if (kind === 'AssistantMessage') {
    const toolCalls = dataOf(parts, 'toolUse').map((call) => ({
      id: string(call.toolUseId) ?? '',
      tool: words(call.name) ?? 'unknown',
      args: call.input,
    }))
    if (!text && toolCalls.length === 0) return
    yield { ...about, role: 'assistant', kind: 'answer', text, ...(toolCalls.length > 0 && { toolCalls }) }
  }
  if (kind === 'ToolResults') {
    const toolResults = dataOf(parts, 'toolResult').map((result) => {
      const callId = string(result.toolUseId) ?? ''
      const told = textIn(result.content)
      return result.status === 'error' ? { callId, error: told || 'failed' } : { callId, text: told }
    })
    if (toolResults.length > 0) yield { ...about, role: 'tool', kind: 'tool', text: '', toolResults }
  }
}

function dataOf(parts: Json[], kind: string): Json[] {
  return objects(parts.filter((part) => part.kind === kind).map(({ data }) => data))
}

function textIn(content: unknown): string {
  if (!Array.isArray(content)) return plain(content)
  return objects(content)
    .map(({ data }) => plain(data))
    .filter(Boolean)
    .join('\n')
}
