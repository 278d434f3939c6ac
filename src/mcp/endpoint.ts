import { randomUUID } from 'node:crypto'
import {
  createMcpHandler,
  isInitializeRequest,
  isLegacyRequest,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server'
import { contextPlace } from '../context/place.ts'
import { log } from '../platform/log.ts'
import type { Entry } from '../server/guard.ts'
import { bodyOf, MOST_BYTES } from '../server/listen.ts'
import type { Endpoint, Shared } from '../server/shared.ts'
import { type Malformed, malformed, notJson } from './malformed.ts'
import { mcpServer } from './server.ts'
import { subscribedTo } from './subscribed.ts'

const MOST_SESSIONS = 100
const IDLE_MS = 60 * 60_000

interface Session {
  transport: WebStandardStreamableHTTPServerTransport
  /** Who opened it: nobody else may use it. */
  client: string
  usedAt: number
}

type Asking = Pick<Entry, 'client' | 'scopes'>

/** One address for both eras of the protocol: the newer one stateless, the older one with sessions. */
export function mcpEndpoint(shared: Shared, serve = mcpServer): Endpoint {
  const onerror = (error: Error) => log('debug', error.message)
  const modern = createMcpHandler((context) => serve(shared, context), { legacy: 'reject', onerror })
  const sessions = new Map<string, Session>()
  shared.news.watchFile(contextPlace({ env: shared.env }, 'READ_ERROR'))
  const stop = shared.news.listen(({ uris, listChanged }) => {
    if (listChanged) modern.notify.resourcesChanged()
    for (const uri of uris) modern.notify.resourceUpdated(uri)
  })

  const opened = async (client: string): Promise<WebStandardStreamableHTTPServerTransport> => {
    const transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: () => randomUUID(),
      onsessioninitialized(id) {
        makeRoom(sessions)
        sessions.set(id, { transport, client, usedAt: Date.now() })
      },
      onsessionclosed: (id) => void sessions.delete(id),
    })
    const server = serve(shared, { era: 'legacy' })
    const closed = server.onclose
    server.onclose = () => {
      closed?.()
      if (transport.sessionId) sessions.delete(transport.sessionId)
    }
    await server.connect(transport)
    return transport
  }
  const older = async (request: Request, body: unknown, entry: Asking): Promise<Response> => {
    const { client } = entry
    const known = { parsedBody: body, authInfo: authOf(entry) }
    const id = request.headers.get('mcp-session-id')
    if (id !== null) {
      const session = sessions.get(id)
      // To whoever did not open it, it does not exist.
      if (session?.client !== client) return refused({ status: 404, message: 'Session not found' })
      session.usedAt = Date.now()
      return await session.transport.handleRequest(request, known)
    }
    if (request.method !== 'POST' || !isInitializeRequest(body)) {
      return refused({ status: 400, message: 'Bad Request: a session is needed; begin with initialize' })
    }
    const transport = await opened(client)
    const answer = await transport.handleRequest(request, known)
    // Refused, for its headers: nobody will come back to it.
    if (transport.sessionId === undefined) await transport.close()
    return answer
  }
  const answerRequest = async (request: Request, body: unknown, entry: Asking): Promise<Response> => {
    shared.news.tellOf(subscribedTo(body))
    return (await isLegacyRequest(request, body))
      ? await older(request, body, entry)
      : await modern.fetch(request, { parsedBody: body, authInfo: authOf(entry) })
  }
  return {
    async answer(request, entry) {
      if (request.method !== 'POST') return await answerRequest(request, undefined, entry)
      const text = await bodyOf(request)
      if (text === undefined)
        return refused({ status: 413, message: `The body is larger than ${MOST_BYTES} bytes` })
      let body: unknown
      try {
        body = JSON.parse(text)
      } catch {
        return answerTo(notJson())
      }
      // Older clients may send several at once.
      const wrong = firstWrong(body)
      if (wrong) return answerTo(wrong)
      return await answerRequest(request, body, entry)
    },
    async close() {
      stop()
      await Promise.allSettled([...sessions.values()].map(({ transport }) => transport.close()))
      await modern.close()
    },
  }
}

/** What its token is good for, as the library hands it on; the token itself stays here. */
function authOf({ client, scopes }: Asking) {
  return scopes && { token: '', clientId: client, scopes: [...scopes] }
}

/** Not let in, as the protocol says it: without an id, because the request was not looked into. */
export function refused({
  status,
  message,
  headers,
}: {
  status: number
  message: string
  headers?: Record<string, string>
}): Response {
  return failure(status, { code: -32_000, message }, headers)
}

function firstWrong(body: unknown): Malformed | undefined {
  if (!Array.isArray(body) || body.length === 0) return malformed(body)
  return body.map(malformed).find((wrong) => wrong !== undefined)
}

function answerTo({ id = null, error }: Malformed): Response {
  return failure(400, error, {}, id)
}

function failure(
  status: number,
  error: { code: number; message: string },
  headers: Record<string, string> = {},
  id: string | number | null = null,
): Response {
  return Response.json({ jsonrpc: '2.0', id, error }, { status, headers })
}

/** Clients that went away without a word leave their sessions behind. */
function makeRoom(sessions: Map<string, Session>): void {
  const oldest = [...sessions.values()].sort((a, b) => a.usedAt - b.usedAt)
  for (const [i, { transport, usedAt }] of oldest.entries()) {
    if (Date.now() - usedAt > IDLE_MS || sessions.size - i >= MOST_SESSIONS) void transport.close()
  }
}
