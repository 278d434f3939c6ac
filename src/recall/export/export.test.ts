import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { afterEach, beforeEach, test } from 'node:test'
import { redactJson } from '../../platform/redact.ts'
import { canLink } from '../../platform/test-links.ts'
import { readImport } from '../../sources/imports/test-files.ts'
import { type Bench, bench, sampleHome, say } from '../test-kit.ts'
import { type ExportInput, exportChats } from './export.ts'
import { EXPORT_FORMATS } from './formats.ts'
import { fenced } from './markdown.ts'

let at: Bench
beforeEach(() => {
  at = bench()
})
afterEach(() => at.close())

const same = <T>(value: T): T => value
const run = (input: ExportInput, { clean = same, room = 1e9 } = {}) =>
  exportChats(at, input, { clean, room, folder: at.folder })

const KEY = `sk-ant-${'a1B2'.repeat(8)}`
const HOSTILE = '</pre><script>alert(1)</script><img src=https://evil.example/x onerror=alert(2)>'

async function write(): Promise<void> {
  await at.write({ id: 'chat-one', title: 'A *title* <b>' }, [
    say(0, 'injected reminder', { kind: 'injected' }),
    say(1, `Use ${KEY} please. ${HOSTILE}`),
    say(2, 'I will look.', {
      role: 'assistant',
      toolCalls: [
        { id: 't1', tool: 'Bash', args: { command: 'ls', timeout: 5 } },
        { id: 't2', server: 'my.server', tool: 'read file', args: 'x' },
        { id: 't3', tool: 'Unanswered' },
      ],
    }),
    say(3, '', {
      role: 'tool',
      toolResults: [
        { callId: 't1', text: 'a.ts\n```\n' },
        { callId: 't2', error: 'no such file', exitCode: 1 },
      ],
    }),
    say(4, 'Here:\n```ts\nconst a = "<b>"\n```\nDone.', { role: 'assistant' }),
    say(5, 'taken back', { undone: true }),
    say(6, 'And now?'),
    say(7, 'Nothing.', { role: 'assistant' }),
    say(8, 'Last words without an answer'),
  ])
}

test('every format of the sample archive is written, private, and redacted on the way', async () => {
  await at.close()
  at = bench(sampleHome)
  await at.sync()
  for (const format of EXPORT_FORMATS) {
    const extension = format === 'markdown' ? 'md' : format.startsWith('finetune') ? 'jsonl' : format
    const name = `${format}.${extension}`
    const answer = await run({ format, time_window: 'all', path: name }, { clean: redactJson })
    const file = path.join(at.folder, name)
    assert.equal(answer.path, file)
    assert.equal(answer.chats, 12)
    const { size, mode } = fs.statSync(file)
    assert.equal(answer.bytes, size)
    assert.ok(size > 5_000)
    if (process.platform !== 'win32') assert.equal(mode & 0o777, 0o600)
  }
  assert.deepEqual(
    fs.readdirSync(at.folder).filter((name) => name.includes('tmp')),
    [],
  )
})

test('our own lines come back as the same chats', async () => {
  await write()
  const file = path.join(at.folder, 'out.jsonl')
  await run({ chatIds: ['chat-one'], format: 'jsonl', path: file })
  const back = readImport(file)
  assert.deepEqual(back.problems, [])
  const chat = await at.archive.resolveChat('chat-one')
  const { resume: _, ...header } = back.chats[0]!
  assert.equal(header.title, chat.title)
  const messages = (await at.archive.messages(chat)).map(({ key, index, ...message }) => message)
  assert.deepEqual(back.messages['chat-one'], messages)
})

test('JSON is one document with all that is known', async () => {
  await write()
  await at.write({ id: 'chat-two' }, [say(0, 'hello', { id: 'other' })])
  const { text, chats, messages } = await run({ chatIds: ['chat-one', 'chat-two'], format: 'json' })
  const document = JSON.parse(text!)
  assert.deepEqual([chats, messages], [2, 10])
  assert.deepEqual(
    document.chats.map((chat: { id: string; messages: unknown[] }) => [chat.id, chat.messages.length]),
    [
      ['chat-one', 9],
      ['chat-two', 1],
    ],
  )
})

test('secrets are redacted unless their owner wants them', async () => {
  await write()
  for (const format of EXPORT_FORMATS) {
    const redacted = await run({ chatIds: ['chat-one'], format }, { clean: redactJson })
    assert.ok(!redacted.text!.includes(KEY), format)
    assert.ok(redacted.text!.includes('[redacted'), format)
    const plain = await run({ chatIds: ['chat-one'], format })
    assert.ok(plain.text!.includes(KEY), format)
  }
})

test('a page of HTML runs nothing and asks for nothing', async () => {
  await write()
  const { text } = await run({ chatIds: ['chat-one'], format: 'html' })
  assert.match(text!, /<meta http-equiv="Content-Security-Policy" content="default-src 'none'/)
  const outside = text!.replace(/&lt;.*?&gt;/g, '')
  assert.doesNotMatch(outside, /<(script|img|iframe|link|object|embed|base|form|a)\b/i)
  assert.doesNotMatch(outside, /\son\w+=/i)
  assert.match(text!, /<h1>A \*title\* &lt;b&gt;<\/h1>/)
  assert.match(text!, /<pre><code>const a = &quot;&lt;b&gt;&quot;<\/code><\/pre>/)
  assert.match(text!, /<div class="text">Here:<\/div>\n<pre>/)
  assert.match(text!, /<div class="text">Done.<\/div>/)
  assert.ok(!text!.includes('injected reminder'))
})

test('Markdown keeps what tools said within its fences', async () => {
  await write()
  const { text } = await run({ chatIds: ['chat-one'], format: 'markdown' })
  assert.match(text!, /^<!-- Exported by Recollect -->\n# A \\\*title\\\* \\<b\\>\n/)
  assert.ok(text!.includes('````\na.ts\n```\n````\n'))
  assert.match(text!, /## You · 2026-/)
  assert.match(text!, /\*\*→ my\.server\/read file\*\*/)
  assert.equal(fenced('a', 'ts'), '```ts\na\n```\n')
})

interface OpenaiMessage {
  role: string
  content?: string
  tool_calls?: { id: string; function: { name: string; arguments: string } }[]
  tool_call_id?: string
}

test('OpenAI examples: each call answered at once, the assistant last, tools declared', async () => {
  await write()
  const { text } = await run({ chatIds: ['chat-one'], format: 'finetune-openai' })
  const lines = text!.trim().split('\n')
  assert.equal(lines.length, 1)
  const { messages, tools } = JSON.parse(lines[0]!) as { messages: OpenaiMessage[]; tools: unknown[] }
  assert.deepEqual(
    messages.map((message) => message.role),
    ['user', 'assistant', 'tool', 'tool', 'assistant', 'user', 'assistant'],
  )
  assert.deepEqual(
    messages[1]!.tool_calls!.map(({ id, function: call }) => [id, call.name, JSON.parse(call.arguments)]),
    [
      ['call_1', 'Bash', { command: 'ls', timeout: 5 }],
      ['call_2', 'my_server__read_file', { input: 'x' }],
    ],
  )
  assert.deepEqual([messages[2]!.tool_call_id, messages[3]!.content], ['call_1', 'no such file'])
  assert.deepEqual(tools[0], {
    type: 'function',
    function: {
      name: 'Bash',
      parameters: {
        type: 'object',
        properties: { command: { type: 'string' }, timeout: { type: 'number' } },
      },
    },
  })
  const turns = await run({ chatIds: ['chat-one'], format: 'finetune-openai', examples: 'turn' })
  assert.equal(turns.text!.trim().split('\n').length, 2)
})

test('Anthropic examples: roles alternate, results follow their calls, the assistant last', async () => {
  await write()
  const { text } = await run({ chatIds: ['chat-one'], format: 'finetune-anthropic' })
  const { messages, tools } = JSON.parse(text!) as {
    messages: { role: string; content: string | { type: string; id?: string; tool_use_id?: string }[] }[]
    tools: { name: string; input_schema: object }[]
  }
  assert.deepEqual(
    messages.map((message) => message.role),
    ['user', 'assistant', 'user', 'assistant', 'user', 'assistant'],
  )
  const [, asked, answered] = messages
  assert.deepEqual(
    (asked!.content as { type: string }[]).map(({ type }) => type),
    ['text', 'tool_use', 'tool_use'],
  )
  assert.deepEqual(answered!.content, [
    { type: 'tool_result', tool_use_id: 'toolu_1', content: 'a.ts\n```\n' },
    { type: 'tool_result', tool_use_id: 'toolu_2', content: 'no such file', is_error: true },
  ])
  assert.equal(messages.at(-1)!.content, 'Nothing.')
  assert.deepEqual(
    tools.map(({ name }) => name),
    ['Bash', 'my_server__read_file'],
  )
})

test('a file that is there is left alone unless asked, and a wrong place is an error', async () => {
  await write()
  const file = path.join(at.folder, 'out.md')
  fs.writeFileSync(file, 'mine')
  const input: ExportInput = { chatIds: ['chat-one'], format: 'markdown', path: 'out.md' }
  await assert.rejects(run(input), { code: 'FILE_EXISTS' })
  assert.equal(fs.readFileSync(file, 'utf8'), 'mine')
  await assert.rejects(run({ ...input, force: true }), { code: 'FILE_EXISTS' })
  assert.equal(fs.readFileSync(file, 'utf8'), 'mine')
  fs.rmSync(file)
  for (const format of EXPORT_FORMATS) {
    const extension = format === 'markdown' ? 'md' : format.startsWith('finetune') ? 'jsonl' : format
    const again = { ...input, format, path: `${format}-again.${extension}` }
    await run(again)
    await assert.rejects(run(again), { code: 'FILE_EXISTS' })
    await run({ ...again, force: true })
  }
  await run(input)
  await assert.rejects(run({ ...input, path: 'out.sh' }), { code: 'INVALID_PATH' })
  await assert.rejects(run({ ...input, path: 'NUL.md' }), { code: 'INVALID_PATH' })
  await assert.rejects(run({ ...input, path: 'none/out.md' }), { code: 'INVALID_PATH' })
  if (canLink) {
    fs.symlinkSync(file, path.join(at.folder, 'link.md'))
    await assert.rejects(run({ ...input, path: 'link.md', force: true }), { code: 'INVALID_PATH' })
  }
  await assert.rejects(run({ ...input, chatIds: ['nowhere'], path: 'new.md' }), { code: 'SESSION_NOT_FOUND' })
  assert.deepEqual(
    fs.readdirSync(at.folder).filter((name) => /tmp|new/.test(name)),
    [],
  )
})

test('what an export that was killed left is removed by the next one to that file', async () => {
  await write()
  const gone = spawnSync(process.execPath, ['-e', '']).pid
  const [left, others] = [`.out.md.${gone}.tmp`, [`.out.md.${process.ppid}.tmp`, `.other.md.${gone}.tmp`]]
  for (const name of [left, ...others]) fs.writeFileSync(path.join(at.folder, name), 'half of it')
  await run({ chatIds: ['chat-one'], format: 'markdown', path: 'out.md' })
  const there = fs.readdirSync(at.folder)
  assert.ok(there.includes('out.md') && !there.includes(left))
  assert.ok(others.every((name) => there.includes(name)))
})

test('a text that is too long says so', async () => {
  await at.write({ id: 'long-chat' }, [say(0, 'line "quoted"\n'.repeat(5_000))])
  const answer = await run({ chatIds: ['long-chat'], format: 'markdown' }, { room: 5_000 })
  assert.ok(JSON.stringify(answer).length <= 5_000)
  assert.match(answer.truncated!, /give a path/)
})

test('chats are chosen by a search or a folder; unknown ids are reported', async () => {
  await write()
  await at.write({ id: 'chat-two', workspace: '/home/me/other' }, [say(0, 'zebra crossing', { id: 'other' })])
  assert.equal((await run({ query: 'zebra', format: 'json' })).chats, 1)
  assert.equal((await run({ workspace: '/home/me/other', format: 'json' })).messages, 1)
  const some = await run({ chatIds: ['chat-two', 'nowhere'], format: 'json' })
  assert.deepEqual(some.notFound, [{ id: 'nowhere', error: 'Session not found: nowhere' }])
  await assert.rejects(run({ format: 'json' }), { code: 'INVALID_ARGUMENT' })
})
