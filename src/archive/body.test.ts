import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Message } from '../model/chat.ts'
import { factsOf } from './body.ts'

test('what is hashed of a message is what JSON makes of it: hashes of older archives stay true', () => {
  const messages: Partial<Message>[] = [
    { role: 'user', kind: 'request' },
    {
      role: 'assistant',
      kind: 'answer',
      createdAt: 1_738_836_703_508,
      model: 'a "model"\n\u2028é',
      undone: true,
    },
    {
      role: 'tool',
      kind: 'tool',
      createdAt: 1e21,
      usage: { input: 1, output: undefined, cost: 0.1 },
      latencyMs: 0.5,
    },
    { role: 'system', kind: 'notice', createdAt: Number.NaN, latencyMs: Number.POSITIVE_INFINITY, usage: {} },
    { role: 'user', kind: 'request', createdAt: -0, model: '', latencyMs: 1e-7, undone: false },
  ]
  for (const { role, kind, createdAt, model, usage, latencyMs, undone } of messages) {
    const message = { role, kind, createdAt, model, usage, latencyMs, undone } as Message
    const json = JSON.stringify([role, kind, createdAt, model, usage, latencyMs, undone ?? false])
    assert.equal(factsOf(message), json)
  }
})
