import path from 'node:path'
import type { Attachment, Message, MessageKind, ToolCall, ToolResult, Usage } from '../../model/chat.ts'
import { type Json, list, number, object, objects, parsed, plain, string, words } from '../json.ts'
import { behindCommand } from '../slash.ts'

/** The messages of a thread, of the present format (0.3: `User`, `Agent`) or of the older ones (0.1, 0.2 and before). */
export function threadMessages(thread: Json, typedKind: MessageKind): Message[] {
  const model = words(object(thread.model)?.model)
  const entries = list(thread.messages)
  const tagged = entries.some(
    (entry) => entry === 'Resume' || object(object(entry)?.User) || object(object(entry)?.Agent),
  )
  return tagged
    ? presentMessages(entries, thread, typedKind, model)
    : olderMessages(objects(entries), typedKind, model)
}

function presentMessages(
  entries: unknown[],
  thread: Json,
  typedKind: MessageKind,
  model?: string,
): Message[] {
  const usages = object(thread.request_token_usage)
  const messages: Message[] = []
  let turn = 'start'
  let answers = 0
  let answer: Message | undefined
  const endTurn = () => {
    const usage = usages && Object.hasOwn(usages, turn) ? object(usages[turn]) : undefined
    if (answer && usage) answer.usage = usageOf(usage)
    answer = undefined
  }
  entries.forEach((entry, order) => {
    const user = object(object(entry)?.User)
    const agent = object(object(entry)?.Agent)
    if (user) {
      endTurn()
      turn = words(user.id) ?? `m${order}`
      answers = 0
      const { text, attachments } = typedIn(list(user.content))
      if (!text && !attachments) return
      const typed = text ? saidAs(text, typedKind) : { kind: 'injected' as const, text }
      messages.push({ id: turn, order, role: 'user', ...typed, attachments })
    } else if (agent) {
      answer = { id: `${turn}/${answers++}`, order, ...assistantMessage(agent), model }
      messages.push(answer)
    }
  })
  endTurn()
  return messages
}

/** Commands of a Zed thread are prompts of MCP servers and of agents. */
function saidAs(text: string, typedKind: MessageKind): Pick<Message, 'kind' | 'via' | 'text'> {
  return typedKind === 'request' ? behindCommand(text) : { kind: typedKind, text }
}

function typedIn(content: unknown[]): { text: string; attachments?: Attachment[] } {
  const texts: string[] = []
  const attachments: Attachment[] = []
  for (const part of content) {
    const about = object(part)
    const mention = object(about?.Mention)
    if (typeof about?.Text === 'string') texts.push(about.Text)
    else if (about?.Image !== undefined) attachments.push({ name: 'image', type: 'image' })
    else if (mention) {
      const attachment = mentioned(mention)
      attachments.push(attachment)
      texts.push(`@${attachment.name}`)
    }
  }
  return { text: texts.join('').trim(), attachments: attachments.length > 0 ? attachments : undefined }
}

/** `uri` is a tagged place: `{"File": {"abs_path": "…"}}`, `{"Fetch": {"url": "…"}}`, or a plain URI. */
function mentioned(mention: Json): Attachment {
  const uri = object(mention.uri)
  const type = uri ? (Object.keys(uri)[0] ?? 'mention') : 'mention'
  const place = object(uri?.[type])
  const file = words(place?.abs_path) ?? words(place?.path)
  const url = words(place?.url) ?? words(mention.uri)
  return {
    name: words(place?.name) ?? (file ? path.basename(file) : undefined) ?? url ?? type,
    type: type.toLowerCase(),
    path: file,
    url,
    bytes: typeof mention.content === 'string' ? Buffer.byteLength(mention.content) : undefined,
  }
}

function assistantMessage(agent: Json): Omit<Message, 'id' | 'order'> {
  const texts: string[] = []
  const thoughts: string[] = []
  const toolCalls: ToolCall[] = []
  for (const part of objects(agent.content)) {
    const use = object(part.ToolUse)
    const thought = words(object(part.Thinking)?.text)
    if (typeof part.Text === 'string') texts.push(part.Text)
    else if (thought) thoughts.push(thought)
    else if (use) toolCalls.push(callOf(use, toolCalls.length))
  }
  const results = Object.entries(object(agent.tool_results) ?? {})
  return {
    role: 'assistant',
    kind: 'answer',
    text: texts.join('').trim(),
    thinking: thoughts.join('\n') || undefined,
    toolCalls: toolCalls.length > 0 ? toolCalls : undefined,
    toolResults:
      results.length > 0 ? results.map(([id, result]) => resultOf(id, object(result) ?? {})) : undefined,
  }
}

/** In 0.1 a tool's results stood in the user message after the answer; later in the answer itself. */
function olderMessages(entries: Json[], typedKind: MessageKind, model?: string): Message[] {
  const messages: Message[] = []
  for (const [order, entry] of entries.entries()) {
    const role = string(entry.role)?.toLowerCase()
    const segments = objects(entry.segments)
    const text = segments.length > 0 ? segmentText(segments, 'text') : (string(entry.text) ?? '').trim()
    const toolResults = objects(entry.tool_results).map((result) =>
      resultOf(plain(result.tool_use_id), result),
    )
    const about = { id: `m${order}`, order }
    if (role === 'assistant') {
      const toolCalls = objects(entry.tool_uses).map(callOf)
      messages.push({
        ...about,
        role: 'assistant',
        kind: 'answer',
        text,
        thinking: segmentText(segments, 'thinking') || undefined,
        toolCalls: toolCalls.length > 0 ? toolCalls : undefined,
        toolResults: toolResults.length > 0 ? toolResults : undefined,
        model,
      })
    } else if (role === 'user' && toolResults.length > 0) {
      messages.push({ ...about, role: 'tool', kind: 'tool', text: '', toolResults })
    } else if (role === 'user' && text) {
      const typed = entry.is_hidden === true ? { kind: 'injected' as const, text } : saidAs(text, typedKind)
      messages.push({ ...about, role: 'user', ...typed })
    }
  }
  return messages
}

function segmentText(segments: Json[], type: string): string {
  return segments
    .filter((segment) => segment.type === type)
    .map((segment) => string(segment.text) ?? '')
    .join('')
    .trim()
}

function callOf(use: Json, index: number): ToolCall {
  const args = use.input ?? parsed(use.raw_input)
  return { id: words(use.id) ?? `call${index}`, tool: words(use.name) ?? 'unknown', args }
}

function resultOf(callId: string, result: Json): ToolResult {
  const text = contentText(result.content) || plain(result.output)
  return result.is_error === true ? { callId, error: text } : { callId, text }
}

/** A string, `{"Text": "…"}`, `{"type": "text", "text": "…"}`, or a list of such. */
function contentText(content: unknown): string {
  if (typeof content === 'string') return content
  if (Array.isArray(content))
    return content
      .map((part) => partText(part))
      .filter(Boolean)
      .join('\n')
  return partText(content)
}

function partText(part: unknown): string {
  if (typeof part === 'string') return part
  const about = object(part)
  if (about?.Image !== undefined) return '[image]'
  return string(about?.Text) ?? string(about?.text) ?? string(object(about?.Text)?.text) ?? ''
}

/** Zed counts cached tokens apart from `input_tokens`. */
function usageOf(usage: Json): Usage {
  const cached = number(usage.cache_read_input_tokens)
  const cacheWrite = number(usage.cache_creation_input_tokens)
  const input = (number(usage.input_tokens) ?? 0) + (cached ?? 0) + (cacheWrite ?? 0)
  return { input, output: number(usage.output_tokens), cached, cacheWrite }
}
