import fs from 'node:fs'
import http from 'node:http'
import https from 'node:https'
import type { Socket } from 'node:net'
import { getRequestListener } from '@hono/node-server'
import { RecollectError } from '../model/errors.ts'

export interface ListenOptions {
  port: number
  /** An interface other than this machine's own. */
  host?: string
  /** Ask for no token. */
  open?: boolean
  /** Without TLS, though others come: something in front of it does TLS, and passes on the name they use. */
  insecure?: boolean
  tls?: { cert: string; key: string }
}

/** Whose connection a request came by. */
export interface Visitor {
  address: string
  /** They were let in: their connection is not closed for want of room, also while they wait. */
  welcome(): void
}

export interface Listening {
  /** Without a slash at its end. */
  url: string
  close(): Promise<void>
}

const MOST_CONNECTIONS = 500
/** Kept by those who have not been let in: beyond this the oldest of them is closed, never one of ours. */
const MOST_STRANGERS = 200
/** Within this a request's headers have to be there; whoever was let in may take its time with the rest. */
const HEADERS_MS = 10_000
const REQUEST_MS = 60_000
/** Of a body. */
export const MOST_BYTES = 4 * 1024 * 1024
/** Of one with pictures and files in it. */
export const LARGE_BYTES = 32 * 1024 * 1024

/** Answers requests over HTTP or HTTPS, on this machine only unless that is asked for and safe. */
export async function listen(
  options: ListenOptions,
  answer: (request: Request, visitor: Visitor) => Response | Promise<Response>,
): Promise<Listening> {
  const { host = LOCAL, port, tls } = options
  checkReach(options)
  const strangers = new Set<Socket>()
  const listener = getRequestListener(
    (request, { incoming: { socket } }) =>
      answer(request, { address: socket.remoteAddress ?? '', welcome: () => void strangers.delete(socket) }),
    { overrideGlobalObjects: false },
  )
  const server = tls ? secureServer(tls, listener) : http.createServer(listener)
  server.maxConnections = MOST_CONNECTIONS
  server.headersTimeout = HEADERS_MS
  server.requestTimeout = REQUEST_MS
  // How often Node looks for those that are too slow.
  Object.assign(server, { connectionsCheckingInterval: HEADERS_MS / 4 })
  server.on('connection', (socket: Socket) => makeRoom(strangers, socket))
  await listening(server, port, host)
  const address = server.address()
  const bound = typeof address === 'object' && address ? address.port : port
  const name = host.includes(':') ? `[${host}]` : host
  return {
    url: `${tls ? 'https' : 'http'}://${name}:${bound}`,
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

function secureServer(tls: { cert: string; key: string }, listener: http.RequestListener): https.Server {
  try {
    return https.createServer({ cert: fs.readFileSync(tls.cert), key: fs.readFileSync(tls.key) }, listener)
  } catch (error) {
    throw new RecollectError(
      'INVALID_ARGUMENT',
      `The certificate cannot be used: ${(error as Error).message}.`,
      '--tls-cert names a certificate in PEM, with those between it and its authority; --tls-key its private key.',
    )
  }
}

/**
 * Connections are not counted against each other as they come: whoever opens many and says nothing
 * would keep the owner out. Among those that nobody has been let in by, the oldest goes first.
 */
function makeRoom(strangers: Set<Socket>, socket: Socket): void {
  strangers.add(socket)
  socket.once('close', () => strangers.delete(socket))
  for (const oldest of strangers) {
    if (strangers.size <= MOST_STRANGERS) return
    strangers.delete(oldest)
    oldest.destroy()
  }
}

const LOCAL = '127.0.0.1'

/** Whether only this machine can connect. */
export function isLocal({ host = LOCAL }: ListenOptions): boolean {
  return /^(localhost|127(\.\d{1,3}){3}|::1)$/i.test(host)
}

/** The body as text, read no further than the limit; nothing where it is longer. */
export async function bodyOf(request: Request, most = MOST_BYTES): Promise<string | undefined> {
  if (Number(request.headers.get('content-length') ?? 0) > most) return undefined
  const parts: Uint8Array[] = []
  let bytes = 0
  for await (const part of request.body ?? []) {
    bytes += part.byteLength
    if (bytes > most) return undefined
    parts.push(part)
  }
  return Buffer.concat(parts).toString('utf8')
}

/** Resolves when the signal comes. */
export async function ended(signal: AbortSignal): Promise<void> {
  await new Promise<void>((resolve) => {
    if (signal.aborted) resolve()
    signal.addEventListener('abort', () => resolve(), { once: true })
  })
}

function checkReach(options: ListenOptions): void {
  const { tls, insecure, open, host } = options
  if (isLocal(options)) return
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

const NOT_FREE: Record<string, string> = {
  EADDRINUSE: 'another program listens there, perhaps Recollect itself',
  EACCES: 'the system keeps it for others',
  EADDRNOTAVAIL: 'this machine does not have that address',
}

async function listening(server: http.Server | https.Server, port: number, host: string): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) =>
      reject(
        new RecollectError(
          'PORT_UNAVAILABLE',
          `Port ${port} of ${host} cannot be used: ${NOT_FREE[error.code ?? ''] ?? error.message} (${error.code}).`,
          'Choose another one; 0 takes any that is free.',
        ),
      ),
    )
    server.listen(port, host, resolve)
  })
}
