import fs from 'node:fs'
import http from 'node:http'
import https from 'node:https'
import type { AddressInfo } from 'node:net'
import { getRequestListener } from '@hono/node-server'
import { RecollectError } from '../model/errors.ts'
import { log } from '../platform/log.ts'
import { listTokens, tokenChecker } from '../platform/tokens.ts'
import { type Endpoint, mcpEndpoint } from './endpoint.ts'
import { guard, refused } from './guard.ts'
import type { Shared } from './shared.ts'

export interface HttpOptions {
  port: number
  /** An interface other than this machine's own. */
  host?: string
  /** Where the tokens are. */
  folder: string
  /** Ask for no token. */
  open?: boolean
  /** Other interfaces without TLS. */
  insecure?: boolean
  tls?: { cert: string; key: string }
  signal: AbortSignal
}

const PATH = '/mcp'
const MOST_BYTES = 4 * 1024 * 1024
const MOST_CONNECTIONS = 500

/** Serves Streamable HTTP at /mcp until the signal comes. */
export async function serveOverHttp(shared: Shared, options: HttpOptions): Promise<void> {
  const { host = '127.0.0.1', tls, folder, signal } = options
  const isLocal = isLoopback(host)
  checkReach(isLocal, options)
  const endpoint = mcpEndpoint(shared)
  const letIn = guard({
    hosts: isLocal ? 'loopback' : 'any',
    check: options.open ? undefined : tokenChecker(folder),
  })
  const listener = getRequestListener(
    async (request, { incoming }) =>
      await answer(request, endpoint, letIn(request, incoming.socket.remoteAddress ?? '')),
    { overrideGlobalObjects: false },
  )
  const server = tls
    ? https.createServer({ cert: fs.readFileSync(tls.cert), key: fs.readFileSync(tls.key) }, listener)
    : http.createServer(listener)
  server.maxConnections = MOST_CONNECTIONS
  await listening(server, options.port, host)
  const { port } = server.address() as AddressInfo
  const name = host.includes(':') ? `[${host}]` : host
  log('info', `listening on ${tls ? 'https' : 'http'}://${name}:${port}${PATH}`)
  if (options.open) log('warn', 'no token is asked for: whoever is on this machine may read your chats')
  else if (listTokens(folder).length === 0)
    log('warn', 'there are no tokens yet, so nobody is let in: recollect token create <name>')
  await new Promise<void>((resolve) => {
    if (signal.aborted) resolve()
    signal.addEventListener('abort', () => resolve(), { once: true })
  })
  await endpoint.close()
  server.closeAllConnections()
  await new Promise((resolve) => server.close(resolve))
}

async function answer(
  request: Request,
  endpoint: Endpoint,
  entry: { client: string } | Response,
): Promise<Response> {
  if (entry instanceof Response) return entry
  if (new URL(request.url).pathname !== PATH) return refused(404, `Not found: the address is ${PATH}`)
  if (request.method !== 'POST') return await endpoint.answer(request, undefined, entry.client)
  const text = await bodyOf(request)
  if (text === undefined) return refused(413, `The body is larger than ${MOST_BYTES} bytes`)
  let body: unknown
  try {
    body = JSON.parse(text)
  } catch {
    return Response.json(
      { jsonrpc: '2.0', id: null, error: { code: -32_700, message: 'Parse error' } },
      { status: 400 },
    )
  }
  return await endpoint.answer(request, body, entry.client)
}

/** The body, read no further than the limit. */
async function bodyOf(request: Request): Promise<string | undefined> {
  if (Number(request.headers.get('content-length') ?? 0) > MOST_BYTES) return undefined
  const parts: Uint8Array[] = []
  let bytes = 0
  for await (const part of request.body ?? []) {
    bytes += part.byteLength
    if (bytes > MOST_BYTES) return undefined
    parts.push(part)
  }
  return Buffer.concat(parts).toString('utf8')
}

function checkReach(isLocal: boolean, { tls, insecure, open, host }: HttpOptions): void {
  if (isLocal) return
  if (!tls && !insecure) {
    throw new RecollectError(
      'NOT_SECURE',
      `${host} can be reached from other machines, and without TLS your chats would cross the network in the clear.`,
      'Give --tls-cert and --tls-key, or --insecure if something in front of it does TLS.',
    )
  }
  if (open) {
    throw new RecollectError(
      'NOT_SECURE',
      `Without a token anybody who reaches ${host} could read your chats.`,
      'Leave --no-token out; `recollect token create <name>` makes one.',
    )
  }
}

function isLoopback(host: string): boolean {
  return /^(localhost|127(\.\d{1,3}){3}|::1)$/i.test(host)
}

async function listening(server: http.Server | https.Server, port: number, host: string): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) =>
      reject(
        new RecollectError(
          'PORT_UNAVAILABLE',
          `Port ${port} of ${host} cannot be used: ${error.code ?? error.message}.`,
          'Choose another one: recollect mcp --http <port>.',
        ),
      ),
    )
    server.listen(port, host, resolve)
  })
}
