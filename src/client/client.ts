import type { CapabilityName, Client, ClientOptions, Problem } from './types.ts'

export type * from './types.ts'

/** The capabilities of a running `recollect serve`, typed. */
export function recollect({ url, token, fetch: send = fetch }: ClientOptions): Client {
  const base = url.replace(/\/+$/, '')
  const ask = async (name: string, input: unknown, signal?: AbortSignal): Promise<unknown> => {
    const response = await send(`${base}/api/v1/${name}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify(input ?? {}),
      signal: signal ?? null,
    })
    const answer: unknown = await response.json().catch(() => undefined)
    // The secretary's refusals are answers: `success: false`.
    if (response.ok || (isRecord(answer) && answer.success === false)) return answer
    throw problemOf(response.status, isRecord(answer) && isRecord(answer.error) ? answer.error : {})
  }
  return new Proxy({} as Client, {
    get: (_, name: CapabilityName | 'then') =>
      name === 'then'
        ? undefined
        : (input: unknown, options?: { signal?: AbortSignal }) => ask(name, input, options?.signal),
  })
}

function problemOf(status: number, { code, message, hint }: Record<string, unknown>): Problem {
  const problem = new Error(typeof message === 'string' ? message : `Recollect answered with ${status}.`)
  return Object.assign(problem, {
    name: 'Problem',
    code: typeof code === 'string' ? code : `HTTP_${status}`,
    status,
    ...(typeof hint === 'string' && { hint }),
  })
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
