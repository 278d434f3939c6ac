import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Seen } from '../platform/redact.ts'
import { outgoingFor } from './outgoing.ts'

const SECRET = 'ghp_0123456789abcdefghijABCDEFGHIJ012345'
const archive = { secretsSeen: () => new Seen(7) }

test('of whole chats that were looked through, what leaves is clean, however much went through before', () => {
  const { clean, finish } = outgoingFor(archive, { kind: 'agent', budget: 9_000 })
  const first = clean({ text: `the key is ${SECRET}, of the first message` })
  assert.ok(!first.text.includes(SECRET))
  // More than is held.
  for (let i = 0; i < 30; i++) clean({ text: `message ${i} ${'plain words '.repeat(10_000)}` })
  const answer = { text: first.text, content: `and ${SECRET} once more` }
  assert.deepEqual(finish(answer), { ...answer, content: clean(answer.content) })
  assert.ok(!JSON.stringify(finish(answer)).includes(SECRET))
})
