import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ArchivedMessage } from '../archive/archive.ts'
import { Seen } from '../platform/redact.ts'
import type { HubSpace } from './settings.ts'
import { isShared, outgoingMessage } from './sharing.ts'

test('a folder is shared whichever way a chat writes it, and its neighbour is not', () => {
  const space = { kind: 'team', shares: [{ workspace: 'C:\\Users\\me\\shop' }] } as unknown as HubSpace
  for (const workspace of [
    'C:\\Users\\me\\shop',
    'c:/Users/me/shop',
    'C:\\users\\ME\\shop\\',
    'file:///c%3A/Users/me/shop',
    '\\\\?\\C:\\Users\\me\\shop',
    '/mnt/c/Users/me/shop',
    'C:\\Users\\me\\shop\\packages\\cart',
  ])
    assert.ok(isShared({ workspace }, space), workspace)
  for (const workspace of ['C:\\Users\\me\\shop2', 'D:\\Users\\me\\shop', 'C:\\Users\\me'])
    assert.ok(!isShared({ workspace }, space), workspace)
})

test('a team gets no secret in the name of a model, a command, a tool, an argument or a call; calls and results still belong together', () => {
  const token = `ghp_${'aB3dE5fG7hJ9kL2mN4pQ6rS8tU1vW0xY'.repeat(2).slice(0, 36)}`
  const password = 'hunter2Xyz9Qw'
  const seen = new Seen(7)
  seen.add(password)
  const message: ArchivedMessage = {
    ...{ key: 1, index: 0, id: 'm1', order: 1, role: 'assistant', kind: 'answer', text: '' },
    ...{ via: `/deploy/${token}`, model: `claude/${password}` },
    toolCalls: [
      {
        id: `c/${token}`,
        server: password,
        tool: `ask/${token}`,
        args: { [password]: 1, deep: { [token]: 2 } },
      },
      { id: 'c2', tool: 'bash' },
    ],
    toolResults: [
      { callId: `c/${token}`, text: 'one' },
      { callId: 'c2', text: 'two' },
    ],
  }
  const space = { kind: 'team', answers: true, shares: [] } as unknown as HubSpace
  const sent = outgoingMessage(message, space, seen)!
  const said = JSON.stringify(sent)
  assert.ok(!said.includes(token) && !said.includes(password), said)
  assert.equal(sent.model, 'claude/[redacted: secret]')
  assert.notEqual(sent.toolCalls![0]!.id, sent.toolCalls![1]!.id)
  assert.deepEqual(
    sent.toolCalls!.map(({ id }) => id),
    sent.toolResults!.map(({ callId }) => callId),
  )
  assert.equal(sent.toolCalls![1]!.id, 'c2')
  // The next time it is sent, it is the same.
  assert.deepEqual(outgoingMessage(message, space, seen), sent)
})
