import assert from 'node:assert/strict'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { after, before, test } from 'node:test'
import type { Archive } from '../archive/archive.ts'
import { openSqliteArchive } from '../archive/sqlite/index.ts'
import { type SearchInput, searchConversations } from './search.ts'
import { type MadeChat, tell } from './test-kit.ts'

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'recollect-translated-'))
let archive: Archive

/** What the query is in another language stands here; the word itself only in a chat of another kind. */
const ENGLISH: MadeChat[] = [
  {
    id: 'english',
    workspace: '/w/shop',
    daysAgo: 2,
    messages: [
      { text: 'We see a deadlock in the checkout service' },
      { role: 'assistant', kind: 'answer', text: 'The transactions took their rows in another order.' },
    ],
  },
  ...Array.from({ length: 5 }, (_, i) => ({
    id: `plain${i}`,
    workspace: '/w/shop',
    messages: [{ text: `Nothing about it ${i} here` }],
  })),
]
const CHINESE: MadeChat = {
  id: 'chinese',
  source: 'codex',
  workspace: '/w/other',
  daysAgo: 90,
  title: '死锁',
  messages: [
    { text: '你好' },
    { role: 'assistant', kind: 'answer', text: '数据库死锁是什么，我们怎么解决这个问题' },
  ],
}
const NARROWED: Partial<SearchInput>[] = [
  { workspace: '/w/shop' },
  { source: 'claude-code' },
  { time_window: '7d' },
  { role_filter: ['user'] },
]

before(async () => {
  archive = openSqliteArchive(folder)
  await tell(archive, ENGLISH)
})
after(async () => {
  await archive.close()
  fs.rmSync(folder, { recursive: true, force: true })
})

const search = (query: string, more: Partial<SearchInput> = {}) =>
  searchConversations(archive, { query, ...more })

const TOLD = [{ word: '死锁', as: ['deadlock'] }]

test('what was found by its translation alone is said, wherever else the word stands', async () => {
  const before = await Promise.all(NARROWED.map((more) => search('死锁', more)))
  for (const { translated, topChatIds } of before) {
    assert.deepEqual(translated, TOLD)
    assert.deepEqual(topChatIds, ['english'])
  }
  await tell(archive, [CHINESE])
  for (const [i, more] of NARROWED.entries()) {
    const about = JSON.stringify(more)
    const { translated, confidence, topChatIds, guidance } = await search('死锁', more)
    assert.deepEqual(topChatIds, ['english'], about)
    assert.deepEqual(translated, TOLD, about)
    assert.equal(confidence, before[i]!.confidence, about)
    assert.ok(confidence < 0.7, about)
    assert.doesNotMatch(guidance.nextActions[0]!.why, /most likely/, about)
  }
})

test('of several chats, where those that are shown have only the translation', async () => {
  const first = await search('死锁 checkout service', { limit_chats: 1 })
  assert.deepEqual(first.topChatIds, ['english'])
  assert.deepEqual(first.translated, TOLD)
  const second = await search('死锁 checkout service', { limit_chats: 1, cursor: first.nextCursor })
  assert.deepEqual(second.topChatIds, ['chinese'])
  assert.equal(second.translated, undefined, 'here the word itself stands')
  assert.equal(second.confidence, first.confidence, 'on every page it is that of the first chat')
  const both = await search('死锁 checkout service')
  assert.deepEqual(both.topChatIds, ['english', 'chinese'])
  assert.equal(both.translated, undefined)
})

test('where the word itself is found, its translation is not worth a line, nor is the answer less sure', async () => {
  for (const more of [{}, { workspace: '/w/other' }, { source: 'codex' }]) {
    const { translated, topChatIds, confidence } = await search('死锁', more)
    assert.equal(topChatIds[0], 'chinese')
    assert.equal(translated, undefined)
    assert.ok(confidence > 0.7, String(confidence))
  }
})

test('a title that is narrowed away does not hold the word either', async () => {
  const { translated } = await search('死锁', { workspace: '/w/shop', scope: 'both' })
  assert.deepEqual(translated, TOLD)
  assert.equal((await search('死锁', { scope: 'title' })).translated, undefined)
})

test('single characters of a word are neither the word nor its translation', async () => {
  await tell(archive, [{ id: 'key', workspace: '/w/door', messages: [{ text: '门锁坏了' }] }])
  const { topChatIds, translated } = await search('死锁', { workspace: '/w/door' })
  assert.deepEqual(topChatIds, ['key'])
  assert.equal(translated, undefined)
})
