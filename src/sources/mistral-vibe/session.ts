import path from 'node:path'
import type { Attachment, Chat, Message, ToolCall } from '../../model/chat.ts'
import { type Json, millis, object, objects, parsed, plain, string, words } from '../json.ts'
import { jsonLines, readJson } from '../lines.ts'
import { sessionTokens, tokens } from '../session-tokens.ts'
import type { Checkpoint, Found } from '../source.ts'

const LINES_BETWEEN_CHECKPOINTS = 1000

function metaOf(log: string): string {
  return path.join(path.dirname(log), 'meta.json')
}

/** The folder names the session: what is beside the messages is written after them, and again with each turn. */
export function* readSession(file: string, from: Checkpoint | undefined): Generator<Found> {
  const meta = readMeta(file)
  const chat = chatOf(path.basename(path.dirname(file)), meta)
  const model = words(object(meta.config)?.active_model)?.slice(0, 200)
  const about = function* (): Generator<Found> {
    yield { chat }
    yield* sessionTokens(chat.id, usageOf(meta), model)
  }
  let offset = from?.offset ?? 0
  let isTold = object(from?.state)?.isTold === true
  if (isTold) yield* about()
  let lines = 0
  for (const line of jsonLines(file, { from: offset })) {
    if (line.problem) yield { problem: line.problem }
    const message = messageOf(object(line.value) ?? {}, line.offset)
    if (message) {
      if (!isTold) yield* about()
      isTold = true
      yield { chatId: chat.id, message }
    }
    offset = line.end
    if (++lines % LINES_BETWEEN_CHECKPOINTS === 0) yield { checkpoint: { offset, state: { isTold } } }
  }
  yield { checkpoint: { offset, state: { isTold } } }
}

function readMeta(log: string): Json {
  try {
    return object(readJson(metaOf(log))) ?? {}
  } catch {
    return {}
  }
}

function chatOf(id: string, meta: Json): Chat {
  return {
    source: 'mistral-vibe',
    id,
    // Otherwise it is how the first request begins.
    title: meta.title_source === 'manual' ? words(meta.title)?.slice(0, 500) : undefined,
    workspace: words(object(meta.environment)?.working_directory)?.slice(0, 4096),
    branch: words(meta.git_branch)?.slice(0, 500),
    createdAt: millis(meta.start_time),
    updatedAt: millis(meta.end_time),
  }
}

function usageOf(meta: Json) {
  const stats = object(meta.stats)
  return (
    stats && {
      input: tokens(stats, 'session_prompt_tokens'),
      output: tokens(stats, 'session_completion_tokens'),
    }
  )
}

function messageOf(row: Json, order: number): Message | undefined {
  const text = textOf(row.content)
  const about = { id: words(row.message_id)?.slice(0, 200) ?? `at-${order}`, order, text }
  switch (row.role) {
    case 'user': {
      const typed = words(textOf(row.user_display_content)) ?? text
      const attachments = objects(row.images).map(imageOf)
      if (!words(typed) && attachments.length === 0) return undefined
      const attached = attachments.length > 0 && { attachments }
      if (row.injected === true) return { ...about, role: 'user', kind: 'injected', ...attached }
      return { ...about, text: typed, role: 'user', kind: 'request', ...attached }
    }
    case 'assistant': {
      const toolCalls = objects(row.tool_calls).map(callOf)
      const thinking = words(row.reasoning_content)
      if (!words(text) && toolCalls.length === 0 && !thinking) return undefined
      return {
        ...about,
        role: 'assistant',
        kind: 'answer',
        ...(thinking && { thinking }),
        ...(toolCalls.length > 0 && { toolCalls }),
      }
    }
    case 'tool': {
      const toolResults = [{ callId: string(row.tool_call_id) ?? '', text }]
      return { ...about, text: '', role: 'tool', kind: 'tool', toolResults }
    }
    case 'system':
      return words(text) ? { ...about, role: 'system', kind: 'injected' } : undefined
    default:
      return undefined
  }
}

function callOf(call: Json): ToolCall {
  const made = object(call.function)
  return {
    id: string(call.id) ?? '',
    tool: string(made?.name) ?? 'unknown',
    args: parsed(made?.arguments),
  }
}

function imageOf(image: Json): Attachment {
  const file = words(image.path)?.slice(0, 4096)
  return { name: words(image.name) ?? 'image', type: 'image', ...(file && { path: file }) }
}

/** A text, or parts of which some are text. */
function textOf(content: unknown): string {
  if (content === undefined || content === null) return ''
  const parts = objects(content)
  return parts.length > 0 ? parts.flatMap(({ text }) => string(text) ?? []).join('\n') : plain(content)
}
