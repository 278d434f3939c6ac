import {
  Client,
  SSEClientTransport,
  StreamableHTTPClientTransport,
  UnauthorizedError,
} from '@modelcontextprotocol/client'
import { RecollectError } from '../model/errors.ts'
import { packageVersion } from '../platform/package-root.ts'
import { callbackServer, OAuthKeeper } from './oauth.ts'
import type { ServerConfig } from './server-config.ts'

/** Signs in to a server in the browser: `open` shows the address, the answer comes back to this machine. */
export async function login(
  { id, url, headers, transport: kind }: ServerConfig,
  folder: string,
  open: (url: URL) => void,
  signal: AbortSignal,
): Promise<'signed in' | 'not needed'> {
  if (kind === 'stdio' || !url)
    throw new RecollectError(
      'INVALID_ARGUMENT',
      `The server "${id}" is a program on this machine: there is nothing to sign in to.`,
    )
  const callback = await callbackServer()
  const keeper = new OAuthKeeper(folder, url, { redirect: callback.redirect, open })
  const connect = async () => {
    const options = { requestInit: { headers }, authProvider: keeper }
    const transport =
      kind === 'sse'
        ? new SSEClientTransport(new URL(url), options)
        : new StreamableHTTPClientTransport(new URL(url), options)
    const client = new Client({ name: 'recollect', version: packageVersion() })
    return { client, transport, connected: client.connect(transport, { signal }) }
  }
  try {
    const first = await connect()
    try {
      await first.connected
      await first.client.close()
      return 'not needed'
    } catch (error) {
      if (!(error instanceof UnauthorizedError)) throw error
    }
    const params = await callback.params(signal)
    if (params.get('state') !== keeper.state() || !params.has('code')) {
      const why = params.get('error_description') ?? params.get('error') ?? 'it was refused'
      throw new RecollectError('LOGIN_FAILED', `The sign-in to "${id}" failed: ${why}.`, 'Try it again.')
    }
    await first.transport.finishAuth(params)
    const second = await connect()
    await second.connected
    await second.client.close()
    return 'signed in'
  } finally {
    callback.close()
  }
}
