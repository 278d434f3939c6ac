import { setTimeout as sleep } from 'node:timers/promises'
import {
  InvalidToolInputError,
  jsonSchema,
  type LanguageModel,
  type LanguageModelUsage,
  type ModelMessage,
  streamText,
  tool,
  wrapLanguageModel,
} from 'ai'
import type { Usage } from '../model/chat.ts'
import type { ClientTool, Finish, RunParameters } from './agent.ts'
import type { NamedTool } from './pool.ts'
import { type Failure, failureOf } from './provider-problem.ts'
import type { Provider } from './providers.ts'
import { providerOptionsFor } from './wishes.ts'

/** One call of the model. */
export interface Asking {
  model: LanguageModel
  provider: Provider
  instructions: string
  messages: ModelMessage[]
  tools: (NamedTool | ClientTool)[]
  parameters: RunParameters
  maxOutputTokens: number
  signal: AbortSignal
  onText(text: string): void
  onThinking(text: string): void
  onNotice(text: string): void
  /** An answer that had begun broke off or was stopped: it costs all the same. What the provider told of that by then. */
  onBroken?(usage: Usage, said: string): void
}

export interface Reply {
  text: string
  thinking: string
  /** As the provider wants it back. */
  content: Record<string, unknown>[]
  calls: { id: string; name: string; args: unknown; problem?: string }[]
  usage: Usage
  finish: Finish
  latencyMs: number
}

/** The model failed. What had come by then is kept. */
export class StepFailed extends Error {
  readonly failure: Failure
  readonly text: string
  readonly thinking: string

  constructor(failure: Failure, text: string, thinking: string) {
    super(failure.message)
    this.failure = failure
    this.text = text
    this.thinking = thinking
  }
}

const RETRIES = 3
const FIRST_PAUSE_MS = 1_000
/** Who is asked to wait longer is told so instead. */
const LONGEST_PAUSE_MS = 60_000
/** A model that says nothing for so long has lost us. */
const FIRST_WORD_MS = 600_000
const NEXT_WORD_MS = 180_000

// Its warnings go to the console, where our answers are.
globalThis.AI_SDK_LOG_WARNINGS = false

/** Asks, and asks again where the provider was busy and nothing had come yet. */
export async function askModel(asking: Asking): Promise<Reply> {
  for (let tries = 0; ; tries++) {
    try {
      return await askOnce(asking)
    } catch (error) {
      asking.signal.throwIfAborted()
      if (!(error instanceof StepFailed)) throw error
      const { failure, text, thinking } = error
      const pause = failure.waitMs ?? FIRST_PAUSE_MS * 2 ** tries * (0.75 + Math.random() / 2)
      const isLost = text !== '' || thinking !== ''
      if (!failure.retryable || isLost || tries >= RETRIES || pause > LONGEST_PAUSE_MS) throw error
      asking.onNotice(`${reasonOf(failure)}; asking again in ${Math.max(1, Math.round(pause / 1000))} s.`)
      await sleep(pause, undefined, { signal: asking.signal })
    }
  }
}

/** What a model says, calls or thinks: from here on it is paid for. */
const SPEAKS = new Set(['text-start', 'reasoning-start', 'tool-input-start', 'tool-call'])

async function askOnce(asking: Asking): Promise<Reply> {
  const began = performance.now()
  let speaks = false
  let text = ''
  let thinking = ''
  let finish: Finish = 'stop'
  let usage: Usage = {}
  const calls: Reply['calls'] = []
  const fail = (error: unknown) => {
    asking.signal.throwIfAborted()
    return new StepFailed(failureOf(error), text, thinking)
  }
  try {
    const { parameters, provider } = asking
    const result = streamText({
      model: inFormat(asking.model, parameters.json),
      instructions: asking.instructions,
      messages: asking.messages,
      tools: offered(asking.tools),
      toolChoice: toolChoiceOf(asking),
      temperature: parameters.temperature,
      topP: parameters.topP,
      seed: parameters.seed,
      stopSequences: parameters.stop,
      presencePenalty: parameters.presencePenalty,
      frequencyPenalty: parameters.frequencyPenalty,
      ...(parameters.reasoning && { reasoning: parameters.reasoning }),
      maxOutputTokens: asking.maxOutputTokens,
      providerOptions: providerOptionsFor(provider, parameters),
      maxRetries: 0,
      abortSignal: asking.signal,
      timeout: { firstChunkMs: FIRST_WORD_MS, chunkMs: NEXT_WORD_MS },
      onError: () => {},
    })
    for await (const part of result.stream) {
      speaks ||= SPEAKS.has(part.type)
      switch (part.type) {
        case 'text-delta':
          text += part.text
          asking.onText(part.text)
          break
        case 'reasoning-delta':
          thinking += part.text
          if (part.text !== '') asking.onThinking(part.text)
          break
        case 'tool-call':
          calls.push(callOf(part))
          break
        case 'finish-step':
          usage = usageOf(part.usage)
          if (part.finishReason === 'length' || part.finishReason === 'content-filter')
            finish = part.finishReason
          if (part.finishReason === 'interrupted') throw new Error('The answer is incomplete.')
          if (part.finishReason === 'error') throw new Error('The stream ended with an error.')
          break
        case 'error':
          throw part.error
        case 'abort':
          throw new Error(part.reason ?? 'aborted')
      }
    }
    const { messages } = await result.response
    const content = messages.flatMap((message) =>
      message.role === 'assistant' ? partsOf(message.content) : [],
    )
    if (calls.length > 0 && finish === 'stop') finish = 'tool-calls'
    return { text, thinking, content, calls, usage, finish, latencyMs: Math.round(performance.now() - began) }
  } catch (error) {
    if (speaks) asking.onBroken?.(usage, thinking + text)
    throw fail(error)
  }
}

/** The SDK has no setting of its own for that, but to parse the answer itself. */
function inFormat(model: LanguageModel, json: RunParameters['json']): LanguageModel {
  if (!json || typeof model === 'string') return model
  const responseFormat = { type: 'json' as const, ...json }
  return wrapLanguageModel({
    model,
    middleware: { transformParams: async ({ params }) => ({ ...params, responseFormat }) },
  })
}

function toolChoiceOf({ tools, parameters: { toolChoice } }: Asking) {
  if (tools.length === 0 || toolChoice === undefined) return undefined
  return typeof toolChoice === 'string' ? toolChoice : { type: 'tool' as const, toolName: toolChoice.tool }
}

/** Without code to run: what is called is run by us, when and if it may be. */
function offered(tools: Asking['tools']) {
  if (tools.length === 0) return undefined
  return Object.fromEntries(
    tools.map(({ name, description, inputSchema }) => [
      name,
      tool({ description, inputSchema: jsonSchema(inputSchema) }),
    ]),
  )
}

function callOf(part: {
  toolCallId: string
  toolName: string
  input: unknown
  invalid?: boolean
  error?: unknown
}) {
  const { toolCallId: id, toolName: name, input: args } = part
  if (!part.invalid || !InvalidToolInputError.isInstance(part.error)) return { id, name, args }
  const problem = `The arguments for ${name} are not valid JSON: ${part.error.toolInput.slice(0, 500)}`
  return { id, name, args, problem }
}

function partsOf(content: string | object[]): Record<string, unknown>[] {
  return typeof content === 'string'
    ? [{ type: 'text', text: content }]
    : content.map((part) => ({ ...part }))
}

export function usageOf({
  inputTokens,
  outputTokens,
  inputTokenDetails,
  outputTokenDetails,
}: LanguageModelUsage): Usage {
  return {
    input: inputTokens,
    output: outputTokens,
    cached: inputTokenDetails?.cacheReadTokens,
    cacheWrite: inputTokenDetails?.cacheWriteTokens,
    reasoning: outputTokenDetails?.reasoningTokens,
  }
}

function reasonOf({ status, message }: Failure): string {
  if (status === 429) return 'The provider takes no more requests for now'
  if (status === 529 || /overloaded/i.test(message)) return 'The provider is overloaded'
  return status ? `The provider answered ${status}` : 'The provider could not be reached'
}
