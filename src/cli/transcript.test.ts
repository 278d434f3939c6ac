import assert from 'node:assert/strict'
import { PassThrough } from 'node:stream'
import { test } from 'node:test'
import type { Answers } from '../capabilities/index.ts'
import { transcript } from './transcript.ts'

type ReadChat = Answers['read_chat']

const chat = { source: 'claude-code', id: 'c', title: 'Buy nougat', models: [], messageCount: 2 } as unknown
const messages = [
  {
    kind: 'request',
    role: 'user',
    text: 'Buy nougat',
    attachments: [{ name: 'memory-context', type: 'injected', text: 'likes marzipan' }],
  },
  {
    kind: 'tool',
    role: 'tool',
    text: '',
    toolResults: [{ callId: 'c1', own: true, text: 'Earlier: praline' }],
  },
] as unknown

const shown = (tools: boolean) => [
  ...transcript(chat as ReadChat['chat'], messages as ReadChat['messages'], {
    tools,
    stream: new PassThrough() as never,
  }),
]

test('what is not conversation is named, and shown only where tools are', () => {
  const brief = shown(false).join('\n')
  assert.match(brief, /\+ injected: memory-context/)
  assert.match(brief, /← answered by Recollect: 16 characters, not searched/)
  assert.doesNotMatch(brief, /marzipan|praline/)
  assert.match(shown(true).join('\n'), /marzipan.*praline/s)
})
