import assert from 'node:assert/strict'
import { PassThrough } from 'node:stream'
import { test } from 'node:test'
import { firstCall } from './first-call.ts'
import { unopened } from './unopened-kit.ts'

const shared = unopened('an unknown tool must not need the archive')

const greeting = { jsonrpc: '2.0', id: 1, method: 'initialize', params: { clientInfo: { name: 'ü' } } }
const heard = { jsonrpc: '2.0', method: 'notifications/initialized' }
const call = { jsonrpc: '2.0', id: 2, method: 'tools/call', params: { name: 'none', arguments: { a: 'ü' } } }
const lines = (...messages: object[]) => messages.map((each) => `${JSON.stringify(each)}\n`).join('')

function asked(said: string, client: string | null = 'a client') {
  const input = new PassThrough()
  if (said) input.write(said)
  const written: string[] = []
  const early = firstCall(
    { input, client: () => client ?? undefined, more: () => new Promise<void>(() => {}) },
    shared,
    (text) => written.push(text),
  )
  return { early, written, left: () => String(input.read() ?? '') }
}

test('a call behind the greeting is answered, and the library is left the rest', async () => {
  for (const before of [[greeting], [greeting, heard]]) {
    const { early, written, left } = asked(lines(...before, call))
    assert.equal(early?.id, 2)
    assert.equal(left(), lines(...before))
    await early.settled
    const error = { code: -32_602, message: 'Unknown tool: none' }
    assert.deepEqual(
      written.map((text) => JSON.parse(text)),
      [{ jsonrpc: '2.0', id: 2, error }],
    )
  }
})

test('nothing is answered that was called off', async () => {
  const { early, written } = asked(lines(greeting, heard, call))
  early?.cancel()
  await early?.settled
  assert.deepEqual(written, [])
})

test('anything out of the ordinary is left to the library as it came', () => {
  const { params } = call
  const others = [
    '',
    lines(greeting),
    lines(greeting, heard),
    lines(call),
    lines(greeting, { ...heard, id: 3, method: 'tools/list' }, call),
    lines(greeting, heard, call, { ...call, id: 3 }),
    lines(greeting, heard, call).slice(0, -1),
    `${lines(greeting, heard)}not JSON\n`,
    lines(greeting, heard, [call]),
    lines(greeting, { ...call, jsonrpc: '1.0' }),
    lines(greeting, { ...call, id: null }),
    lines(greeting, { ...call, id: 1.5 }),
    lines(greeting, { ...call, method: 'tools/list' }),
    lines(greeting, { ...call, params: [] }),
    lines(greeting, { ...call, params: { ...params, name: 7 } }),
    lines(greeting, { ...call, params: { ...params, arguments: [] } }),
    lines(greeting, { ...call, params: { ...params, _meta: { progressToken: 1 } } }),
    lines(greeting, { ...call, params: { ...params, task: {} } }),
  ]
  for (const said of others) {
    const { early, left } = asked(said)
    assert.equal(early, undefined, said)
    assert.equal(left(), said)
  }
  assert.equal(asked(lines(greeting, heard, call), null).early, undefined)
})
