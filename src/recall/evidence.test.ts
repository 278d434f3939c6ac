import assert from 'node:assert/strict'
import { afterEach, beforeEach, test } from 'node:test'
import { redactJson } from '../platform/redact.ts'
import { collectEvidence, type EvidenceInput } from './evidence.ts'
import { commandOf, parted, urlsIn } from './evidence-in.ts'
import { type Bench, bench, NOON, say } from './test-kit.ts'

let at: Bench
beforeEach(() => {
  at = bench()
})
afterEach(() => at.close())

const same = <T>(value: T): T => value
const collect = (input: EvidenceInput, room = 10_000) => collectEvidence(at, input, same, room)

async function write(): Promise<void> {
  await at.write({ id: 'chat-one' }, [
    say(0, 'See https://example.org/guide, and (https://example.org/guide#top).', {
      attachments: [{ name: 'a.png', type: 'image', path: '/home/me/a.png' }],
    }),
    say(1, 'Done:\n```ts\nconst a = 1\n```\n', {
      role: 'assistant',
      citations: [{ url: 'https://docs.example.org/x', title: 'The docs' }],
      toolCalls: [
        { id: 'c1', tool: 'Bash', args: { command: 'npm test' } },
        { id: 'c2', tool: 'WebSearch', args: { query: 'locks' } },
      ],
      files: [{ path: '/home/me/shop/a.ts', action: 'edit' }],
    }),
    say(2, '', {
      role: 'tool',
      toolResults: [
        { callId: 'c1', error: 'boom', exitCode: 1 },
        { callId: 'c2', text: 'Found https://a.example.org/1 and https://a.example.org/2' },
      ],
    }),
    say(3, 'Again.', {
      role: 'assistant',
      toolCalls: [{ id: 'c3', tool: 'run_in_terminal', args: { command: 'npm  test' } }],
      toolResults: [{ callId: 'c3', text: 'ok', exitCode: 0 }],
      files: [{ path: '/home/me/shop/a.ts', action: 'read' }],
    }),
  ])
}

test('each thing once, with its count and where it stands', async () => {
  await write()
  const answer = await collect({ chatIds: ['chat-one'] })
  assert.deepEqual(answer.totals, {
    citation: 1,
    web: 2,
    link: 1,
    attachment: 1,
    file: 1,
    command: 1,
    code: 1,
  })
  const where = (...indexes: number[]) =>
    indexes.map((i) => ({ chatId: 'chat-one', messageId: `m${i}`, index: i, createdAt: NOON + i * 60_000 }))
  assert.deepEqual(answer.evidence, [
    { kind: 'citation', value: 'https://docs.example.org/x', title: 'The docs', count: 1, where: where(1) },
    { kind: 'web', value: 'https://a.example.org/1', title: 'locks', count: 1, where: where(1) },
    { kind: 'web', value: 'https://a.example.org/2', title: 'locks', count: 1, where: where(1) },
    { kind: 'link', value: 'https://example.org/guide', count: 2, where: where(0, 0) },
    { kind: 'attachment', value: '/home/me/a.png', title: 'image: a.png', count: 1, where: where(0) },
    { kind: 'file', value: '/home/me/shop/a.ts', actions: ['edit', 'read'], count: 2, where: where(1, 3) },
    { kind: 'command', value: 'npm test', exitCode: 0, failures: 1, count: 2, where: where(1, 3) },
    { kind: 'code', value: 'const a = 1', language: 'ts', count: 1, where: where(1) },
  ])
})

test('kinds can be chosen; chats too, by a search or a folder', async () => {
  await write()
  await at.write({ id: 'chat-two', workspace: '/home/me/other' }, [
    say(0, 'zebra https://example.org/two', { id: 'two-0' }),
  ])
  const links = await collect({ workspace: '/home/me/other', kinds: ['link'] })
  assert.deepEqual(
    links.evidence.map(({ value }) => value),
    ['https://example.org/two'],
  )
  const found = await collect({ query: 'zebra' })
  assert.deepEqual(found.totals, { link: 1 })
  await assert.rejects(collect({}), { code: 'INVALID_ARGUMENT' })
})

test('a fork and its original show the beginning they share once', async () => {
  const shared = say(0, 'https://example.org/shared')
  await at.write({ id: 'original' }, [shared])
  await at.write({ id: 'the-fork', forkOf: 'original' }, [shared, say(1, 'https://example.org/new')])
  const counts = async (chatIds: string[]) => (await collect({ chatIds })).evidence.map(({ count }) => count)
  assert.deepEqual(await counts(['original', 'the-fork']), [1, 1])
  assert.deepEqual(await counts(['the-fork', 'original']), [1, 1])
  assert.deepEqual(await counts(['the-fork']), [1, 1])
})

test('unknown chats are reported beside the others; only unknown ones are an error', async () => {
  await write()
  const answer = await collect({ chatIds: ['chat-one', 'nowhere'] })
  assert.deepEqual(answer.notFound, [{ id: 'nowhere', error: 'Session not found: nowhere' }])
  await assert.rejects(collect({ chatIds: ['nowhere'] }), { code: 'SESSION_NOT_FOUND' })
})

test('an answer keeps to its room and goes on from its cursor', async () => {
  const text = Array.from({ length: 200 }, (_, i) => `https://example.org/page/${i}`).join(' ')
  await at.write({ id: 'many-links' }, [say(0, text)])
  const seen: string[] = []
  let cursor: string | undefined
  do {
    const answer = await collect({ chatIds: ['many-links'], cursor }, 4_000)
    assert.ok(JSON.stringify(answer).length <= 4_000)
    seen.push(...answer.evidence.map(({ value }) => value))
    cursor = answer.leftOut?.cursor
  } while (cursor)
  assert.equal(new Set(seen).size, 200)
  assert.equal(seen.length, 200)
})

test('a secret in a command does not leave', async () => {
  await at.write({ id: 'secretive' }, [
    say(0, '', {
      role: 'assistant',
      toolCalls: [
        {
          id: 'c',
          tool: 'bash',
          args: { command: 'curl -H "Authorization: Bearer q8Zr2LmX5vTn9KcB4wYhE7sJ1dGf"' },
        },
      ],
    }),
  ])
  const answer = await collectEvidence(at, { chatIds: ['secretive'] }, redactJson, 10_000)
  assert.match(answer.evidence[0]!.value, /\[redacted/)
})

test('commands as the assistants write them', () => {
  const cases: [string, unknown, string | undefined][] = [
    ['Bash', { command: 'ls -l' }, 'ls -l'],
    ['shell', { command: ['bash', '-lc', 'cargo build'] }, 'cargo build'],
    ['shell', { command: ['git', 'status'] }, 'git status'],
    ['exec_command', { cmd: 'make' }, 'make'],
    ['developer__shell', { command: 'pwd' }, 'pwd'],
    ['run_shell_command', { command: 'pwd' }, 'pwd'],
    ['read_file', { command: 'no' }, undefined],
    ['bash', undefined, undefined],
  ]
  for (const [tool, args, command] of cases) assert.equal(commandOf({ id: 'c', tool, args }), command)
})

test('URLs without the punctuation around them; code blocks with their language', () => {
  assert.deepEqual(urlsIn('(see https://a.org/b_(c)), **https://d.org**. "https://e.org/f?g=h"'), [
    'https://a.org/b_(c)',
    'https://d.org',
    'https://e.org/f?g=h',
  ])
  assert.deepEqual(parted('a\n````md\n```\nx\n```\n````\nb\n~~~\nopen'), {
    prose: 'a\nb',
    blocks: [
      { language: 'md', code: '```\nx\n```' },
      { language: undefined, code: 'open' },
    ],
  })
})
