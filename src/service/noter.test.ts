import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import type { ChatFilter } from '../archive/archive.ts'
import { bench, say } from '../recall/test-kit.ts'
import { searchConversations } from '../search/search.ts'
import type { Service } from './answering.ts'
import { noterFor } from './noter.ts'

const HOUR = 3_600_000

async function filled(t: TestContext) {
  const desk = bench()
  const now = Date.now()
  await desk.write({ id: 'a', workspace: '/p/shop', title: 'Slow checkout', updatedAt: now }, [say(1, 'one')])
  await desk.write(
    { id: 'b', workspace: '/p/shop/api', source: 'codex', status: 'running', updatedAt: now - HOUR },
    [say(1, 'two')],
  )
  await desk.write({ id: 'c', source: 'codex', status: 'running', updatedAt: now - 9 * HOUR }, [
    say(1, 'three'),
  ])
  await desk.write({ id: 'd', source: 'vscode', updatedAt: now - 48 * HOUR }, [say(1, 'four')])
  const ids = async (filter: ChatFilter) => (await desk.archive.listChats(filter)).map(({ id }) => id)
  t.after(desk.close)
  return { ...desk, now, ids }
}

test('lists what a view of chats asks for', async (t) => {
  const desk = await filled(t)
  const { ids, now } = desk
  assert.deepEqual(await ids({ sources: ['codex', 'vscode'] }), ['b', 'c', 'd'])
  assert.deepEqual(await ids({ withoutSources: ['codex'] }), ['a', 'd'])
  assert.deepEqual(await ids({ statuses: ['running'] }), ['b'], 'the other one was left running long ago')
  assert.deepEqual(await ids({ statuses: ['cancelled'] }), ['c'])
  assert.deepEqual(await ids({ updatedFrom: now - 10 * HOUR, updatedBefore: now - HOUR / 2 }), ['b', 'c'])
  assert.deepEqual(await ids({ folder: '/p/shop' }), ['a'], 'not those below it')
  assert.deepEqual(await ids({ folder: null }), ['c', 'd'])
  const about = { folders: ['/p/shop/'], chats: { source: 'vscode', ids: ['d', 'x'] } }
  assert.deepEqual(await ids({ about }), ['a', 'b', 'd'])
  assert.equal(await desk.archive.countChats({ about }), 3)
})

test('counts chats by assistant and by folder, under any filter', async (t) => {
  const desk = await filled(t)
  const groups = async (by: 'source' | 'folder', filter: ChatFilter = {}) =>
    (await desk.archive.groupChats(filter, by)).map(({ value, chats }) => [value, chats])
  assert.deepEqual(await groups('source'), [
    ['claude-code', 1],
    ['codex', 2],
    ['vscode', 1],
  ])
  assert.deepEqual(await groups('folder'), [
    ['/p/shop', 1],
    ['/p/shop/api', 1],
    [undefined, 2],
  ])
  assert.deepEqual(await groups('folder', { sources: ['codex'] }), [
    ['/p/shop/api', 1],
    [undefined, 1],
  ])
})

test('an own name is the title, is found, and stays when the assistant says another one', async (t) => {
  const desk = await filled(t)
  const chat = await desk.archive.resolveChat('claude-code:a')
  const { mark } = await desk.archive.changes()
  await desk.archive.noteOwn(chat, { name: '  Zanzibar \n queue ', pinned: true })
  assert.deepEqual(
    (await desk.archive.changes(mark)).chats?.map(({ id }) => id),
    ['a'],
    'others hear of it',
  )
  const named = await desk.archive.resolveChat('claude-code:a')
  assert.deepEqual([named.title, named.name, named.pinned], ['Zanzibar queue', 'Zanzibar queue', true])
  await desk.write({ id: 'a', title: 'Given later', updatedAt: desk.now }, [say(1, 'one'), say(2, 'more')])
  assert.equal((await desk.archive.resolveChat('claude-code:a')).title, 'Zanzibar queue')
  assert.deepEqual(await desk.ids({ titleContains: 'zanzi' }), ['a'])
  const found = async (query: string) => (await searchConversations(desk.archive, { query })).topChatIds
  assert.deepEqual(await found('zanzibar'), ['a'])
  assert.deepEqual(await desk.ids({ pinned: true }), ['a'])
  await desk.archive.noteOwn(named, { name: '' })
  const back = await desk.archive.resolveChat('claude-code:a')
  assert.deepEqual([back.title, back.name, back.pinned], ['Given later', undefined, true])
  assert.deepEqual(await desk.archive.check(), [], 'and the archive is sound')
})

test('what is put away is told apart, and comes back', async (t) => {
  const desk = await filled(t)
  const chat = await desk.archive.resolveChat('vscode:d')
  await desk.archive.noteOwn(chat, { archived: true })
  assert.deepEqual(await desk.ids({ archived: true }), ['d'])
  assert.deepEqual(await desk.ids({ archived: false }), ['a', 'b', 'c'])
  assert.equal((await desk.ids({})).length, 4, 'who does not ask sees all')
  await desk.archive.noteOwn(chat, { archived: false })
  assert.equal((await desk.archive.resolveChat('vscode:d')).archived, undefined)
  await desk.archive.forget([chat])
  await assert.rejects(desk.archive.noteOwn(chat, { pinned: true }), { code: 'SESSION_NOT_FOUND' })
})

test('only the owner names, pins and puts away', async (t) => {
  const desk = await filled(t)
  const service: Service = {
    archive: desk.archive,
    env: {},
    readable: async () => ({ sources: desk.sources, machine: desk.machine, homes: [] }),
    capabilities: async () => [],
    syncing: () => undefined,
  }
  for (const kind of ['agent', 'program'] as const)
    await assert.rejects(
      noterFor(service, { kind, scopes: ['read'] }).note('claude-code:a', { pinned: true }),
      {
        code: 'FORBIDDEN',
      },
    )
  const noted = await noterFor(service, { kind: 'owner' }).note('claude-code:a', { name: 'Mine' })
  assert.equal(noted.title, 'Mine')
})
