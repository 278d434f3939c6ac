import {
  SdkError,
  SdkErrorCode,
  SdkHttpError,
  SSEClientTransport,
  StreamableHTTPClientTransport,
  type Transport,
  UnauthorizedError,
} from '@modelcontextprotocol/client'
import { LoginNeeded, OAuthKeeper } from './oauth.ts'
import type { ServerConfig } from './server-config.ts'
import { StdioTransport } from './stdio-transport.ts'

export function transportTo(config: ServerConfig, folder: string): Transport {
  const { transport, url = '', headers } = config
  if (transport === 'stdio') return new StdioTransport(config)
  // Whoever gave a header of their own signs in by that.
  const isGiven = Object.keys(headers).some((name) => name.toLowerCase() === 'authorization')
  const authProvider = isGiven ? undefined : new OAuthKeeper(folder, url)
  const options = { requestInit: { headers }, authProvider }
  return transport === 'sse'
    ? new SSEClientTransport(new URL(url), options)
    : new StreamableHTTPClientTransport(new URL(url), options)
}

/** Whether a call cannot have been carried out: the session was not known any more, or nobody was there to take it. */
export function isLostSession(error: unknown): boolean {
  if (error instanceof SdkHttpError)
    return error.status === 404 || (error.status === 400 && /session/i.test(error.message))
  const cause = error instanceof Error ? error.cause : undefined
  return cause instanceof Error && 'code' in cause && cause.code === 'ECONNREFUSED'
}

/** How a server that knows only the older HTTP answers the newer one. */
export function isOlderHttp(error: unknown): boolean {
  return error instanceof SdkHttpError && [400, 404, 405].includes(error.status)
}

/** A person has to sign in before it can be used. */
export function isLoginNeeded(error: unknown): boolean {
  const reason = error instanceof Error ? error.message : String(error)
  return (
    error instanceof LoginNeeded ||
    error instanceof UnauthorizedError ||
    /LoginNeeded|sign in first/.test(reason)
  )
}

export function startProblem(config: ServerConfig, error: unknown, transport: Transport): string {
  const reason = error instanceof Error ? error.message : String(error)
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  if (code === 'ENOENT')
    return `There is no command "${config.command}" (in ${config.cwd}). Install it, or give its whole path.`
  if (code === 'EACCES') return `"${config.command}" may not be run.`
  if (isLoginNeeded(error))
    return `It wants you to sign in: run \`recollect mcp-servers login ${config.id}\`.`
  const cause = error instanceof Error && error.cause instanceof Error ? `: ${error.cause.message}` : ''
  const wrong = misunderstood(error)
  if (wrong) return `It cannot be used: ${wrong}. A newer version of it may help.`
  if (config.transport !== 'stdio') return `${config.url} does not answer as an MCP server: ${reason}${cause}`
  const said = complaintsOf(transport)
  return `It did not start: ${reason}.${said ? ` ${said}` : ''}`
}

/** What the server answered, and the library did not understand: the server is there all the same. */
export function misunderstood(error: unknown): string | undefined {
  if (!(error instanceof SdkError) || error.code !== SdkErrorCode.InvalidResult) return undefined
  // The library lists what is wrong as JSON, the whole after its parts.
  const where = [...error.message.matchAll(/"path": (\[[^\]]*\])/g)].at(-1)?.[1]
  const place = where ? ` (${(JSON.parse(where) as unknown[]).join('.')})` : ''
  return `its answer is not as the protocol has it${place}`
}

export function complaintsOf(transport: Transport | undefined): string {
  const said = transport instanceof StdioTransport ? transport.complaints.trim() : ''
  return said ? `It said: ${said.split('\n').slice(-5).join(' ').slice(-500)}` : ''
}
