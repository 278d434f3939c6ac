import assert from 'node:assert/strict'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { test } from 'node:test'
import type { Message } from '../../model/chat.ts'
import { type Found, withReader } from '../source.ts'
import { gather, machineAt, type Reading, readMachine } from '../test-kit.ts'
import { takeEvent } from './events.ts'
import { copilotCli as described } from './index.ts'
import { newState } from './state.ts'

const copilotCli = await withReader(described)

const FIXTURES = path.join(import.meta.dirname, 'fixtures', 'copilot')
const TOOLS = '05b864b4-0cae-4164-b8e5-204d06da5960'
const SUBAGENT = 'd6524481-943e-40ce-8eb8-0a2965fadaa4'
const AGENT = '867ded7c-0218-4ca6-ba1f-7e5969f723c8'
const PRICE = 'a1111111-2222-4333-8444-555566667777'
const FORK = 'b2222222-2222-4333-8444-555566667777'
const reading = readMachine(copilotCli, machineAt('/nowhere', { COPILOT_HOME: FIXTURES }))

test('a fork shares the ids of what was copied', () => {
  const copied = messages(FORK).slice(0, -1)
  const original = messages(PRICE).slice(0, copied.length)
  assert.deepEqual(
    copied.map(({ id }) => id),
    original.map(({ id }) => id),
  )
  assert.equal(messages(FORK).at(-1)?.text, 'And in the fork: use BigInt')
})

test('a copied sub-agent stays with the session it was started in', () => {
  const start = { sessionId: 'copy', startTime: '2026-01-02T00:00:00Z' }
  const state = newState('copilot-cli', 'copy')
  takeEvent(state, { type: 'session.start', data: start, timestamp: '2026-01-02T00:00:00Z' }, 0)
  const said = (timestamp: string, agentId: string): Found[] =>
    takeEvent(state, { type: 'user.message', data: { content: 'x' }, agentId, timestamp, id: agentId }, 1)
  const parents = [said('2026-01-01T00:00:00Z', AGENT), said('2026-01-03T00:00:00Z', SUBAGENT)].map(
    (found) => gather(found).chats[0],
  )
  assert.deepEqual(
    parents.map((chat) => chat?.parentId),
    [undefined, 'copy'],
  )
})

test('transcripts of Copilot Chat in VS Code are read by the same rules', () => {
  const lines = [
    { type: 'session.start', data: { sessionId: 's', startTime: '2026-11-15T01:34:15.920Z' } },
    { type: 'user.message', data: { content: 'What is exported?', attachments: [] }, id: 'u1' },
    {
      type: 'assistant.message',
      id: 'a1',
      data: {
        content: '',
        toolRequests: [
          {
            toolCallId: 'c1',
            name: 'runSubagent',
            arguments: '{"prompt":"Find all exports","description":"Find"}',
          },
        ],
      },
    },
    {
      type: 'tool.execution_start',
      data: { toolCallId: 'c1', toolName: 'runSubagent', arguments: { prompt: 'Find all exports' } },
    },
    { type: 'user.message', data: { content: 'Find all exports', attachments: [] }, id: 'u2' },
    { type: 'tool.execution_complete', data: { toolCallId: 'c1', success: true }, id: 't1' },
    { type: 'user.message', data: { content: 'Find all exports', attachments: [] }, id: 'u3' },
  ]
  const state = newState('vscode', 's')
  const told = gather(lines.flatMap((line, index) => takeEvent(state, line, index)))
  assert.deepEqual(
    told.messages.s?.map(({ id, kind }) => `${id}:${kind}`),
    ['u1:request', 'a1:answer', 'u2:delegated', 't1:tool', 'u3:request'],
  )
  assert.deepEqual(told.messages.s?.[1]?.toolCalls?.[0]?.args, {
    prompt: 'Find all exports',
    description: 'Find',
  })
})

const SAMPLES = path.resolve(import.meta.dirname, '../../../../shared/samples/made-here/copilot-cli')

test('whole sessions of 1.0.102 are read', { skip: !fs.existsSync(SAMPLES) }, () => {
  const home = fs.mkdtempSync(path.join(os.tmpdir(), 'copilot-samples-'))
  try {
    for (const session of ['1.0.102-subagent', '1.0.102-tools-resume-image-compact'])
      fs.cpSync(path.join(SAMPLES, session), path.join(home, '.copilot', 'session-state'), {
        recursive: true,
      })
    const whole = readMachine(copilotCli, machineAt(home))
    const all = Object.values(whole.messages).flat()
    assert.deepEqual(whole.problems, [])
    assert.deepEqual(whole.chats.map(({ id }) => id).sort(), [TOOLS, AGENT, SUBAGENT].sort())
    assert.equal(all.length, 17)
    assert.equal(all.filter(({ kind }) => kind === 'request').length, 3)
    assert.equal(all.flatMap((message) => message.toolCalls ?? []).length, 4)
    assert.ok(!all.some(({ text }) => text.startsWith('You are ')))
  } finally {
    fs.rmSync(home, { recursive: true })
  }
})

function messages(chatId: string): Message[] {
  const list = (reading as Reading).messages[chatId]
  assert.ok(list, chatId)
  return list
}
