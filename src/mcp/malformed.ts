import { isSpecType } from '@modelcontextprotocol/server'
import { isObject } from './is-object.ts'

/** An answer to what is no message of the protocol. Nothing is answered where `id` is missing: it was a notification. */
export interface Malformed {
  id?: string | number | null
  error: { code: number; message: string }
}

const PARSE_ERROR = -32_700
const INVALID_REQUEST = -32_600
const INVALID_PARAMS = -32_602

export function notJson(): Malformed {
  return { id: null, error: { code: PARSE_ERROR, message: 'Parse error: this is not valid JSON' } }
}

export function tooLong(mostBytes: number): Malformed {
  return invalid(null, `a message has at most ${Math.round(mostBytes / 2 ** 20)} MB`)
}

/**
 * What is wrong with a message, if anything. The protocol library drops such messages, and whoever
 * waits for an answer waits for ever, or calls them its own failure.
 */
export function malformed(message: unknown): Malformed | undefined {
  if (!isObject(message)) return invalid(null, 'a message is a JSON object')
  const { jsonrpc, id, method, params } = message
  const answerable = typeof id === 'string' || Number.isSafeInteger(id) ? (id as string | number) : null
  if (jsonrpc !== '2.0') return invalid(answerable, 'jsonrpc has to be "2.0"')
  // Answers of a client to our own questions.
  if (method === undefined && ('result' in message || 'error' in message)) return undefined
  if (typeof method !== 'string') return invalid(answerable, 'method has to be a string')
  if ('id' in message && answerable === null) return invalid(null, 'id has to be a string or a whole number')
  const asked = 'id' in message ? { id: answerable } : {}
  if ('params' in message && !isObject(params)) {
    const got = params === null ? 'null' : Array.isArray(params) ? 'an array' : `a ${typeof params}`
    return {
      ...asked,
      error: { code: INVALID_PARAMS, message: `Invalid params: an object is needed, not ${got}` },
    }
  }
  const fits = FITTING[method]
  // The protocol of 2026 has no such methods: the library says so.
  if (!fits || (isModern(params) && /^resources\/(?:un)?subscribe$/.test(method)) || fits(message))
    return undefined
  return {
    ...asked,
    error: { code: INVALID_PARAMS, message: `Invalid params: they do not fit ${method}` },
  }
}

/** Methods that need something said: the library answers -32603 where it is not. */
const FITTING: Record<string, (message: unknown) => boolean> = {
  'resources/read': isSpecType.ReadResourceRequest,
  'resources/list': isSpecType.ListResourcesRequest,
  'resources/subscribe': isSpecType.SubscribeRequest,
  'resources/unsubscribe': isSpecType.UnsubscribeRequest,
  'prompts/get': isSpecType.GetPromptRequest,
  'prompts/list': isSpecType.ListPromptsRequest,
  'tools/list': isSpecType.ListToolsRequest,
  'completion/complete': isSpecType.CompleteRequest,
}

function invalid(id: string | number | null, what: string): Malformed {
  return { id, error: { code: INVALID_REQUEST, message: `Invalid request: ${what}` } }
}

/** Each request of the newer protocol names its version. */
function isModern(params: unknown): boolean {
  const meta = isObject(params) ? params._meta : undefined
  return isObject(meta) && Object.keys(meta).some((name) => name.endsWith('/protocolVersion'))
}
