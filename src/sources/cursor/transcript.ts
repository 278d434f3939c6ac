import fs from 'node:fs'
import path from 'node:path'
import type { Chat, Message, ToolCall, ToolResult } from '../../model/chat.ts'
import type { Machine } from '../../platform/machine.ts'
import { type Json, millis, object, objects, plain, string, words } from '../json.ts'
import { jsonLines } from '../lines.ts'
import type { Checkpoint, Found } from '../source.ts'
import { chatsInDatabase } from './known-chats.ts'
import { asked } from './query.ts'
import { isStored } from './store.ts'
import { asMessage, textTurns } from './text-transcript.ts'

const LINES_BETWEEN_CHECKPOINTS = 1000

/**
 * A transcript that agents leave under `~/.cursor/projects`. The chats of the editor and of the
 * command-line agent are there too, with less in them and other ids, so it counts only for chats that
 * no database has.
 */
export function* readTranscript(
  file: string,
  from: Checkpoint | undefined,
  machine: Machine,
): Generator<Found> {
  const id = path.basename(file).replace(/\.(?:jsonl|txt)$/, '')
  const covered = { offset: 0, state: 'covered' }
  try {
    if (chatsInDatabase(machine).has(id) || isStored(machine, id) || hasLines(file)) {
      if (from && from.state !== covered.state) yield { restart: true }
      yield { checkpoint: covered }
      return
    }
  } catch (error) {
    yield {
      problem: {
        reason: `cannot tell whether it repeats the database: ${error instanceof Error ? error.message : error}`,
      },
    }
    return
  }

  const isSubagent = path.basename(path.dirname(file)) === 'subagents'
  const isText = file.endsWith('.txt')
  yield { chat: headerOf(file, id, isSubagent, !isText && isTimed(file)) }
  if (isText) {
    if (from) yield { restart: true }
    yield* textMessages(file, id, isSubagent)
    yield { checkpoint: { offset: 0 } }
    return
  }
  let offset = from?.offset ?? 0
  let lines = 0
  for (const line of jsonLines(file, { from: offset })) {
    if (line.problem) yield { problem: line.problem }
    else {
      const message = toMessage(object(line.value), line.offset, isSubagent)
      if (message) yield { chatId: id, message }
    }
    offset = line.end
    if (++lines % LINES_BETWEEN_CHECKPOINTS === 0) yield { checkpoint: { offset } }
  }
  yield { checkpoint: { offset } }
}

function* textMessages(file: string, chatId: string, isSubagent: boolean): Generator<Found> {
  for (const turn of textTurns(file)) {
    const message = asMessage(turn)
    if (turn.role === 'user') Object.assign(message, asked(turn.text, isSubagent))
    else message.text = withoutRedactions(message.text)
    if (message.text.trim() || message.thinking || message.toolCalls || message.toolResults)
      yield { chatId, message }
  }
}

/** The same chat in lines of JSON beside the plain text. */
function hasLines(file: string): boolean {
  if (!file.endsWith('.txt')) return false
  const stem = file.slice(0, -'.txt'.length)
  return fs.existsSync(`${stem}.jsonl`) || fs.existsSync(path.join(stem, `${path.basename(stem)}.jsonl`))
}

/** Newer lines carry their time. */
function timeOf(record: Json | undefined): number | undefined {
  const message = object(record?.message)
  return (
    millis(record?.timestamp) ??
    millis(record?.createdAt) ??
    millis(message?.timestamp) ??
    millis(message?.createdAt)
  )
}

function isTimed(file: string): boolean {
  for (const { value } of jsonLines(file, { from: 0 })) return timeOf(object(value)) !== undefined
  return false
}

function headerOf(file: string, id: string, isSubagent: boolean, isTimed: boolean): Chat {
  const { birthtimeMs, mtimeMs } = fs.statSync(file)
  return {
    source: 'cursor',
    id,
    // Where lines carry no time of their own, the file's has to do.
    ...(!isTimed && {
      createdAt: Math.round(birthtimeMs > 0 ? Math.min(birthtimeMs, mtimeMs) : mtimeMs),
      updatedAt: Math.round(mtimeMs),
    }),
    format: 'transcript',
    ...(isSubagent && { subagent: true, parentId: path.basename(path.resolve(file, '..', '..')) }),
  }
}

function toMessage(record: Json | undefined, offset: number, isSubagent: boolean): Message | undefined {
  const role = record?.role
  if (!record || (role !== 'user' && role !== 'assistant' && role !== 'tool')) return undefined
  const content = object(record.message)?.content ?? record.content
  const blocks = typeof content === 'string' ? [{ type: 'text', text: content }] : objects(content)
  const text = blocks
    .flatMap((block) => (block.type === 'text' ? (words(block.text) ?? []) : []))
    .join('\n\n')
  const results = blocks.filter((block) => block.type === 'tool_result').map(toResult)
  const thinking = blocks
    .flatMap((block) => (block.type === 'thinking' ? (words(block.thinking) ?? words(block.text) ?? []) : []))
    .join('\n\n')
  const createdAt = timeOf(record)
  const message: Message = {
    id: words(record.id) ?? String(offset),
    order: offset,
    role,
    kind: 'answer',
    text,
    ...(createdAt !== undefined && { createdAt }),
    ...(role === 'assistant' && withoutRedactions(thinking) && { thinking: withoutRedactions(thinking) }),
    ...(results.length > 0 && { toolResults: results }),
  }
  if (role === 'assistant') {
    const calls = blocks.flatMap((block, place) =>
      block.type === 'tool_use' ? [toCall(block, offset, place)] : [],
    )
    if (calls.length > 0) message.toolCalls = calls
    message.text = withoutRedactions(text)
    return message.text || message.thinking || calls.length > 0 || results.length > 0 ? message : undefined
  }
  if (role === 'tool' || (results.length > 0 && !text)) return { ...message, role: 'tool', kind: 'tool' }
  Object.assign(message, asked(text, isSubagent))
  return message.text.trim() ? message : undefined
}

function withoutRedactions(text: string): string {
  return text.includes('[REDACTED]') ? text.replaceAll('[REDACTED]', '').trim() : text
}

function toCall(block: Json, offset: number, place: number): ToolCall {
  return {
    id: words(block.id) ?? `${offset}.${place}`,
    tool: words(block.name) ?? 'unknown',
    args: block.input,
  }
}

function toResult(block: Json): ToolResult {
  const texts = objects(block.content).flatMap((item) => words(item.text) ?? [])
  const text = texts.length > 0 ? texts.join('\n') : (string(block.content) ?? plain(block.content))
  const callId = words(block.tool_use_id) ?? ''
  return block.is_error === true ? { callId, error: text } : { callId, text }
}
