import assert from 'node:assert/strict'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { after, before, test } from 'node:test'
import type { Archive } from '../archive/archive.ts'
import { openSqliteArchive } from '../archive/sqlite/index.ts'
import { cursorAt, placeOf } from './input.ts'
import { type SearchInput, searchConversations } from './search.ts'
import { diceOf } from './test-dice.ts'
import { type MadeChat, tell } from './test-kit.ts'

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'recollect-pages-'))
let archive: Archive

const { below } = diceOf(11)
const WORDS = ['gizmo', 'lever', 'spring', 'hinge', 'gasket', 'zebra', 'valve']
const words = (most: number) =>
  Array.from({ length: 1 + below(most) }, () => WORDS[below(WORDS.length)]).join(' ')

/** A call of our own search: what follows repeats what was said elsewhere. */
const asking = (id: string) => ({
  role: 'assistant' as const,
  kind: 'answer' as const,
  text: '',
  toolCalls: [{ id, server: 'recollect', tool: 'search_conversations', args: { query: 'gizmo' } }],
})

before(async () => {
  archive = openSqliteArchive(folder)
  const chats: MadeChat[] = []
  for (let i = 0; i < 150; i++) {
    const id = `c${i}`
    // Every third says what others say: such have the same score.
    const text = () => (i % 3 === 0 ? 'gizmo lever spring' : words(9))
    const messages = Array.from({ length: 1 + below(3) }, () => ({ text: text() }))
    const isAsking = i % 11 === 5
    chats.push({
      id,
      daysAgo: [0, 1, 400, 400.01, 400.02][below(5)]!,
      ...(i % 13 === 7 && { source: 'recollect-agent' }),
      messages: isAsking ? [{ text: 'what did we say?' }, asking(id), ...messages] : messages,
    })
    // Of some the sub-agents say it best, and the chat itself hardly.
    if (i % 10 === 4) {
      chats.at(-1)!.messages = [{ text: `${'other things '.repeat(40)} hinge gizmo` }]
      for (let sub = 0; sub < 1 + below(4); sub++)
        chats.push({ id: `${id}-sub${sub}`, parentId: id, messages: [{ text: `gizmo ${words(4)}` }] })
    }
    // The chat of these is not there.
    if (i % 25 === 8)
      for (let sub = 0; sub < 3; sub++)
        chats.push({ id: `${id}-lost${sub}`, parentId: `lost${i}`, messages: [{ text: words(4) }] })
    // A fork repeats what was said before it.
    if (i % 17 === 3)
      chats.push({ id: `${id}-fork`, messages: [...forked(id, messages), { text: words(5) }] })
  }
  // Behind thirty others by its own words; what its sub-agent found is the best.
  for (let i = 0; i < 30; i++) chats.push({ id: `osprey${i}`, messages: [{ text: 'an osprey nest, a rim' }] })
  chats.push({ id: 'parent', messages: [{ text: `${'other things '.repeat(40)} osprey` }] })
  chats.push({
    id: 'child',
    parentId: 'parent',
    messages: [{ text: 'osprey nest' }, { text: 'osprey nest' }],
  })
  await tell(archive, chats)
})
after(async () => {
  await archive.close()
  fs.rmSync(folder, { recursive: true, force: true })
})

function forked(id: string, messages: MadeChat['messages']): MadeChat['messages'] {
  return messages.map((message, i) => ({ ...message, id: `${id}-${i}` }))
}

interface Walk {
  ids: string[]
  totals: number[]
  notes: string[]
}

async function allPages(input: SearchInput, limit: number): Promise<Walk> {
  const walk: Walk = { ids: [], totals: [], notes: [] }
  let cursor: string | undefined
  do {
    const answer = await searchConversations(archive, { ...input, limit_chats: limit, cursor })
    walk.ids.push(...answer.results.map(({ source, chatId }) => `${source}:${chatId}`))
    walk.totals.push(answer.totalFound)
    walk.notes.push(...(answer.notes ?? []))
    cursor = answer.nextCursor
    assert.ok(walk.ids.length < 1_000, 'it goes on for ever')
  } while (cursor)
  return walk
}

const SEARCHES: SearchInput[] = [
  { query: 'gizmo' },
  { query: 'gizmo lever spring' },
  { query: 'hinge gasket' },
  { query: 'gizmo zebra', match: 'all' },
  { query: 'gizmo', sort: 'date' },
  { query: 'lever', scope: 'content', role_filter: ['user'] },
  { query: 'gizmo spring', time_window: '30d' },
  { query: 'gizmo -zebra' },
  { query: 'valve', exclude_terms: ['gasket', 'hinge'] },
  { query: 'gizmo -lever -spring -zebra' },
  { query: 'gizmo -gizmo' },
  { query: 'osprey nest' },
  { query: 'osprey -things' },
]

for (const input of SEARCHES)
  test(`whatever the size of its pages, a search is the same list, each chat once: ${JSON.stringify(input)}`, async () => {
    const whole = await allPages(input, 200)
    assert.equal(new Set(whole.ids).size, whole.ids.length)
    for (const limit of [1, 2, 5, 10, 37, 90, 110]) {
      const { ids, totals, notes } = await allPages(input, limit)
      assert.deepEqual(ids, whole.ids, `pages of ${limit}`)
      if (notes.some((note) => note.startsWith('At least')))
        assert.ok(totals.every((total) => total <= ids.length && total > 0))
      else assert.deepEqual(new Set(totals), new Set([ids.length]), `pages of ${limit}`)
    }
  })

test('a chat comes in the place of its sub-agent, far behind as it stands by its own words', async () => {
  for (const limit_chats of [1, 10, 200]) {
    const { results } = await searchConversations(archive, { query: 'osprey nest', limit_chats })
    assert.equal(results[0]?.chatId, 'parent', `pages of ${limit_chats}`)
  }
  const { ids } = await allPages({ query: 'osprey nest' }, 7)
  assert.equal(ids.length, 32)
  assert.equal(ids.at(-1), 'claude-code:child')
})

test('a page far behind is the one that was asked for', () => {
  assert.equal(placeOf(cursorAt(123_456)).chats, 123_456)
})

test('what is excluded is counted out of the total at once, and where that takes too long the answer says so', async () => {
  const { totalFound, notes } = await searchConversations(archive, { query: 'hinge -zebra', limit_chats: 3 })
  const { ids } = await allPages({ query: 'hinge -zebra' }, 200)
  const least = notes?.find((note) => note.startsWith('At least'))
  if (least) assert.ok(totalFound <= ids.length && totalFound > 3)
  else assert.equal(totalFound, ids.length)
})
