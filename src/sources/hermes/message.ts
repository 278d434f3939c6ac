import type { Message } from '../../model/chat.ts'
import { type Json, millis, number, object, objects, parsed, plain, string, words } from '../json.ts'

/** A row of `messages`, as the models' interfaces have them. */
export function messageOf(row: Json, model: string | undefined): Message | undefined {
  const order = number(row.row)
  if (order === undefined) return undefined
  const about = { id: plain(row.id) || `row-${order}`, order, createdAt: millis(row.timestamp) }
  const text = textIn(row.content)
  switch (row.role) {
    case 'user':
      return words(text) ? { ...about, role: 'user', ...said(text) } : undefined
    case 'assistant': {
      const thinking = words(row.reasoning) ?? words(row.reasoning_content)
      const toolCalls = objects(parsed(row.tool_calls)).map((call) => ({
        id: string(call.id) ?? '',
        tool: words(object(call.function)?.name) ?? 'unknown',
        args: parsed(object(call.function)?.arguments),
      }))
      if (!words(text) && !thinking && toolCalls.length === 0) return undefined
      return {
        ...about,
        role: 'assistant',
        kind: 'answer',
        text,
        ...(thinking && { thinking }),
        ...(toolCalls.length > 0 && { toolCalls }),
        ...(model && { model }),
      }
    }
    case 'tool': {
      const toolResults = [{ callId: string(row.tool_call_id) ?? '', text }]
      return { ...about, role: 'tool', kind: 'tool', text: '', toolResults }
    }
    case 'system':
      return words(text) ? { ...about, role: 'system', kind: 'injected', text } : undefined
    default:
      return undefined
  }
}

/** The whole of a skill is put before what was written behind its name. */
function said(text: string): Pick<Message, 'kind' | 'text' | 'via'> {
  const skill = /^\[SYSTEM: The user has invoked the "([^"\n]{1,100})" skill/.exec(text)?.[1]
  if (!skill) return { kind: 'request', text }
  const own = /\n[^\n]*the following instruction[^\n:]*:\s*([\s\S]+)$/i.exec(text)?.[1]
  return own ? { kind: 'request', text: own.trim(), via: `/${skill}` } : { kind: 'command', text }
}

/** Text, or parts of it as JSON. */
function textIn(content: unknown): string {
  const text = string(content) ?? ''
  if (!text.startsWith('[{')) return text
  const parts = objects(parsed(text)).flatMap((part) => words(part.text) ?? [])
  return parts.length > 0 ? parts.join('\n') : text
}
