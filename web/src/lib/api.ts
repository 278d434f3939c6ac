import { proof } from './session.ts'

/** What went wrong, in the server's words: what happened, and what to do next. */
export class Problem extends Error {
  readonly code: string
  readonly hint: string | undefined
  /** The HTTP status; 0 where the server did not answer at all. */
  readonly status: number
  readonly details: Record<string, unknown>

  constructor(
    status: number,
    { code, message, hint, ...details }: { code: string; message: string; hint?: string },
  ) {
    super(message)
    this.name = 'Problem'
    this.status = status
    this.code = code
    this.hint = hint
    this.details = details
  }
}

export type Query = Record<string, string | number | boolean | undefined | null | (string | number)[]>

/** `path` is below `/api/v1/`, unless it begins with a slash. */
export function get<T>(path: string, query?: Query, signal?: AbortSignal): Promise<T> {
  return call<T>('GET', urlOf(path, query), undefined, signal)
}

export function post<T>(path: string, body: unknown = {}, signal?: AbortSignal): Promise<T> {
  return call<T>('POST', urlOf(path), body, signal)
}

export function put<T>(path: string, body: unknown, signal?: AbortSignal): Promise<T> {
  return call<T>('PUT', urlOf(path), body, signal)
}

export function del<T>(path: string, signal?: AbortSignal): Promise<T> {
  return call<T>('DELETE', urlOf(path), undefined, signal)
}

function urlOf(path: string, query: Query = {}): string {
  const params = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) {
    if (value === undefined || value === null || value === '') continue
    for (const each of Array.isArray(value) ? value : [value]) params.append(name, String(each))
  }
  const url = path.startsWith('/') ? path : `/api/v1/${path}`
  return params.size > 0 ? `${url}?${params}` : url
}

export interface StreamedEvent {
  event: string
  data: unknown
  /** Where to go on from, should the stream break off. */
  id?: string
}

/**
 * A streamed answer: every event as it comes. Ends with the stream, or throws the error it carries.
 * Without a body it is asked for with GET.
 */
export async function* stream(
  path: string,
  body: unknown,
  signal?: AbortSignal,
  onOpen?: () => void,
): AsyncGenerator<StreamedEvent> {
  const method = body === undefined ? 'GET' : 'POST'
  const response = await send(method, urlOf(path), body, signal, 'text/event-stream')
  onOpen?.()
  if (!response.body) return
  let text = ''
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader()
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return
      text += value.replaceAll('\r\n', '\n')
      for (let end = text.indexOf('\n\n'); end >= 0; end = text.indexOf('\n\n')) {
        const event = eventOf(text.slice(0, end))
        text = text.slice(end + 2)
        if (event) yield event
      }
    }
  } finally {
    await reader.cancel().catch(() => {})
  }
}

/** Saves an answer as a file, by the name that the server gives it. A plain link could not show the proof. */
export async function download(path: string, query: Query): Promise<void> {
  const response = await send('GET', urlOf(path, query), undefined, undefined, '*/*')
  const named = /filename="([^"]+)"/.exec(response.headers.get('content-disposition') ?? '')?.[1]
  const link = document.createElement('a')
  link.href = URL.createObjectURL(await response.blob())
  link.download = named ?? 'recollect'
  link.click()
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000)
}

/** An answer as it is. */
export async function text(path: string, query: Query): Promise<string> {
  const response = await send('GET', urlOf(path, query), undefined, undefined, '*/*')
  return await response.text()
}

/** Called when the server no longer knows this browser. */
export function onSignedOut(listener: () => void): () => void {
  signedOut.add(listener)
  return () => signedOut.delete(listener)
}

const signedOut = new Set<() => void>()

async function call<T>(method: string, url: string, body: unknown, signal?: AbortSignal): Promise<T> {
  const response = await send(method, url, body, signal, 'application/json')
  return (response.status === 204 ? undefined : await response.json()) as T
}

async function send(
  method: string,
  url: string,
  body: unknown,
  signal: AbortSignal | undefined,
  accept: string,
) {
  let response: Response
  try {
    response = await fetch(url, {
      method,
      signal,
      headers: {
        accept,
        'x-recollect': proof(),
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
  } catch (error) {
    if (signal?.aborted) throw error
    throw new Problem(0, {
      code: 'UNREACHABLE',
      message: 'Recollect does not answer.',
      hint: 'Is `recollect serve` still running?',
    })
  }
  if (response.ok) return response
  if (response.status === 401) for (const tell of signedOut) tell()
  throw await problemOf(response)
}

async function problemOf(response: Response): Promise<Problem> {
  const body: unknown = await response.json().catch(() => undefined)
  const error = isRecord(body) && isRecord(body.error) ? body.error : {}
  const { code, message, hint, ...details } = error
  return new Problem(response.status, {
    ...details,
    code: typeof code === 'string' ? code : `HTTP_${response.status}`,
    message: typeof message === 'string' ? message : `${response.status} ${response.statusText}`,
    ...(typeof hint === 'string' && { hint }),
  })
}

function eventOf(block: string): StreamedEvent | undefined {
  let event = 'message'
  let id: string | undefined
  const data: string[] = []
  for (const line of block.split('\n')) {
    if (line.startsWith('event:')) event = line.slice(6).trim()
    else if (line.startsWith('data:')) data.push(line.slice(5).trimStart())
    else if (line.startsWith('id:')) id = line.slice(3).trim()
  }
  if (data.length === 0) return undefined
  return { event, data: JSON.parse(data.join('\n')), ...(id !== undefined && { id }) }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
