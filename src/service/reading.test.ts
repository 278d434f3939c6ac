import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { capabilities } from '../capabilities/index.ts'
import { type Bench, bench, say } from '../recall/test-kit.ts'
import type { Caller } from './caller.ts'
import { endOf, spanOf } from './moments.ts'
import { inputOf } from './reading.ts'
import { call, type Service } from './service.ts'
import { serviceAt } from './test-service.ts'

let at: Bench
let service: Service
const agent: Caller = { kind: 'agent', budget: 10_000 }

before(async () => {
  at = bench()
  await at.write({ id: 'chat-one', workspace: '/work/shop' }, [say(0, 'pool deadlock'), say(1, 'and again')])
  await at.write({ id: 'chat-two', source: 'codex', workspace: '/work/blog' }, [say(0, 'invoice refund')])
  service = serviceAt(at)
})
after(() => at.close())

async function read(name: string, given: Record<string, unknown>) {
  const capability = capabilities.find((each) => each.name === name)!
  const { input, notes } = await inputOf(capability, given, { archive: at.archive, caller: agent })
  return { input: input as Record<string, unknown>, notes }
}

const TAKEN: [name: string, given: Record<string, unknown>, meant: Record<string, unknown>][] = [
  ['list_chats', { source: 'Claude Code' }, { source: 'claude-code' }],
  ['list_chats', { source: 'claude_code' }, { source: 'claude-code' }],
  ['list_chats', { source: 'CODEX' }, { source: 'codex' }],
  ['list_chats', { limit: '3' }, { limit: 3 }],
  ['list_chats', { sort: 'Messages' }, { sort: 'messages' }],
  ['list_chats', { subagents: 'yes' }, { subagents: true }],
  ['list_chats', { source: '', title: null, cursor: undefined }, {}],
  ['gather_chats', { chatIds: 'chat-one' }, { chatIds: ['chat-one'] }],
  ['gather_chats', { chatIds: 'chat-one, chat-two' }, { chatIds: ['chat-one', 'chat-two'] }],
  ['gather_chats', { chatIds: '["chat-one"]' }, { chatIds: ['chat-one'] }],
  ['gather_chats', { chatIds: ['chat-one'], roles: 'User' }, { chatIds: ['chat-one'], roles: ['user'] }],
  ['gather_chats', { chatIds: ['chat-one'], roles: [] }, { chatIds: ['chat-one'] }],
  ['search_conversations', { query: 'x', role_filter: [] }, { query: 'x' }],
  ['search_conversations', { query: 'x', exclude_terms: 'y' }, { query: 'x', exclude_terms: ['y'] }],
  ['search_conversations', { query: ['x', 'y'] }, { query: ['x', 'y'] }],
  ['search_conversations', { query: 42 }, { query: '42' }],
  ['search_conversations', { query: 'x', state: '{"iteration":1}' }, { query: 'x', state: { iteration: 1 } }],
  ['search_conversations', { query: 'x', time_window: '30d' }, { query: 'x', time_window: '30d' }],
  ['search_conversations', { query: 'x', time_window: 'all time' }, { query: 'x', time_window: undefined }],
  ['get_request', { index: '2' }, { index: 2 }],
  ['get_request', { index: 2, chatId: 'chat-one' }, { index: 2, sessionId: 'chat-one' }],
  ['get_first_request', { chatIds: ['chat-one'], sessionId: '' }, { sessionId: 'chat-one' }],
  ['get_first_request', { chatId: 'chat-one', sessionId: 'chat-two' }, { sessionId: 'chat-two' }],
  ['gather_chats', { chatId: 'chat-one' }, { chatIds: ['chat-one'] }],
  ['gather_chats', { sessionIds: ['chat-one', 'chat-two'] }, { chatIds: ['chat-one', 'chat-two'] }],
  ['usage_metrics', { sessionId: 'chat-one' }, { chatIds: ['chat-one'] }],
  ['export_chats', { query: 'x', format: 'Finetune OpenAI' }, { query: 'x', format: 'finetune-openai' }],
]

for (const [name, given, meant] of TAKEN) {
  test(`${name} ${JSON.stringify(given)} is understood`, async () => {
    assert.deepEqual((await read(name, given)).input, meant)
  })
}

const REFUSED: [name: string, given: Record<string, unknown>, said: RegExp][] = [
  ['list_chats', { source: 'nope' }, /no assistant "nope"; there are .*claude-code \(Claude Code\).*codex/],
  ['list_chats', { sort: 'size' }, /sort is "size", but takes one of updated, created, messages, title/],
  ['list_chats', { limit: 'many' }, /limit is "many", but takes a number/],
  ['list_chats', { time_window: '2026-02-31' }, /"2026-02-31" is not a date/],
  ['list_chats', { time_window: 'someday' }, /"someday" is not a date/],
  [
    'list_chats',
    { time_window: { start: '2026-05-03', end: '2026-05-01' } },
    /begins \(2026-05-03\) after it ends \(2026-05-01\)/,
  ],
  ['search_conversations', { query: 'x', dateFrom: '2026-06-01', dateTo: '2026-05-01' }, /after it ends/],
  ['search_conversations', { query: 'x', dateFrom: '2026-13-01' }, /not a date/],
  ['gather_chats', {}, /chatIds is missing/],
  ['gather_chats', { chatIds: [] }, /chatIds is \[\], but takes a list of 1 to 20/],
  [
    'append_context',
    { content: ' ' },
    /content is " ", but takes a text of at most \d+ characters that is not empty/,
  ],
  ['export_conversation', { sessionId: '' }, /sessionId is "", but takes a text that is not empty\.$/],
  ['export_chats', { query: 'x', format: 'pdf' }, /format is "pdf", but takes one of markdown, json/],
]

for (const [name, given, said] of REFUSED) {
  test(`${name} ${JSON.stringify(given)} is refused with what is allowed`, async () => {
    const { failure } = await call(service, name, given, agent)
    assert.match(failure?.message ?? '', said)
    assert.equal(failure?.code, 'INVALID_INPUT')
    assert.doesNotMatch(JSON.stringify(failure), /recollect (list|sync|search)/, 'no commands for an agent')
    assert.notEqual(failure?.hint, '')
  })
}

test('a mistyped assistant is offered the nearest', async () => {
  const { failure } = await call(service, 'list_chats', { source: 'cluade' }, agent)
  assert.match(failure?.hint ?? '', /^Did you mean claude-code\?/)
})

test('answers say what was taken for what, and which filter matches nothing', async () => {
  const notes = async (name: string, given: object) => (await call(service, name, given, agent)).answer?.notes
  assert.deepEqual(await notes('list_chats', { source: 'claude-code' }), undefined)
  assert.match(
    String(await notes('list_chats', { time_window: 'last week' })),
    /"last week" was taken as \d{4}-\d\d-\d\d to/,
  )
  assert.match(
    String(await notes('list_chats', { time_window: '7d' })),
    /^No chat is as new as \d{4}-\d\d-\d\d; the newest is of 2026-05-04/,
  )
  assert.match(
    String(await notes('search_conversations', { query: 'pool', dateFrom: '2026-05-20' })),
    /^No chat is as new as 2026-05-20; the newest is of 2026-05-04/,
  )
  assert.deepEqual(await notes('list_chats', { time_window: { start: '2026-05-01' } }), undefined)
  assert.match(String(await notes('list_chats', { limits: 3 })), /no argument "limits"; "limit" is one/)
  assert.match(
    String(await notes('search_conversations', { query: 'pool', workspace: 'nowhere' })),
    /No chat is about the project "nowhere"; there are .*\/work\/shop/,
  )
  assert.deepEqual(await notes('search_conversations', { query: 'pool', model: 'gpt-0' }), [
    'No chat is with the model "gpt-0".',
  ])
  assert.match(
    String(await notes('search_conversations', { query: 'pool', source: 'aider' })),
    /no chats of Aider; there are chats of/i,
  )
  assert.match(
    String(await notes('list_chats', { source: 'claude' })),
    /"claude" was taken as the assistant claude-code/,
  )
})

test('words are for who reads them', async () => {
  const hint = async (kind: Caller['kind']) =>
    (await call(service, 'gather_chats', { chatIds: ['nowhere'] }, { kind, scopes: ['read'] })).failure?.hint
  assert.match((await hint('owner')) ?? '', /recollect list/)
  assert.doesNotMatch((await hint('owner')) ?? '', /list_chats/)
  for (const kind of ['agent', 'program'] as const) {
    assert.match((await hint(kind)) ?? '', /list_chats/)
    assert.doesNotMatch((await hint(kind)) ?? '', /recollect list/)
  }
})

test('months and years before a day that they do not have begin on their last', () => {
  const start = (given: string, now: Date) => new Date(spanOf(given, now).start!).toLocaleString('sv-SE')
  assert.equal(start('1m', new Date(2026, 2, 31, 15, 30)), '2026-02-28 15:30:00')
  assert.equal(start('past month', new Date(2026, 4, 31, 15, 30)), '2026-04-30 15:30:00')
  assert.equal(start('13m', new Date(2025, 2, 31)), '2024-02-29 00:00:00')
  assert.equal(start('1y', new Date(2028, 1, 29)), '2027-02-28 00:00:00')
  assert.equal(start('4y', new Date(2028, 1, 29)), '2024-02-29 00:00:00')
})

test('what was given is told without secrets, also where it is cut', async () => {
  const key = `ghp_${'aB3dE5fG7hJ9kL2mN4pQ6rS8tU1vW0xY'.repeat(2).slice(0, 36)}`
  const at = (length: number) => `${'z'.repeat(length - 10)} ${key}`
  const given: [name: string, given: object][] = [
    ['list_chats', { sort: at(70) }],
    ['list_chats', { [at(50)]: 1 }],
    ['list_chats', { workspace: `/${at(190)}` }],
    ['list_chats', { author: at(190) }],
    ['list_chats', { source: at(90) }],
    ['search_conversations', { query: 'x', time_window: { start: at(90) } }],
    ['search_conversations', { query: 'x', time_window: at(90) }],
  ]
  for (const [name, each] of given) {
    const said = JSON.stringify(await call(service, name, each, agent))
    assert.match(said, /zzzz/)
    assert.doesNotMatch(said, /ghp_aB/, said)
  }
})

test('times as people write them', () => {
  const now = new Date(2026, 4, 14, 15, 30)
  const days = (given: string) => {
    const { start, end } = spanOf(given, now)
    return [start, end].map((each) => (each === undefined ? '' : new Date(each).toLocaleDateString('sv-SE')))
  }
  assert.deepEqual(days('today'), ['2026-05-14', '2026-05-14'])
  assert.deepEqual(days('yesterday'), ['2026-05-13', '2026-05-13'])
  assert.deepEqual(days('last week'), ['2026-05-04', '2026-05-10'])
  assert.deepEqual(days('this week'), ['2026-05-11', ''])
  assert.deepEqual(days('last month'), ['2026-04-01', '2026-04-30'])
  assert.deepEqual(days('14d'), ['2026-04-30', ''])
  assert.deepEqual(days('past 2 weeks'), ['2026-04-30', ''])
  assert.deepEqual(days('6m'), ['2025-11-14', ''])
  assert.deepEqual(days('2026-03'), ['2026-03-01', '2026-03-31'])
  assert.deepEqual(days('2025'), ['2025-01-01', '2025-12-31'])
  assert.equal(endOf('2026-05-01', 'end', now), new Date(2026, 4, 1, 23, 59, 59, 999).getTime())
  assert.equal(endOf('1777636800000', 'start', now), 1_777_636_800_000)
})

test('days are those of the zone that is asked for', async () => {
  const cases: [zone: string | undefined, window: unknown, start?: string, end?: string][] = [
    ['Asia/Tokyo', { start: '2026-05-04', end: '2026-05-04' }, '2026-05-03T15:00', '2026-05-04T15:00'],
    ['America/New_York', '2026-05-04', '2026-05-04T04:00', '2026-05-05T04:00'],
    ['America/New_York', { end: '2026-03' }, undefined, '2026-04-01T04:00'],
    // Where clocks are put forward at midnight, a day begins at one and has 23 hours.
    ['Asia/Beirut', '2026-03-29', '2026-03-28T22:00', '2026-03-29T21:00'],
    // A moment is the same in every zone.
    ['Asia/Tokyo', { start: '2026-05-04T00:00Z', end: Date.UTC(2026, 4, 5) - 1 }, '2026-05-04', '2026-05-05'],
  ]
  for (const [time_zone, time_window, start, end] of cases) {
    const { input } = await read('usage_metrics', { time_window, time_zone })
    const told = input.time_window as { start?: number; end?: number }
    assert.equal(told.start, start && Date.parse(`${start}${start.includes('T') ? 'Z' : ''}`), time_zone)
    assert.equal(told.end, Date.parse(`${end}${end?.includes('T') ? 'Z' : ''}`) - 1, time_zone)
  }
  const refused = async (given: Record<string, unknown>) =>
    (await call(service, 'usage_metrics', given, agent)).failure?.message
  assert.match((await refused({ time_window: '2026-02-31', time_zone: 'Asia/Tokyo' })) ?? '', /not a date/)
  assert.match(
    (await refused({ time_window: '2026-02-01', time_zone: 'Mars/Base' })) ?? '',
    /not a time zone/,
  )
})
