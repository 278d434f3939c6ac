import type { Shared } from '../server/shared.ts'
import type { Greeter } from './greeter.ts'
import { isObject } from './is-object.ts'
import { oneLine } from './one-line.ts'

/**
 * A call that came in the same breath as the greeting, answered without the protocol library: loading it and having it read the
 * greeting takes a quarter of the time that the client waits for. What is called, and by whom, is decided where it is for every call;
 * only the wrapping is ours. Anything out of the ordinary is the library's.
 */
export interface FirstCall {
  id: string | number
  answered: Promise<void>
  /** It was answered, or something else is asked meanwhile. */
  settled: Promise<void>
  cancel(): void
}

interface Call {
  id: string | number
  name: string
  given: Record<string, unknown>
}

/** Answers the call that waits behind the greeting, where nothing else does. Its line is taken out of what the library reads. */
export function firstCall(
  greeter: Pick<Greeter, 'input' | 'client' | 'more'>,
  shared: Shared,
  write = (text: string): unknown => process.stdout.write(text),
): FirstCall | undefined {
  const client = greeter.client()
  if (client === undefined) return undefined
  const waiting: Buffer | null = greeter.input.read()
  if (!waiting) return undefined
  const lines = waiting.toString('latin1').split('\n')
  const call = lines.length <= MOST_LINES && lines.pop() === '' ? callIn(lines) : undefined
  if (!call) {
    greeter.input.unshift(waiting)
    return undefined
  }
  greeter.input.unshift(Buffer.from(`${lines.slice(0, -1).join('\n')}\n`, 'latin1'))
  const ending = new AbortController()
  const answered = answer(shared, call, client, ending.signal).then((text) => {
    if (!ending.signal.aborted) write(`${oneLine(text)}\n`)
  })
  const settled = Promise.race([answered, greeter.more()])
  return { id: call.id, answered, settled, cancel: () => ending.abort() }
}

/** The greeting, that the client has heard the answer, the call, and the end of its line. */
const MOST_LINES = 4

function callIn(lines: string[]): Call | undefined {
  const [, ...others] = lines.map(messageIn)
  const called = others.pop()
  if (!called || others.some((each) => each?.method !== 'notifications/initialized')) return undefined
  const { id, params } = called
  if (called.jsonrpc !== '2.0' || called.method !== 'tools/call' || !isObject(params)) return undefined
  const { name, arguments: given = {}, ...rest } = params
  // Who wants to hear how far it has come, or says where it comes from, is read by the library.
  if (typeof name !== 'string' || !isObject(given) || Object.keys(rest).length > 0) return undefined
  return typeof id === 'string' || Number.isInteger(id) ? { id: id as Call['id'], name, given } : undefined
}

function messageIn(line: string): Record<string, unknown> | undefined {
  try {
    const message: unknown = JSON.parse(Buffer.from(line, 'latin1').toString())
    return isObject(message) ? message : undefined
  } catch {
    return undefined
  }
}

async function answer(
  shared: Shared,
  { id, name, given }: Call,
  client: string,
  signal: AbortSignal,
): Promise<string> {
  const [{ callTool }, { callerFor }] = await Promise.all([import('./tools.ts'), import('./caller.ts')])
  try {
    const result = await callTool(shared, name, given, await callerFor(shared, { client, signal }))
    return JSON.stringify({ result, jsonrpc: '2.0', id })
  } catch (error) {
    const { code, message } = error as { code?: unknown; message: string }
    return JSON.stringify({
      jsonrpc: '2.0',
      id,
      error: { code: Number.isInteger(code) ? code : INTERNAL_ERROR, message },
    })
  }
}

const INTERNAL_ERROR = -32_603
