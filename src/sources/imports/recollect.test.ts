import assert from 'node:assert/strict'
import fs from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import type { Chat, Message } from '../../model/chat.ts'
import { randomFrom } from '../mutations.ts'
import { EXPORT_HEADER, exportLines } from './export-lines.ts'
import { readImport, tempFolder } from './test-files.ts'

const file = path.join(tempFolder(), 'export.jsonl')

function read(lines: string[]) {
  fs.writeFileSync(file, lines.map((each) => `${each}\n`).join(''))
  return readImport(file)
}

test('what is exported is what is imported', () => {
  const random = randomFrom(11)
  const below = (limit: number) => Math.floor(random() * limit)
  for (let round = 0; round < 300; round++) {
    const made = Array.from({ length: 1 + below(4) }, (_, index) => ({
      chat: chatOf(below, `c${index}`),
      messages: Array.from({ length: below(5) }, (__, place) => messageOf(below, `m${place}`, place)),
    }))
    const lines = made.flatMap(({ chat, messages }) => [...exportLines(chat, messages)])
    const { kind, chats, messages, problems } = read([EXPORT_HEADER, ...lines])
    assert.equal(kind, 'recollect')
    assert.deepEqual(problems, [])
    // A command for the shell is not taken from a file.
    assert.deepEqual(
      chats,
      made.map(({ chat: { resume, ...chat } }) => chat),
    )
    for (const { chat, messages: expected } of made) assert.deepEqual(messages[chat.id] ?? [], expected)
  }
})

test('only what the model has is written', () => {
  const archived = { source: 'codex', id: 'a', key: 7, models: ['m'], messageCount: 1, title: undefined }
  const message = {
    id: 'm',
    order: 1,
    role: 'user',
    kind: 'request',
    text: 'Hi',
    key: 9,
    index: 0,
    copy: true,
  }
  assert.deepEqual(
    [...exportLines(archived as Chat, [message as Message])],
    [
      '{"chat":{"source":"codex","id":"a"}}',
      '{"chatId":"a","message":{"id":"m","order":1,"role":"user","kind":"request","text":"Hi"}}',
    ],
  )
})

test('lines that are wrong are told, those after them read', () => {
  const message = { id: 'm', order: 0, role: 'user', kind: 'request', text: 'Hi' }
  const line = (value: unknown) => JSON.stringify(value)
  const { chats, messages, problems } = read([
    EXPORT_HEADER,
    line({ chatId: 'a', message }),
    line({ chat: { source: 'codex', id: 'a', createdAt: 'yesterday', subagent: 1, status: 'odd' } }),
    line({ chatId: 'a', message }),
    line({ chatId: 'b', message }),
    line({ chatId: 'a', message: { ...message, kind: 'shout' } }),
    line({
      chatId: 'a',
      message: { ...message, id: 'n', toolCalls: [{ tool: 1 }, { id: 'c', tool: 't' }], usage: [] },
    }),
    '{"chat":',
    line({ chat: { source: '../evil', id: 'x' } }),
    line({ something: 'new' }),
    line([]),
  ])
  assert.deepEqual(chats, [{ source: 'codex', id: 'a' }])
  assert.deepEqual(messages, {
    a: [message, { ...message, id: 'n', toolCalls: [{ id: 'c', tool: 't' }] }],
  })
  assert.deepEqual(
    problems.map(({ reason }) => reason),
    [
      'a message that does not follow its chat',
      'a message that does not follow its chat',
      'not a message',
      'not valid JSON',
      'not a chat',
    ],
  )
})

test('the export of a later version', () => {
  const { problems, chats } = read([
    '{"recollect":2,"kind":"export"}',
    '{"chat":{"source":"codex","id":"a"}}',
  ])
  assert.deepEqual(problems, [{ offset: 0, reason: 'written by a newer Recollect' }])
  assert.deepEqual(chats, [])
})

type Below = (limit: number) => number

const TEXTS = ['', 'plain', '"quoted"\n', '\\', '\u2028', 'ü 😀', '__proto__', '{"a":1}']

function maybe<T extends object>(below: Below, value: T): T | object {
  return below(2) === 0 ? value : {}
}

function chatOf(below: Below, id: string): Chat {
  const text = () => TEXTS[below(TEXTS.length)]!
  return {
    source: ['codex', 'vscode', 'chatgpt'][below(3)]!,
    id,
    ...maybe(below, { title: text(), workspace: '/home/me/proj' }),
    ...maybe(below, { repository: 'me/proj', branch: text() }),
    ...maybe(below, { createdAt: below(1e9), updatedAt: below(1e9) + 0.5 }),
    ...maybe(below, { parentId: 'p', subagent: below(2) === 0 }),
    ...maybe(below, { forkOf: text(), resume: 'codex resume', status: 'done' as const, format: '1' }),
  }
}

function messageOf(below: Below, id: string, order: number): Message {
  const text = () => TEXTS[below(TEXTS.length)]!
  return {
    id,
    order: order + below(100) / 128,
    role: (['user', 'assistant', 'system', 'tool'] as const)[below(4)]!,
    kind: (['request', 'answer', 'tool', 'delegated', 'summary', 'command', 'injected', 'notice'] as const)[
      below(8)
    ]!,
    text: text(),
    ...maybe(below, { createdAt: below(1e9), thinking: text(), thinkingMs: below(99), latencyMs: below(99) }),
    ...maybe(below, {
      toolCalls: [
        { id: 'c', tool: text(), args: [null, { a: text() }, 3, true][below(4)] },
        { id: 'd', server: 's', tool: 't' },
      ],
      toolResults: [
        { callId: 'c', text: text(), exitCode: 0, durationMs: 3 },
        { callId: 'd', json: [1], error: text() },
      ],
    }),
    ...maybe(below, {
      citations: [{ url: text(), title: text() }, {}],
      files: [{ path: 'a', action: 'edit' as const }],
    }),
    ...maybe(below, { attachments: [{ name: 'a', type: 'file', bytes: 3, mimeType: 'b' }], model: text() }),
    ...maybe(below, { usage: { input: 1, output: 2, cached: 3, cacheWrite: 4, reasoning: 5, cost: 0.1 } }),
    ...maybe(below, { undone: below(2) === 0, outcome: 'failed' as const }),
  }
}
