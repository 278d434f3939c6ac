import type { Failure } from './errors.ts'

const TYPES: Record<number, string> = {
  401: 'authentication_error',
  403: 'permission_error',
  429: 'rate_limit_error',
}

/** In the shape that OpenAI's clients understand. */
export function openAiError({ status, code, message, hint, details }: Failure): object {
  const type = TYPES[status] ?? (status < 500 ? 'invalid_request_error' : 'server_error')
  return {
    error: { message: hint ? `${message} ${hint}` : message, type, param: details?.param ?? null, code },
  }
}

/** Their clients ask again by themselves: a run costs money, and ours has tried again already. */
export function openAiFailed(failure: Failure, headers: Record<string, string> = {}): Response {
  const { status } = failure
  return Response.json(openAiError(failure), { status, headers: { ...headers, 'x-should-retry': 'false' } })
}
