import assert from 'node:assert/strict'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, describe, test } from 'node:test'
import { type Site, site } from './http-kit.ts'
import { sampleMachine } from './mcp-kit.ts'

const [alex, other] = [sampleMachine(), sampleMachine()]
const OVERVIEW = '/api/v1/overview'
let ours: Site
let theirs: Site

before(async () => {
  ;[ours, theirs] = await Promise.all([site(alex), site(other)])
})
after(async () => {
  await Promise.all([ours.close(), theirs.close()])
  alex.remove()
  other.remove()
})

describe('a cookie that reached another port of the host', () => {
  /** All that a server gets to see on which the browser shows a page of ours beside its own. */
  const stolen = () => ({ cookie: ours.cookie, origin: ours.url.origin, 'sec-fetch-site': 'same-origin' })
  const CASES: [what: string, method: string, at: string, body?: object][] = [
    ['makes no token', 'POST', '/api/v1/tokens', { name: 'mine' }],
    ['reads no chat', 'GET', OVERVIEW],
    ['searches nothing', 'POST', '/api/v1/search_conversations', { query: 'deadlock' }],
    ['downloads nothing', 'GET', '/api/v1/export?query=deadlock&format=markdown'],
    ['hears nothing', 'GET', '/api/v1/live'],
    ['asks nobody', 'POST', '/api/v1/chat', { message: 'hello' }],
    ['asks no model', 'POST', '/v1/chat/completions', { messages: [{ role: 'user', content: 'x' }] }],
    ['changes no setting', 'PUT', '/api/v1/settings', {}],
    ['forgets nothing', 'POST', '/api/v1/forget', { before: '2030-01-01' }],
  ]
  for (const [what, method, at, body] of CASES)
    test(what, async () => {
      const proofs: Record<string, string>[] = [
        {},
        { 'x-recollect': '1' },
        { 'x-recollect': ours.cookie },
        { 'x-recollect': theirs.proof },
      ]
      // The same address may be written with escapes for its letters.
      const written = [at, at.replace('/api', '/%61pi').replace('/v1', '/%761'), at.replace('/v1', '/%76%31')]
      for (const more of proofs)
        for (const address of written) {
          const headers = { ...stolen(), ...more }
          const answer = await ours.ask(address, { method, body, as: 'nobody', headers })
          assert.equal(answer.status, 401, `${address} ${JSON.stringify(more)} ${answer.text.slice(0, 200)}`)
        }
    })

  test('is no way in by a link either', async () => {
    const answer = await ours.ask(OVERVIEW, {
      as: 'nobody',
      headers: { cookie: ours.cookie, 'sec-fetch-dest': 'document' },
    })
    assert.equal(answer.status, 401)
  })
})

test('two servers on one host do not sign each other out', async () => {
  assert.notEqual(ours.cookie.split('=')[0], theirs.cookie.split('=')[0])
  // A browser sends both cookies to both.
  const cookie = `${ours.cookie}; ${theirs.cookie}`
  assert.equal((await ours.ask(OVERVIEW, { headers: { cookie } })).status, 200)
  assert.equal((await theirs.ask(OVERVIEW, { headers: { cookie } })).status, 200)
  const swapped = { cookie, 'x-recollect': theirs.proof }
  assert.equal((await ours.ask(OVERVIEW, { headers: swapped })).status, 401)
})

test('a page of another origin gets no answer that it could read', async () => {
  const evil = http.createServer((_, response) => response.end()).listen(0, '127.0.0.1')
  await new Promise((resolve) => evil.once('listening', resolve))
  const { port } = evil.address() as AddressInfo
  const answer = await ours.ask(OVERVIEW, {
    headers: { origin: `http://127.0.0.1:${port}`, 'sec-fetch-site': 'same-site' },
  })
  assert.equal(answer.status, 403)
  assert.equal(answer.headers['access-control-allow-origin'], undefined)
  evil.close()
})
