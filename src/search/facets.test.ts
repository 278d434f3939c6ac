import assert from 'node:assert/strict'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { after, before, test } from 'node:test'
import type { Archive } from '../archive/archive.ts'
import { openSqliteArchive } from '../archive/sqlite/index.ts'
import { type Facets, facetsOf } from './facets.ts'
import type { SearchInput } from './input.ts'
import { searchConversations } from './search.ts'
import { tell } from './test-kit.ts'

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'recollect-facets-'))
let archive: Archive
const asIs = <T>(value: T): T => value
const at = (month: number, day: number) => new Date(2026, month - 1, day, 12).getTime()
const say = (text: string, createdAt: number, model?: string) => ({
  text,
  createdAt,
  ...(model ? { model, role: 'assistant' as const, kind: 'answer' as const } : {}),
})

before(async () => {
  archive = openSqliteArchive(folder)
  await tell(archive, [
    {
      id: 'shop-1',
      workspace: '/p/shop',
      messages: [say('a deadlock again', at(3, 1)), say('the deadlock is in stock', at(4, 2), 'opus')],
    },
    { id: 'shop-2', source: 'codex', workspace: '/p/shop/web', messages: [say('deadlock', at(4, 3))] },
    {
      id: 'maps-1',
      source: 'codex',
      workspace: '/p/maps',
      messages: [say('why', at(5, 1)), say('a deadlock, a lock', at(5, 2), 'gpt')],
    },
    { id: 'maps-2', source: 'gemini', workspace: '/p/maps', messages: [say('only lock here', at(6, 1))] },
    ...Array.from({ length: 230 }, (_, i) => ({
      id: `many-${i}`,
      workspace: '/p/many',
      messages: [say(`zebra number ${i}`, at(1, 1) + i * 60_000)],
    })),
  ])
})
after(async () => {
  await archive.close()
  fs.rmSync(folder, { recursive: true, force: true })
})

const count = (facets: Facets) =>
  Object.fromEntries(
    Object.entries(facets).map(([name, list]) => [name, list.map((each) => `${each.value} ${each.chats}`)]),
  )
const ids = async (input: SearchInput) => (await searchConversations(archive, input)).topChatIds

test('what was found is counted by assistant, project, model, role and month', async () => {
  assert.deepEqual(count(await facetsOf(archive, { query: 'deadlock' }, asIs)), {
    source: ['codex 2', 'claude-code 1'],
    workspace: ['/p/shop 2', '/p/maps 1', '/p/shop/web 1'],
    model: ['gpt 1', 'opus 1'],
    role: ['assistant 2', 'user 2'],
    month: ['2026-05 1', '2026-04 2', '2026-03 1'],
  })
})

test('every count is what choosing it leaves, beside what is chosen of the others', async () => {
  const chosen: SearchInput[] = [
    { query: 'deadlock' },
    { query: 'deadlock', source: ['codex'] },
    { query: 'deadlock', workspace: ['/p/shop', '/p/maps'], role_filter: ['assistant'] },
    { query: 'deadlock', months: ['2026-04', '2026-05'] },
    { query: 'lock deadlock', match: 'all' },
  ]
  const fields = {
    source: 'source',
    workspace: 'workspace',
    model: 'model',
    role: 'role_filter',
    month: 'months',
  }
  for (const input of chosen)
    for (const [name, facets] of Object.entries(await facetsOf(archive, input, asIs)))
      for (const { value, chats } of facets) {
        const narrowed = { ...input, [fields[name as keyof typeof fields]]: [value] }
        const about = `${JSON.stringify(input)} ${name} ${value}`
        assert.equal((await searchConversations(archive, narrowed)).totalFound, chats, about)
      }
})

test('without words it counts the chats of the list; of a pattern nothing is known', async () => {
  const all = count(await facetsOf(archive, {}, asIs))
  assert.deepEqual(all.source, ['claude-code 231', 'codex 2', 'gemini 1'])
  assert.deepEqual(all.month, ['2026-06 1', '2026-05 1', '2026-04 2', '2026-01 230'])
  assert.deepEqual((await facetsOf(archive, { regex: 'dead.ock' }, asIs)).source, [])
})

test('by date the newest that holds all words comes first, and nothing that holds fewer', async () => {
  assert.deepEqual(await ids({ query: 'deadlock', sort: 'date' }), ['maps-1', 'shop-2', 'shop-1'])
  assert.deepEqual(await ids({ query: 'deadlock lock', sort: 'date' }), ['maps-1'])
  assert.equal((await ids({ query: 'deadlock lock' })).length, 4)
})

test('results go on past two hundred, each once', async () => {
  for (const sort of ['relevance', 'date'] as const) {
    const seen: string[] = []
    let cursor: string | undefined
    do {
      const answer = await searchConversations(archive, { query: 'zebra', limit_chats: 60, cursor, sort })
      assert.equal(answer.totalFound, 230)
      seen.push(...answer.topChatIds)
      cursor = answer.nextCursor
    } while (cursor)
    assert.equal(seen.length, 230)
    assert.equal(new Set(seen).size, 230)
  }
  const matched = await searchConversations(archive, {
    regex: 'zebra',
    limit_chats: 200,
    cursor: 'chats.200',
  })
  assert.equal(matched.results.length, 30)
  assert.equal(matched.nextCursor, undefined)
})

test('a star narrows, and is told; a saved search is kept by its name', async () => {
  await archive.noteOwn(await archive.resolveChat('shop-2'), { pinned: true })
  const answer = await searchConversations(archive, { query: 'deadlock', starred: true })
  assert.deepEqual(
    answer.results.map(({ chatId, pinned }) => [chatId, pinned]),
    [['shop-2', true]],
  )
  await archive.saveSearch({ name: 'Locks', input: { query: 'deadlock', starred: true }, savedAt: 5 })
  await archive.saveSearch({ name: 'Locks', input: { query: 'lock' }, savedAt: 6 })
  await archive.saveSearch({ name: 'another', input: { query: 'zebra' }, savedAt: 7 })
  assert.deepEqual(await archive.savedSearches(), [
    { name: 'another', input: { query: 'zebra' }, savedAt: 7 },
    { name: 'Locks', input: { query: 'lock' }, savedAt: 6 },
  ])
  assert.equal(await archive.removeSearch('Locks'), true)
  assert.equal(await archive.removeSearch('Locks'), false)
  assert.deepEqual(await archive.check(), [])
})
