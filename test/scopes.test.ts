import assert from 'node:assert/strict'
import fs from 'node:fs'
import path from 'node:path'
import { after, before, test } from 'node:test'
import { type Site, site } from './http-kit.ts'
import { sampleMachine } from './mcp-kit.ts'

const alex = sampleMachine()
let served: Site
const tokens: Record<string, string> = {}

before(async () => {
  assert.equal((await alex.run(['sync'])).code, 0)
  served = await site(alex)
  for (const scope of ['read', 'context', 'export', 'ask', 'approve'])
    tokens[scope] = (await alex.run(['token', 'create', `only ${scope}`, '--scope', scope])).out.trim()
})
after(async () => {
  await served.close()
  alex.remove()
})

const file = () => path.join(alex.project, 'out.md')
const message = 'hello'

/** What is asked, and with which scopes alone it is let in; `never` where no token may. */
const ROUTES: [method: string, at: string, body: object | undefined, scopes: string[]][] = [
  ['GET', '/api/v1/overview', undefined, ['read']],
  ['GET', '/api/v1/places', undefined, ['read']],
  ['GET', '/api/v1/sources', undefined, ['read']],
  ['POST', '/api/v1/list_chats', {}, ['read']],
  ['POST', '/api/v1/search_conversations', { query: 'deadlock' }, ['read']],
  ['GET', '/api/v1/sessions', undefined, ['ask']],
  ['GET', '/api/v1/approvals', undefined, ['ask']],
  ['POST', '/api/v1/approvals/none.1', { decision: 'allow' }, ['approve']],
  ['GET', '/v1/models', undefined, ['ask']],
  ['POST', '/api/v1/chat', { message, provider: 'none' }, ['ask']],
  [
    'POST',
    '/v1/chat/completions',
    { model: 'none/none', messages: [{ role: 'user', content: 'x' }] },
    ['ask'],
  ],
  // These need `read` as well: none of one scope alone is enough.
  ['POST', '/api/v1/append_context', { content: 'x' }, []],
  ['POST', '/api/v1/export_chats', { query: 'deadlock', format: 'markdown', path: 'out.md' }, []],
  ['GET', '/api/v1/tokens', undefined, []],
  ['POST', '/api/v1/tokens', { name: 'more' }, []],
  ['GET', '/api/v1/settings', undefined, []],
  ['PUT', '/api/v1/settings', {}, []],
  ['POST', '/api/v1/forget', { before: '2000-01-01' }, []],
  ['DELETE', '/api/v1/chats/none', undefined, []],
  ['DELETE', '/api/v1/sessions/none', undefined, []],
  ['PUT', '/api/v1/context', {}, []],
]

for (const [method, at, body, allowed] of ROUTES) {
  test(`${method} ${at} is for ${allowed.join(', ') || 'none of one scope'}`, async () => {
    for (const [scope, token] of Object.entries(tokens)) {
      const headers = { authorization: `Bearer ${token}` }
      const { status, text } = await served.ask(at, { method, body, as: 'nobody', headers })
      const isIn = allowed.includes(scope)
      assert.equal(status !== 403, isIn, `${scope}: ${status} ${text.slice(0, 300)}`)
    }
  })
}

test('with both scopes, and inside of the folder, files are written', async () => {
  const token = (await alex.run(['token', 'create', 'writer', '--scope', 'read,export'])).out.trim()
  const headers = { authorization: `Bearer ${token}` }
  const body = { query: 'deadlock', format: 'markdown' }
  const made = await served.ask('/api/v1/export_chats', {
    body: { ...body, path: 'out.md' },
    as: 'nobody',
    headers,
  })
  assert.equal(made.status, 200, made.text.slice(0, 300))
  assert.ok(fs.existsSync(file()))
  const outside = path.join(alex.home, 'elsewhere.md')
  const refused = await served.ask('/api/v1/export_chats', {
    body: { ...body, path: outside },
    as: 'nobody',
    headers,
  })
  assert.equal(refused.status, 403)
  assert.ok(!fs.existsSync(outside))
  const open = await served.ask('/api/v1/export_chats', {
    body: { ...body, redact: false },
    as: 'nobody',
    headers,
  })
  assert.equal(open.status, 403)
  assert.match(open.json.error.message, /never shown to an agent or a token/)
})

test('a token made before there were scopes reads and asks', async () => {
  const kept = path.join(alex.archive, 'tokens.json')
  const old = JSON.parse(fs.readFileSync(kept, 'utf8'))
  const made = (await alex.run(['token', 'create', 'old', '--scope', 'approve'])).out.trim()
  const { tokens: all } = JSON.parse(fs.readFileSync(kept, 'utf8'))
  const { scopes: _, ...before } = all.at(-1)
  fs.writeFileSync(kept, JSON.stringify({ tokens: [...old.tokens, before] }))
  const headers = { authorization: `Bearer ${made}` }
  const statuses = await Promise.all(
    ['/api/v1/overview', '/api/v1/sessions'].map(
      async (at) => (await served.ask(at, { as: 'nobody', headers })).status,
    ),
  )
  assert.deepEqual(statuses, [200, 200])
  const decided = await served.ask('/api/v1/approvals/none.1', {
    body: { decision: 'deny' },
    as: 'nobody',
    headers,
  })
  assert.equal(decided.status, 403)
})

test('an unknown scope is an error that lists them', async () => {
  const { code, err } = await alex.run(['token', 'create', 'x', '--scope', 'everything'])
  assert.equal(code, 2)
  assert.match(err, /Unknown scope "everything".*\n.*read, context, export, ask, approve/)
})

test('over MCP, resources, prompts and completions need `read` as well', async () => {
  const asked: [method: string, params: object][] = [
    ['resources/list', {}],
    ['resources/read', { uri: 'context://sessions' }],
    ['resources/read', { uri: 'context://current' }],
    ['prompts/get', { name: 'read_and_continue' }],
    [
      'completion/complete',
      {
        ref: { type: 'ref/resource', uri: 'context://sessions/{sessionId}' },
        argument: { name: 'sessionId', value: '' },
      },
    ],
  ]
  for (const [method, params] of asked) {
    for (const scope of ['read', 'context']) {
      const told = await byMcp(tokens[scope]!, method, params)
      if (scope === 'read') assert.doesNotMatch(told, /FORBIDDEN/, `${method}: ${told.slice(0, 300)}`)
      else assert.match(told, /FORBIDDEN/, `${method}: ${told.slice(0, 300)}`)
    }
  }
})

async function byMcp(token: string, method: string, params: object): Promise<string> {
  const headers = {
    authorization: `Bearer ${token}`,
    accept: 'application/json, text/event-stream',
  }
  const hello = {
    protocolVersion: '2025-06-18',
    capabilities: {},
    clientInfo: { name: 'test', version: '1' },
  }
  const began = await served.ask('/mcp', {
    method: 'POST',
    as: 'nobody',
    headers,
    body: { jsonrpc: '2.0', id: 1, method: 'initialize', params: hello },
  })
  const session = { 'mcp-session-id': String(began.headers['mcp-session-id']) }
  const { text } = await served.ask('/mcp', {
    method: 'POST',
    as: 'nobody',
    headers: { ...headers, ...session, 'mcp-protocol-version': '2025-06-18' },
    body: { jsonrpc: '2.0', id: 2, method, params },
  })
  return text
}
