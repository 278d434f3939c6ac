import path from 'node:path'
import type { Attachment, Chat, ChatStatus, Message, ToolCall, ToolResult, Usage } from '../../model/chat.ts'
import { type Json, millis, number, object, objects, string, version, words } from '../json.ts'
import { jsonLines } from '../lines.ts'
import type { Checkpoint, Found } from '../source.ts'
import { AGENT_SOURCE } from './place.ts'

const LINES_BETWEEN_CHECKPOINTS = 500

/** An answer of which only pieces have come so far. */
interface Begun {
  offset: number
  id: string
  text: string
  thinking: string
  createdAt?: number
}

/**
 * The events of one dialog. A checkpoint never stands within an answer that is still being given, so
 * that its pieces are read together.
 */
export function* readRun(file: string, from: Checkpoint | undefined): Generator<Found> {
  const id = path.basename(file, '.jsonl')
  const chat = chatFrom(id, object(from?.state))
  let offset = from?.offset ?? 0
  let begun: Begun | undefined
  let lines = 0
  let isTold = false
  for (const line of jsonLines(file, { from: offset })) {
    if (line.problem) yield { problem: line.problem }
    const record = object(line.value) ?? {}
    const at = millis(record.at)
    takeHeader(chat, record, at)
    const piece = record.type === 'piece' ? words(record.id) : undefined
    const messages: Message[] = []
    if (piece !== undefined) begun = withPiece(begun, piece, record, line.offset, at)
    else if (begun && record.type === 'answer' && record.id === begun.id) {
      messages.push(...messagesOf(record, begun.offset, at))
      begun = undefined
    } else if (string(record.type) !== undefined) {
      // Whoever was speaking was killed, and the dialog went on.
      if (begun) messages.push({ ...unfinished(begun), outcome: 'failed' })
      begun = undefined
      messages.push(...messagesOf(record, line.offset, at))
    }
    for (const message of messages) {
      if (!isTold) yield { chat: { ...chat } }
      isTold = true
      yield { chatId: id, message }
    }
    if (!begun) offset = line.end
    if (++lines % LINES_BETWEEN_CHECKPOINTS === 0) yield { checkpoint: { offset, state: stateOf(chat) } }
  }
  if (begun) {
    if (!isTold) yield { chat: { ...chat } }
    isTold = true
    yield { chatId: id, message: unfinished(begun) }
  }
  if (isTold || from) yield { chat }
  yield { checkpoint: { offset, state: stateOf(chat) } }
}

function chatFrom(id: string, state: Json | undefined): Chat {
  return {
    source: AGENT_SOURCE,
    id,
    workspace: words(state?.workspace),
    createdAt: number(state?.createdAt),
    updatedAt: number(state?.updatedAt),
    format: words(state?.format),
    ...(words(state?.forkOf) && { forkOf: words(state?.forkOf) }),
    status: STATUS[string(state?.status) ?? ''],
    resume: /^[\w-]+$/.test(id) ? `recollect chat --session ${id}` : undefined,
  }
}

function stateOf({ workspace, createdAt, updatedAt, format, status, forkOf }: Chat): Json {
  return { workspace, createdAt, updatedAt, format, status, ...(forkOf && { forkOf }) }
}

/** What a run's own word for how it stands is in ours; our own words stay. */
const STATUS: Record<string, ChatStatus | undefined> = {
  running: 'running',
  paused: 'waiting',
  tools: 'waiting',
  waiting: 'waiting',
  done: 'done',
  failed: 'failed',
  cancelled: 'cancelled',
}

function takeHeader(chat: Chat, record: Json, at: number | undefined): void {
  if (record.type === 'session') {
    chat.workspace = words(record.workspace)?.slice(0, 4096)
    chat.createdAt = at
    chat.format = version(record.version)
    const forkOf = words(record.forkOf)
    if (forkOf) chat.forkOf = forkOf
  }
  if (record.type === 'request') chat.status = 'running'
  if (record.type === 'end') chat.status = STATUS[string(record.status) ?? ''] ?? chat.status
  if (at !== undefined && at > (chat.updatedAt ?? 0)) chat.updatedAt = at
}

function withPiece(
  begun: Begun | undefined,
  id: string,
  record: Json,
  offset: number,
  createdAt: number | undefined,
): Begun {
  const known = begun?.id === id ? begun : { offset, id, text: '', thinking: '', createdAt }
  return {
    ...known,
    text: known.text + (string(record.text) ?? ''),
    thinking: known.thinking + (string(record.thinking) ?? ''),
  }
}

function unfinished({ offset, id, text, thinking, createdAt }: Begun): Message {
  return {
    id,
    order: offset,
    role: 'assistant',
    kind: 'answer',
    createdAt,
    text,
    thinking: thinking || undefined,
  }
}

/** What is noted where somebody said no without a word. */
const WORDLESS = new Set(['the person did not allow it.', 'nobody is at the terminal to allow it.'])

/** Approvals and decisions are no part of what was said, but for the words with which a call was refused. */
function messagesOf(record: Json, order: number, createdAt: number | undefined): Message[] {
  const about = { order, createdAt, text: string(record.text) ?? '' }
  const id = words(record.id) ?? `at-${order}`
  switch (record.type) {
    case 'request':
      return [{ ...about, id, role: 'user', kind: 'request', attachments: attachmentsOf(record) }]
    case 'system':
      return [{ ...about, id: `system-${order}`, role: 'system', kind: 'injected' }]
    case 'answer':
      return [
        {
          ...about,
          id,
          role: 'assistant',
          kind: 'answer',
          thinking: words(record.thinking),
          toolCalls: callsOf(record),
          model: words(record.model),
          usage: usageOf(object(record.usage)),
          latencyMs: number(record.latencyMs),
          outcome: record.outcome === 'failed' || record.outcome === 'cancelled' ? record.outcome : undefined,
        },
      ]
    case 'result': {
      const toolResults = [resultOf(record)]
      return [{ ...about, id: `result-${order}`, role: 'tool', kind: 'tool', text: '', toolResults }]
    }
    case 'decision': {
      const text = record.decision === 'deny' ? words(record.reason)?.trim() : undefined
      if (!text || WORDLESS.has(text)) return []
      return [{ ...about, id: `refusal-${order}`, role: 'user', kind: 'request', via: 'refusal', text }]
    }
    case 'compacted':
      if (about.text === '') return []
      return [{ ...about, id: `summary-${order}`, role: 'system', kind: 'summary' }]
    case 'notice':
    case 'end': {
      const text = words(record.type === 'end' ? object(record.error)?.message : record.text)
      return text ? [{ ...about, id: `notice-${order}`, role: 'system', kind: 'notice', text }] : []
    }
    default:
      return []
  }
}

function attachmentsOf(record: Json): Attachment[] | undefined {
  const attached = objects(record.attachments).map((each) => {
    const mimeType = words(each.mimeType)
    const data = string(each.data)
    return {
      name: words(each.name) ?? 'file',
      type: mimeType?.startsWith('image') ? 'image' : 'file',
      mimeType,
      url: words(each.url),
      text: string(each.text),
      ...(data && { data, bytes: Math.floor((data.length * 3) / 4) }),
    }
  })
  return attached.length > 0 ? attached : undefined
}

function callsOf(record: Json): ToolCall[] | undefined {
  const calls = objects(record.calls).map((call) => ({
    id: string(call.id) ?? '',
    server: words(call.server),
    tool: words(call.tool) ?? words(call.name) ?? 'unknown',
    args: call.args,
  }))
  return calls.length > 0 ? calls : undefined
}

function resultOf(record: Json): ToolResult {
  const text = string(record.text) ?? ''
  return {
    callId: string(record.callId) ?? '',
    ...(record.own === true && { own: true }),
    ...(record.ok === false ? { error: text } : { text }),
    durationMs: number(record.durationMs),
  }
}

/** Costs are left to be reckoned by whoever asks, as for every other assistant. */
function usageOf(usage: Json | undefined): Usage | undefined {
  return (
    usage && {
      input: number(usage.input),
      output: number(usage.output),
      cached: number(usage.cached),
      cacheWrite: number(usage.cacheWrite),
      reasoning: number(usage.reasoning),
    }
  )
}
