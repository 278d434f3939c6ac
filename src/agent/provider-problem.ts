import { APICallError, StreamProviderError } from 'ai'
import { RecollectError } from '../model/errors.ts'
import { redact } from '../platform/redact.ts'
import type { Provider } from './providers.ts'

/** What went wrong in asking a model, as far as the answer tells. */
export interface Failure {
  status?: number
  /** What the provider calls it, beside its words. */
  code?: string
  message: string
  /** Whether asking again may help. */
  retryable: boolean
  /** How long the provider asks us to wait. */
  waitMs?: number
}

export function failureOf(error: unknown): Failure {
  if (APICallError.isInstance(error)) {
    const { statusCode: status = 0 } = error
    return {
      // An answer that began well and then broke off is no answer.
      status: status >= 400 ? status : undefined,
      code: codeIn(error.data),
      message: saidIn(error),
      retryable: error.isRetryable || error.statusCode === 529,
      waitMs: waitIn(error),
    }
  }
  if (StreamProviderError.isInstance(error)) {
    const overloaded = /overloaded|rate.?limit|unavailable/i.test(
      `${error.type} ${error.code} ${error.message}`,
    )
    return {
      status: error.statusCode,
      code: codeIn({ error }),
      message: error.message,
      retryable: error.isRetryable || overloaded,
    }
  }
  const message = error instanceof Error ? error.message : textOf(error)
  const cause = error instanceof Error && error.cause instanceof Error ? `: ${error.cause.message}` : ''
  return {
    message: `${message}${cause}`,
    retryable: isNetwork(`${message}${cause}`) || /overloaded|rate.?limit/i.test(message),
  }
}

/** In words that say what to do. `begun`: part of the answer had come already. */
export function providerProblem(
  { name, keyVariables, url, local, id }: Provider,
  model: string,
  { status, code, message, waitMs }: Failure,
  begun: boolean,
): RecollectError {
  const said = redact(message).slice(0, 500)
  const problem = (name: string, text: string, hint: string) => new RecollectError(name, text, hint)
  if (status === 401 || status === 403 || /api key not valid|invalid api key|incorrect api key/i.test(said)) {
    return problem(
      'WRONG_KEY',
      `${name} refuses the key: ${said}`,
      keyVariables.length > 0
        ? `Check ${keyVariables.join(' or ')} in your environment, or run \`recollect models set ${id}\`.`
        : `Run \`recollect models set ${id}\` to enter its key.`,
    )
  }
  if (isTooLong({ status, code, message: said })) {
    return problem(
      'CONTEXT_TOO_LONG',
      `The chat has become longer than ${model} can read: ${said}`,
      'Start a new chat, or choose a model with a larger context.',
    )
  }
  if (
    status === 404 ||
    /model.{0,80}(?:not found|does not exist|not exist|unknown)|unknown model/i.test(said)
  ) {
    return problem(
      'UNKNOWN_MODEL',
      `${name} does not know the model "${model}": ${said}`,
      local && id === 'ollama' ? `Get it with \`ollama pull ${model}\`.` : 'Choose another with --model.',
    )
  }
  if (status === 429 || /rate.?limit|quota/i.test(said)) {
    const wait = waitMs ? ` It asks to wait ${Math.ceil(waitMs / 1000)} seconds.` : ''
    return problem(
      'RATE_LIMITED',
      `${name} takes no more requests for now: ${said}`,
      `Try again later, or choose another model.${wait}`,
    )
  }
  if (status === 529 || /overloaded/i.test(said)) {
    return problem(
      'OVERLOADED',
      `${name} is overloaded: ${said}`,
      'Try again in a minute, or choose another model.',
    )
  }
  if (status === undefined && begun) {
    return problem(
      'CONNECTION_LOST',
      `The connection to ${name} broke off in the middle of the answer: ${said}`,
      'What came is kept. Ask again in the same chat.',
    )
  }
  if (status === undefined && isNetwork(said)) {
    return problem(
      'UNREACHABLE',
      `${name} cannot be reached at ${url}: ${said}`,
      local
        ? `Start ${name}, or choose another provider.`
        : 'Check the connection, and the address if you set one.',
    )
  }
  return problem(
    'PROVIDER_ERROR',
    `${name} ${status === undefined ? 'failed' : `answered ${status}`}: ${said}`,
    status !== undefined && status >= 500 ? 'Try again in a minute.' : 'Another model may help: --model.',
  )
}

/** Servers of models that take no tools say so in many ways. */
export function refusesTools({ status, message }: Failure): boolean {
  return (
    (status === undefined || (status >= 400 && status < 500) || status === 501) &&
    /(?:does not|doesn't|do not|not) support(?:ed)?.{0,40}(?:tool|function)|(?:tool|function).{0,60}(?:not supported|unsupported|not enabled)|enable-auto-tool-choice/i.test(
      message,
    )
  )
}

/** Servers say in many ways that a request is longer than their model reads. */
export function isTooLong({
  status,
  code,
  message: said,
}: Pick<Failure, 'status' | 'code' | 'message'>): boolean {
  return status === 413 || code === 'context_length_exceeded' || TOO_LONG.test(said)
}

const TOO_LONG = new RegExp(
  [
    'prompt is too long|input is too long|too many tokens|reduce the length of',
    'context.{0,12}(?:length|window)|exceeds? (?:the )?(?:available )?context|maximum context',
    'maximum (?:prompt|model|allowed) length|(?:input|prompt) token count.{0,40}exceeds',
    'inputs.{0,40}must (?:be <=|have less than)',
  ].join('|'),
  'i',
)

/** Of bytes, as of pictures: that says nothing of how many tokens the model reads. */
export function isTooLarge({ status, message }: Failure): boolean {
  return status === 413 && !/token|context/i.test(message)
}

function isNetwork(message: string): boolean {
  return /fetch failed|terminated|cannot connect|econn|enotfound|eai_again|socket|network|other side closed|etimedout|epipe|premature close|aborted|incomplete/i.test(
    message,
  )
}

function saidIn({ message, responseBody, cause }: APICallError): string {
  if (message && message !== 'Bad Request' && message !== 'Unauthorized') {
    return cause instanceof Error && !message.includes(cause.message)
      ? `${message} (${cause.message})`
      : message
  }
  return responseBody?.slice(0, 300) || message
}

function codeIn(data: unknown): string | undefined {
  const code = (data as { error?: { code?: unknown } } | undefined)?.error?.code
  return typeof code === 'string' ? code : undefined
}

function waitIn({ responseHeaders: headers, responseBody = '' }: APICallError): number | undefined {
  const ms = Number(headers?.['retry-after-ms'])
  if (ms > 0) return ms
  const after = headers?.['retry-after']
  // Gemini says it in the answer, without the part of a second.
  const delay = /"retryDelay"\s*:\s*"(\d+)(?:\.\d+)?s"/.exec(responseBody)?.[1]
  if (!after) return delay ? (Number(delay) + 1) * 1000 : undefined
  const seconds = Number(after)
  const wait = Number.isFinite(seconds) ? seconds * 1000 : Date.parse(after) - Date.now()
  return wait > 0 ? wait : undefined
}

function textOf(error: unknown): string {
  try {
    return typeof error === 'string' ? error : JSON.stringify(error)
  } catch {
    return String(error)
  }
}
