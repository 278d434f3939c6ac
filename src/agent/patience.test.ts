import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Patience } from './patience.ts'

test('the time does not run while a person is asked, and begins again with each sign of life', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const patience = new Patience(1_000)
  t.mock.timers.tick(900)
  patience.renew()
  t.mock.timers.tick(900)
  assert.equal(patience.over.aborted, false)
  const { promise, resolve } = Promise.withResolvers<void>()
  const asked = patience.whileAsked(() => promise)
  patience.renew()
  t.mock.timers.tick(60_000)
  assert.equal(patience.over.aborted, false)
  resolve()
  await asked
  t.mock.timers.tick(999)
  assert.equal(patience.over.aborted, false)
  t.mock.timers.tick(1)
  assert.equal(patience.over.aborted, true)
})

test('what has ended does not begin again', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const patience = new Patience(1_000)
  await patience.whileAsked(async () => patience.end())
  t.mock.timers.tick(60_000)
  assert.equal(patience.over.aborted, false)
})
