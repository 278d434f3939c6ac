import assert from 'node:assert/strict'
import fs from 'node:fs'
import path from 'node:path'
import { after, before, describe, test } from 'node:test'
import { type CallToolResult, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { type Asked, type Site, site } from './http-kit.ts'
import { answerOf, claudeFile, claudeLine, clientOf, sampleMachine, until } from './mcp-kit.ts'

const alex = sampleMachine()
let served: Site

before(async () => {
  assert.equal((await alex.run(['sync'])).code, 0)
  served = await site(alex)
})
after(async () => {
  await served?.close()
  alex.remove()
})

const OVERVIEW = '/api/v1/overview'
const SEARCH = '/api/v1/search_conversations'

describe('who is let in', () => {
  test('nobody without a cookie or a token, to the page or to anything else', async () => {
    const page = await served.ask('/', { as: 'nobody' })
    assert.equal(page.status, 401)
    assert.match(page.text, /Open the link that <code>recollect serve<\/code> printed/)
    for (const at of [OVERVIEW, '/openapi.json', '/api/v1/nothing']) {
      const refused = await served.ask(at, { as: 'nobody' })
      assert.equal(refused.status, 401, at)
      assert.equal(refused.json.error.code, 'UNAUTHORIZED')
      assert.match(refused.json.error.message, /recollect token create/)
    }
    assert.equal((await served.ask('/assets/x.js', { as: 'nobody' })).status, 401)
    assert.equal((await served.ask('/v1/models', { as: 'nobody' })).json.error.type, 'authentication_error')
    assert.equal((await served.ask('/mcp', { as: 'nobody', body: {} })).json.jsonrpc, '2.0')
  })

  test('the page by its cookie, a program by its token', async () => {
    assert.equal((await served.ask(OVERVIEW)).status, 200)
    assert.equal((await served.ask(OVERVIEW, { as: 'program' })).status, 200)
  })

  test('a cookie that was changed, is too old, or was signed with another key is none', async () => {
    const [name, value = ''] = served.cookie.split('=')
    const [until = '', nonce, signature] = value.split('.')
    for (const wrong of [
      `${name}=${Number(until) + 1}.${nonce}.${signature}`,
      `${name}=${until}.${nonce}.${signature?.split('').reverse().join('')}`,
      `${name}=${until}.${nonce}`,
      `${name}=`,
      `${name}=${'9'.repeat(10_000)}`,
    ])
      assert.equal((await served.ask(OVERVIEW, { headers: { cookie: wrong } })).status, 401, wrong)
  })

  test('a link works once, not at all when it is wrong, and a program that previews it does not use it up', async () => {
    const again = await served.ask(served.link, { as: 'nobody' })
    assert.equal(again.status, 401)
    assert.match(again.text, /used or is too old/)
    assert.equal(again.headers['set-cookie'], undefined)
    assert.equal((await served.ask('/open?code=guess', { as: 'nobody' })).status, 401)
    assert.equal((await served.ask('/open', { as: 'nobody' })).status, 401)
    const other = await site(alex)
    try {
      assert.equal((await other.ask('/open?code=x', { as: 'nobody', method: 'HEAD' })).status, 204)
      const signedIn = await other.ask(other.link)
      assert.equal(signedIn.status, 303, 'who is signed in is led to the page')
    } finally {
      await other.close()
    }
  })

  test('the cookie is hidden from scripts, stays at home, and outlives the server', async () => {
    const first = await site(alex)
    await first.close()
    const again = await site(alex, { args: ['--port', first.url.port] })
    try {
      const { cookie, proof } = first
      const kept = await again.ask(OVERVIEW, { headers: { cookie, 'x-recollect': proof } })
      assert.equal(kept.status, 200, 'another process of the same archive takes it at the same address')
      const elsewhere = await served.ask(OVERVIEW, { headers: { cookie, 'x-recollect': proof } })
      assert.equal(elsewhere.status, 401, 'and nobody at another')
    } finally {
      await again.close()
    }
    const key = path.join(alex.archive, 'page.key')
    if (process.platform !== 'win32') assert.equal(fs.statSync(key).mode & 0o777, 0o600)
  })

  test('a revoked token is refused at once', async () => {
    const made = JSON.parse((await alex.run(['token', 'create', 'gone', '--json'])).out)
    const as: Asked = { as: 'nobody', headers: { authorization: `Bearer ${made.token}` } }
    assert.equal((await served.ask(OVERVIEW, as)).status, 200)
    await alex.run(['token', 'revoke', 'gone'])
    assert.equal((await served.ask(OVERVIEW, as)).status, 401)
  })

  test('another host, another origin and another site are refused', async () => {
    const { port } = served.url
    const cases: [headers: Record<string, string>, as: Asked['as'], status: number][] = [
      [{ host: 'evil.example' }, 'program', 403],
      [{ host: `127.0.0.1.evil.example:${port}` }, 'page', 403],
      [{ origin: 'https://evil.example' }, 'program', 403],
      [{ origin: 'null' }, 'page', 403],
      [{ origin: 'http://127.0.0.1:1' }, 'page', 403],
      [{ origin: `http://localhost:${port}` }, 'page', 403],
      [{ 'sec-fetch-site': 'same-site' }, 'page', 403],
      [{ 'sec-fetch-site': 'cross-site' }, 'page', 403],
      [{ 'sec-fetch-site': 'none' }, 'page', 200],
      [{ host: `localhost:${port}` }, 'program', 200],
    ]
    for (const [headers, as, status] of cases) {
      const answer = await served.ask(OVERVIEW, { as, headers })
      assert.equal(answer.status, status, JSON.stringify(headers))
    }
    assert.equal(
      (await served.ask('/open?code=x', { as: 'nobody', headers: { host: 'evil.example' } })).status,
      403,
    )
  })

  test('what changes things needs our own origin, and the proof that only our own page has', async () => {
    const body = { query: 'deadlock' }
    const { cookie, proof } = served
    const { origin } = served.url
    const asked = async (headers: Record<string, string>) =>
      (await served.ask(SEARCH, { as: 'nobody', headers, body })).status
    assert.equal(await asked({ cookie }), 403)
    assert.equal(await asked({ cookie, origin }), 401)
    assert.equal(await asked({ cookie, 'x-recollect': proof }), 403)
    assert.equal(await asked({ cookie, origin, 'x-recollect': '1' }), 401)
    assert.equal(await asked({ origin, 'x-recollect': proof }), 401)
    assert.equal(await asked({ cookie, origin, 'x-recollect': proof }), 200)
    assert.equal((await served.ask(SEARCH, { as: 'program', body })).status, 200)
  })

  test('the owner’s things are not for tokens, nor is the cookie for MCP', async () => {
    const cases: Asked[] = [{ method: 'GET' }, { body: { name: 'mine' } }]
    for (const how of cases)
      assert.equal(
        (await served.ask('/api/v1/tokens', { ...how, as: 'program' })).json.error.code,
        'FORBIDDEN',
      )
    for (const [at, how] of [
      ['/api/v1/settings', { method: 'GET' }],
      ['/api/v1/settings', { method: 'PUT', body: {} }],
      ['/api/v1/sample', { body: { on: true } }],
      ['/api/v1/forget', { body: { before: '2020-01-01' } }],
      ['/api/v1/chats/abcd', { method: 'DELETE' }],
      ['/api/v1/context', { method: 'PUT', body: { content: '', etag: '' } }],
    ] as const)
      assert.equal((await served.ask(at, { ...how, as: 'program' })).status, 403, at)
    assert.equal((await served.ask('/mcp', { body: {} })).status, 401)
  })

  test('passwords are shown to the page where it asks, and never to a token', async () => {
    const [chat] = (await served.ask('/api/v1/list_chats?limit=1')).json.chats
    const at = `/api/v1/chats/${chat.source}:${chat.chatId}`
    for (const end of ['', '/messages', '/messages/0', '/find?q=a']) {
      const asked = `${at}${end}${end.includes('?') ? '&' : '?'}reveal=1`
      assert.equal((await served.ask(asked)).status, 200, asked)
      assert.equal((await served.ask(asked, { as: 'program' })).status, 403, asked)
    }
    assert.equal(
      (await served.ask(`/api/v1/export?chat=${chat.chatId}&reveal=true`, { as: 'program' })).status,
      403,
    )
  })

  test('who guesses is stopped', async () => {
    const other = await site(alex)
    try {
      let last = 0
      for (let guess = 0; guess < 25; guess++)
        last = (await other.ask(`/open?code=${guess}`, { as: 'nobody' })).status
      assert.equal(last, 429)
      assert.equal((await other.ask(OVERVIEW)).status, 200, 'the page goes on')
    } finally {
      await other.close()
    }
  })
})

test('an agent connects to /mcp of the same server, and sees what the page shows', async () => {
  const client = clientOf('modern', 'claude-code')
  const transport = new StreamableHTTPClientTransport(new URL('/mcp', served.url), {
    requestInit: { headers: { authorization: `Bearer ${served.token}` } },
  })
  await client.connect(transport)
  try {
    const count = async () => {
      const result = await client.callTool({ name: 'list_chats', arguments: {} })
      return /^\d+ chats/.exec(answerOf(result as CallToolResult).coverage)?.[0]
    }
    assert.equal(await count(), '13 chats')
    fs.writeFileSync(claudeFile(alex, 'new-one'), claudeLine('new-one', 'a new chat', alex.project))
    await until('it is seen', async () => (await count()) === '14 chats')
    await served.ask('/api/v1/sample', { body: { on: true } })
    assert.equal(await count(), '13 chats')
    await served.ask('/api/v1/sample', { body: { on: false } })
  } finally {
    await client.close()
  }
})

describe('the page', () => {
  test('every answer forbids what a page could be made to do', async () => {
    for (const at of ['/', '/open', OVERVIEW, '/nowhere', '/api/v1/nothing']) {
      const { headers } = await served.ask(at)
      assert.match(
        String(headers['content-security-policy']),
        /default-src 'none'.*frame-ancestors 'none'/,
        at,
      )
      assert.equal(headers['x-content-type-options'], 'nosniff')
      assert.equal(headers['referrer-policy'], 'no-referrer')
      assert.equal(headers['cross-origin-opener-policy'], 'same-origin')
      assert.equal(headers['cross-origin-resource-policy'], 'same-origin')
      assert.match(String(headers['server-timing']), /^total;dur=\d/)
      if (at.startsWith('/api')) assert.equal(headers['cache-control'], 'no-store')
    }
  })

  test('no path leads out of its folder', async () => {
    for (const at of [
      '/../package.json',
      '/..%2f..%2fpackage.json',
      '/assets/../../../package.json',
      '/assets/..%2F..%2F..%2Fpackage.json',
      '/%2e%2e/%2e%2e/package.json',
      '/..%5c..%5cpackage.json',
      '//etc/passwd',
      '/assets/%00',
      '/%',
      '/assets/nothing.js',
    ]) {
      const { status, text } = await served.ask(at)
      assert.ok([200, 404, 503].includes(status), `${at}: ${status}`)
      assert.ok(!text.includes('"devDependencies"') && !text.includes('root:'), at)
    }
  })
})

describe('what is hostile or wrong', () => {
  test('is refused with what is wrong', async () => {
    const post = async (body: unknown, at = SEARCH) => await served.ask(at, { body })
    assert.equal((await post('{"query":')).json.error.code, 'INVALID_JSON')
    const zipped = await served.ask(SEARCH, { body: '{}', headers: { 'content-encoding': 'gzip' } })
    assert.match(zipped.json.error.message, /encoded \(gzip\)/)
    assert.equal((await post('x'.repeat(5_000_000))).status, 413)
    const wrong = await post({ query: 'a', limit: 'many', role_filter: ['nobody'] })
    assert.equal(wrong.status, 400)
    assert.deepEqual(wrong.json.error.issues.map((issue: { path: string }) => issue.path).sort(), [
      'limit',
      'role_filter.0',
    ])
    for (const body of ['null', '[]', '"text"', '3']) assert.equal((await post(body)).status, 400, body)
    assert.equal((await post({ query: ' ' })).json.error.code, 'INVALID_QUERY')
    assert.equal((await served.ask(`${SEARCH}?query=x&limit=many`)).status, 400)
    assert.equal((await served.ask('/api/v1/nothing')).json.error.code, 'NOT_FOUND')
    assert.equal((await served.ask(OVERVIEW, { method: 'DELETE' })).status, 404)
    assert.equal((await served.ask('/api/v1/append_context?content=x')).status, 404, 'what writes has no GET')
  })

  test('an id may have any character', async () => {
    const odd = [
      '../../etc',
      'a/b',
      "'; DROP TABLE chat; --",
      '%',
      '\u0000',
      '💥',
      'x'.repeat(900),
      ':',
      'claude-code:',
    ]
    for (const id of odd) {
      const { status, json } = await served.ask(`/api/v1/chats/${encodeURIComponent(id)}/messages`)
      assert.equal(status, 404, id)
      assert.equal(json.error.code, 'SESSION_NOT_FOUND', id)
    }
    assert.equal((await served.ask(`/api/v1/chats/${'x'.repeat(2_000)}`)).status, 400)
    assert.equal((await served.ask('/api/v1/chats/%E0%A4%A/messages')).status, 404)
  })
})

test('where the page is not built, it says how to build it', async () => {
  const { pageFile } = await import('../src/http/page-files.ts')
  const answer = pageFile(new Request('http://127.0.0.1/'), path.join(alex.home, 'nothing'))
  assert.equal(answer.status, 503)
  assert.match(await answer.text(), /npm run build:page/)
})
