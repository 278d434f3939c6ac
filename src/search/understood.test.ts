import assert from 'node:assert/strict'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { after, before, test } from 'node:test'
import type { Archive } from '../archive/archive.ts'
import { openSqliteArchive } from '../archive/sqlite/index.ts'
import { type SearchInput, searchConversations } from './search.ts'
import { tell } from './test-kit.ts'

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'recollect-understood-'))
let archive: Archive

before(async () => {
  archive = openSqliteArchive(folder)
  await tell(archive, [
    { id: 'lock', daysAgo: 400, messages: [{ text: 'The lock file is held, the session hangs' }] },
    { id: 'lint', messages: [{ text: 'markdownlint fails in the workflow' }] },
    { id: 'flow', messages: [{ text: 'the workflow of releases' }] },
    { id: 'ru', messages: [{ text: 'Что делать, если утечка памяти не на сервере, как для очереди' }] },
    { id: 'docker', messages: [{ text: 'docker compose does not start' }] },
    { id: 'pieces', messages: [{ text: 'wombat e 4471, worker 500 of 500, worker worker 500, 500' }] },
    { id: 'whole', daysAgo: 900, messages: [{ text: 'it died with E_WOMBAT_4471 on worker-500' }] },
    { id: 'other', messages: [{ text: 'worker-5001 is not the one' }] },
    { id: 'old', daysAgo: 800, messages: [{ text: 'postgres vacuum settings' }] },
    { id: 'tree', daysAgo: 500, messages: [{ text: 'git worktree add fails' }] },
    { id: 'tables', daysAgo: 500, messages: [{ text: 'tables and chairs for the new house' }] },
    { id: 'yesterday', daysAgo: 1, messages: [{ text: 'postgres index bloat' }] },
  ])
})
after(async () => {
  await archive.close()
  fs.rmSync(folder, { recursive: true, force: true })
})

const search = (query: string, more: Partial<SearchInput> = {}) =>
  searchConversations(archive, { query, ...more })
const ids = async (query: string) => (await search(query)).topChatIds

test('a Russian, Chinese or German query finds an English chat, says so, and marks the English word', async () => {
  for (const [query, word] of [
    ['блокировка', 'lock'],
    ['会话', 'session'],
    ['gesperrte Datei', 'file'],
  ] as const) {
    const { results, translated = [] } = await search(query)
    assert.equal(results[0]?.chatId, 'lock', query)
    assert.ok(
      translated.some(({ as }) => as.includes(word)),
      query,
    )
    const [snippet] = results[0]!.snippets
    const marked = snippet!.marks.map(([start, end]) => snippet!.text.slice(start, end))
    assert.ok(marked.includes(word), `${query}: ${marked}`)
  }
})

test('an English query finds a Russian chat, and so does a Chinese one through English', async () => {
  assert.equal((await ids('memory leak'))[0], 'ru')
  assert.ok((await ids('内存泄漏')).includes('ru'))
})

test('an English query is not taken for another language', async () => {
  assert.equal(
    (await search('die session hangs')).translated?.some(({ word }) => word === 'die') ?? false,
    false,
  )
})

test('a name in Russian letters is found in Latin ones', async () => {
  assert.equal((await ids('докер'))[0], 'docker')
})

test('two words that English writes as one find it', async () => {
  const { results, translated = [] } = await search('рабочее дерево')
  assert.ok(translated.every(({ as }) => as.includes('worktree')))
  const [snippet] = results.find(({ chatId }) => chatId === 'tree')!.snippets
  assert.ok(snippet!.marks.some(([start, end]) => snippet!.text.slice(start, end) === 'worktree'))
})

test('a translation is named only where something shown was found by it', async () => {
  // Its translation stands in a chat of long ago, which is not shown here.
  assert.ok((await search('блокировка')).translated)
  assert.equal((await search('блокировка docker', { time_window: '7d' })).translated, undefined)
  assert.equal((await search('docker compose settings')).translated, undefined)
})

test('where no word is found, words of a like meaning are tried, unsurely, and the answer says so', async () => {
  const { results, confidence, notes = [] } = await search('furniture')
  assert.equal(results[0]?.chatId, 'tables')
  assert.ok(confidence <= 0.1, String(confidence))
  assert.match(notes[0] ?? '', /^None of these words was found; .*furniture → .*chair/)
  assert.match((await search('furniture', { response_mode: 'text' })).text!, /None of these words/)
  // A word that is found, a quoted one and a code are meant as they stand.
  assert.equal((await search('furniture docker')).notes, undefined)
  assert.equal((await search('"furniture shop"')).totalFound, 0)
  assert.equal((await search('furniture_4471x')).notes, undefined)
  // What a filter keeps out stays out.
  assert.equal((await search('furniture', { time_window: '7d' })).totalFound, 0)
  assert.equal((await search('furniture -chairs -tables')).totalFound, 0)
})

test('misspelt words find what the right ones find, and the answer says so', async () => {
  const right = await ids('markdownlint workflow')
  const { topChatIds, tried } = await search('markdwonlint workfow')
  assert.deepEqual(topChatIds, right)
  assert.deepEqual(
    tried?.map(({ word, instead }) => [word, instead[0]]),
    [
      ['markdwonlint', 'markdownlint'],
      ['workfow', 'workflow'],
    ],
  )
  assert.equal((await search('markdownlint workflow')).tried, undefined)
})

test('a chat that has a name whole comes before those with its pieces', async () => {
  assert.equal((await ids('E_WOMBAT_4471'))[0], 'whole')
  assert.equal((await ids('worker-500'))[0], 'whole')
})

test('odd names are names like any other', async () => {
  for (const name of [
    '--test-name-pattern',
    'a[b](c)*+?',
    'operations.rs:990',
    '(/app/x.js:12:3)',
    '\\d+\\.x',
    'C:\\x-y',
  ])
    assert.equal((await search(`${name} docker`)).status, 'ok', name)
})

test('a time in the words narrows, is named, and is lifted where nothing is found', async () => {
  const kept = await search('postgres yesterday')
  assert.deepEqual(kept.topChatIds, ['yesterday'])
  assert.equal(kept.timeFilter?.words, 'yesterday')
  assert.equal(kept.timeFilter?.lifted, undefined)
  const lifted = await search('vacuum yesterday')
  assert.equal(lifted.topChatIds[0], 'old')
  assert.equal(lifted.timeFilter?.lifted, true)
  assert.match((await search('vacuum yesterday', { response_mode: 'text' })).text!, /any time/)
  assert.equal((await search('postgres "yesterday"')).timeFilter, undefined)
  assert.equal((await search('postgres yesterday', { time_window: '7d' })).timeFilter, undefined)
})

test('a time alone gives the chats of that time', async () => {
  const { topChatIds, timeFilter, results } = await search('вчера')
  assert.deepEqual(topChatIds, ['yesterday'])
  assert.equal(timeFilter?.words, 'вчера')
  assert.equal(results[0]?.snippets[0]?.text, 'postgres index bloat')
})

test('a time alone in which there are no chats says so, and shows no others for its words', async () => {
  await tell(archive, [{ id: 'ago', messages: [{ text: 'it worked some days ago' }] }])
  const { totalFound, confidence, notes, timeFilter } = await search('3 days ago')
  assert.equal(timeFilter?.words, '3 days ago')
  assert.deepEqual([totalFound, confidence], [0, 0], 'a chat that says "days ago" is not one of that day')
  assert.match(
    notes?.join() ?? '',
    /^No chat was found on [-0-9]+ \("3 days ago"\)\. The chat nearest to it is of [-0-9]+\. To search for the words/,
  )
  assert.equal((await search('"days ago"')).topChatIds[0], 'ago')
})

test('a regular expression is matched against the whole record', async () => {
  const { topChatIds, results } = await search('', { regex: 'E_[A-Z]+_\\d+' })
  assert.deepEqual(topChatIds, ['whole'])
  const [snippet] = results[0]!.snippets
  const marked = snippet!.marks.map(([start, end]) => snippet!.text.slice(start, end))
  assert.deepEqual(marked, ['E_WOMBAT_4471'])
  assert.deepEqual((await search('', { regex: '^postgres\\s+index' })).topChatIds, ['yesterday'])
  await assert.rejects(search('', { regex: '(' }), { code: 'INVALID_QUERY' })
  assert.deepEqual((await search('/E_[A-Z]+_\\d+/')).topChatIds, ['whole'])
  assert.notDeepEqual((await search('/usr/postgres/index/')).topChatIds, [], 'a path is no pattern')
})

test('a regular expression finds what stands far behind what is indexed, in any case of letters', async () => {
  const text = `${'line of a log\n'.repeat(20_000)}Panic: WIDGET-77 gave up`
  await tell(archive, [{ id: 'log', messages: [{ text: 'ran it', toolResults: [{ callId: 'c', text }] }] }])
  assert.deepEqual((await search('', { regex: 'widget-\\d+ gave' })).topChatIds, ['log'])
  assert.deepEqual((await search('', { regex: 'WIDGET-\\d+ gave' })).topChatIds, ['log'])
  assert.deepEqual((await search('', { regex: 'Widget-\\d+ gave' })).topChatIds, [])
})

test('a pattern that would take forever is given up, and the answer says so', async () => {
  const { regexSearch } = await import('./regex.ts')
  await tell(archive, [{ id: 'long', messages: [{ text: `${'a'.repeat(60)}!` }] }])
  const { note } = await regexSearch(
    archive,
    { regex: '(a+)+$' },
    { fields: ['said'], most: 10, perChat: 1, clean: (value) => value, limitMs: 1_000 },
  )
  assert.match(note ?? '', /Stopped after/)
})

test('what matches only within a secret is not found', async () => {
  const { topChatIds } = await searchConversations(archive, { regex: 'WOMBAT' }, (value) =>
    JSON.parse(JSON.stringify(value).replaceAll('E_WOMBAT_4471', '[redacted]')),
  )
  assert.deepEqual(topChatIds, [])
})
