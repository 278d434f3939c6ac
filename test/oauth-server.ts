import { createHash, randomUUID } from 'node:crypto'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { getRequestListener } from '@hono/node-server'
import { createMcpHandler, McpServer } from '@modelcontextprotocol/server'
import { z } from 'zod'

export interface OAuthSite {
  url: string
  /** What was asked of the authorization server, in order. */
  asked: string[]
  /** Ends the access tokens that were given out. */
  expire(): void
  /** Grants are renewed no longer. */
  revoke(): void
  close(): Promise<void>
}

/** An MCP server behind OAuth 2.1: discovery, dynamic registration, a code with PKCE, refreshing. Whoever asks is let in. */
export async function startOAuthSite(): Promise<OAuthSite> {
  const asked: string[] = []
  const clients = new Map<string, string[]>()
  const codes = new Map<string, { client: string; challenge: string; redirect: string }>()
  const refreshing = new Set<string>()
  let valid = new Set<string>()
  const handler = createMcpHandler(() => {
    const server = new McpServer({ name: 'vault', version: '1.0.0' })
    server.registerTool('open', { description: 'Opens the vault', inputSchema: z.object({}) }, async () => ({
      content: [{ type: 'text', text: 'The vault is open.' }],
    }))
    return server
  })
  const granted = () => {
    const [access, refresh] = [`access-${randomUUID()}`, `refresh-${randomUUID()}`]
    valid.add(access)
    refreshing.add(refresh)
    return Response.json({
      access_token: access,
      token_type: 'Bearer',
      expires_in: 3600,
      refresh_token: refresh,
    })
  }
  const answered = async (request: Request): Promise<Response> => {
    const url = new URL(request.url)
    const { origin, pathname } = url
    if (pathname.startsWith('/.well-known/oauth-protected-resource'))
      return Response.json({ resource: `${origin}/mcp`, authorization_servers: [origin] })
    if (pathname === '/.well-known/oauth-authorization-server')
      return Response.json({
        issuer: origin,
        authorization_endpoint: `${origin}/authorize`,
        token_endpoint: `${origin}/token`,
        registration_endpoint: `${origin}/register`,
        response_types_supported: ['code'],
        grant_types_supported: ['authorization_code', 'refresh_token'],
        code_challenge_methods_supported: ['S256'],
        token_endpoint_auth_methods_supported: ['none'],
      })
    if (pathname === '/register') {
      asked.push('register')
      const metadata = (await request.json()) as { redirect_uris: string[] }
      const id = randomUUID()
      clients.set(id, metadata.redirect_uris)
      return Response.json({ ...metadata, client_id: id }, { status: 201 })
    }
    if (pathname === '/authorize') {
      asked.push('authorize')
      const [client = '', redirect = '', challenge = ''] = [
        'client_id',
        'redirect_uri',
        'code_challenge',
      ].map((name) => url.searchParams.get(name) ?? '')
      if (
        !clients.get(client)?.includes(redirect) ||
        url.searchParams.get('code_challenge_method') !== 'S256'
      )
        return new Response('no such client', { status: 400 })
      const code = randomUUID()
      codes.set(code, { client, challenge, redirect })
      const back = new URL(redirect)
      back.searchParams.set('code', code)
      back.searchParams.set('state', url.searchParams.get('state') ?? '')
      return Response.redirect(back)
    }
    if (pathname === '/token') {
      const form = new URLSearchParams(await request.text())
      asked.push(form.get('grant_type') ?? '')
      if (form.get('grant_type') === 'refresh_token')
        return refreshing.delete(form.get('refresh_token') ?? '')
          ? granted()
          : Response.json({ error: 'invalid_grant' }, { status: 400 })
      const given = codes.get(form.get('code') ?? '')
      codes.delete(form.get('code') ?? '')
      const proof = createHash('sha256')
        .update(form.get('code_verifier') ?? '')
        .digest('base64url')
      return given &&
        given.client === form.get('client_id') &&
        given.challenge === proof &&
        given.redirect === form.get('redirect_uri')
        ? granted()
        : Response.json({ error: 'invalid_grant' }, { status: 400 })
    }
    if (!valid.has(request.headers.get('authorization')?.replace('Bearer ', '') ?? ''))
      return new Response('no', {
        status: 401,
        headers: {
          'www-authenticate': `Bearer resource_metadata="${origin}/.well-known/oauth-protected-resource/mcp"`,
        },
      })
    return await handler.fetch(request)
  }
  // Clients in the same process tell errors by the Response that Node has.
  const server = http.createServer(getRequestListener(answered, { overrideGlobalObjects: false }))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`,
    asked,
    expire() {
      valid = new Set()
    },
    revoke: () => refreshing.clear(),
    async close() {
      server.closeAllConnections()
      await new Promise<void>((resolve) => server.close(() => resolve()))
    },
  }
}
