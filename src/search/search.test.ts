import assert from 'node:assert/strict'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { after, before, test } from 'node:test'
import type { Archive, Lease } from '../archive/archive.ts'
import { openSqliteArchive } from '../archive/sqlite/index.ts'
import type { Message, Role } from '../model/chat.ts'
import { type SearchAnswer, type SearchInput, searchConversations } from './search.ts'
import { CHATS } from './test-chats.ts'

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'recollect-search-'))
const NOW = Date.now()
const DAY = 86_400_000
let archive: Archive

before(async () => {
  archive = openSqliteArchive(folder)
  const lease = (await archive.takeLease('test')) as Lease
  for (const { id, title, source = 'claude-code', workspace, lines } of CHATS) {
    const messages = lines.map(
      ({ text, role = 'user', daysAgo = 0, tools, thinking }, order): Message => ({
        id: `${id}-${order}`,
        order,
        role,
        kind: role === 'user' ? 'request' : 'answer',
        createdAt: NOW - daysAgo * DAY + order * 1000,
        text,
        ...(thinking && { thinking }),
        ...(tools && { toolResults: [{ callId: 'c', text: tools }] }),
      }),
    )
    await archive.write(
      [
        {
          source,
          path: `/files/${id}`,
          rank: 0,
          fingerprint: { stamp: id, inode: 1, size: 1, mtime: 1, head: '', tail: '' },
          generation: 1,
          chats: [{ source, id, title, workspace }],
          messages: messages.map((message) => ({ chatId: id, message })),
          problems: [],
          begins: true,
          completes: false,
        },
      ],
      lease,
    )
  }
  await archive.markSynced(lease)
})
after(async () => {
  await archive.close()
  fs.rmSync(folder, { recursive: true, force: true })
})

const search = (intent_query: string | string[], more: Partial<SearchInput> = {}): Promise<SearchAnswer> =>
  searchConversations(archive, { intent_query, ...more })
const ids = async (query: string | string[], more: Partial<SearchInput> = {}) =>
  (await search(query, more)).results.map(({ chatId }) => chatId)

const FINDS: [what: string, query: string | string[], chat: string, more?: Partial<SearchInput>][] = [
  ['a word', 'deadlock', 'deadlock'],
  ['another form of a word', 'transaction deadlocks', 'deadlock'],
  ['a question', 'why does the order service hang?', 'deadlock'],
  ['a phrase', '"another order"', 'deadlock'],
  ['several intents', ['goroutines', 'mutex'], 'mutex'],
  ['Russian in another form', 'обрыв соединение', 'websocket'],
  ['two Chinese characters', '击穿', 'cache'],
  ['one Chinese character', '锁', 'cache'],
  ['a longer Chinese run', '缓存击穿', 'cache'],
  ['a snake_case name', 'proxy_read_timeout', 'websocket'],
  ['a part of a camelCase name', 'http header', 'release'],
  ['a whole camelCase name', 'parseHTTPHeader', 'release'],
  ['a version', '1.24.3', 'release'],
  ['a version with a v', 'v1.24.3', 'release'],
  ['a path', 'src/settings/load-config.ts', 'release'],
  ['a word without its accent', 'cafe', 'release'],
  ['a prefix', 'configur*', 'release'],
  ['a word as a prefix', 'service*', 'deadlock'],
  ['a word in another form as a prefix', 'transactions*', 'deadlock'],
  ['a prefix of what a tool answered', 'econnre*', 'websocket'],
  ['a prefix of what a tool answered, in bold', '**ECONNRESET**', 'websocket'],
  ['what a tool answered', 'ECONNRESET', 'websocket'],
  ['what was thought', '分布式', 'cache'],
  ['a title', 'release notes', 'release', { scope: 'title' }],
  ['a misspelt word', 'deadlokc', 'deadlock', { precision_mode: 'fuzzy' }],
  ['a word with its first letters swapped', 'edadlock', 'deadlock', { precision_mode: 'fuzzy' }],
  ['the beginning of a word', 'gorout', 'mutex', { precision_mode: 'fuzzy' }],
]
for (const [what, query, chat, more] of FINDS) {
  test(`finds ${what}`, async () => assert.equal((await ids(query, more))[0], chat))
}

test('a name that exists is not looked for by its parts', async () => {
  assert.deepEqual(await ids('ShareLock'), ['deadlock'])
})

test('words that stand nowhere find nothing: status ok, no results, guidance', async () => {
  const answer = await search('xylophone')
  assert.deepEqual([answer.status, answer.results, answer.totalFound, answer.confidence], ['ok', [], 0, 0])
  assert.deepEqual(answer.guidance.nextActions, [], 'what finds nothing either is not proposed')
})

test('fuzzy tells the words it tried', async () => {
  const { tried } = await search('deadlokc', { precision_mode: 'fuzzy' })
  assert.deepEqual(tried, [{ word: 'deadlokc', instead: ['deadlock'] }])
})

test('tools are searched unless left out', async () => {
  assert.deepEqual(await ids('ECONNRESET', { include_tools_in_search: false }), [])
  const { results } = await search('ECONNRESET')
  assert.equal(results[0]?.snippets[0]?.source, 'tool')
})

test('scope: a title alone, the content alone', async () => {
  assert.deepEqual(await ids('hang', { scope: 'title' }), ['deadlock'])
  assert.deepEqual(await ids('Go', { scope: 'content' }), [])
  assert.deepEqual(await ids('Go', { scope: 'both' }), ['mutex'])
})

test('roles, source, workspace and time narrow', async () => {
  assert.deepEqual(await ids('mutex', { role_filter: ['user'] }), [])
  assert.deepEqual(await ids('mutex', { role_filter: ['assistant'] }), ['mutex'])
  assert.deepEqual(await ids('lock order', { source: 'codex' }), ['mutex'])
  assert.deepEqual(await ids('lock order', { workspace: '/home/me/shop' }), ['deadlock'])
  assert.deepEqual(await ids('lock order', { workspace: 'worker' }), ['mutex'])
  assert.deepEqual(await ids('lock order', { time_window: '7d' }), ['deadlock'])
  assert.deepEqual(await ids('lock order', { time_window: { end: NOW - 20 * DAY } }), ['mutex'])
  const day = new Date(NOW - 40 * DAY)
  const two = (value: number) => String(value).padStart(2, '0')
  const dateFrom = `${day.getFullYear()}-${two(day.getMonth() + 1)}-${two(day.getDate())}`
  assert.deepEqual(await ids('goroutines', { dateFrom, dateTo: dateFrom }), ['mutex'])
})

test('excluded words drop the chats that contain them, however they are given', async () => {
  for (const form of ['NFC', 'NFD'])
    assert.deepEqual(await ids('release', { exclude_terms: ['Café'.normalize(form)] }), [], form)
  assert.ok((await ids('lock order')).includes('deadlock'))
  assert.ok(!(await ids('lock order', { exclude_terms: ['POSTGRES'] })).includes('deadlock'))
  assert.ok(!(await ids('lock order -postgres')).includes('deadlock'))
  assert.ok(!(await ids('lock order -"order service"')).includes('deadlock'))
  assert.ok(!(await ids('nginx', { exclude_terms: ['econnreset'] })).includes('websocket'))
  assert.ok(
    (await ids('nginx', { exclude_terms: ['econnreset'], include_tools_in_search: false })).includes(
      'websocket',
    ),
  )
})

test('match all asks for every word, anywhere in the chat', async () => {
  assert.deepEqual(await ids('deadlock rows', { match: 'all' }), ['deadlock'])
  assert.deepEqual(await ids('deadlock goroutines', { match: 'all' }), [])
})

test('limits: chats, snippets, and how much of a text is shown', async () => {
  const answer = await search('lock order the', { limit: 1, limit_snippets_per_chat: 1, snippet_window: 16 })
  assert.equal(answer.results.length, 1)
  assert.equal(answer.results[0]!.snippets.length, 1)
  assert.ok(answer.results[0]!.snippets[0]!.text.length < 80)
  assert.ok(answer.totalFound > 1)
})

test('a snippet marks the words and never cuts one', async () => {
  const { results } = await search('transactions rows', { snippet_window: 12 })
  const { text, marks, messageId, index } = results[0]!.snippets[0]!
  assert.ok(marks.length > 0)
  for (const [start, end] of marks) assert.match(text.slice(start, end), /^(transactions|rows)$/)
  assert.deepEqual([messageId, index], ['deadlock-1', 1])
  const whole = CHATS[0]!.lines[1]!.text
  for (const word of text.replace(/…/g, '').match(/\w+/g) ?? [])
    assert.match(whole, new RegExp(`\\b${word}\\b`))
})

test('expand looks for words that mean something like those asked for, and says which', async () => {
  const { guidance } = await search('lock postgresql', { expand: 'auto' })
  assert.ok(guidance.state.expandedTerms.length > 0)
  const plain = await search('lock postgresql')
  assert.deepEqual(plain.guidance.state.expandedTerms, [])
  const without = await search(`lock postgresql -${guidance.state.expandedTerms[0]}`, { expand: 'auto' })
  assert.ok(!without.guidance.state.expandedTerms.includes(guidance.state.expandedTerms[0]!))
})

test('guidance: callable as it stands, never the same twice, at an end within three rounds', async () => {
  let input: SearchInput = { intent_query: 'xylophone zebra' }
  const proposed: string[] = []
  for (let round = 1; ; round++) {
    const { guidance } = await searchConversations(archive, input)
    assert.equal(guidance.state.iteration, round)
    const next = guidance.nextActions.find(({ tool }) => tool === 'search_conversations')
    if (!next) break
    const { state: _, ...args } = next.args
    proposed.push(JSON.stringify(args))
    input = next.args as SearchInput
    assert.ok(round < 3, 'it goes on for too long')
  }
  assert.equal(new Set(proposed).size, proposed.length)
})

test('good results propose to gather them', async () => {
  const { guidance, confidence } = await search(
    'order service hangs deadlock Postgres transactions ShareLock',
  )
  assert.ok(confidence > 0.6, String(confidence))
  assert.deepEqual(
    guidance.nextActions.map(({ tool }) => tool),
    ['gather_chats'],
  )
})

test('text for people', async () => {
  const { text } = await search('deadlock', { response_mode: 'text' })
  assert.match(text!, /Orders hang[\s\S]*\*\*deadlock\*\*/)
})

for (const nothing of ['', '**', '   ', '...', '-', '"', '😀', '\u0000\u0001', '-deadlock']) {
  test(`nothing to search for: ${JSON.stringify(nothing)}`, async () => {
    await assert.rejects(search(nothing), { code: 'INVALID_QUERY' })
  })
}

test('an archive without chats says how to fill it', async () => {
  const empty = fs.mkdtempSync(path.join(os.tmpdir(), 'recollect-search-'))
  const none = openSqliteArchive(empty)
  await assert.rejects(searchConversations(none, { intent_query: 'x' }), { code: 'NO_SESSIONS' })
  await none.close()
  fs.rmSync(empty, { recursive: true, force: true })
})

const ODD = [
  'deadlock"',
  '"deadlock',
  'deadlock OR',
  'NEAR(deadlock, 2)',
  'deadlock AND NOT',
  'said:deadlock',
  '^deadlock',
  'deadlock*',
  "deadlock'; DROP TABLE message;--",
  'deadlock\u0000lock',
  '\u202edeadlock',
  'ｄｅａｄｌｏｃｋ',
  'deadlock \ud83d',
  '(((deadlock)))',
  '%deadlock_',
  '-- deadlock',
  `deadlock ${'x'.repeat(100_000)}`,
  `${'deadlock '.repeat(12_000)}`,
  'שלום deadlock عليكم',
  '👩‍👩‍👧 deadlock',
]
for (const query of ODD) {
  test(`odd input is a query like any other: ${JSON.stringify(query.slice(0, 30))}`, async () => {
    assert.equal((await ids(query))[0], 'deadlock')
  })
}

/** Combinations of arguments, the same at each run. */
function* combinations(): Generator<Partial<SearchInput> & { intent_query: string }> {
  const queries = [
    'lock order',
    'the service hangs',
    'соединения прокси',
    '锁 缓存',
    'notes version configuration',
  ]
  let seed = 7
  const pick = <T>(list: T[]): T => {
    seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31
    return list[Math.floor((seed / 2 ** 31) * list.length)]!
  }
  for (let i = 0; i < 150; i++) {
    yield {
      intent_query: pick(queries),
      role_filter: pick([undefined, ['user'], ['assistant'], ['user', 'assistant']] as (
        | Role[]
        | undefined
      )[]),
      source: pick([undefined, 'codex', 'claude-code']),
      workspace: pick([undefined, '/home/me/shop', '/home/me']),
      scope: pick(['content', 'title', 'both'] as const),
      precision_mode: pick(['basic', 'fuzzy'] as const),
      expand: pick(['off', 'auto'] as const),
      include_tools_in_search: pick([true, false]),
      exclude_terms: pick([[], ['postgres'], ['锁']]),
    }
  }
}

test('property: filters let nothing through, any ⊇ all, a narrower window ⊆ a wider', async () => {
  for (const input of combinations()) {
    const wide = await searchConversations(archive, { ...input, limit_chats: 100 })
    for (const result of wide.results) {
      const about = JSON.stringify({ input, result })
      if (input.source) assert.equal(result.source, input.source, about)
      if (input.workspace) assert.ok(result.workspace?.startsWith(String(input.workspace)), about)
      for (const snippet of result.snippets)
        if (snippet.source !== 'title' && input.role_filter)
          assert.ok(input.role_filter.includes(snippet.role as Role), about)
      if (!input.include_tools_in_search)
        assert.ok(
          result.snippets.every(({ source }) => source !== 'tool'),
          about,
        )
      const chat = CHATS.find(({ id }) => id === result.chatId)!
      const content = chat.lines
        .map(({ text, thinking }) => `${text} ${thinking ?? ''}`.toLowerCase())
        .join(' ')
      if (input.scope !== 'title')
        for (const term of input.exclude_terms ?? []) assert.ok(!content.includes(term), about)
    }
    const found = new Set(wide.results.map(({ chatId }) => chatId))
    if (input.expand === 'off')
      for (const id of await ids(input.intent_query, { ...input, match: 'all', limit_chats: 100 }))
        assert.ok(found.has(id), `any has no ${id}: ${JSON.stringify(input)}`)
    let wider = input.expand === 'off' ? found : undefined
    for (const time_window of ['90d', '60d', '30d', '7d'] as const) {
      if (!wider) break
      const narrower = new Set(await ids(input.intent_query, { ...input, time_window, limit_chats: 100 }))
      assert.ok(
        [...narrower].every((id) => wider!.has(id)),
        `${time_window}: ${JSON.stringify(input)}`,
      )
      wider = narrower
    }
  }
})

test('a piece of a word is not the word: such an answer is not sure of itself', async () => {
  const piece = await search('share2lock')
  assert.ok(piece.results.length > 0)
  assert.ok(piece.confidence <= 0.15, String(piece.confidence))
  const word = await search('goroutines')
  assert.ok(word.confidence > 0.5, String(word.confidence))
})

test('a short word that was corrected says little: such an answer is not sure of itself', async () => {
  const guess = await search('kubernetes goroutxnes helz')
  const { confidence } = await search('kubernetes')
  assert.equal(confidence, 0)
  assert.ok(guess.confidence < 0.5, String(guess.confidence))
})
