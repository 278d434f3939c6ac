import { type Context, Hono } from 'hono'
import type { Capability } from '../capabilities/capability.ts'
import { type Entry, Refusal } from '../server/guard.ts'
import type { Visitor } from '../server/listen.ts'
import { type Endpoint, MCP_PATH, type Speaking } from '../server/shared.ts'
import type { Access } from './access.ts'
import type { Backend, Backends } from './backend.ts'
import { type Failure, failed, failureOf } from './errors.ts'
import { openAiFailed } from './openai-error.ts'
import { opening, signInFirst, signingIn } from './opening.ts'
import { pageFile } from './page-files.ts'
import type { Route } from './route.ts'
import { allRoutes } from './routes.ts'
import type { SignIn } from './sign-in.ts'

export interface AppOptions {
  backends: Backends
  access: Access
  signIn: SignIn
  capabilities: Capability[]
  mcp: Speaking
  /** Where tokens are. */
  folder: string
  /** Where the page's files are, if not in this package. */
  page?: string
  /** What people see who came with a token for these spaces. */
  guests: (spaces: readonly string[]) => Backends
  /** Mostly such people come: they are asked for their token. */
  isNode?: boolean
}

interface Env {
  Bindings: Visitor
  Variables: { entry: Entry }
}

const API = /^\/(api|v1)\/|^\/openapi\.json$/

/** The page, the REST interface and the MCP endpoint, behind one sign-in. */
export function app(options: AppOptions): {
  fetch(request: Request, visitor: Visitor): Response | Promise<Response>
  close(): Promise<void>
} {
  const { access, signIn, page, mcp, guests, isNode } = options
  const backendsOf = ({ spaces }: Entry) => (spaces ? guests(spaces) : options.backends)
  const endpoints = new Map<Backend, Endpoint>()
  const routes = allRoutes(options.capabilities, options.folder)
  const hono = new Hono<Env>()

  hono.use(async (c, next) => {
    const began = performance.now()
    await next()
    protect(c.res.headers, API.test(c.req.path))
    c.res.headers.set('server-timing', `total;dur=${(performance.now() - began).toFixed(2)}`)
  })
  hono.get('/open', (c) => opening(c.req.raw, c.env.address, access, signIn))
  hono.post('/open', async (c) => await signingIn(c.req.raw, c.env.address, access, signIn))
  hono.all(MCP_PATH, async (c) => {
    const entry = access.letIn(c.req.raw, c.env.address, c.req.path)
    if (entry instanceof Refusal) return mcp.refused(entry)
    c.env.welcome()
    // The cookie is the page's, and the page does not speak this.
    if (entry.owner || entry.isPage)
      return mcp.refused({ status: 401, message: 'A token is needed: recollect token create <name>' })
    const backend = backendsOf(entry).current()
    const endpoint = endpoints.get(backend) ?? mcp.endpoint(backend.shared)
    endpoints.set(backend, endpoint)
    return await endpoint.answer(c.req.raw, entry)
  })
  hono.use(async (c, next) => {
    const entry = access.letIn(c.req.raw, c.env.address, c.req.path)
    if (!(entry instanceof Refusal)) {
      c.env.welcome()
      c.set('entry', entry)
      await next()
      return
    }
    return API.test(c.req.path) ? refused(c, entry) : signInFirst(c.req.raw, entry, { guests: isNode })
  })
  for (const route of routes) {
    const at = route.path.replaceAll(/\{(\w+)\}/g, ':$1')
    hono.on(
      route.method.toUpperCase(),
      at,
      async (c) => await answerRoute(c, route, backendsOf(c.get('entry')), access),
    )
  }
  hono.get('*', (c) => {
    if (API.test(c.req.path)) return notFound(c)
    return pageFile(c.req.raw, page)
  })
  hono.notFound(notFound)
  hono.onError((error, c) => failureResponse(c, failureOf(error, c.get('entry'))))
  return {
    fetch: (request, visitor) => hono.fetch(request, visitor),
    async close() {
      await Promise.allSettled([...endpoints.values()].map((endpoint) => endpoint.close()))
    },
  }
}

async function answerRoute(
  c: Context<Env>,
  route: Route,
  backends: Backends,
  access: Access,
): Promise<Response> {
  const entry = c.get('entry')
  const answer = await route.run({
    request: c.req.raw,
    params: c.req.param() as Record<string, string>,
    entry,
    isStillIn: () => access.isStillIn(entry),
    backends,
  })
  const response = answer instanceof Response ? answer : Response.json(answer ?? {})
  // Only the headers are sent: a stream would go on with nobody to hear it.
  if (c.req.method === 'HEAD') await response.body?.cancel()
  return response
}

function notFound(c: Context<Env>): Response {
  const { method, path } = c.req
  const message = `There is no ${method} ${path.slice(0, 200)}.`
  return failureResponse(c, {
    status: 404,
    code: 'NOT_FOUND',
    message,
    hint: '/openapi.json lists what there is.',
  })
}

const REFUSED = { 401: 'UNAUTHORIZED', 403: 'FORBIDDEN', 429: 'TOO_MANY_REQUESTS' } as const

function refused(c: Context<Env>, { status, message, headers }: Refusal): Response {
  return failureResponse(c, { status, code: REFUSED[status], message }, headers)
}

/** As whoever asks there understands it. */
function failureResponse(c: Context<Env>, failure: Failure, headers: Record<string, string> = {}): Response {
  return c.req.path.startsWith('/v1/') ? openAiFailed(failure, headers) : failed(failure, headers)
}

const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join('; ')

/** Chats are other people's text: whatever of it reaches a browser, nothing in it runs or calls out. */
function protect(headers: Headers, isApi: boolean): void {
  if (!headers.has('content-security-policy')) headers.set('content-security-policy', POLICY)
  headers.set('x-content-type-options', 'nosniff')
  if (!headers.has('referrer-policy')) headers.set('referrer-policy', 'no-referrer')
  headers.set('cross-origin-opener-policy', 'same-origin')
  headers.set('cross-origin-resource-policy', 'same-origin')
  if (isApi || !headers.has('cache-control')) headers.set('cache-control', 'no-store')
}
