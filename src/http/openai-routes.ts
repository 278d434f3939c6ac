import { createHash, randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { z } from 'zod'
import type { Agent, AgentEvent, RunRequest, RunResult } from '../agent/agent.ts'
import { RecollectError } from '../model/errors.ts'
import { agentOf } from './agent-of.ts'
import { failureOf } from './errors.ts'
import { type EventStream, eventStream } from './event-stream.ts'
import { openAiError } from './openai-error.ts'
import { type Route, route } from './route.ts'

/** The model that is whichever the person has set. */
const OWN = 'recollect'

const part = z.looseObject({ type: z.string(), text: z.string().optional() })
const message = z.looseObject({
  role: z.enum(['system', 'developer', 'user', 'assistant', 'tool', 'function']),
  content: z.union([z.string(), z.array(part)]).nullish(),
})
const completion = z.looseObject({
  model: z
    .string()
    .max(300)
    .default(OWN)
    .describe('`recollect`, or `provider/model` as /v1/models lists them'),
  messages: z.array(message).min(1).max(10_000),
  stream: z.boolean().nullish(),
  stream_options: z.looseObject({ include_usage: z.boolean().optional() }).nullish(),
  temperature: z.number().min(0).max(2).nullish(),
  max_tokens: z.int().min(1).nullish(),
  max_completion_tokens: z.int().min(1).nullish(),
  n: z.literal(1, { error: 'Only one answer is given' }).nullish(),
  tools: z
    .array(z.unknown())
    .max(0, { error: 'The agent brings its own tools; it cannot call yours' })
    .nullish(),
  metadata: z.looseObject({ session_id: z.string().optional() }).nullish(),
})
type Completion = z.output<typeof completion>

const completed = z.object({
  id: z.string(),
  object: z.literal('chat.completion'),
  created: z.number(),
  model: z.string(),
  choices: z.array(
    z.object({
      index: z.number(),
      message: z.object({ role: z.literal('assistant'), content: z.string(), refusal: z.null() }),
      finish_reason: z.literal('stop'),
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

/** The agent as if it were a model, for clients that know no other interface. Nobody can be asked there. */
export const openAiRoutes: Route[] = [
  route({
    method: 'post',
    path: '/v1/chat/completions',
    summary: 'Ask the agent as OpenAI models are asked, with or without `stream`',
    tag: 'openai',
    act: 'ask',
    body: completion,
    answer: completed,
    async handle({ desk, body, request }) {
      const agent = await agentOf(desk)
      const wanted = await requestOf(agent, body, request)
      return body.stream
        ? await streamed(agent, wanted, body, request.signal)
        : await whole(agent, wanted, body, request.signal)
    },
  }),
  route({
    method: 'get',
    path: '/v1/models',
    summary: 'What may be named as a model',
    tag: 'openai',
    act: 'ask',
    answer: z.object({
      object: z.string(),
      data: z.array(
        z.object({ id: z.string(), object: z.string(), created: z.number(), owned_by: z.string() }),
      ),
    }),
    async handle({ desk }) {
      const models = await (await agentOf(desk)).models()
      const named = (id: string, owner: string) => ({ id, object: 'model', created: 0, owned_by: owner })
      return {
        object: 'list',
        data: [named(OWN, OWN), ...models.map(({ id, provider }) => named(`${provider}/${id}`, provider))],
      }
    },
  }),
]

async function whole(
  agent: Agent,
  wanted: RunRequest,
  asked: Completion,
  signal: AbortSignal,
): Promise<Response> {
  const result = await agent.run(wanted, () => {}, signal)
  remember(asked, result)
  return Response.json(
    {
      ...header(asked.model, 'chat.completion'),
      choices: [
        {
          index: 0,
          message: { role: 'assistant', content: result.message, refusal: null },
          finish_reason: 'stop',
          logprobs: null,
        },
      ],
      usage: usageOf(result),
    },
    { headers: { 'x-session-id': result.sessionId } },
  )
}

const PATIENCE_MS = 10_000

/** The status is sent when something comes, so that what fails at once fails with a status of its own. */
async function streamed(
  agent: Agent,
  wanted: RunRequest,
  asked: Completion,
  left: AbortSignal,
): Promise<Response> {
  const gone = new AbortController()
  const waiting: AgentEvent[] = []
  let pass = (event: AgentEvent): void => {
    waiting.push(event)
  }
  const running = agent.run(wanted, (event) => pass(event), AbortSignal.any([left, gone.signal]))
  await Promise.race([running, saysSomething(waiting)])
  const session = waiting.find((event) => event.type === 'start')?.sessionId
  return eventStream(
    async (stream) => {
      stream.gone.addEventListener('abort', () => gone.abort(), { once: true })
      const chunks = new Chunks(stream, asked)
      for (const event of waiting) chunks.pass(event)
      pass = (event) => chunks.pass(event)
      try {
        const result = await running
        remember(asked, result)
        chunks.end(result)
      } catch (error) {
        if (!stream.gone.aborted) stream.say(JSON.stringify(openAiError(failureOf(error, undefined))))
      }
    },
    session ? { 'x-session-id': session } : {},
  )
}

async function saysSomething(waiting: AgentEvent[]): Promise<void> {
  const until = Date.now() + PATIENCE_MS
  const isSilent = () => waiting.every(({ type }) => type === 'start' || type === 'notice')
  while (isSilent() && Date.now() < until) await sleep(20)
}

class Chunks {
  readonly #stream: EventStream
  readonly #asked: Completion
  readonly #header: object

  constructor(stream: EventStream, asked: Completion) {
    this.#stream = stream
    this.#asked = asked
    this.#header = header(asked.model, 'chat.completion.chunk')
    this.#choice({ role: 'assistant', content: '' })
  }

  pass(event: AgentEvent): void {
    if (event.type === 'text') this.#choice({ content: event.text })
    if (event.type === 'thinking') this.#choice({ reasoning_content: event.text })
  }

  end(result: RunResult): void {
    this.#choice({}, 'stop')
    if (this.#asked.stream_options?.include_usage) this.#say({ choices: [], usage: usageOf(result) })
    this.#stream.say('[DONE]')
  }

  #choice(delta: object, finish: string | null = null): void {
    this.#say({ choices: [{ index: 0, delta, finish_reason: finish, logprobs: null }] })
  }

  #say(more: object): void {
    this.#stream.say(JSON.stringify({ ...this.#header, ...more }))
  }
}

function header(model: string, object: string): object {
  return { id: `chatcmpl-${randomUUID()}`, object, created: Math.floor(Date.now() / 1000), model }
}

function usageOf({ usage: { input = 0, output = 0, cached = 0, reasoning = 0 } }: RunResult): object {
  return {
    prompt_tokens: input,
    completion_tokens: output,
    total_tokens: input + output,
    prompt_tokens_details: { cached_tokens: cached },
    completion_tokens_details: { reasoning_tokens: reasoning },
  }
}

async function requestOf(agent: Agent, asked: Completion, request: Request): Promise<RunRequest> {
  const known = request.headers.get('x-session-id') ?? asked.metadata?.session_id ?? sessionOf(asked)
  const last = asked.messages.at(-1)
  if (last?.role !== 'user')
    throw new RecollectError('INVALID_INPUT', 'The last message must be of the role user.')
  return {
    ...(await modelOf(agent, asked.model)),
    message: known ? textOf(last) : withHistory(asked.messages),
    sessionId: known,
    parameters: {
      temperature: asked.temperature ?? undefined,
      maxOutputTokens: asked.max_completion_tokens ?? asked.max_tokens ?? undefined,
    },
    unattended: true,
  }
}

/** `provider/model`; models have slashes in their names too. */
async function modelOf(agent: Agent, named: string): Promise<Pick<RunRequest, 'provider' | 'model'>> {
  if (named === OWN) return {}
  const slash = named.indexOf('/')
  const provider = named.slice(0, Math.max(0, slash))
  const isProvider = slash > 0 && (await agent.providers()).some(({ id }) => id === provider)
  return isProvider ? { provider, model: named.slice(slash + 1) } : { model: named }
}

type Said = Completion['messages'][number]

function textOf({ content }: Said): string {
  if (typeof content === 'string') return content
  return (content ?? [])
    .map(({ type, text }) => {
      if (text !== undefined) return text
      throw new RecollectError('INVALID_INPUT', `A part of the type ${type} cannot be taken: only text.`)
    })
    .join('\n')
}

/** What was said elsewhere comes as a part of the first message: the agent knows only its own dialogs. */
function withHistory(messages: Said[]): string {
  const texts = messages.map(textOf)
  const last = texts.pop() ?? ''
  const rules = texts.filter((_, i) => /^(system|developer)$/.test(messages[i]?.role ?? ''))
  const earlier = texts.flatMap((text, i) => {
    const role = messages[i]?.role
    if (role === 'user') return [`User: ${text}`]
    return role === 'assistant' && text ? [`Assistant: ${text}`] : []
  })
  if (rules.length === 0 && earlier.length === 0) return last
  const dialog = earlier.length > 0 ? ['What was said so far in this conversation:', ...earlier, 'Now:'] : []
  return [...rules, ...dialog, last].join('\n\n')
}

const MOST_REMEMBERED = 1_000
/** Clients send all of a dialog each time: by what was said so far, ours is found again. */
const dialogs = new Map<string, string>()

function remember(asked: Completion, { sessionId, message: content }: RunResult): void {
  dialogs.set(hashOf([...asked.messages, { role: 'assistant', content }]), sessionId)
  const [oldest] = dialogs.keys()
  if (oldest !== undefined && dialogs.size > MOST_REMEMBERED) dialogs.delete(oldest)
}

function sessionOf({ messages }: Completion): string | undefined {
  return messages.length > 2 ? dialogs.get(hashOf(messages.slice(0, -1))) : undefined
}

function hashOf(messages: Said[]): string {
  const said = messages.map((each) => [each.role, textOf(each).trim()])
  return createHash('sha256').update(JSON.stringify(said)).digest('base64')
}
