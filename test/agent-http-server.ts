import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { getRequestListener } from '@hono/node-server'
import { createMcpHandler, McpServer } from '@modelcontextprotocol/server'
import { z } from 'zod'

/** An MCP server over Streamable HTTP, for whoever knows the token. */
export async function startHttpServer(token: string): Promise<{ url: string; close(): Promise<void> }> {
  let counted = 0
  const handler = createMcpHandler(() => {
    const server = new McpServer({ name: 'web', version: '1.0.0' })
    server.registerTool('count', { description: 'Counts its calls', inputSchema: z.object({}) }, async () => {
      counted++
      return { content: [{ type: 'text', text: `called ${counted}` }] }
    })
    return server
  })
  const listener = getRequestListener(async (request) => {
    if (request.headers.get('authorization') !== `Bearer ${token}`) return new Response('no', { status: 401 })
    return await handler.fetch(request)
  })
  const server = http.createServer(listener)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`,
    async close() {
      server.closeAllConnections()
      await new Promise<void>((resolve) => server.close(() => resolve()))
    },
  }
}
