import { log } from '../platform/log.ts'
import { listTokens, tokenChecker } from '../platform/tokens.ts'
import { guard, Refusal } from '../server/guard.ts'
import { ended, isLocal, type ListenOptions, listen } from '../server/listen.ts'
import { MCP_PATH, type Shared } from '../server/shared.ts'
import { mcpEndpoint, refused } from './endpoint.ts'

export interface HttpOptions extends ListenOptions {
  /** Where the tokens are. */
  folder: string
  signal: AbortSignal
}

/** Serves Streamable HTTP at /mcp until the signal comes. */
export async function serveOverHttp(shared: Shared, options: HttpOptions): Promise<void> {
  const { folder, open, signal } = options
  const endpoint = mcpEndpoint(shared)
  const { letIn } = guard({
    hosts: isLocal(options) ? 'loopback' : 'any',
    check: open ? undefined : tokenChecker(folder),
  })
  const server = await listen(options, async (request, { address, welcome }) => {
    const entry = letIn(request, address)
    if (entry instanceof Refusal) return refused(entry)
    welcome()
    if (entry.spaces)
      return refused({
        status: 403,
        message: 'This token is for `recollect serve`, which answers within spaces',
      })
    if (new URL(request.url).pathname !== MCP_PATH)
      return refused({ status: 404, message: `Not found: the address is ${MCP_PATH}` })
    return await endpoint.answer(request, entry)
  })
  log('info', `listening on ${server.url}${MCP_PATH}`)
  if (open) log('warn', 'no token is asked for: whoever is on this machine may read your chats')
  else if (listTokens(folder).length === 0)
    log('warn', 'there are no tokens yet, so nobody is let in: recollect token create <name>')
  await ended(signal)
  await endpoint.close()
  await server.close()
}
