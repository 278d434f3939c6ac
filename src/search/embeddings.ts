import { setTimeout as sleep } from 'node:timers/promises'
import { z } from 'zod'
import { RecollectError } from '../model/errors.ts'
import { type EmbeddingsConfig, embeddingsFormat } from '../platform/config.ts'
import { guardSecrets, redact } from '../platform/redact.ts'

/** Texts to vectors, by an endpoint that speaks as OpenAI's or Ollama's does. */
export interface Embedder {
  /** The model and how long its vectors are: only vectors of one name can be compared. */
  name: string
  /** One vector for each text. Secrets are taken out first, and only the beginning of a long text is sent. */
  embed(texts: string[], wish?: EmbedWish): Promise<number[][]>
}

interface EmbedWish {
  signal?: AbortSignal
  timeoutMs?: number
  /** How often it is tried again when the endpoint is overloaded or away. */
  retries?: number
}

/** About 500 tokens: what the smallest common models read. */
const LONGEST_TEXT = 2_000
const SHORTEST_BOUND = 250
const TIMEOUT_MS = 120_000
const RETRIES = 5
const FIRST_WAIT_MS = 500
const LONGEST_WAIT_MS = 30_000

export function embedderOf(config: EmbeddingsConfig, env = process.env): Embedder {
  const { model, dimensions, apiKeyEnv } = config
  const key = apiKeyEnv && env[apiKeyEnv]
  guardSecrets([key])
  if (apiKeyEnv && !key) {
    throw new RecollectError(
      'INVALID_CONFIG',
      `config.json takes the key for embeddings from $${apiKeyEnv}, which is not set.`,
      `Set ${apiKeyEnv}, or leave apiKeyEnv out where no key is needed.`,
    )
  }
  let longest = LONGEST_TEXT
  return {
    name: dimensions ? `${model} (${dimensions})` : model,
    async embed(texts, { signal, timeoutMs = TIMEOUT_MS, retries = RETRIES } = {}) {
      // Some refuse an empty text.
      const clean = texts.map((text) => redact(text).trim() || '.')
      for (let attempt = 0; ; attempt++) {
        const input = clean.map((text) => beginning(text, longest))
        const answer = await ask(config, key, input, timeoutMs, signal)
        if ('vectors' in answer) return answer.vectors.map((vector) => vector.slice(0, dimensions))
        signal?.throwIfAborted()
        const shorter = longest / 2
        if (answer.tooLong && shorter >= SHORTEST_BOUND && input.some(({ length }) => length > shorter)) {
          longest = shorter
          attempt--
        } else if (answer.again && attempt < retries) {
          const wait = Math.min(LONGEST_WAIT_MS, answer.waitMs ?? FIRST_WAIT_MS * 2 ** attempt)
          await sleep(wait, undefined, { signal })
        } else throw failed(config, answer.reason)
      }
    },
  }
}

/** Waiting does not help: nothing runs there. */
const NOBODY = new Set(['ECONNREFUSED', 'ENOTFOUND'])

interface Refusal {
  reason: string
  /** It may do better at another time, and when. */
  again: boolean
  waitMs?: number
  /** It may be that a text is longer than the model takes. */
  tooLong: boolean
}

async function ask(
  { url, model, dimensions }: EmbeddingsConfig,
  key: string | undefined,
  input: string[],
  timeoutMs: number,
  signal: AbortSignal | undefined,
): Promise<{ vectors: number[][] } | Refusal> {
  const format = embeddingsFormat(url)
  const own = format === 'ollama' ? { truncate: true } : { encoding_format: 'float' }
  const limit = AbortSignal.timeout(timeoutMs)
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...(key && { authorization: `Bearer ${key}` }) },
      body: JSON.stringify({ model, input, ...own, ...(dimensions && { dimensions }) }),
      // Neither chats nor the key go anywhere but where the person said.
      redirect: 'error',
      signal: signal ? AbortSignal.any([signal, limit]) : limit,
    })
    const text = await response.text()
    if (!response.ok) return refusal(response, text)
    const vectors = format === 'ollama' ? ollama(text) : openai(text)
    if (vectors?.length === input.length && vectors.every(({ length }) => length === vectors[0]!.length))
      return { vectors }
    return { reason: 'its answer has not one vector for each text', again: false, tooLong: false }
  } catch (error) {
    if (signal?.aborted) throw signal.reason
    const reason = limit.aborted ? `no answer within ${timeoutMs / 1000} s` : causeOf(error)
    return { reason, again: !NOBODY.has(reason), tooLong: false }
  }
}

function refusal({ status, headers }: Response, text: string): Refusal {
  const seconds = Number(headers.get('retry-after') ?? Number.NaN)
  return {
    reason: `it answered ${status}${said(text)}`,
    again: status === 408 || status === 429 || status >= 500,
    ...(seconds >= 0 && { waitMs: seconds * 1000 }),
    tooLong: status === 400 || status === 413 || status === 422,
  }
}

const Vector = z.array(z.number()).min(1)
const OllamaAnswer = z.looseObject({ embeddings: z.array(Vector) })
const OpenaiAnswer = z.looseObject({
  data: z.array(z.looseObject({ index: z.number().optional(), embedding: Vector })),
})
const ErrorAnswer = z.union([
  z.looseObject({ error: z.string() }).transform(({ error }) => error),
  z.looseObject({ error: z.looseObject({ message: z.string() }) }).transform(({ error }) => error.message),
])

function ollama(text: string): number[][] | undefined {
  return OllamaAnswer.safeParse(json(text)).data?.embeddings
}

function openai(text: string): number[][] | undefined {
  const data = OpenaiAnswer.safeParse(json(text)).data?.data
  return data
    ?.map(({ index, embedding }, place) => ({ index: index ?? place, embedding }))
    .sort((a, b) => a.index - b.index)
    .map(({ embedding }) => embedding)
}

function said(text: string): string {
  const message = ErrorAnswer.safeParse(json(text)).data
  return message === undefined ? '' : `: ${beginning(message.replace(/\s+/g, ' '), 300)}`
}

function json(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** `fetch failed` says nothing; its cause does. */
function causeOf(error: unknown): string {
  const cause = error instanceof Error ? (error.cause ?? error) : error
  const { code, message } = cause as { code?: string; message?: string }
  return code ?? message ?? String(cause)
}

function failed({ url, model }: EmbeddingsConfig, reason: string): RecollectError {
  return new RecollectError(
    'EMBEDDINGS_FAILED',
    `No vectors of ${model} from ${new URL(url).origin}: ${redact(reason)}.`,
    'Check `embeddings` in config.json, and whether the endpoint runs and has the model.',
  )
}

/** Not more than so many characters, and no half one at the end. */
function beginning(text: string, most: number): string {
  return text.length <= most ? text : text.slice(0, most).replace(/[\ud800-\udbff]$/, '')
}
