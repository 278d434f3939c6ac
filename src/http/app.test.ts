import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as soon } from 'node:timers/promises'
import { type AppOptions, app } from './app.ts'
import { type Backend, Backends } from './backend.ts'

test('who asks for the headers of a stream alone leaves nothing behind that goes on', async () => {
  let listening = 0
  const changes = {
    listen() {
      listening++
      return () => listening--
    },
    begun: async () => {},
  }
  const backend = { shared: { news: { changes }, syncing: () => undefined } } as unknown as Backend
  const entry = { client: 'one', owner: false, scopes: ['read'] as const }
  const served = app({
    backends: new Backends(() => backend, false),
    access: { letIn: () => entry, isStillIn: () => true },
    capabilities: [],
    folder: '',
  } as unknown as AppOptions)
  const ask = async (method: string) =>
    await served.fetch(new Request('http://127.0.0.1/api/v1/live', { method }), {
      address: '127.0.0.1',
      welcome() {},
    })
  const heard = await ask('GET')
  assert.equal(listening, 1)
  await heard.body?.cancel()
  const { status, headers } = await ask('HEAD')
  assert.equal(status, 200)
  assert.match(String(headers.get('content-type')), /^text\/event-stream/)
  await soon()
  assert.equal(listening, 0)
})
