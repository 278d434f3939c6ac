import { createHash } from 'node:crypto'
import type { Message, ToolResult } from '../../model/chat.ts'
import { type Json, list, millis, object, objects, plain, string, words } from '../json.ts'

/**
 * The turns of a conversation as the command line programs keep it. Old turns are dropped from the front as it
 * grows long, so a turn is known by its answer's id and stands where its time says.
 */
export function historyMessages(value: Json): Message[] {
  const messages: Message[] = []
  const model = modelOf(value.model_info)
  let order = 0
  const tell = (message: Omit<Message, 'order'>) => {
    order = Math.max(order + 1, message.createdAt ?? 0)
    messages.push({ ...message, order })
  }
  for (const [index, turn] of objects(value.history).entries()) {
    const user = object(turn.user)
    const assistant = object(turn.assistant)
    const answer = object(assistant?.Response) ?? object(assistant?.ToolUse)
    const id = words(answer?.message_id) ?? `turn-${index}`
    const createdAt = millis(user?.timestamp)
    for (const message of saidBy(user, id)) tell({ ...message, createdAt })
    if (!answer) continue
    const toolCalls = objects(answer.tool_uses).map((call) => ({
      id: string(call.id) ?? '',
      tool: words(call.name) ?? words(call.orig_name) ?? 'unknown',
      args: call.args ?? call.orig_args,
    }))
    const text = string(answer.content) ?? ''
    if (!words(text) && toolCalls.length === 0) continue
    tell({
      id,
      role: 'assistant',
      kind: 'answer',
      createdAt: millis(object(turn.request_metadata)?.stream_end_timestamp_ms),
      text,
      ...(model && { model }),
      ...(toolCalls.length > 0 && { toolCalls }),
    })
  }
  return [...summaryOf(value.latest_summary, messages[0]), ...messages]
}

/** What came before the turn's answer: a prompt, what tools gave back, or a prompt instead of that. */
function* saidBy(user: Json | undefined, id: string): Generator<Omit<Message, 'order'>> {
  const content = object(user?.content)
  const [kind] = Object.keys(content ?? {})
  const said = object(content?.[kind ?? ''])
  const isCancelled = kind === 'CancelledToolUses'
  const toolResults = objects(said?.tool_use_results).map((result) => resultOf(result, isCancelled))
  if (toolResults.length > 0) yield { id: `${id}/results`, role: 'tool', kind: 'tool', text: '', toolResults }
  const text = string(said?.prompt)
  if (words(text))
    yield {
      id: `${id}/user`,
      role: 'user',
      kind: 'request',
      text: text!,
      ...(isCancelled && { via: 'refusal' }),
    }
}

function resultOf(result: Json, isCancelled: boolean): ToolResult {
  const callId = string(result.tool_use_id) ?? ''
  const text = objects(result.content)
    .map((part) => string(part.Text) ?? plain(part.Json))
    .filter(Boolean)
    .join('\n')
  if (isCancelled) return { callId, error: text || 'cancelled' }
  return result.status === 'Error' ? { callId, error: text || 'failed' } : { callId, text }
}

/** What is left of the turns that were compacted. */
function* summaryOf(summary: unknown, first: Message | undefined): Generator<Message> {
  const text = words(summary) ?? words(list(summary)[0])
  if (!text) return
  const id = `summary-${createHash('sha1').update(text).digest('hex').slice(0, 10)}`
  yield { id, order: (first?.order ?? 1) - 0.5, role: 'system', kind: 'summary', text }
}

function modelOf(info: unknown): string | undefined {
  return words(info) ?? words(object(info)?.model_id) ?? words(object(info)?.model_name)
}
