import assert from 'node:assert/strict'
import { afterEach, beforeEach, test } from 'node:test'
import { redactJson } from '../platform/redact.ts'
import { listChats } from './list.ts'
import { resolveIds } from './resolve.ts'
import { type Bench, bench, NOON, say } from './test-kit.ts'

let at: Bench
beforeEach(() => {
  at = bench()
})
afterEach(() => at.close())

const DAY = 86_400_000

async function write(id: string, daysAgo: number, more: object = {}, messages = 1): Promise<void> {
  const now = Date.now() - daysAgo * DAY
  await at.write(
    { id, ...more },
    Array.from({ length: messages }, (_, i) =>
      say(i, `request of ${id}`, { createdAt: now + i, id: `${id}-${i}` }),
    ),
  )
}

async function pages(input: Parameters<typeof listChats>[1]): Promise<string[][]> {
  const all: string[][] = []
  let cursor: string | undefined
  do {
    const page = await listChats(at.archive, { ...input, cursor }, { room: 10_000, clean: redactJson })
    all.push(page.chats.map((chat) => chat.chatId))
    cursor = page.nextCursor
    assert.ok(all.length < 100, 'they come to an end')
  } while (cursor)
  return all
}

test('pages lead through all chats once, in each order', async () => {
  for (let i = 0; i < 7; i++) await write(`chat-${i}`, i, { title: `Title ${(i * 3) % 7}` }, (i % 3) + 1)
  const byTime = ['chat-0', 'chat-1', 'chat-2', 'chat-3', 'chat-4', 'chat-5', 'chat-6']
  assert.deepEqual(await pages({ limit: 3 }), [byTime.slice(0, 3), byTime.slice(3, 6), byTime.slice(6)])
  for (const sort of ['created', 'messages', 'title'] as const) {
    const listed = (await pages({ limit: 2, sort })).flat()
    assert.equal(new Set(listed).size, 7, sort)
  }
  assert.deepEqual((await pages({ limit: 2, sort: 'title' })).flat().slice(0, 3), [
    'chat-0',
    'chat-5',
    'chat-3',
  ])
  assert.deepEqual((await pages({ sort: 'messages' })).flat().slice(0, 2), ['chat-5', 'chat-2'])
})

/** Capital and small, of several scripts, composed in two ways, and such as differ in nothing but that. */
const TITLES = [
  ...[
    'Привет мир',
    'привет, мир',
    'Яблоко пирог',
    'яблоко',
    'Über die Brücke',
    'über',
    'U\u0308ber',
    'ÉCOLE',
    'école',
  ],
  ...[
    'Zebra',
    'zebra',
    '_x',
    '[x',
    '^X',
    'İstanbul',
    'ΟΔΟΣ',
    'οδός',
    'ოთხი',
    '日本語',
    '👋 hi',
    'ß',
    '\u212A',
    'ﬁ',
    'nul\0B',
    'nul\0a',
  ],
]

const titleOf = (id: string) => (id.startsWith('chat-') ? TITLES[Number(id.slice(5))] : undefined)

test('pages of any size lead through all chats once, whatever their titles', async () => {
  for (const [i, title] of TITLES.entries()) await write(`chat-${i}`, i % 5, { title }, (i % 3) + 1)
  for (const [i, workspace] of ['/w/a', '/w/b'].entries()) await write(`none-${i}`, i, { workspace })
  for (const sort of ['updated', 'created', 'messages', 'title'] as const)
    for (const limit of [1, 2, 4, 7]) {
      const listed = (await pages({ limit, sort })).flat()
      assert.equal(listed.length, TITLES.length + 2, `${sort} by ${limit}`)
      assert.equal(new Set(listed).size, TITLES.length + 2, `${sort} by ${limit}`)
      assert.deepEqual(listed, (await pages({ limit: 100, sort })).flat(), `${sort} by ${limit}`)
    }
  const titles = (await pages({ sort: 'title', limit: 100 })).flat().map(titleOf)
  const about = titles.filter((title) => /^(?:привет|яблоко)/i.test(title ?? ''))
  assert.deepEqual(about, ['Привет мир', 'привет, мир', 'яблоко', 'Яблоко пирог'], 'capitals do not count')
})

test('titles, folders and people are found whatever their case, in any script', async () => {
  for (const [i, title] of TITLES.entries())
    await write(`chat-${i}`, 0, { title, workspace: `/w/${['Проект', 'Über_uns', 'Work'][i % 3]}` })
  const titled = async (title: string) => (await pages({ title, limit: 100 })).flat().map(titleOf).sort()
  assert.deepEqual(await titled('Привет'), ['Привет мир', 'привет, мир'])
  assert.deepEqual(await titled('ЯБЛОКО'), ['Яблоко пирог', 'яблоко'])
  assert.deepEqual(await titled('über'), ['U\u0308ber', 'Über die Brücke', 'über'].sort())
  assert.deepEqual(await titled('ÜBER D'), ['Über die Brücke'])
  assert.deepEqual(await titled('école'), ['ÉCOLE', 'école'])
  assert.deepEqual(await titled('οδοσ'), ['ΟΔΟΣ'])
  assert.deepEqual(await titled('ZEB'), ['Zebra', 'zebra'])
  const inFolder = async (workspace: string) => (await pages({ workspace, limit: 100 })).flat().length
  const third = Math.ceil(TITLES.length / 3)
  assert.deepEqual(await Promise.all(['проект', 'Проект', 'WORK'].map(inFolder)), [third, third, third - 1])
  assert.deepEqual(await Promise.all(['über_uns', 'ÜBERXUNS', 'роект'].map(inFolder)), [
    TITLES.length - 2 * third + 1,
    0,
    0,
  ])
})

test('a chat that comes in between is neither skipped nor told twice', async () => {
  for (let i = 1; i < 5; i++) await write(`chat-${i}`, i)
  const first = await listChats(at.archive, { limit: 2 }, { room: 10_000, clean: redactJson })
  await write('chat-new', 0)
  const second = await listChats(
    at.archive,
    { limit: 2, cursor: first.nextCursor },
    { room: 10_000, clean: redactJson },
  )
  assert.deepEqual(
    second.chats.map((chat) => chat.chatId),
    ['chat-3', 'chat-4'],
  )
})

test('filters: assistant, folder, time and title', async () => {
  await write('shop-old', 40, { workspace: '/home/me/shop', title: 'Deadlock in checkout' })
  await write('shop-new', 2, { workspace: '/home/me/shop/api', title: 'Rate limits' })
  await write('other-new', 3, { source: 'codex', workspace: '/home/me/other' })
  assert.deepEqual(await pages({ workspace: '/home/me/shop' }), [['shop-new', 'shop-old']])
  assert.deepEqual(await pages({ source: 'codex' }), [['other-new']])
  assert.deepEqual(await pages({ time_window: '30d' }), [['shop-new', 'other-new']])
  assert.deepEqual(await pages({ title: 'DEADLOCK' }), [['shop-old']])
  const { chats } = await listChats(at.archive, { source: 'codex' }, { room: 10_000, clean: redactJson })
  assert.deepEqual(Object.keys(chats[0]!).sort(), [
    'chatId',
    'createdAt',
    'date',
    'messageCount',
    'requestCount',
    'source',
    'title',
    'updatedAt',
    'workspace',
  ])
  assert.match(chats[0]!.date, /^\d{4}-\d\d-\d\d$/)
})

test('a page ends where the room does; a broken cursor is an error', async () => {
  for (let i = 0; i < 60; i++) await write(`chat-${i}`, i / 10, { title: 'x'.repeat(100) })
  const page = await listChats(at.archive, { limit: 60 }, { room: 3_000, clean: redactJson })
  assert.ok(JSON.stringify(page).length <= 3_000 && page.nextCursor && page.chats.length > 3)
  await assert.rejects(listChats(at.archive, { cursor: 'bad' }, { room: 3_000, clean: redactJson }), {
    code: 'INVALID_ARGUMENT',
  })
})

test('ids are resolved from their beginnings', async () => {
  await at.write({ id: 'abcd-1', title: 'First' }, [say(0, 'hello there', { id: 'msg-one' })])
  await at.write({ id: 'abcd-2', title: 'Second' }, [
    say(0, 'good day', { id: 'msg-two', createdAt: NOON + 9e9 }),
  ])
  const same = <T>(value: T): T => value
  assert.deepEqual(await resolveIds(at.archive, { chatIdPrefix: 'abcd-1' }, same), {
    chats: [{ chatId: 'abcd-1', title: 'First', source: 'claude-code' }],
    messages: [],
    ambiguous: false,
  })
  const both = await resolveIds(at.archive, { chatIdPrefix: 'abcd', messageIdPrefix: 'msg-t' }, same)
  assert.deepEqual(
    both.chats.map(({ chatId }) => chatId),
    ['abcd-2', 'abcd-1'],
  )
  assert.deepEqual(both.messages, [
    { messageId: 'msg-two', chatId: 'abcd-2', index: 0, role: 'user', preview: 'good day' },
  ])
  assert.equal(both.ambiguous, true)
  const none = await resolveIds(at.archive, { messageIdPrefix: 'nothing' }, same)
  assert.deepEqual(none, { chats: [], messages: [], ambiguous: false })
  const limited = await resolveIds(at.archive, { messageIdPrefix: 'msg-', limit: 1 }, same)
  assert.equal(limited.messages.length, 1)
  assert.equal(limited.ambiguous, true)
  await assert.rejects(resolveIds(at.archive, { chatIdPrefix: 'abc' }, same), { code: 'INVALID_ARGUMENT' })
  await assert.rejects(resolveIds(at.archive, {}, same), { code: 'INVALID_ARGUMENT' })
})
