import assert from 'node:assert/strict'
import { test } from 'node:test'
import { SUPPORTED_PROTOCOL_VERSIONS } from '@modelcontextprotocol/server'
import { serveStdio } from '@modelcontextprotocol/server/stdio'
import { greetingTo } from './greeting.ts'
import { mcpServer } from './server.ts'
import { unopened } from './unopened-kit.ts'

const shared = unopened('the greeting must not need the archive')

/** What the library answers. */
async function answered(message: object): Promise<unknown> {
  const wire: {
    onmessage?: (message: object) => void
    start(): Promise<void>
    send(answer: unknown): Promise<void>
    close(): Promise<void>
  } = { start: async () => {}, send: async () => {}, close: async () => {} }
  const answer = new Promise((resolve) => {
    wire.send = async (each) => resolve(each)
  })
  const handle = serveStdio((context) => mcpServer(shared, context), { transport: wire })
  await new Promise((resolve) => setTimeout(resolve, 20))
  wire.onmessage?.(message)
  try {
    return await answer
  } finally {
    await handle.close()
    shared.news.close()
  }
}

const clientInfo = { name: 'a client', version: '1', title: 'A' }
const meta = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': clientInfo,
  'io.modelcontextprotocol/clientCapabilities': { elicitation: { form: {} } },
}
const messages = [
  ...['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25'].map((protocolVersion, id) => ({
    jsonrpc: '2.0',
    id,
    method: 'initialize',
    params: { protocolVersion, capabilities: { roots: { listChanged: true } }, clientInfo },
  })),
  { jsonrpc: '2.0', id: 'probe-1', method: 'server/discover', params: { _meta: meta } },
]
for (const message of messages) {
  test(`the greeting to ${JSON.stringify(message).slice(0, 90)} is the library's own`, async () => {
    const greeting = greetingTo(JSON.stringify(message))
    assert.equal(greeting?.id, message.id)
    assert.deepEqual(JSON.parse(greeting!.answer), await answered(message))
  })
}

test('every older version that the library knows is greeted, but for drafts', () => {
  const known = SUPPORTED_PROTOCOL_VERSIONS.filter((version) => version < '2026' && version > '2024-10-07')
  assert.deepEqual(known.toSorted(), ['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25'])
})

test('what is not as usual is left to the library', () => {
  const [initialize] = messages
  const others = [
    'not json',
    '[]',
    '{}',
    JSON.stringify({ ...initialize, id: undefined }),
    JSON.stringify({ ...initialize, id: 1.5 }),
    JSON.stringify({
      ...initialize,
      params: { protocolVersion: '1999-01-01', capabilities: {}, clientInfo },
    }),
    JSON.stringify({ ...initialize, params: { protocolVersion: '2025-06-18', capabilities: {} } }),
    JSON.stringify({
      ...initialize,
      params: { protocolVersion: '2025-06-18', capabilities: [], clientInfo },
    }),
    JSON.stringify({ ...initialize, method: 'tools/list' }),
    JSON.stringify({ ...messages.at(-1), params: {} }),
    JSON.stringify({
      ...messages.at(-1),
      params: { _meta: { ...meta, 'io.modelcontextprotocol/protocolVersion': '2030-01-01' } },
    }),
  ]
  for (const line of others) assert.equal(greetingTo(line), undefined, line)
})
