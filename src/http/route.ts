import { z } from 'zod'
import type { Act } from '../capabilities/capability.ts'
import { RecollectError } from '../model/errors.ts'
import type { Entry } from '../server/guard.ts'
import { bodyOf, LARGE_BYTES, MOST_BYTES } from '../server/listen.ts'
import { demand } from '../service/rights.ts'
import type { Backend, Backends } from './backend.ts'

/** One address of the REST interface: what it takes and what it does. The document is made from the same words. */
export interface Route {
  method: 'get' | 'post' | 'put' | 'delete'
  /** With its parameters in braces: `/api/v1/chats/{chat}`. */
  path: string
  summary: string
  tag: string
  /** Only for the person at the page, never for a token. */
  owner: boolean
  /** What it does: a token needs the scope for it. */
  act: Act
  /** Objects, by the names in the path and in the query. */
  params?: z.ZodType
  query?: z.ZodType
  body?: z.ZodType
  /** What it answers; without it, `type` says of which kind the answer is. */
  answer?: z.ZodType
  type?: string
  /** Of server-sent events: what each carries, by its name. */
  events?: Record<string, z.ZodType>
  /** The body may hold pictures and files. */
  most?: 'large'
  run(asked: Asked): Promise<unknown>
}

/** A request that was let in, before its input is checked. */
interface Asked {
  request: Request
  params: Record<string, string>
  entry: Entry
  isStillIn: () => boolean
  backends: Backends
}

export interface Call<P = unknown, Q = unknown, B = unknown> {
  params: P
  query: Q
  body: B
  /** The archive that is served. */
  backend: Backend
  backends: Backends
  entry: Entry
  /** False once the token was revoked or ran out. */
  isStillIn: () => boolean
  request: Request
}

interface Definition<P extends z.ZodType, Q extends z.ZodType, B extends z.ZodType, A extends z.ZodType>
  extends Omit<Route, 'run' | 'owner' | 'act' | 'params' | 'query' | 'body' | 'answer'> {
  owner?: boolean
  act?: Act
  /** The gate reads the input itself, and more forgivingly than the schema, which is for the document. */
  raw?: boolean
  params?: P
  query?: Q
  body?: B
  answer?: A
  handle(call: Call<z.output<P>, z.output<Q>, z.output<B>>): Answered<A> | Promise<Answered<A>>
}

/** What the schema says, or a response that is made already. */
type Answered<A extends z.ZodType> = Response | z.input<A>

/** `handle` gets what it asks for, checked; what it gives becomes JSON unless it is a response already. */
export function route<
  P extends z.ZodType = z.ZodUndefined,
  Q extends z.ZodType = z.ZodUndefined,
  B extends z.ZodType = z.ZodUndefined,
  A extends z.ZodType = z.ZodUndefined,
>({ handle, owner = false, act = 'read', raw = false, ...known }: Definition<P, Q, B, A>): Route {
  return {
    ...known,
    owner,
    act,
    async run({ request, params, entry, isStillIn, backends }) {
      if (owner && !entry.owner)
        throw new RecollectError(
          'FORBIDDEN',
          'Only the page may do this, not a token.',
          'Use the page or the command line.',
        )
      demand({ kind: entry.owner ? 'owner' : 'program', scopes: entry.scopes ?? [] }, [act])
      const { searchParams } = new URL(request.url)
      const query = known.query && (raw ? textsOf(searchParams) : queryOf(searchParams, known.query))
      const body = known.body && (await jsonOf(request, known.most === 'large' ? LARGE_BYTES : MOST_BYTES))
      return await handle({
        params: checked<P>(known.params, known.params && queryOf(new URLSearchParams(params), known.params)),
        query: raw ? (query as z.output<Q>) : checked<Q>(known.query, query),
        body: raw ? (body as z.output<B>) : checked<B>(known.body, body),
        backend: backends.current(),
        backends,
        entry,
        isStillIn,
        request,
      })
    },
  }
}

function checked<S extends z.ZodType>(schema: z.ZodType | undefined, value: unknown): z.output<S> {
  // Without a schema S is undefined, and so is the value.
  return schema?.parse(value) as z.output<S>
}

/** The body as JSON; nothing at all means that nothing was given. */
async function jsonOf(request: Request, most = MOST_BYTES): Promise<unknown> {
  const encoding = request.headers.get('content-encoding') ?? 'identity'
  if (encoding !== 'identity')
    throw new RecollectError('INVALID_JSON', `The body is encoded (${encoding}).`, 'Send it as it is.')
  const text = await bodyOf(request, most)
  if (text === undefined) throw new RecollectError('TOO_LARGE', `The body is larger than ${most} bytes.`)
  if (text.trim() === '') return {}
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new RecollectError('INVALID_JSON', `The body is not valid JSON: ${(error as Error).message}`)
  }
}

/** A query as it is: what is repeated is a list. */
function textsOf(given: URLSearchParams): Record<string, unknown> {
  return Object.fromEntries(
    [...new Set(given.keys())].map((name) => {
      const texts = given.getAll(name)
      return [name, texts.length === 1 ? texts[0] : texts]
    }),
  )
}

type JsonSchema = z.core.JSONSchema.BaseSchema
const schemas = new WeakMap<z.ZodType, JsonSchema>()

/** A query as the schema wants it: lists by repetition, numbers, booleans and JSON out of their texts. */
export function queryOf(given: URLSearchParams, schema: z.ZodType): Record<string, unknown> {
  const known = schemas.get(schema) ?? z.toJSONSchema(schema, { io: 'input' })
  schemas.set(schema, known)
  const query: Record<string, unknown> = {}
  for (const name of new Set(given.keys())) {
    const texts = given.getAll(name)
    const wanted = Object.hasOwn(known.properties ?? {}, name) ? known.properties?.[name] : undefined
    const value = wanted === undefined ? undefined : meant(texts, wanted)
    query[name] = value ?? (texts.length === 1 ? texts[0] : texts)
  }
  return query
}

/** Nothing where the texts cannot mean that: the schema then says what it wanted. */
function meant(texts: string[], wanted: JsonSchema | boolean): unknown {
  if (typeof wanted === 'boolean') return undefined
  const { anyOf, type, items } = wanted
  if (anyOf) return firstOf(anyOf.map((each) => () => meant(texts, each)))
  const [text = ''] = texts
  if (type === 'array') {
    const each = Array.isArray(items) ? undefined : items
    return parsed(texts, '[') ?? texts.map((one) => (each && meant([one], each)) ?? one)
  }
  if (texts.length > 1) return undefined
  if (type === 'object') return parsed(texts, '{')
  if (type === 'boolean') return { true: true, '1': true, false: false, '0': false }[text]
  if (type === 'number' || type === 'integer')
    return text.trim() !== '' && Number.isFinite(Number(text)) ? Number(text) : undefined
  if (wanted.enum) return wanted.enum.find((word) => String(word) === text)
  return type === 'string' ? text : undefined
}

function firstOf(ways: (() => unknown)[]): unknown {
  for (const way of ways) {
    const value = way()
    if (value !== undefined) return value
  }
  return undefined
}

function parsed([text = '', ...more]: string[], begins: string): unknown {
  if (more.length > 0 || !text.startsWith(begins)) return undefined
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
