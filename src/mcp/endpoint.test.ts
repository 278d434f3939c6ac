import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { mcpEndpoint } from './endpoint.ts'
import { mcpServer } from './server.ts'
import { unopened } from './unopened-kit.ts'

const shared = unopened('nobody asked for a chat')
let open = 0
const endpoint = mcpEndpoint(shared, (of, context) => {
  const server = mcpServer(of, context)
  const { onclose } = server
  open++
  server.onclose = () => {
    onclose?.()
    open--
  }
  return server
})
after(async () => {
  await endpoint.close()
  shared.news.close()
})

async function greeted(headers: Record<string, string> = {}): Promise<Response> {
  const params = {
    protocolVersion: '2025-06-18',
    capabilities: {},
    clientInfo: { name: 'raw', version: '1' },
  }
  const request = new Request('http://127.0.0.1/mcp', {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...headers,
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params }),
  })
  return await endpoint.answer(request, { client: 'one' })
}

test('a greeting that is refused leaves no server behind, and takes nobody’s place', async () => {
  const first = await greeted()
  const id = String(first.headers.get('mcp-session-id'))
  await first.text()
  assert.equal(open, 1)
  for (let i = 0; i < 150; i++) assert.equal((await greeted({ accept: 'application/json' })).status, 406)
  assert.equal((await greeted({ 'content-type': 'text/plain' })).status, 415)
  assert.equal(open, 1)

  for (let i = 0; i < 99; i++) await (await greeted()).text()
  assert.equal((await greeted({ accept: 'application/json' })).status, 406)
  const asked = { headers: { 'mcp-session-id': id }, method: 'DELETE' }
  const ended = await endpoint.answer(new Request('http://127.0.0.1/mcp', asked), { client: 'one' })
  assert.equal(ended.status, 200, 'the session is still there')
  assert.equal(open, 99)
})

test('so many sessions are kept: the one that was used longest ago goes', async () => {
  for (let i = 0; i < 30; i++) await (await greeted()).text()
  assert.equal(open, 100)
})
