import { createHash } from 'node:crypto'
import path from 'node:path'
import type { Attachment, Message, ToolCall, ToolResult, Usage } from '../../model/chat.ts'
import { type Json, millis, number, object, objects, parsed, plain, string, words } from '../json.ts'
import { readJson } from '../lines.ts'
import type { Found } from '../source.ts'

/** `<id>.conversation.json`, rewritten as a whole. */
export function* readConversation(file: string): Generator<Found> {
  let conversation: Json | undefined
  try {
    conversation = object(readJson(file))
  } catch (error) {
    yield { problem: { reason: (error as Error).message } }
    return
  }
  if (!conversation || !Array.isArray(conversation.messages)) {
    yield { problem: { reason: 'not an LM Studio conversation' } }
    return
  }
  const id = path.basename(file, '.conversation.json')
  const asked = millis(conversation.userLastMessagedAt)
  const answered = millis(conversation.assistantLastMessagedAt)
  const messages = messagesOf(objects(conversation.messages))
  if (messages.length === 0) return
  const lastRequest = messages.findLast(({ kind, undone }) => kind === 'request' && !undone)
  if (lastRequest) lastRequest.createdAt ??= asked
  yield {
    chat: {
      source: 'lm-studio',
      id,
      title: words(conversation.name),
      createdAt: millis(conversation.createdAt),
      updatedAt: Math.max(asked ?? 0, answered ?? 0) || undefined,
      format: formatOf(objects(conversation.messages)),
    },
  }
  for (const message of messages) yield { chatId: id, message }
}

/** Older versions had single-step answers; the file says no more of who wrote it. */
function formatOf(entries: Json[]): string | undefined {
  const answers = entries
    .flatMap(({ versions }) => objects(versions))
    .filter(({ role }) => role === 'assistant')
  if (answers.length === 0) return undefined
  return answers.some(({ steps }) => Array.isArray(steps)) ? 'multi-step' : 'single-step'
}

/** A message has a version for each time it was edited or answered anew; one of them is shown. */
function messagesOf(entries: Json[]): Message[] {
  const idOf = namer()
  return entries.flatMap((entry, index) => {
    const versions = objects(entry.versions)
    const shown = number(entry.currentlySelected) ?? 0
    return versions.flatMap((version, attempt): Message[] => {
      const message = messageOf(version)
      if (!message) return []
      const order = index + attempt / (versions.length + 1)
      const id = idOf(message, version)
      return [{ id, order, ...message, undone: attempt === shown ? undefined : true }]
    })
  })
}

/**
 * Messages have no ids, and when one is deleted the others move up. So an answer is called by its first step, and what has
 * no steps by its words.
 */
function namer(): (message: Omit<Message, 'id' | 'order'>, version: Json) => string {
  const used = new Map<string, number>()
  return ({ role, text, attachments = [] }, version) => {
    const step = objects(version.steps).flatMap(({ stepIdentifier }) => words(stepIdentifier) ?? [])[0]
    const said = [role, text, ...attachments.map(({ name }) => name)].join('\n')
    const name = step ?? createHash('sha256').update(said).digest('hex').slice(0, 16)
    const before = used.get(name) ?? 0
    used.set(name, before + 1)
    return before === 0 ? name : `${name}-${before}`
  }
}

function messageOf(version: Json): Omit<Message, 'id' | 'order'> | undefined {
  if (version.role === 'user') return requestOf(version)
  return version.role === 'assistant' ? answerOf(version) : undefined
}

function requestOf(version: Json): Omit<Message, 'id' | 'order'> | undefined {
  const parts = objects(version.content)
  const attachments = parts.filter(({ type }) => type === 'file' || type === 'image').map(attachmentOf)
  const text = textOf(parts)
  if (!text && attachments.length === 0) return undefined
  return {
    role: 'user',
    kind: text ? 'request' : 'injected',
    text,
    attachments: attachments.length > 0 ? attachments : undefined,
  }
}

/** Each piece of text, thought and tool call is a step of its own, but for single-step answers. */
function answerOf(version: Json): Omit<Message, 'id' | 'order'> | undefined {
  const steps = Array.isArray(version.steps) ? objects(version.steps) : [{ type: 'contentBlock', ...version }]
  const texts: string[] = []
  const thoughts: string[] = []
  const toolCalls: ToolCall[] = []
  const toolResults: ToolResult[] = []
  const runs: Json[] = []
  for (const step of steps) {
    const run = object(step.genInfo)
    if (run) runs.push(run)
    if (step.type !== 'contentBlock') continue
    const parts = objects(step.content)
    const text = textOf(parts)
    if (text) (object(step.style)?.type === 'thinking' ? thoughts : texts).push(text)
    for (const part of parts) {
      if (part.type === 'toolCallRequest') toolCalls.push(callOf(part, toolCalls.length))
      else if (part.type === 'toolCallResult') {
        toolResults.push({
          callId: callId(part) ?? toolCalls.at(-1)?.id ?? '',
          text: resultText(part.content),
        })
      }
    }
  }
  if (texts.length + thoughts.length + toolCalls.length + toolResults.length === 0) return undefined
  const seconds = runs.map((run) => number(object(run.stats)?.totalTimeSec) ?? 0).reduce((a, b) => a + b, 0)
  return {
    role: 'assistant',
    kind: 'answer',
    createdAt: timeOf(steps),
    text: texts.join('\n\n'),
    thinking: thoughts.join('\n') || undefined,
    toolCalls: toolCalls.length > 0 ? toolCalls : undefined,
    toolResults: toolResults.length > 0 ? toolResults : undefined,
    model: words(runs.at(-1)?.identifier) ?? words(object(version.senderInfo)?.senderName),
    usage: usageOf(runs),
    latencyMs: seconds > 0 ? Math.round(seconds * 1000) : undefined,
  }
}

function textOf(parts: Json[]): string {
  return parts
    .filter(({ type }) => type === 'text')
    .map(({ text }) => string(text) ?? '')
    .join('')
    .trim()
}

/** Steps are named by time and chance: `1770000001000-0.1`. */
function timeOf(steps: Json[]): number | undefined {
  for (const { stepIdentifier } of steps) {
    const stamp = /^(\d{13})-/.exec(string(stepIdentifier) ?? '')
    if (stamp) return Number(stamp[1])
  }
  return undefined
}

/** Tools of MCP servers come from a plugin named `mcp/<server>`. */
function callOf(part: Json, index: number): ToolCall {
  const server = words(part.pluginIdentifier)?.replace(/^mcp\//, '')
  const args = parsed(part.parameters ?? part.arguments)
  return { id: callId(part) ?? `call${index}`, server, tool: words(part.name) ?? 'unknown', args }
}

function callId(part: Json): string | undefined {
  return (
    words(part.toolCallRequestId) ??
    (number(part.callId) === undefined ? words(part.callId) : String(part.callId))
  )
}

/** A result is text, often the JSON of an MCP result: its content is what counts. */
function resultText(content: unknown): string {
  const value = parsed(content)
  const parts = objects(Array.isArray(value) ? value : object(value)?.content)
  return textOf(parts) || plain(content)
}

function attachmentOf(part: Json): Attachment {
  const name = words(part.name) ?? words(part.fileIdentifier) ?? 'file'
  return { name, type: words(part.fileType) ?? String(part.type), bytes: number(part.sizeBytes) }
}

function usageOf(runs: Json[]): Usage | undefined {
  if (runs.length === 0) return undefined
  const total = (field: string) =>
    runs.map((run) => number(object(run.stats)?.[field]) ?? 0).reduce((sum, count) => sum + count, 0)
  return { input: total('promptTokensCount'), output: total('predictedTokensCount') }
}
