import assert from 'node:assert/strict'
import { once } from 'node:events'
import fs from 'node:fs'
import http from 'node:http'
import path from 'node:path'
import { after, before, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { type CallToolResult, type Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import {
  answerOf,
  claudeFile,
  claudeLine,
  clientOf,
  ERAS,
  type Era,
  type Served,
  sampleMachine,
  served,
  until,
  untilHeard,
} from './mcp-kit.ts'

const alex = sampleMachine()
const clients: Client[] = []
let server: Served
let token: string

async function connected(era: Era, bearer: string, client = clientOf(era, 'claude-code')): Promise<Client> {
  clients.push(client)
  await client.connect(
    new StreamableHTTPClientTransport(server.url, {
      requestInit: { headers: { authorization: `Bearer ${bearer}` } },
    }),
  )
  return client
}

before(async () => {
  assert.equal((await alex.run(['sync'])).code, 0)
  token = (await alex.run(['token', 'create', 'laptop'])).out.trim()
  server = await served(alex, ['--http', '0'])
})
after(async () => {
  await Promise.allSettled(clients.map((client) => client.close()))
  server.child.kill('SIGKILL')
  alex.remove()
})

interface Asked {
  method?: string
  path?: string
  headers?: Record<string, string>
  body?: string
}

/** Without a client that would mend the headers. */
async function raw(
  { method = 'POST', path: at = '/mcp', headers = {}, body = '{}' }: Asked,
  to = server.url,
) {
  return await new Promise<{ status: number; headers: http.IncomingHttpHeaders; text: string }>(
    (resolve, reject) => {
      const request = http.request(
        {
          host: to.hostname,
          port: to.port,
          path: at,
          method,
          headers: {
            'content-type': 'application/json',
            accept: 'application/json, text/event-stream',
            authorization: `Bearer ${token}`,
            ...headers,
          },
        },
        (response) => {
          let text = ''
          response.on('data', (data) => {
            text += data
          })
          response.on('end', () =>
            resolve({ status: response.statusCode ?? 0, headers: response.headers, text }),
          )
        },
      )
      request.on('error', reject)
      request.end(method === 'POST' ? body : undefined)
    },
  )
}

const INITIALIZE = JSON.stringify({
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'raw', version: '1' } },
})

for (const era of ERAS) {
  describe(`over HTTP, ${era}`, () => {
    let client: Client
    before(async () => {
      client = await connected(era, token)
    })

    test('tools are listed and called', async () => {
      assert.equal(client.getProtocolEra(), era)
      assert.ok((await client.listTools()).tools.length > 10)
      const result = (await client.callTool({
        name: 'search_conversations',
        arguments: { query: 'deadlock ShareLock' },
      })) as CallToolResult
      assert.match(answerOf(result).results[0].title, /Deadlock/)
    })

    test('a client that offers roots works in the first of them', async () => {
      const folder = path.join(alex.home, `rooted-${era}`)
      const rooted = clientOf(era, 'claude-code', { roots: {} })
      rooted.setRequestHandler('roots/list', async () => ({ roots: [{ uri: pathToFileURL(folder).href }] }))
      await connected(era, token, rooted)
      for (const name of ['read_context', 'get_context_summary']) {
        const result = (await rooted.callTool({ name, arguments: {} })) as CallToolResult
        assert.ok(answerOf(result).message.includes(folder), JSON.stringify(result))
      }
    })

    test('changes are told', async () => {
      const session = `40000000-${era}-4000-8000-000000000000`
      const uris = [`context://sessions/${session}`, 'context://sessions?limit=5']
      const updated: string[] = []
      let lists = 0
      client.setNotificationHandler('notifications/resources/updated', ({ params }) => {
        updated.push(params.uri)
      })
      client.setNotificationHandler('notifications/resources/list_changed', () => {
        lists++
      })
      if (era === 'modern') await client.listen({ resourceSubscriptions: uris, resourcesListChanged: true })
      else for (const uri of uris) await client.subscribeResource({ uri })
      // Until the thread that syncs watches the folders, and what it writes is followed.
      await untilHeard(
        (time) => {
          const id = `70000000-${era}-4000-8000-${String(time).padStart(12, '0')}`
          fs.writeFileSync(claudeFile(alex, id), claudeLine(id, `try ${time}`, alex.project))
        },
        () => lists > 0,
      )
      lists = 0
      fs.writeFileSync(claudeFile(alex, session), claudeLine(session, 'over the wire', alex.project))
      await until('updated', () => lists > 0 && uris.every((uri) => updated.includes(uri)))
    })
  })
}

test('without a token, or with a wrong one, nobody is let in', async () => {
  const none = await raw({ headers: { authorization: '' }, body: INITIALIZE })
  assert.equal(none.status, 401)
  assert.match(String(none.headers['www-authenticate']), /^Bearer/)
  assert.match(none.text, /recollect token create/)
  for (const wrong of [
    'Bearer nonsense',
    `Bearer ${token}x`,
    `Basic ${token}`,
    `Bearer ${token.slice(0, -1)}`,
  ])
    assert.equal((await raw({ headers: { authorization: wrong }, body: INITIALIZE })).status, 401)
})

test('a page of another site is not let in, nor a name that was rebound to this machine', async () => {
  const cases: [headers: Record<string, string>, status: number][] = [
    [{ host: 'evil.example' }, 403],
    [{ host: `evil.example:${server.url.port}` }, 403],
    [{ host: '127.0.0.1.evil.example' }, 403],
    [{ origin: 'https://evil.example' }, 403],
    [{ origin: 'null' }, 403],
    [{ origin: 'http://localhost.evil.example' }, 403],
    [{ origin: 'http://localhost:5173' }, 200],
    [{ host: `localhost:${server.url.port}` }, 200],
    [{ host: `[::1]:${server.url.port}` }, 200],
  ]
  for (const [headers, status] of cases)
    assert.equal((await raw({ headers, body: INITIALIZE })).status, status, JSON.stringify(headers))
})

test('what is too large, not JSON, or elsewhere is refused', async () => {
  const large = JSON.stringify({
    jsonrpc: '2.0',
    id: 1,
    method: 'x',
    params: { text: 'x'.repeat(5_000_000) },
  })
  assert.equal((await raw({ body: large })).status, 413)
  assert.equal((await raw({ body: '{"jsonrpc":' })).status, 400)
  assert.equal((await raw({ path: '/', body: INITIALIZE })).status, 404)
  assert.equal(
    (await raw({ body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' }) })).status,
    400,
  )
})

test('a session is its own: another token cannot use it, and a closed one is gone', async () => {
  const other = (await alex.run(['token', 'create', 'other'])).out.trim()
  const opened = await raw({ body: INITIALIZE })
  const id = String(opened.headers['mcp-session-id'])
  const body = JSON.stringify({ jsonrpc: '2.0', id: 2, method: 'tools/list' })
  const ask = async (bearer: string) =>
    (await raw({ headers: { 'mcp-session-id': id, authorization: `Bearer ${bearer}` }, body })).status
  assert.equal(await ask(token), 200)
  assert.equal(await ask(other), 404)
  assert.equal((await raw({ method: 'DELETE', headers: { 'mcp-session-id': id } })).status, 200)
  assert.equal(await ask(token), 404)
})

test('tokens are listed without their secret, kept hashed in a private file, and refused once revoked', async () => {
  const made = JSON.parse((await alex.run(['token', 'create', 'phone', '--days', '30', '--json'])).out)
  assert.equal(
    (await raw({ headers: { authorization: `Bearer ${made.token}` }, body: INITIALIZE })).status,
    200,
  )
  const file = path.join(alex.archive, 'tokens.json')
  assert.ok(!fs.readFileSync(file, 'utf8').includes(made.token.slice(4)))
  if (process.platform !== 'win32') assert.equal(fs.statSync(file).mode & 0o777, 0o600)
  const listed = (await alex.run(['token', 'list'])).out
  assert.match(listed, /phone {2}read, ask {2}created .* valid until \d{4}-\d\d-\d\d/)
  assert.ok(!listed.includes(made.token))
  assert.deepEqual(made.scopes, ['read', 'ask'])
  assert.equal((await alex.run(['token', 'create', 'phone'])).code, 3)
  assert.match((await alex.run(['token', 'revoke', 'phone'])).out, /^Revoked: phone/)
  assert.equal(
    (await raw({ headers: { authorization: `Bearer ${made.token}` }, body: INITIALIZE })).status,
    401,
  )
  assert.equal((await alex.run(['token', 'revoke', 'phone'])).code, 1)
  assert.equal((await alex.run(['token', 'lend'])).code, 2)
})

test('other interfaces need TLS or a flag, and always a token', async () => {
  const refusals: [args: string[], why: RegExp][] = [
    [['--http', '0', '--host', '0.0.0.0'], /without TLS/],
    [['--http', '0', '--host', '0.0.0.0', '--insecure', '--no-token'], /Without a token/],
    [['--http', '99999'], /not a whole number/],
  ]
  for (const [args, why] of refusals) {
    const { code, err, out } = await alex.run(['mcp', ...args])
    assert.notEqual(code, 0)
    assert.match(err, why)
    assert.equal(out, '')
  }
})

test('MCP_PORT serves HTTP instead of stdio, --no-token asks for none, SIGTERM ends it', async () => {
  const open = await served(alex, ['--no-token', '--no-sync'], { MCP_PORT: '0' })
  const { status } = await raw({ headers: { authorization: '' }, body: INITIALIZE }, open.url)
  assert.equal(status, 200)
  assert.match(open.err(), /no token is asked for/)
  open.child.kill('SIGTERM')
  const [code] = await Promise.race([
    once(open.child, 'exit'),
    sleep(60_000, ['it still runs'], { ref: false }),
  ])
  assert.equal(code, 0)
})
