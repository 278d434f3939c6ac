import type { Attachment, Message, MessageKind, ToolCall, ToolResult, Usage } from '../../model/chat.ts'
import { type Json, millis, number, object, objects, parsed, plain, string, words } from '../json.ts'
import { behindCommand } from '../slash.ts'
import { isSummary, oldResult, typedInResult, typedText } from './wrappers.ts'
import { takeApart, unwrapped } from './xml-tools.ts'

/** What these tools are called with is what the assistant says to the person. */
const SPEECH: Record<string, string> = {
  attempt_completion: 'result',
  ask_followup_question: 'question',
  plan_mode_respond: 'response',
  act_mode_respond: 'response',
}

/** The messages of a transcript in the model's own form: roles with blocks of text, tool calls and results. */
export function conversation(entries: Json[], typedKind: MessageKind): Message[] {
  const messages: Message[] = []
  /** Calls written as XML have no id; their results follow in the next user message, in order. */
  let unanswered: Asked[] = []
  entries.forEach((entry, index) => {
    const id = words(entry.id) ?? `m${index}`
    const about = { id, order: index * 4, createdAt: millis(entry.ts) }
    if (entry.role === 'assistant') {
      const { asked, ...answer } = assistantMessage(entry, id)
      unanswered = asked
      messages.push({ ...about, ...answer })
    } else if (entry.role === 'user') {
      messages.push(...userMessages(entry, about, typedKind, unanswered))
    }
  })
  return messages
}

/** A call that waits for its result; a question of the assistant is one too, though it is told as words. */
type Asked = Pick<ToolCall, 'id' | 'tool'>

function assistantMessage(
  entry: Json,
  id: string,
): Omit<Message, 'id' | 'order' | 'createdAt'> & { asked: Asked[] } {
  const said: string[] = []
  const thought: string[] = []
  const toolCalls: ToolCall[] = []
  const asked: Asked[] = []
  const called = (callId: string, name: string, input: Json | undefined) => {
    asked.push({ id: callId, tool: name })
    const speech = Object.hasOwn(SPEECH, name) ? words(input?.[SPEECH[name]!]) : undefined
    if (speech) said.push(speech)
    else toolCalls.push({ id: callId, ...unwrapped(name, input) })
  }
  for (const block of blocksOf(entry.content)) {
    if (block.type === 'text') {
      const { text, thinking, calls } = takeApart(string(block.text) ?? '')
      if (text) said.push(text)
      if (thinking) thought.push(thinking)
      for (const { tool, params } of calls) called(`${id}.${asked.length}`, tool, params)
    } else if (block.type === 'thinking' || block.type === 'reasoning') {
      const thinking = words(block.thinking) ?? words(block.text)
      if (thinking) thought.push(thinking)
    } else if (block.type === 'tool_use') {
      const input = object(parsed(block.input))
      called(words(block.id) ?? `${id}.${asked.length}`, words(block.name) ?? 'unknown', input)
    }
  }
  return {
    role: 'assistant',
    asked,
    kind: entry.isSummary === true ? 'summary' : 'answer',
    text: said.join('\n\n'),
    thinking: thought.join('\n') || undefined,
    toolCalls: toolCalls.length > 0 ? toolCalls : undefined,
    model: words(object(entry.modelInfo)?.id) ?? words(object(entry.modelInfo)?.modelId),
    usage: usageOf(object(entry.metrics)),
  }
}

/** One entry of the user's role may hold tool results, the person's words, and much that was added. */
function userMessages(
  entry: Json,
  about: { id: string; order: number; createdAt?: number },
  typedKind: MessageKind,
  unanswered: Asked[],
): Message[] {
  const toolOf = (callId: string) => unanswered.find((call) => call.id === callId)?.tool
  const typed: Pick<Message, 'text' | 'via'>[] = []
  const toolResults: ToolResult[] = []
  const attachments: Attachment[] = []
  let summary: string | undefined
  let open: ToolResult | undefined
  for (const block of blocksOf(entry.content)) {
    if (block.type === 'tool_result') {
      const text = resultText(block.content)
      const result = { callId: words(block.tool_use_id) ?? '' }
      toolResults.push(block.is_error === true ? { ...result, error: text } : { ...result, text })
      const said = typedInResult(text, toolOf(result.callId))
      if (said) typed.push(said)
    } else if (block.type === 'image') {
      attachments.push({ name: 'image', type: 'image', mimeType: words(object(block.source)?.media_type) })
    } else if (block.type === 'text') {
      const text = string(block.text) ?? ''
      const old = oldResult(text)
      if (old) {
        const call = unanswered.find(({ tool }) => tool === old.tool) ?? unanswered[0]
        open = { callId: call?.id ?? old.tool, text: old.text }
        toolResults.push(open)
        const said = typedInResult(old.text, old.tool)
        if (said) typed.push(said)
      } else if (entry.isSummary === true || isSummary(text)) {
        summary = summary ? `${summary}\n\n${text}` : text
      } else if (open?.text === '') {
        open.text = text
        const said = typedInResult(text, toolOf(open.callId))
        if (said) typed.push(said)
      } else {
        const said = typedText(text)
        if (said) typed.push({ text: said })
      }
    }
  }
  const { id, order, createdAt } = about
  const messages: Message[] = []
  if (toolResults.length > 0) {
    messages.push({
      id: `${id}/results`,
      order,
      createdAt,
      role: 'tool',
      kind: 'tool',
      text: '',
      toolResults,
    })
  }
  if (summary) {
    messages.push({
      id: `${id}/summary`,
      order: order + 1,
      createdAt,
      role: 'user',
      kind: 'summary',
      text: summary,
    })
  }
  const plainly = typed.filter(({ via }) => !via).map(({ text }) => text)
  const ways = typed.filter(({ via }) => via)
  ways.forEach(({ text, via }, each) => {
    const own = plainly.length === 0 && each === 0 && attachments.length === 0 ? id : `${id}/said/${each}`
    messages.push({
      id: own,
      order: order + 2 + each / 100,
      createdAt,
      role: 'user',
      kind: typedKind,
      via,
      text,
    })
  })
  if (plainly.length > 0 || attachments.length > 0) {
    const text = plainly.join('\n\n')
    const asked =
      text && typedKind === 'request' ? behindCommand(text) : { kind: text ? typedKind : 'injected', text }
    messages.push({
      id,
      order: order + 3,
      createdAt,
      role: 'user',
      ...(asked as Pick<Message, 'kind' | 'text' | 'via'>),
      attachments: attachments.length > 0 ? attachments : undefined,
    })
  }
  return messages
}

function blocksOf(content: unknown): Json[] {
  return typeof content === 'string' ? [{ type: 'text', text: content }] : objects(content)
}

function resultText(content: unknown): string {
  if (typeof content === 'string') return content
  if (!Array.isArray(content)) return plain(content)
  return objects(content)
    .map((part) => string(part.text) ?? (part.type === 'image' ? '[image]' : ''))
    .filter(Boolean)
    .join('\n')
}

/** The metrics of the CLI count cached tokens in `inputTokens`. */
function usageOf(metrics: Json | undefined): Usage | undefined {
  if (!metrics) return undefined
  return {
    input: number(metrics.inputTokens),
    output: number(metrics.outputTokens),
    cached: number(metrics.cacheReadTokens),
    cacheWrite: number(metrics.cacheWriteTokens),
    cost: number(metrics.cost) || undefined,
  }
}
