import assert from 'node:assert/strict'
import { test } from 'node:test'
import { chatsRead, type Part, withSources } from '../../web/src/pages/ask/turns.ts'

const answer = (given: object): Part => ({
  kind: 'tool',
  call: { id: 'c1', tool: 'search_conversations', result: { success: true, text: JSON.stringify(given) } },
})
const found = answer({
  results: [
    { chatId: 'aaaa-1', title: 'Deadlock', author: 'Maria' },
    { chatId: 'bbbb-2', title: 'Cache' },
  ],
})
const read = answer({ chat: { id: 'claude-code:aaaa-1', title: 'Deadlock', author: 'Maria' } })

test('the chats behind an answer are named once, with whose they are', () => {
  assert.deepEqual(chatsRead([found, read]), [
    { id: 'claude-code:aaaa-1', title: 'Deadlock', author: 'Maria' },
    { id: 'bbbb-2', title: 'Cache' },
  ])
})

test('an answer is copied with whose the chats are', () => {
  const copied = withSources([found, { kind: 'text', text: 'Retry it.' }], 1, 'http://here', 'Chats used')
  assert.match(copied, /^- \[Deadlock\]\(http:\/\/here\/chat\/aaaa-1\) \(Maria\)$/m)
  assert.match(copied, /^- \[Cache\]\(http:\/\/here\/chat\/bbbb-2\)$/m)
})
