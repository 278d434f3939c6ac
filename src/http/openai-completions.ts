import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import type { AgentEvent, RunParameters, RunResult } from '../agent/agent.ts'
import { withoutSecrets } from '../service/outgoing.ts'
import type { Backend } from './backend.ts'
import type { EventStream } from './event-stream.ts'
import { placed } from './openai-dialogs.ts'
import { type Done, deskOf, modelOf, OWN, type Teller, type Wanted } from './openai-run.ts'
import {
  argumentsOf,
  clientTool,
  content,
  contentOf,
  effort,
  functionTool,
  jsonOf,
  refused,
  refuseFields,
  type Said,
  textOf,
} from './openai-said.ts'

const message = z.looseObject({
  role: z.enum(['system', 'developer', 'user', 'assistant', 'tool', 'function']),
  content: content.nullish(),
  tool_call_id: z.string().optional(),
  tool_calls: z
    .array(z.looseObject({ id: z.string(), function: z.object({ name: z.string(), arguments: z.string() }) }))
    .nullish(),
})

export const completion = z.looseObject({
  model: z
    .string()
    .max(300)
    .default(OWN)
    .describe('`recollect`, or `provider/model` as /v1/models lists them'),
  messages: z.array(message).min(1).max(10_000),
  stream: z.boolean().nullish(),
  stream_options: z.looseObject({ include_usage: z.boolean().optional() }).nullish(),
  temperature: z.number().min(0).max(2).nullish(),
  top_p: z.number().min(0).max(1).nullish(),
  seed: z.int().nullish(),
  stop: z.union([z.string(), z.array(z.string()).max(4)]).nullish(),
  presence_penalty: z.number().min(-2).max(2).nullish(),
  frequency_penalty: z.number().min(-2).max(2).nullish(),
  max_tokens: z.int().min(1).nullish(),
  max_completion_tokens: z.int().min(1).nullish(),
  reasoning_effort: effort.nullish(),
  n: z.literal(1, { error: 'Only one answer is given' }).nullish(),
  tools: z
    .array(z.looseObject({ type: z.string(), function: functionTool.optional() }))
    .max(128)
    .nullish()
    .describe('Run by whoever asks; the agent has its own besides'),
  tool_choice: z
    .union([
      z.enum(['none', 'auto', 'required']),
      z.looseObject({ type: z.string(), function: z.object({ name: z.string() }).optional() }),
    ])
    .nullish(),
  parallel_tool_calls: z.boolean().nullish(),
  response_format: z
    .looseObject({ type: z.string(), json_schema: z.record(z.string(), z.unknown()).optional() })
    .nullish(),
  metadata: z.looseObject({ session_id: z.string().optional() }).nullish(),
})
export type Completion = z.output<typeof completion>

const REFUSED = [
  'logprobs',
  'top_logprobs',
  'logit_bias',
  'audio',
  'prediction',
  'functions',
  'function_call',
  'web_search_options',
  'moderation',
] as const

export const completed = z.object({
  id: z.string(),
  object: z.literal('chat.completion'),
  created: z.number(),
  model: z.string(),
  choices: z.array(
    z.object({
      index: z.number(),
      message: z.object({
        role: z.literal('assistant'),
        content: z.string().nullable(),
        refusal: z.null(),
        tool_calls: z
          .array(
            z.object({
              id: z.string(),
              type: z.literal('function'),
              function: z.object({ name: z.string(), arguments: z.string() }),
            }),
          )
          .optional(),
      }),
      finish_reason: z.enum(['stop', 'length', 'content_filter', 'tool_calls']),
      logprobs: z.null(),
    }),
  ),
  usage: z.object({
    prompt_tokens: z.number(),
    completion_tokens: z.number(),
    total_tokens: z.number(),
    prompt_tokens_details: z.object({ cached_tokens: z.number() }),
    completion_tokens_details: z.object({ reasoning_tokens: z.number() }),
  }),
})

const finishReason = completed.shape.choices.element.shape.finish_reason

/** One piece of a streamed answer; the last event is `[DONE]`. */
export const chunk = z.object({
  id: z.string(),
  object: z.literal('chat.completion.chunk'),
  created: z.number(),
  model: z.string(),
  choices: z.array(
    z.object({
      index: z.number(),
      delta: z.object({
        role: z.literal('assistant').optional(),
        content: z.string().optional(),
        reasoning_content: z.string().optional(),
        tool_calls: z
          .array(
            z.object({
              index: z.number(),
              id: z.string(),
              type: z.literal('function'),
              function: z.object({ name: z.string(), arguments: z.string() }),
            }),
          )
          .optional(),
      }),
      finish_reason: finishReason.nullable(),
      logprobs: z.null(),
    }),
  ),
  usage: completed.shape.usage.optional(),
})

export async function completionWanted(
  backend: Backend,
  body: Completion,
  request: Request,
): Promise<Wanted> {
  refuseFields(body, REFUSED)
  if (Array.isArray(body.modalities) && body.modalities.some((each) => each !== 'text'))
    throw refused('modalities', 'Only `text` is given.')
  const known = await deskOf(backend)
  const said = body.messages.flatMap(saidIn)
  const session = request.headers.get('x-session-id') ?? body.metadata?.session_id
  return {
    ...known,
    said,
    run: {
      ...placed(said, known.dialogs, session),
      ...(await modelOf(known.agent, body.model)),
      parameters: parametersOf(body),
      clientTools: (body.tools ?? []).map(({ type, function: given }) => {
        if (type !== 'function' || !given) throw refused(`tools of the type ${type}`, 'Functions are taken.')
        return clientTool(given)
      }),
      unattended: true,
    },
  }
}

function parametersOf(asked: Completion): RunParameters {
  const { stop, tool_choice: choice, response_format: format } = asked
  return {
    temperature: asked.temperature ?? undefined,
    topP: asked.top_p ?? undefined,
    seed: asked.seed ?? undefined,
    stop: typeof stop === 'string' ? [stop] : (stop ?? undefined),
    presencePenalty: asked.presence_penalty || undefined,
    frequencyPenalty: asked.frequency_penalty || undefined,
    maxOutputTokens: asked.max_completion_tokens ?? asked.max_tokens ?? undefined,
    reasoning: asked.reasoning_effort ?? undefined,
    // What holds anyway needs no wish.
    parallelToolCalls: asked.parallel_tool_calls === false ? false : undefined,
    toolChoice: choice ? choiceOf(choice) : undefined,
    json: jsonOf(format?.type, format?.json_schema, 'response_format'),
  }
}

function choiceOf(choice: NonNullable<Completion['tool_choice']>): RunParameters['toolChoice'] {
  if (typeof choice === 'string') return choice
  if (choice.type === 'function' && choice.function) return { tool: choice.function.name }
  throw refused(`tool_choice of the type ${choice.type}`)
}

function saidIn(given: z.output<typeof message>): Said[] {
  const { role, content: words, tool_calls: calls, tool_call_id: callId } = given
  switch (role) {
    case 'system':
    case 'developer':
      return [{ role: 'system', text: textOf(words) }]
    case 'user':
      return [{ role, ...contentOf(words) }]
    case 'assistant':
      return [
        {
          role,
          text: textOf(words),
          ...(calls?.length && {
            calls: calls.map(({ id, function: { name, arguments: args } }) => ({
              id,
              name,
              args: argumentsOf(args),
            })),
          }),
        },
      ]
    case 'tool':
      return [{ role, callId: callId ?? '', text: textOf(words) }]
    case 'function':
      throw refused('messages of the role function', 'Use the role tool.')
  }
}

export function completionOf(asked: Completion, { result, usage, told }: Done): Response {
  const isJson = asked.response_format?.type?.startsWith('json')
  const text = isJson ? withoutSecrets(result.message) : told.join('\n\n')
  const calls = callsOf(result)
  return Response.json(
    {
      ...header(asked.model, 'chat.completion'),
      choices: [
        {
          index: 0,
          message: {
            role: 'assistant',
            content: text === '' && calls.length > 0 ? null : text,
            refusal: null,
            ...(calls.length > 0 && { tool_calls: calls }),
          },
          finish_reason: finishOf(result),
          logprobs: null,
        },
      ],
      usage: usageOf(usage),
    },
    { headers: { 'x-session-id': result.sessionId } },
  )
}

/** The same as chunks of a stream. */
export class Chunks implements Teller {
  readonly #stream: EventStream
  readonly #asked: Completion
  readonly #header: object
  /** Between what was said before tools and after them there is a blank line. */
  #gap = ''
  #said = ''

  constructor(stream: EventStream, asked: Completion) {
    this.#stream = stream
    this.#asked = asked
    this.#header = header(asked.model, 'chat.completion.chunk')
    this.#choice({ role: 'assistant', content: '' })
  }

  pass(event: AgentEvent): void {
    if (event.type === 'thinking') this.#choice({ reasoning_content: event.text })
    if (event.type === 'text') {
      this.#said += event.text
      // What stands before tools is no part of a JSON document.
      if (!this.#isJson) this.#say(event.text)
    }
    if (event.type !== 'step') return
    if (this.#isJson && event.finish !== 'tool-calls') this.#say(this.#said)
    if (this.#said !== '' && !this.#isJson) this.#gap = '\n\n'
    this.#said = ''
  }

  end({ result, usage }: Done): void {
    const calls = callsOf(result).map((call, index) => ({ index, ...call }))
    if (calls.length > 0) this.#choice({ tool_calls: calls })
    this.#choice({}, finishOf(result))
    if (this.#asked.stream_options?.include_usage) this.#send({ choices: [], usage: usageOf(usage) })
    this.#stream.say('[DONE]')
  }

  fail(error: object): void {
    this.#stream.say(JSON.stringify(error))
  }

  get #isJson(): boolean {
    return this.#asked.response_format?.type?.startsWith('json') === true
  }

  #say(text: string): void {
    if (text === '') return
    this.#choice({ content: this.#gap + text })
    this.#gap = ''
  }

  #choice(delta: object, finish: string | null = null): void {
    this.#send({ choices: [{ index: 0, delta, finish_reason: finish, logprobs: null }] })
  }

  #send(more: object): void {
    this.#stream.say(JSON.stringify({ ...this.#header, ...more }))
  }
}

function callsOf({ calls = [] }: RunResult) {
  return calls.map(({ id, name, args }) => ({
    id,
    type: 'function' as const,
    function: { name, arguments: typeof args === 'string' ? args : JSON.stringify(args ?? {}) },
  }))
}

function finishOf({ finish, status }: RunResult) {
  if (status === 'tools') return 'tool_calls'
  return finish === 'content-filter' ? 'content_filter' : finish === 'length' ? 'length' : 'stop'
}

function header(model: string, object: string): object {
  return { id: `chatcmpl-${randomUUID()}`, object, created: Math.floor(Date.now() / 1000), model }
}

function usageOf({ input = 0, output = 0, cached = 0, reasoning = 0 }: Done['usage']) {
  return {
    prompt_tokens: input,
    completion_tokens: output,
    total_tokens: input + output,
    prompt_tokens_details: { cached_tokens: cached },
    completion_tokens_details: { reasoning_tokens: reasoning },
  }
}
