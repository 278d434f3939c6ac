import type { Attachment, Citation, ToolCall, ToolResult, Usage } from '../../model/chat.ts'
import { type Json, number, object, objects, parsed, plain, string, words } from '../json.ts'

export interface Content {
  texts: string[]
  attachments: Attachment[]
  citations: Citation[]
}

/** The texts and images of a message's or an output's `content`. */
export function contentOf(value: unknown): Content {
  const content: Content = { texts: [], attachments: [], citations: [] }
  if (typeof value === 'string') content.texts.push(value)
  for (const part of objects(value)) {
    const text = string(part.text)
    if (text !== undefined) content.texts.push(text)
    const image = imageOf(part)
    if (image) content.attachments.push(image)
    for (const annotation of objects(part.annotations)) {
      const url = words(annotation.url)
      if (url) content.citations.push({ url, title: words(annotation.title) })
    }
  }
  return content
}

/** A picture from its data URL; of a very long line lines.ts may have cut the data. */
export function imageOf(part: Json): Attachment | undefined {
  const url = string(part.image_url) ?? string(object(part.image_url)?.url)
  if (url === undefined) {
    const file = part.type === 'local_image' || part.type === 'LocalImage' ? words(part.path) : undefined
    return file ? { name: nameOf(file), type: 'image', path: file } : undefined
  }
  const data = /^data:([\w.+/-]{1,100});base64,/.exec(url.slice(0, 200))
  if (!data) return { name: nameOf(url.slice(0, 300)), type: 'image', url: url.slice(0, 2000) }
  return {
    name: 'image',
    type: 'image',
    mimeType: data[1],
    bytes: base64Bytes(url.slice(data[0].length)),
    ...wholeData(url.slice(data[0].length)),
  }
}

/** Base64 of which nothing was left out while reading. */
export function wholeData(data: string): { data?: string } {
  return data === '' || data.slice(0, 200).includes(' bytes of base64 left out') ? {} : { data }
}

export function base64Bytes(data: string): number {
  const cut = /\.\.\.\[(\d+) bytes of base64 left out\]/.exec(data.slice(0, 200))
  const length = cut ? cut.index + Number(cut[1]) : data.length
  return Math.floor((length * 3) / 4)
}

function nameOf(file: string): string {
  return file.split(/[\\/]/).findLast((part) => part !== '') ?? file
}

/** A call of a tool, or nothing when the item is none. */
export function callOf(item: Json, fallbackId: string): ToolCall | undefined {
  const id = words(item.call_id) ?? words(item.id) ?? fallbackId
  switch (item.type) {
    case 'function_call':
      return { id, ...toolName(item), args: parsed(item.arguments) }
    case 'custom_tool_call':
      return { id, ...toolName(item), args: item.input }
    case 'local_shell_call':
      return { id, tool: 'local_shell', args: item.action }
    case 'web_search_call':
      return { id, tool: 'web_search', args: item.action }
    case 'tool_search_call':
      return { id, tool: 'tool_search', args: parsed(item.arguments) ?? item.query }
    case 'image_generation_call':
      return { id, tool: 'image_generation', args: { prompt: words(item.revised_prompt) } }
    default:
      return undefined
  }
}

/** MCP tools are called `mcp__server__tool`, or live in a namespace `mcp__server`; others are Codex's own. */
function toolName({ name, namespace }: Json): { server?: string; tool: string } {
  const tool = words(name) ?? 'unknown'
  const space = words(namespace)
  if (space?.startsWith('mcp__')) return { server: space.slice(5).replace(/__$/, ''), tool }
  const split = tool.startsWith('mcp__') ? tool.indexOf('__', 5) : -1
  return split < 0 ? { tool } : { server: tool.slice(5, split), tool: tool.slice(split + 2) }
}

/** Where a patch may stand in a call: its text, its command line, its heredoc. */
export function commandTextOf(call: ToolCall): string {
  const args = object(call.args)
  const value = args ? (args.input ?? args.patch ?? args.command ?? args.cmd) : call.args
  return Array.isArray(value) ? value.filter((part) => typeof part === 'string').join('\n') : plain(value)
}

const RUN_HEADER =
  /^(?:Chunk ID: [^\n]*\n)?(?:Exit code: (-?\d+)\n)?Wall time: ([\d.]+) seconds?\n(?:Process exited with code (-?\d+)\n)?(?:Process running with session ID [^\n]*\n)?(?:Original token count: \d+\n)?(?:Total output lines: \d+\n)?Output:\n/

/** Of scripts that call tools; stored as a part of its own. */
const SCRIPT_HEADER =
  /^Script (completed|failed|terminated|running with [^\n]{1,100})\nWall time:? ([\d.]+) seconds?\nOutput:\n\n?/

/** What came back, without the frame that Codex puts around a command's output for the model. */
export function resultOf(callId: string, output: unknown): { result: ToolResult; attachments: Attachment[] } {
  const wrapped = object(output)
  const content = contentOf(wrapped ? (wrapped.content_items ?? wrapped.content) : output)
  const text = content.texts.join('\n')
  const result: ToolResult = { callId, ...framed(text) }
  if (wrapped?.success === false) result.error = result.text
  return { result, attachments: content.attachments }
}

function framed(text: string): Pick<ToolResult, 'text' | 'error' | 'exitCode' | 'durationMs'> {
  if (text.startsWith('{"output"')) {
    const run = object(parsed(text))
    const metadata = object(run?.metadata)
    if (run && metadata) {
      const seconds = number(metadata.duration_seconds)
      return {
        text: plain(run.output),
        exitCode: number(metadata.exit_code),
        durationMs: seconds === undefined ? undefined : Math.round(seconds * 1000),
      }
    }
  }
  const script = SCRIPT_HEADER.exec(text.slice(0, 300))
  if (script) {
    const rest = text.slice(script[0].length)
    return { text: rest, durationMs: millisOf(script[2]!), ...(script[1] === 'failed' && { error: rest }) }
  }
  const header = RUN_HEADER.exec(text.slice(0, 600))
  if (!header) return { text }
  const exitCode = header[1] ?? header[3]
  return {
    text: text.slice(header[0].length),
    exitCode: exitCode === undefined ? undefined : Number(exitCode),
    durationMs: millisOf(header[2]!),
  }
}

function millisOf(seconds: string): number | undefined {
  return Math.round(Number(seconds) * 1000) || undefined
}

const AGENT_HEAD = /^Message Type: [^\n]{1,100}\n(?:[A-Z][A-Za-z ]{1,30}: [^\n]{0,1000}\n){0,10}?Payload:\n?/

/** Orders may be encrypted; with models that know no encryption they are in plain words all the same. */
export function withoutAgentHead(raw: string, content: unknown): string {
  const head = AGENT_HEAD.exec(raw.slice(0, 5000))
  if (!head) return raw
  const hidden = objects(content).map((part) => string(part.encrypted_content) ?? '')
  const payload = [raw.slice(head[0].length), ...hidden.filter((text) => text.includes(' '))]
  return payload.join('').trim() || raw
}

/** Rust's `Duration`. */
export function durationOf(value: unknown): number | undefined {
  const duration = object(value)
  const secs = number(duration?.secs)
  return secs === undefined ? undefined : Math.round(secs * 1000 + (number(duration?.nanos) ?? 0) / 1e6)
}

export function usageOf(value: unknown): Usage | undefined {
  const usage = object(value)
  if (!usage) return undefined
  return {
    input: number(usage.input_tokens),
    output: number(usage.output_tokens),
    cached: number(usage.cached_input_tokens),
    cacheWrite: number(usage.cache_write_input_tokens) || undefined,
    reasoning: number(usage.reasoning_output_tokens),
  }
}

export function sumOf(a: Usage | undefined, b: Usage | undefined): Usage | undefined {
  if (!a || !b) return a ?? b
  const add = (x?: number, y?: number) =>
    x === undefined && y === undefined ? undefined : (x ?? 0) + (y ?? 0)
  return {
    input: add(a.input, b.input),
    output: add(a.output, b.output),
    cached: add(a.cached, b.cached),
    cacheWrite: add(a.cacheWrite, b.cacheWrite),
    reasoning: add(a.reasoning, b.reasoning),
  }
}
