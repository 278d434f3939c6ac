import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Message } from './chat.ts'
import { bounded, label, MAX_LABEL, MAX_TEXT } from './limits.ts'
import { toolText } from './tool-text.ts'

const said = (message: Partial<Message>): Message => ({
  id: 'm',
  order: 0,
  role: 'tool',
  kind: 'tool',
  text: '',
  ...message,
})

test('keeps a long result, its JSON and an image whole', () => {
  const text = 'a word '.repeat(100_000)
  const data = 'iVBORw0K'.repeat(100_000)
  const message = said({
    text,
    thinking: text,
    toolCalls: [{ id: 'c', tool: 't', args: { text } }],
    toolResults: Array.from({ length: 3000 }, (_, at) => ({
      callId: `c${at}`,
      text: at ? 'x' : text,
      json: at < 3 ? { text } : { at },
    })),
    attachments: [{ name: 'image', type: 'image', data }],
    files: Array.from({ length: 3000 }, (_, at) => ({ path: `/f${at}`, action: 'read' })),
  })
  assert.deepEqual(bounded(message), message)
})

test('says where something was cut, and how much there was', () => {
  const cut = bounded(said({ text: 'x'.repeat(MAX_TEXT + 5) })).text
  assert.ok(cut.endsWith(`\n[cut here: 5 of ${MAX_TEXT + 5} characters were left out]`))
  assert.ok(label('y'.repeat(MAX_LABEL + 1)).includes('[cut here: 1 of 2001 characters were left out]'))
})

test('leaves NUL characters and half surrogates out', () => {
  assert.equal(bounded(said({ text: 'a\0b\ud800c' })).text, 'ab\ufffdc')
})

test('base64 within a result is not searched, the words around it are', () => {
  const data = 'iVBORw0KGgo'.repeat(5000)
  const found = toolText(said({ toolResults: [{ callId: 'c', text: `before ${data} after` }] }))
  assert.match(found, /before\s+after/)
})
