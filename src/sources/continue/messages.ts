import path from 'node:path'
import type { Attachment, Message, ToolCall, ToolResult, Usage } from '../../model/chat.ts'
import { type Json, list, millis, number, object, objects, parsed, plain, string, words } from '../json.ts'
import { behindCommand } from '../slash.ts'
import { pathOf } from './place.ts'

/** The messages of a session's `history`. */
export function historyMessages(history: Json[]): Message[] {
  const messages: Message[] = []
  const answered = new Set<string>()
  /** Some models' thoughts are messages of their own, before the answer they led to. */
  let thought = ''
  history.forEach((item, index) => {
    const message = object(item.message)
    if (!message) return
    const createdAt = timeOf(item) ?? timeOf(message)
    const about = { id: words(message.id) ?? `m${index}`, order: index * 2, ...(createdAt && { createdAt }) }
    if (message.role === 'user') {
      const { text, attachments } = spoken(message.content)
      const all = [...attachments, ...contextOf(objects(item.contextItems))]
      if (text.trim() || all.length > 0) {
        const said = text.trim() ? behindCommand(text) : { kind: 'injected' as const, text }
        messages.push({ ...about, role: 'user', ...said, attachments: all.length > 0 ? all : undefined })
      }
    } else if (message.role === 'thinking') {
      thought += spoken(message.content).text
    } else if (message.role === 'assistant') {
      messages.push({ ...about, ...answerOf(item, message, thought, answered) })
      thought = ''
    } else if (message.role === 'tool') {
      const callId = string(message.toolCallId) ?? ''
      if (!answered.has(callId)) {
        const toolResults = [{ callId, text: spoken(message.content).text }]
        messages.push({ ...about, role: 'tool', kind: 'tool', text: '', toolResults })
      }
    }
    const summary = words(item.conversationSummary)
    if (summary) {
      messages.push({
        id: `${about.id}/summary`,
        order: about.order + 1,
        ...(createdAt && { createdAt }),
        role: 'assistant',
        kind: 'summary',
        text: summary,
      })
    }
  })
  return messages
}

/** Newer versions note when each item was made. */
function timeOf(from: Json): number | undefined {
  return millis(from.timestamp) ?? millis(from.createdAt) ?? millis(from.dateCreated)
}

function answerOf(
  item: Json,
  message: Json,
  thought: string,
  answered: Set<string>,
): Omit<Message, 'id' | 'order'> {
  const states = objects(item.toolCallStates)
  const calls = objects(message.toolCalls)
  const toolCalls = (calls.length > 0 ? calls : states.map(({ toolCall }) => object(toolCall) ?? {})).map(
    callOf,
  )
  const toolResults = states.flatMap(resultOf)
  for (const { callId } of toolResults) answered.add(callId)
  const usage = object(message.usage)
  const thinking = [thought, words(object(item.reasoning)?.text)].filter(Boolean).join('\n')
  return {
    role: 'assistant',
    kind: 'answer',
    text: spoken(message.content).text,
    thinking: thinking || undefined,
    toolCalls: toolCalls.length > 0 ? toolCalls : undefined,
    toolResults: toolResults.length > 0 ? toolResults : undefined,
    model: words(usage?.model) ?? words(objects(item.promptLogs).at(-1)?.modelTitle),
    usage: usageOf(usage),
  }
}

function callOf(call: Json, index: number): ToolCall {
  const asked = object(call.function)
  return {
    id: words(call.id) ?? `call${index}`,
    tool: words(asked?.name) ?? 'unknown',
    args: parsed(asked?.arguments),
  }
}

function resultOf(state: Json): ToolResult[] {
  const callId = words(state.toolCallId)
  const output = objects(state.output)
  if (!callId || (output.length === 0 && !Array.isArray(state.output))) return []
  const text = output.map(({ content }) => plain(content)).join('\n')
  return state.status === 'errored' ? [{ callId, error: text }] : [{ callId, text }]
}

/** The CLI counts in snake_case, the editors in camelCase. */
function usageOf(usage: Json | undefined): Usage | undefined {
  if (!usage) return undefined
  const prompt = object(usage.prompt_tokens_details) ?? object(usage.promptTokensDetails)
  const completion = object(usage.completion_tokens_details) ?? object(usage.completionTokensDetails)
  const cents = number(usage.cost_cents)
  return {
    input: number(usage.prompt_tokens) ?? number(usage.promptTokens),
    output: number(usage.completion_tokens) ?? number(usage.completionTokens),
    cached: number(prompt?.cached_tokens) ?? number(prompt?.cachedTokens),
    cacheWrite: number(prompt?.cache_write_tokens) ?? number(prompt?.cacheWriteTokens),
    reasoning: number(completion?.reasoning_tokens) ?? number(completion?.reasoningTokens),
    cost: cents ? cents / 100 : undefined,
  }
}

function spoken(content: unknown): { text: string; attachments: Attachment[] } {
  if (typeof content === 'string') return { text: content, attachments: [] }
  const texts: string[] = []
  const attachments: Attachment[] = []
  for (const part of objects(list(content))) {
    if (part.type === 'text') texts.push(string(part.text) ?? '')
    else if (part.type === 'imageUrl') {
      const url = string(object(part.imageUrl)?.url) ?? ''
      const mimeType = /^data:([\w.+-]+\/[\w.+-]+)[;,]/.exec(url.slice(0, 100))?.[1]
      attachments.push({
        name: 'image',
        type: 'image',
        mimeType,
        url: mimeType ? undefined : url || undefined,
      })
    }
  }
  return { text: texts.join('\n'), attachments }
}

/** What was added with `@` or by the editor; the text of it is not the person's. */
function contextOf(items: Json[]): Attachment[] {
  return items.flatMap((item): Attachment[] => {
    const uri = object(item.uri)
    const place = words(uri?.value)
    const name = words(item.name) ?? (place ? path.basename(place) : undefined)
    if (!name) return []
    const file = uri?.type === 'file' ? pathOf(place) : undefined
    return [
      {
        name,
        type: words(object(item.id)?.providerTitle) ?? words(uri?.type) ?? 'context',
        path: file,
        url: file ? undefined : place,
        bytes: typeof item.content === 'string' ? Buffer.byteLength(item.content) : undefined,
      },
    ]
  })
}
