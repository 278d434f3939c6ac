import fs from 'node:fs'
import path from 'node:path'
import type { Chat, Message, ToolCall, ToolResult } from '../../model/chat.ts'
import type { Machine } from '../../platform/machine.ts'
import { type Json, object, objects, plain, string, words } from '../json.ts'
import { jsonLines } from '../lines.ts'
import type { Checkpoint, Found } from '../source.ts'
import { chatsInDatabase } from './known-chats.ts'

const LINES_BETWEEN_CHECKPOINTS = 1000

/**
 * A transcript that agents leave under `~/.cursor/projects`. The editor's chats are there too, with
 * less in them and other ids, so it is read only for chats that the database does not have.
 */
export function* readTranscript(
  file: string,
  from: Checkpoint | undefined,
  machine: Machine,
): Generator<Found> {
  const id = path.basename(file, '.jsonl')
  let offset = from?.offset ?? 0
  try {
    if (chatsInDatabase(machine).has(id)) {
      yield { checkpoint: { offset } }
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
  yield { chat: headerOf(file, id, isSubagent) }
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

function headerOf(file: string, id: string, isSubagent: boolean): Chat {
  // Lines carry no time of their own.
  const { birthtimeMs, mtimeMs } = fs.statSync(file)
  return {
    source: 'cursor',
    id,
    createdAt: Math.round(birthtimeMs > 0 ? Math.min(birthtimeMs, mtimeMs) : mtimeMs),
    updatedAt: Math.round(mtimeMs),
    format: 'transcript',
    ...(isSubagent && { subagent: true, parentId: path.basename(path.resolve(file, '..', '..')) }),
    ...(!isSubagent && /^[\w-]+$/.test(id) && { resume: `cursor-agent --resume ${id}` }),
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
  const message: Message = {
    id: words(record.id) ?? String(offset),
    order: offset,
    role,
    kind: 'answer',
    text,
    ...(results.length > 0 && { toolResults: results }),
  }
  if (role === 'assistant') {
    const calls = blocks.flatMap((block, place) =>
      block.type === 'tool_use' ? [toCall(block, offset, place)] : [],
    )
    if (calls.length > 0) message.toolCalls = calls
    message.text = withoutRedactions(text)
    return message.text || calls.length > 0 || results.length > 0 ? message : undefined
  }
  if (role === 'tool' || (results.length > 0 && !text)) return { ...message, role: 'tool', kind: 'tool' }
  const typed = queryIn(text)
  if (typed === undefined)
    message.kind = /^\s*<[a-z_]+>/.test(text) ? 'injected' : isSubagent ? 'delegated' : 'request'
  else {
    message.text = typed
    message.kind = isSubagent ? 'delegated' : 'request'
  }
  return message.text.trim() ? message : undefined
}

/** What the person typed stands in `<user_query>`, after whatever the editor put before it. */
function queryIn(text: string): string | undefined {
  const open = text.indexOf('<user_query>')
  if (open < 0) return undefined
  const close = text.lastIndexOf('</user_query>')
  return text.slice(open + '<user_query>'.length, close > open ? close : undefined).trim()
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
