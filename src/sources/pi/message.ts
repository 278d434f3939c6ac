import type { Attachment, Message, ToolCall, Usage } from '../../model/chat.ts'
import { type Json, millis, number, object, objects, plain, string, words } from '../json.ts'

/** What is known of a message before it is looked into. */
export type About = Pick<Message, 'id' | 'order' | 'createdAt'>

/** A message as pi and its relatives store it. Nothing for what says nothing to anybody: the system prompt. */
export function toMessage(about: About, message: Json): Message | undefined {
  const text = textIn(message.content)
  switch (message.role) {
    case 'user': {
      const attachments = objects(message.content).flatMap(toAttachment)
      if (!words(text) && attachments.length === 0) return undefined
      return {
        ...about,
        role: 'user',
        kind: 'request',
        text,
        ...(attachments.length > 0 && { attachments }),
      }
    }
    case 'assistant':
      return toAnswer(about, message, text)
    case 'toolResult': {
      const callId = string(message.toolCallId) ?? ''
      const result = message.isError === true ? { callId, error: text || 'failed' } : { callId, text }
      return { ...about, role: 'tool', kind: 'tool', text: '', toolResults: [result] }
    }
    case 'bashExecution':
      return { ...about, role: 'user', kind: 'command', text: shellText(message) }
    case 'custom':
      return words(text) ? { ...about, role: 'user', kind: 'injected', text } : undefined
    case 'branchSummary':
    case 'compactionSummary':
      return toSummary(about, message.summary)
    default:
      return undefined
  }
}

/** What was written down before the rest was left behind. */
export function toSummary(about: About, summary: unknown): Message | undefined {
  const text = words(summary)
  return text === undefined ? undefined : { ...about, role: 'assistant', kind: 'summary', text }
}

/** Text of a message: a string, or the text among its parts. */
export function textIn(content: unknown): string {
  if (typeof content === 'string') return content
  return objects(content)
    .flatMap((part) => (part.type === 'text' ? (words(part.text) ?? []) : []))
    .join('\n\n')
}

function toAnswer(about: About, message: Json, text: string): Message {
  const parts = objects(message.content)
  const thinking = parts.flatMap((part) => (part.type === 'thinking' ? (words(part.thinking) ?? []) : []))
  const toolCalls = parts.filter(({ type }) => type === 'toolCall').map(toCall)
  const failure = message.stopReason === 'error' ? words(message.errorMessage) : undefined
  const isMute = text === '' && toolCalls.length === 0 && failure !== undefined
  return {
    ...about,
    role: 'assistant',
    kind: isMute ? 'notice' : 'answer',
    text: isMute ? failure : text,
    model: words(message.model),
    usage: toUsage(message.usage),
    ...(thinking.length > 0 && { thinking: thinking.join('\n\n') }),
    ...(toolCalls.length > 0 && { toolCalls }),
    ...(message.stopReason === 'error' && { outcome: 'failed' as const }),
    ...(message.stopReason === 'aborted' && { outcome: 'cancelled' as const }),
  }
}

function toCall(part: Json): ToolCall {
  return { id: string(part.id) ?? '', tool: words(part.name) ?? 'unknown', args: part.arguments }
}

/** `input` leaves out what the cache gave. */
function toUsage(value: unknown): Usage | undefined {
  const usage = object(value)
  const [input, output] = [number(usage?.input), number(usage?.output)]
  if (!usage || (input === undefined && output === undefined)) return undefined
  const [cached, cacheWrite] = [number(usage.cacheRead) ?? 0, number(usage.cacheWrite) ?? 0]
  const cost = number(object(usage.cost)?.total)
  return {
    input: (input ?? 0) + cached + cacheWrite,
    output,
    cached,
    cacheWrite,
    reasoning: number(usage.reasoning) ?? number(usage.reasoningTokens),
    // A model without a price costs 0 here, which is not known to be true.
    ...(cost !== undefined && cost > 0 && { cost }),
  }
}

function toAttachment(part: Json): Attachment[] {
  if (part.type !== 'image') return []
  const data = string(part.data)
  const bytes = data === undefined ? undefined : Math.floor((data.length * 3) / 4)
  return [{ name: 'image', type: 'image', mimeType: words(part.mimeType), bytes, ...(data && { data }) }]
}

/** A command that the person ran with `!`. */
function shellText({ command, output }: Json): string {
  return [`!${plain(command)}`, plain(output)].filter((line) => line !== '').join('\n')
}

/** When a message says that it was said. */
export function saidAt(entry: Json): number | undefined {
  return millis(object(entry.message)?.timestamp) ?? millis(entry.timestamp)
}
