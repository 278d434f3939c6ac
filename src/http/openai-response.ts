import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import type { AgentEvent } from '../agent/agent.ts'
import { anyJson } from '../capabilities/shapes.ts'
import type { EventStream } from './event-stream.ts'
import { type ResponseAsked, responseId } from './openai-responses.ts'
import type { Done, Teller } from './openai-run.ts'

const text = z.object({
  type: z.literal('output_text'),
  text: z.string(),
  annotations: z.array(anyJson),
  logprobs: z.array(anyJson),
})
const output = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('reasoning'),
    id: z.string(),
    summary: z.array(z.object({ type: z.literal('summary_text'), text: z.string() })),
  }),
  z.object({
    type: z.literal('message'),
    id: z.string(),
    role: z.literal('assistant'),
    status: z.enum(['in_progress', 'completed']),
    content: z.array(text),
  }),
  z.object({
    type: z.literal('function_call'),
    id: z.string(),
    call_id: z.string(),
    name: z.string(),
    arguments: z.string(),
    status: z.enum(['in_progress', 'completed']),
  }),
])
type Item = z.output<typeof output>

export const response = z.object({
  id: z.string(),
  object: z.literal('response'),
  created_at: z.number(),
  status: z.enum(['in_progress', 'completed', 'incomplete', 'failed', 'cancelled']),
  model: z.string(),
  output: z.array(output),
  error: z.object({ code: z.string(), message: z.string() }).nullable(),
  incomplete_details: z.object({ reason: z.enum(['max_output_tokens', 'content_filter']) }).nullable(),
  instructions: z.string().nullable(),
  metadata: z.record(z.string(), anyJson),
  parallel_tool_calls: z.boolean(),
  previous_response_id: z.string().nullable(),
  temperature: z.number().nullable(),
  top_p: z.number().nullable(),
  tool_choice: anyJson,
  tools: z.array(anyJson),
  usage: z
    .object({
      input_tokens: z.number(),
      input_tokens_details: z.object({ cached_tokens: z.number() }),
      output_tokens: z.number(),
      output_tokens_details: z.object({ reasoning_tokens: z.number() }),
      total_tokens: z.number(),
    })
    .nullable(),
})
const numbered = { sequence_number: z.number() }
const whole = z.object({ type: z.string(), ...numbered, response })
const item = z.object({ type: z.string(), ...numbered, output_index: z.number(), item: output })
const place = { type: z.string(), ...numbered, item_id: z.string(), output_index: z.number() }
const inText = { ...place, content_index: z.number() }
const inThought = { ...place, summary_index: z.number() }
const thought = z.object({ type: z.literal('summary_text'), text: z.string() })

/** Each event of a streamed response by its name. */
export const responseEvents = {
  'response.created': whole,
  'response.in_progress': whole,
  'response.completed': whole,
  'response.incomplete': whole,
  'response.failed': whole,
  'response.output_item.added': item,
  'response.output_item.done': item,
  'response.content_part.added': z.object({ ...inText, part: text }),
  'response.content_part.done': z.object({ ...inText, part: text }),
  'response.output_text.delta': z.object({ ...inText, delta: z.string(), logprobs: z.array(anyJson) }),
  'response.output_text.done': z.object({ ...inText, text: z.string(), logprobs: z.array(anyJson) }),
  'response.reasoning_summary_part.added': z.object({ ...inThought, part: thought }),
  'response.reasoning_summary_part.done': z.object({ ...inThought, part: thought }),
  'response.reasoning_summary_text.delta': z.object({ ...inThought, delta: z.string() }),
  'response.reasoning_summary_text.done': z.object({ ...inThought, text: z.string() }),
  'response.function_call_arguments.delta': z.object({ ...place, delta: z.string() }),
  'response.function_call_arguments.done': z.object({ ...place, name: z.string(), arguments: z.string() }),
}

export type ResponseBody = z.output<typeof response>

/** A response as the newer API has it, whole or as it comes: each thing said or thought is an item of its own. */
export class ResponseTeller implements Teller {
  readonly #asked: ResponseAsked
  readonly #stream: EventStream | undefined
  readonly #items: Item[] = []
  readonly #created: number
  #id: string | undefined
  #number = 0
  #open: Item | undefined
  #json = ''

  constructor(asked: ResponseAsked, stream?: EventStream, createdAt = Date.now()) {
    this.#asked = asked
    this.#stream = stream
    this.#created = Math.floor(createdAt / 1000)
  }

  pass(event: AgentEvent): void {
    if (event.type === 'start') this.#begin(responseId(event.sessionId, event.answers))
    if (event.type === 'thinking') this.#think(event.text)
    if (event.type === 'text') {
      if (this.#isJson) this.#json += event.text
      else this.#speak(event.text)
    }
    if (event.type !== 'step') return
    // What stands before tools is no part of a JSON document.
    if (this.#json !== '' && event.finish !== 'tool-calls') this.#speak(this.#json)
    this.#json = ''
    this.#close()
  }

  end(done: Done): void {
    this.#send(...this.#ended(done))
  }

  whole(done: Done): ResponseBody {
    return this.#ended(done)[1].response
  }

  fail(error: { error?: { code?: unknown; message?: unknown } }): void {
    this.#begin(idOf('resp'))
    this.#close()
    const { code, message } = error.error ?? {}
    this.#send('response.failed', { response: this.failed({ code: String(code), message: String(message) }) })
  }

  failed({ code, message }: { code: string; message: string }): ResponseBody {
    this.#close()
    return { ...this.#response('failed'), error: { code, message } }
  }

  /** As far as it has come. */
  sofar(status: 'in_progress' | 'cancelled'): ResponseBody {
    this.#close()
    return this.#response(status)
  }

  #ended(done: Done): [string, { response: ResponseBody }] {
    this.#close()
    for (const { id, name, args } of done.result.calls ?? []) this.#call(id, name, args)
    const { finish } = done.result
    const isCut = finish === 'length' || finish === 'content-filter'
    const status = isCut ? 'incomplete' : 'completed'
    const reason = finish === 'length' ? ('max_output_tokens' as const) : ('content_filter' as const)
    const { input = 0, output: written = 0, cached = 0, reasoning = 0 } = done.usage
    const ended: ResponseBody = {
      ...this.#response(status),
      incomplete_details: isCut ? { reason } : null,
      usage: {
        input_tokens: input,
        input_tokens_details: { cached_tokens: cached },
        output_tokens: written,
        output_tokens_details: { reasoning_tokens: reasoning },
        total_tokens: input + written,
      },
    }
    return [`response.${status}`, { response: ended }]
  }

  #begin(id: string): void {
    if (this.#id !== undefined) return
    this.#id = id
    const begun = this.#response('in_progress')
    this.#send('response.created', { response: begun })
    this.#send('response.in_progress', { response: begun })
  }

  get #isJson(): boolean {
    return this.#asked.text?.format?.type?.startsWith('json') === true
  }

  #speak(delta: string): void {
    if (this.#open?.type !== 'message') {
      this.#add({
        type: 'message',
        id: this.#itemId('msg'),
        role: 'assistant',
        status: 'in_progress',
        content: [],
      })
      this.#part('response.content_part.added', { content_index: 0, part: spoken('') })
    }
    if (this.#open?.type !== 'message') return
    const before = this.#open.content[0]?.text ?? ''
    this.#open.content = [spoken(before + delta)]
    this.#part('response.output_text.delta', { content_index: 0, delta, logprobs: [] })
  }

  #think(delta: string): void {
    if (this.#open?.type !== 'reasoning') {
      this.#add({ type: 'reasoning', id: this.#itemId('rs'), summary: [] })
      const part = { type: 'summary_text', text: '' }
      this.#part('response.reasoning_summary_part.added', { summary_index: 0, part })
    }
    if (this.#open?.type !== 'reasoning') return
    const before = this.#open.summary[0]?.text ?? ''
    this.#open.summary = [{ type: 'summary_text', text: before + delta }]
    this.#part('response.reasoning_summary_text.delta', { summary_index: 0, delta })
  }

  #call(callId: string, name: string, args: unknown): void {
    const written = typeof args === 'string' ? args : JSON.stringify(args ?? {})
    const about = { type: 'function_call' as const, id: this.#itemId('fc'), call_id: callId, name }
    const item: Item = { ...about, arguments: written, status: 'completed' }
    this.#add({ ...item, arguments: '', status: 'in_progress' })
    this.#part('response.function_call_arguments.delta', { delta: written })
    this.#part('response.function_call_arguments.done', { name, arguments: written })
    this.#items[this.#items.length - 1] = item
    this.#open = undefined
    this.#send('response.output_item.done', { output_index: this.#items.length - 1, item })
  }

  /** The same whenever the response is asked for. */
  #itemId(kind: string): string {
    return `${kind}_${this.#id?.replace('resp_', '')}_${this.#items.length}`
  }

  #add(item: Item): void {
    this.#close()
    this.#items.push(item)
    this.#open = item
    this.#send('response.output_item.added', { output_index: this.#items.length - 1, item })
  }

  #close(): void {
    const item = this.#open
    if (!item) return
    if (item.type === 'message') {
      item.status = 'completed'
      const [part = spoken('')] = item.content
      const done = { content_index: 0, text: part.text, logprobs: [] }
      this.#part('response.output_text.done', done)
      this.#part('response.content_part.done', { content_index: 0, part })
    }
    if (item.type === 'reasoning') {
      const [part = { type: 'summary_text', text: '' }] = item.summary
      this.#part('response.reasoning_summary_text.done', { summary_index: 0, text: part.text })
      this.#part('response.reasoning_summary_part.done', { summary_index: 0, part })
    }
    this.#open = undefined
    this.#send('response.output_item.done', { output_index: this.#items.length - 1, item })
  }

  #part(type: string, more: object): void {
    const at = { item_id: this.#open?.id, output_index: this.#items.length - 1 }
    this.#send(type, { ...at, ...more })
  }

  #send(type: string, more: object): void {
    this.#stream?.send(type, { type, sequence_number: this.#number++, ...more })
  }

  #response(status: ResponseBody['status']): ResponseBody {
    const { instructions, metadata, previous_response_id: before } = this.#asked
    return {
      id: this.#id ?? '',
      object: 'response',
      created_at: this.#created,
      status,
      model: this.#asked.model,
      output: [...this.#items],
      error: null,
      incomplete_details: null,
      instructions: instructions ?? null,
      metadata: (metadata ?? {}) as ResponseBody['metadata'],
      parallel_tool_calls: this.#asked.parallel_tool_calls ?? true,
      previous_response_id: before ?? null,
      temperature: this.#asked.temperature ?? null,
      top_p: this.#asked.top_p ?? null,
      tool_choice: (this.#asked.tool_choice ?? 'auto') as ResponseBody['tool_choice'],
      tools: (this.#asked.tools ?? []) as ResponseBody['tools'],
      usage: null,
    }
  }
}

function spoken(said: string): z.output<typeof text> {
  return { type: 'output_text', text: said, annotations: [], logprobs: [] }
}

function idOf(kind: string): string {
  return `${kind}_${randomUUID().replaceAll('-', '')}`
}
