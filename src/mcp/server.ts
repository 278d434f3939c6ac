import {
  CLIENT_INFO_META_KEY,
  type McpRequestContext,
  ProtocolError,
  ProtocolErrorCode,
  Server,
  type ServerContext,
} from '@modelcontextprotocol/server'
import { writes } from '../capabilities/capability.ts'
import { contextPlace } from '../context/place.ts'
import { RecollectError } from '../model/errors.ts'
import { SCOPES, type Scope } from '../platform/scopes.ts'
import type { ChangeNotice } from '../server/change-feed.ts'
import type { Shared } from '../server/shared.ts'
import type { Caller } from '../service/caller.ts'
import { type Reader, readerFor } from '../service/reader.ts'
import { callerFor } from './caller.ts'
import { DEFAULT_MAX_CHARS } from './clients.ts'
import { complete } from './complete.ts'
import { CAPABILITIES, INSTRUCTIONS, serverInfo } from './identity.ts'
import { PROMPTS, prompt } from './prompts.ts'
import { type Backend, checkSubscribable, listResources, readResource, TEMPLATES } from './resources.ts'
import { type Roots, rootsOf } from './roots.ts'
import { callTool, toolList } from './tools.ts'

const MOST_SUBSCRIPTIONS = 1_000

/**
 * One server for one connection (stdio, a session over HTTP) or, in the newer protocol over HTTP,
 * for one request. Serves both eras of the protocol.
 */
export function mcpServer(shared: Shared, { era, requestInfo }: McpRequestContext): Server {
  const server = new Server(serverInfo(), {
    instructions: INSTRUCTIONS,
    capabilities: CAPABILITIES,
    cacheHints: {
      'tools/list': { ttlMs: 3_600_000, cacheScope: 'private' },
      'prompts/list': { ttlMs: 3_600_000, cacheScope: 'private' },
      'resources/templates/list': { ttlMs: 3_600_000, cacheScope: 'private' },
    },
  })
  const subscribed = new Set<string>()
  const isLasting = requestInfo === undefined || era === 'legacy'
  const roots = rootsOf(server, era)

  const nameOf = (ctx: ServerContext) => nameIn(ctx) ?? server.getClientVersion()?.name
  const callerOf = async (ctx: ServerContext): Promise<Caller> =>
    await callerFor(shared, {
      client: nameOf(ctx),
      scopes: scopesIn(ctx),
      meta: ctx.mcpReq._meta,
      roots: roots.all,
      signal: ctx.mcpReq.signal,
      progress: progressTo(ctx),
    })
  const readerOf = async (ctx: ServerContext): Promise<Reader> => readerFor(shared, await callerOf(ctx))
  const deskOf = async (ctx: ServerContext): Promise<Backend> => {
    const caller = await callerOf(ctx)
    return {
      reader: readerFor(shared, caller),
      env: (await shared.readable()).machine.env,
      root: caller.roots?.[0],
      room: caller.budget ?? DEFAULT_MAX_CHARS,
    }
  }
  /** Who names the folder need not be asked for it, unless something is to be written there. */
  const question = (
    ctx: ServerContext,
    given?: Record<string, unknown>,
    isWriting = false,
  ): ReturnType<Roots['question']> =>
    shared.env.WORKSPACE || (given?.workspace && !isWriting) ? undefined : roots.question(ctx)
  const isWriting = async (tool: string): Promise<boolean> =>
    (await shared.capabilities()).some((each) => each.name === tool && writes(each))
  if (isLasting) followNews(server, shared, era, subscribed)

  server.setRequestHandler('tools/list', async () => ({ tools: toolList(await shared.capabilities()) }))
  server.setRequestHandler(
    'tools/call',
    async ({ params }, ctx) =>
      question(ctx, params.arguments, await isWriting(params.name)) ??
      (await callTool(shared, params.name, params.arguments ?? {}, await callerOf(ctx))),
  )
  server.setRequestHandler('resources/list', async ({ params }, ctx) =>
    explained(async () => await listResources(await readerOf(ctx), params?.cursor)),
  )
  server.setRequestHandler('resources/templates/list', () => ({ resourceTemplates: TEMPLATES }))
  server.setRequestHandler(
    'resources/read',
    async ({ params }, ctx) =>
      question(ctx) ?? (await explained(async () => await readResource(await deskOf(ctx), params.uri))),
  )
  server.setRequestHandler('resources/subscribe', async ({ params }, ctx) => {
    await explained(async () => await checkSubscribable(await deskOf(ctx), params.uri))
    if (subscribed.size >= MOST_SUBSCRIPTIONS)
      throw new ProtocolError(ProtocolErrorCode.InvalidRequest, 'Too many subscriptions')
    const { roots: [root] = [] } = await callerOf(ctx)
    shared.news.watchFile(contextPlace({ env: shared.env, root }, 'READ_ERROR'))
    shared.news.tellOf([params.uri])
    subscribed.add(params.uri)
    return {}
  })
  server.setRequestHandler('resources/unsubscribe', ({ params }) => {
    subscribed.delete(params.uri)
    return {}
  })
  server.setRequestHandler('prompts/list', () => ({ prompts: PROMPTS }))
  server.setRequestHandler(
    'prompts/get',
    async ({ params }, ctx) =>
      question(ctx, params.arguments) ??
      (await explained(async () => await prompt(await deskOf(ctx), params.name, params.arguments))),
  )
  server.setRequestHandler('completion/complete', async ({ params }, ctx) =>
    explained(async () => await complete(await readerOf(ctx), params)),
  )
  return server
}

/** Of the token that the request came with; over stdio none is needed. */
function scopesIn({ http }: ServerContext): Scope[] | undefined {
  return http?.authInfo && SCOPES.filter((scope) => http.authInfo?.scopes.includes(scope))
}

/** How far a call has come, for a client that asked to hear of it; a few times a second. */
function progressTo({ mcpReq }: ServerContext): Caller['progress'] {
  const progressToken = mcpReq._meta?.progressToken
  if (progressToken === undefined) return undefined
  let toldAt = 0
  return (progress, total) => {
    if (Date.now() - toldAt < PROGRESS_MS && progress < total) return
    toldAt = Date.now()
    const params = { progressToken, progress, total }
    void mcpReq.notify({ method: 'notifications/progress', params }).catch(() => {})
  }
}

const PROGRESS_MS = 200

/** In the newer protocol each request says whose it is. */
function nameIn({ mcpReq }: ServerContext): string | undefined {
  const envelope: Record<string, unknown> = { ...mcpReq.envelope }
  const info = envelope[CLIENT_INFO_META_KEY]
  return typeof info === 'object' && info && 'name' in info ? String(info.name) : undefined
}

/** Tells the client of changes: all of them where the transport sorts them out, else those it asked for. */
function followNews(
  server: Server,
  { news, env }: Shared,
  era: McpRequestContext['era'],
  subscribed: Set<string>,
): void {
  const quietly = (sent: Promise<void>) => void sent.catch(() => {})
  const tell = ({ uris, listChanged }: ChangeNotice) => {
    if (listChanged) quietly(server.sendResourceListChanged())
    const wanted = era === 'modern' ? uris : uris.filter((uri) => subscribed.has(uri))
    for (const uri of wanted) quietly(server.sendResourceUpdated({ uri }))
  }
  news.watchFile(contextPlace({ env }, 'READ_ERROR'))
  const stop = news.listen(tell)
  server.onclose = stop
}

/** Our errors as the protocol's: where there is no tool result to carry them. */
async function explained<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof RecollectError)) throw error
    const { code, message, hint, details } = error
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, hint ? `${message} ${hint}` : message, {
      code,
      hint,
      ...details,
    })
  }
}
