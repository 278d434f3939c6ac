import assert from 'node:assert/strict'
import { test } from 'node:test'
import { SCOPES } from '../platform/scopes.ts'
import { type Entry, guard, Refusal } from './guard.ts'

const entry = { id: 'a', name: 'laptop', hash: '0'.repeat(64), createdAt: 0, scopes: [...SCOPES] }

function request(headers: Record<string, string> = {}): Request {
  return new Request('http://127.0.0.1/mcp', { headers: { host: '127.0.0.1:3939', ...headers } })
}

function statusOf(outcome: Refusal | Entry): number {
  return outcome instanceof Refusal ? outcome.status : 200
}

test('a client that asks without pause is told to wait, and others are not', () => {
  const { letIn } = guard({ hosts: 'loopback', check: (token) => ({ ...entry, id: token }) })
  const ask = (token: string) => statusOf(letIn(request({ authorization: `Bearer ${token}` }), '127.0.0.1'))
  const statuses = Array.from({ length: 400 }, () => ask('first'))
  assert.equal(statuses[0], 200)
  assert.equal(statuses.at(-1), 429)
  assert.equal(ask('second'), 200)
})

test('whoever guesses tokens is stopped, even with the right one in the end', () => {
  const { letIn } = guard({ hosts: 'loopback', check: (token) => (token === 'right' ? entry : undefined) })
  const ask = (token: string, from: string) =>
    statusOf(letIn(request({ authorization: `Bearer ${token}` }), from))
  for (let guess = 0; guess < 20; guess++) assert.equal(ask(`wrong${guess}`, '10.0.0.1'), 401)
  assert.equal(ask('right', '10.0.0.1'), 429)
  assert.equal(ask('right', '10.0.0.2'), 200)
})

test('beyond this machine any host may be asked for, but pages of other sites may not ask', () => {
  const { letIn } = guard({ hosts: 'any', check: () => entry })
  const ask = (headers: Record<string, string>) =>
    statusOf(letIn(request({ authorization: 'Bearer t', host: 'box.lan:3939', ...headers }), '10.0.0.1'))
  assert.equal(ask({}), 200)
  assert.equal(ask({ origin: 'https://box.lan:3939' }), 200)
  assert.equal(ask({ origin: 'https://evil.example' }), 403)
})
