import type { Attachment, Message, MessageKind, Role, ToolCall, ToolResult } from '../../model/chat.ts'
import { type Json, list, millis, number, object, objects, parsed, plain, string, words } from '../json.ts'

/** A message as the database and the export both keep it. */
export interface StoredMessage {
  id: string
  role: unknown
  content: unknown
  model?: unknown
  createdAt: unknown
  files?: unknown
  reasoningContent?: unknown
  meta?: unknown
}

/**
 * `place` tells messages of the same millisecond apart: a question and its answer may share one.
 * `unknown` is told of each shape nobody has described yet.
 */
export function toMessage(stored: StoredMessage, place: number, unknown: (what: string) => void): Message {
  const createdAt = millis(stored.createdAt)
  const [role, kind] = ROLES[string(stored.role) ?? ''] ?? ['system', 'injected']
  const meta = metaOf(parsed(stored.meta), stored.id, unknown)
  const thinking = [words(stored.reasoningContent), ...meta.thinking].filter((text) => text !== undefined)
  const attachments = list(parsed(stored.files)).flatMap(toAttachment)
  return {
    id: stored.id,
    order: createdAt === undefined ? place : createdAt * 1000 + (place % 1000),
    role,
    kind,
    createdAt,
    text: withoutMarkers(string(stored.content) ?? ''),
    ...(thinking.length > 0 && { thinking: thinking.join('\n\n') }),
    ...(meta.calls.length > 0 && { toolCalls: meta.calls }),
    ...(meta.results.length > 0 && { toolResults: meta.results }),
    ...(attachments.length > 0 && { attachments }),
    model: words(stored.model),
  }
}

const ROLES: Record<string, [Role, MessageKind] | undefined> = Object.assign(Object.create(null), {
  user: ['user', 'request'],
  assistant: ['assistant', 'answer'],
  tool: ['tool', 'tool'],
})

const MARKER = /^@message_part::\S+[ \t]*(\r?\n|$)/gm

/** Since late 2025 the text holds lines that point to its parts. */
function withoutMarkers(text: string): string {
  return text.includes('@message_part::') ? text.replace(MARKER, '').trim() : text
}

interface Meta {
  calls: ToolCall[]
  results: ToolResult[]
  thinking: string[]
}

function metaOf(value: unknown, messageId: string, unknown: (what: string) => void): Meta {
  const found: Meta = { calls: [], results: [], thinking: [] }
  const meta = object(value)
  if (!meta) return found
  for (const key of Object.keys(meta)) {
    if (key === 'toolCall') readToolCalls(meta, messageId, found)
    else if (key === 'parts') readParts(meta.parts, found, unknown)
    else if (key !== 'toolResult') unknown(`meta.${key}`)
  }
  return found
}

/** The first generation (2025): one call per message, its answer beside it. */
function readToolCalls(meta: Json, messageId: string, found: Meta) {
  const calls = object(parsed(meta.toolCall))
  if (!calls) return
  for (const [key, value] of Object.entries(calls)) {
    const call = object(value)
    if (!call) continue
    found.calls.push({
      id: `${messageId}:${key}`,
      server: words(call.server_name) ?? words(call.server),
      tool: words(call.tool_name) ?? words(call.tool) ?? key,
      args: parsed(call.arguments ?? call.args),
    })
  }
  const first = found.calls[0]
  if (first && meta.toolResult !== undefined && meta.toolResult !== null)
    found.results.push({ callId: first.id, text: textOf(parsed(meta.toolResult)) })
}

/** The second generation: parts by id, of a shape known only from hearsay, so every likely name is tried. */
function readParts(value: unknown, found: Meta, unknown: (what: string) => void) {
  const parts = Array.isArray(value)
    ? objects(value).map((part, place): [string, unknown] => [string(part.id) ?? String(place), part])
    : Object.entries(object(value) ?? {})
  for (const [id, content] of parts) {
    const part = typeof content === 'string' ? { text: content } : object(content)
    if (!part) continue
    const type = string(part.type) ?? ''
    const call = object(part.toolCall) ?? object(part.toolInvocation) ?? part
    const tool =
      words(call.toolName) ?? words(call.tool_name) ?? words(call.name) ?? words(call.tool) ?? undefined
    const text = words(part.text) ?? words(part.reasoning) ?? words(part.thinking)
    if (id.startsWith('reasoning') || type === 'reasoning' || type === 'thinking') {
      if (text) found.thinking.push(text)
      else unknown('meta.parts of reasoning')
    } else if (tool) {
      const callId = words(call.toolCallId) ?? id
      found.calls.push({
        id: callId,
        server: words(call.server_name) ?? words(call.serverName) ?? words(call.server),
        tool,
        args: parsed(call.args ?? call.input ?? call.arguments),
      })
      const result =
        part.result ?? part.output ?? part.toolResult ?? call.result ?? call.output ?? part.content
      if (result !== undefined && result !== null)
        found.results.push({
          callId,
          ...(part.isError === true ? { error: textOf(parsed(result)) } : { text: textOf(parsed(result)) }),
        })
    } else if (!text) unknown('meta.parts of another shape')
  }
}

/** `{content: [{text}]}` as MCP gives it, or whatever it is. */
function textOf(result: unknown): string {
  const content = object(result)?.content ?? result
  if (!Array.isArray(content)) return plain(content)
  const texts = objects(content).flatMap((item) => words(item.text) ?? [])
  return texts.length > 0 ? texts.join('\n') : plain(content)
}

function toAttachment(file: unknown): Attachment[] {
  if (typeof file === 'string') {
    if (file === '' || file.startsWith('data:')) return []
    return [{ name: file.split(/[\\/]/).at(-1) || file, type: 'file', path: file }]
  }
  const entry = object(file)
  if (!entry) return []
  const where = words(entry.path) ?? words(entry.filePath)
  const url = words(entry.url)
  const name = words(entry.name) ?? words(entry.filename) ?? where?.split(/[\\/]/).at(-1)
  if (!name && !url) return []
  return [
    {
      name: name ?? 'file',
      type: 'file',
      path: where,
      ...(url && !url.startsWith('data:') && { url }),
      mimeType: words(entry.mimeType) ?? words(entry.mime) ?? words(entry.type),
      bytes: number(entry.size),
    },
  ]
}
