import { createHash } from 'node:crypto'
import type { Message, ToolCall, Usage } from '../../model/chat.ts'
import { type Json, object, objects, parsed, plain, string, words } from '../json.ts'

/** A span of a trace, with its attributes by name. */
export interface Span {
  id: string
  name: string
  /** In nanoseconds. */
  start: bigint
  end: bigint
  attributes: Map<string, string>
}

export function* spansIn(value: unknown): Generator<Span> {
  for (const resource of objects(object(value)?.resourceSpans))
    for (const scope of objects(resource.scopeSpans))
      for (const span of objects(scope.spans)) {
        const id = words(span.spanId)
        if (!id) continue
        const attributes = objects(span.attributes).map(({ key, value: held }): [string, string] => [
          plain(key),
          attributeOf(object(held)),
        ])
        const start = nanos(span.startTimeUnixNano)
        const end = nanos(span.endTimeUnixNano) || start
        yield { id, name: plain(span.name), start, end, attributes: new Map(attributes) }
      }
}

export function chatIdOf({ attributes }: Span): string | undefined {
  return words(attributes.get('gen_ai.conversation.id'))
}

/** What a span says: the last prompt and the answer, or the result of a tool. */
export function messagesOf(span: Span): Message[] {
  const operation = span.attributes.get('gen_ai.operation.name')
  if (operation === 'execute_tool') return [toolOf(span)]
  if (operation !== 'chat') return []
  return [promptOf(span), answerOf(span)].filter((message) => message !== undefined)
}

/** Named by its words and by how many prompts came before: the same in every span that repeats it. */
function promptOf({ start, attributes }: Span): Message | undefined {
  const prompts = saidIn(attributes.get('gen_ai.input.messages'))
    .filter(({ role }) => role === 'user')
    .map(({ parts }) => textIn(parts))
    .filter((text) => words(text))
  const text = prompts.at(-1)
  if (text === undefined) return undefined
  const id = `prompt-${prompts.length}-${createHash('sha1').update(text).digest('hex').slice(0, 10)}`
  return { id, order: micros(start), role: 'user', kind: 'request', createdAt: at(start), text }
}

function answerOf({ id, end, attributes }: Span): Message | undefined {
  const parts = saidIn(attributes.get('gen_ai.output.messages'))
    .filter(({ role }) => role === 'assistant')
    .flatMap((message) => message.parts)
  const text = textIn(parts)
  const toolCalls = parts
    .filter(({ type }) => type === 'tool_call')
    .map(
      (part): ToolCall => ({
        id: string(part.id) ?? '',
        tool: words(part.name) ?? 'unknown',
        args: parsed(part.arguments),
      }),
    )
  if (!words(text) && toolCalls.length === 0) return undefined
  const model = words(attributes.get('gen_ai.response.model'))
  const usage = usageOf(attributes)
  return {
    id,
    order: micros(end),
    role: 'assistant',
    kind: 'answer',
    createdAt: at(end),
    text,
    ...(toolCalls.length > 0 && { toolCalls }),
    ...(model && { model }),
    ...(usage && { usage }),
  }
}

function toolOf({ id, end, attributes }: Span): Message {
  const result = parsed(attributes.get('gen_ai.tool.call.result'))
  const held = object(result)
  const text = plain(held && 'Value' in held ? held.Value : result)
  const callId = attributes.get('gen_ai.tool.call.id') ?? ''
  const toolResults = [{ callId, text }]
  return { id, order: micros(end), role: 'tool', kind: 'tool', createdAt: at(end), text: '', toolResults }
}

function saidIn(json: string | undefined): { role: unknown; parts: Json[] }[] {
  return objects(parsed(json)).map(({ role, parts }) => ({ role, parts: objects(parts) }))
}

function textIn(parts: Json[]): string {
  return parts.flatMap((part) => (part.type === 'text' ? (words(part.content) ?? []) : [])).join('\n')
}

/** Numbers are written as text. */
function usageOf(attributes: Map<string, string>): Usage | undefined {
  const count = (name: string) => {
    const tokens = Number(attributes.get(`gen_ai.usage.${name}_tokens`) || Number.NaN)
    return Number.isFinite(tokens) ? tokens : undefined
  }
  const [input, output] = [count('input'), count('output')]
  return input === undefined && output === undefined ? undefined : { input, output }
}

function attributeOf(value: Json | undefined): string {
  return plain(value?.stringValue ?? value?.intValue ?? value?.doubleValue ?? value?.boolValue)
}

function nanos(value: unknown): bigint {
  const text = plain(value)
  return /^\d{1,19}$/.test(text) ? BigInt(text) : 0n
}

function micros(time: bigint): number {
  return Number(time / 1000n)
}

function at(time: bigint): number | undefined {
  return time > 0n ? Number(time / 1_000_000n) : undefined
}
