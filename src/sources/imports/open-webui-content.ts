import type { ToolCall, ToolResult } from '../../model/chat.ts'
import { type Json, number, objects, parsed, plain, string, words } from '../json.ts'

export interface Content {
  text: string
  thinking: string
  thinkingMs: number
  toolCalls: ToolCall[]
  toolResults: ToolResult[]
}

/**
 * What an answer consists of. Since 2026 its parts are kept in `output`; before, and still beside
 * it, they stand in the text as `<details type="reasoning | tool_calls | code_interpreter">`.
 */
export function contentOf(id: string, { content, output }: Json): Content {
  const items = objects(output)
  return items.length > 0 ? fromOutput(id, items) : fromText(id, string(content) ?? '')
}

function fromOutput(id: string, items: Json[]): Content {
  const texts: string[] = []
  const thoughts: string[] = []
  const toolCalls: ToolCall[] = []
  const toolResults: ToolResult[] = []
  let seconds = 0
  for (const item of items) {
    const said = textsOf(item.content)
    if (item.type === 'message') texts.push(said)
    else if (item.type === 'reasoning') {
      thoughts.push(said || textsOf(item.summary))
      seconds += number(item.duration) ?? 0
    } else if (item.type === 'function_call') {
      const callId = words(item.call_id) ?? `${id}:${toolCalls.length}`
      toolCalls.push({ id: callId, tool: words(item.name) ?? 'tool', args: decoded(item.arguments) })
    } else if (item.type === 'function_call_output') {
      const callId = words(item.call_id) ?? toolCalls.at(-1)?.id ?? id
      toolResults.push({ callId, text: textsOf(item.output) || plain(item.output) })
    } else if (item.type === 'open_webui:code_interpreter') {
      const callId = `${id}:${toolCalls.length}`
      toolCalls.push({ id: callId, tool: 'code_interpreter', args: words(item.code) ?? '' })
      if (item.output) toolResults.push({ callId, text: plain(item.output) })
    }
  }
  return {
    text: joined(texts),
    thinking: joined(thoughts),
    thinkingMs: seconds * 1000,
    toolCalls,
    toolResults,
  }
}

function textsOf(content: unknown): string {
  if (typeof content === 'string') return content
  return objects(content)
    .flatMap(({ text }) => words(text) ?? [])
    .join('\n')
}

const OPENING = '<details type="'
const CLOSING = '</details>'
const ATTRIBUTE = /\s*([\w-]+)="([^"]*)"/y

function fromText(id: string, content: string): Content {
  const texts: string[] = []
  const thoughts: string[] = []
  const toolCalls: ToolCall[] = []
  const toolResults: ToolResult[] = []
  let seconds = 0
  let at = 0
  for (;;) {
    const opens = content.indexOf(OPENING, at)
    if (opens < 0) break
    const { attributes, end } = attributesAt(content, opens + '<details'.length)
    const closes = content.indexOf(CLOSING, end)
    const body = withoutSummary(content.slice(end, closes < 0 ? undefined : closes))
    const next = closes < 0 ? content.length : closes + CLOSING.length
    const type = attributes.get('type')
    if (type === 'reasoning') {
      texts.push(content.slice(at, opens))
      thoughts.push(unescaped(body.replace(/^> ?/gm, '')).trim())
      seconds += Math.min(Number(attributes.get('duration')) || 0, 86_400)
    } else if (type === 'tool_calls' || type === 'code_interpreter') {
      texts.push(content.slice(at, opens))
      const callId = attributes.get('id') || `${id}:${toolCalls.length}`
      const code = type === 'code_interpreter'
      const args = code
        ? withoutFence(unescaped(body))
        : decoded(unescaped(attributes.get('arguments') ?? ''))
      const result = attributes.get(code ? 'output' : 'result') ?? (code ? '' : body)
      toolCalls.push({ id: callId, tool: code ? type : (attributes.get('name') ?? 'tool'), args })
      if (result) toolResults.push({ callId, text: plain(decoded(unescaped(result))) })
    } else texts.push(content.slice(at, next))
    at = next
  }
  texts.push(content.slice(at))
  return { ...withoutThink(joined(texts), thoughts), thinkingMs: seconds * 1000, toolCalls, toolResults }
}

function attributesAt(content: string, from: number): { attributes: Map<string, string>; end: number } {
  const attributes = new Map<string, string>()
  ATTRIBUTE.lastIndex = from
  let end = from
  for (let match = ATTRIBUTE.exec(content); match; match = ATTRIBUTE.exec(content)) {
    attributes.set(match[1]!, match[2]!)
    end = ATTRIBUTE.lastIndex
  }
  const bracket = content.indexOf('>', end)
  return { attributes, end: bracket < 0 ? content.length : bracket + 1 }
}

function withoutSummary(body: string): string {
  const end = body.indexOf('</summary>')
  return (end < 0 ? body : body.slice(end + '</summary>'.length)).trim()
}

function withoutFence(code: string): string {
  return code.replace(/^```[^\n]*\n/, '').replace(/\n?```$/, '')
}

/** The first versions left the model's own marks in the text. */
function withoutThink(text: string, thoughts: string[]): { text: string; thinking: string } {
  const end = text.startsWith('<think>') ? text.indexOf('</think>') : -1
  if (end < 0) return { text, thinking: joined(thoughts) }
  return {
    text: text.slice(end + '</think>'.length).trim(),
    thinking: joined([text.slice('<think>'.length, end), ...thoughts]),
  }
}

/** Arguments are JSON, often once more inside a JSON string. */
function decoded(value: unknown): unknown {
  return parsed(parsed(value))
}

const ENTITIES: Record<string, string> = { quot: '"', '#x27': "'", '#39': "'", lt: '<', gt: '>', amp: '&' }

function unescaped(text: string): string {
  return text.replace(/&(quot|#x27|#39|lt|gt|amp);/g, (_, name: string) => ENTITIES[name]!)
}

function joined(texts: string[]): string {
  return texts
    .map((text) => text.trim())
    .filter(Boolean)
    .join('\n\n')
}
