import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type Bench, bench, say } from '../recall/test-kit.ts'
import type { Caller } from './caller.ts'
import { type Answer, call, type Service } from './service.ts'
import { serviceAt } from './test-service.ts'

const AGENT: Caller = { kind: 'agent', budget: 40_000 }
const MOST = 4_000
let at: Bench
let service: Service

const id = (n: number) => `${String(n).padStart(8, '0')}-36d3-4357-8b35-71944dd9ba8f`
const WORDS = 'the pool of connections runs dry when the queue of orders is long and nobody gives them back'

before(async () => {
  at = bench()
  for (let n = 0; n < 40; n++)
    await at.write({ id: id(n), title: `Pool ${n} of the orders, in a title that goes on and on` }, [
      ...Array.from({ length: 8 }, (_, i) =>
        say(i, `${i} in ${n}: ${WORDS} "${'x'.repeat(n)}"`, { id: `${n}-${i}` }),
      ),
    ])
  // One begins as another does.
  await at.write({ id: `${id(3).slice(0, 20)}ffff` }, [
    say(0, 'a heron stands in the reeds', { id: 'heron' }),
  ])
  service = serviceAt(at)
})
after(() => at.close())

async function asked(given: Record<string, unknown>, caller: Caller = AGENT): Promise<Answer> {
  const { answer, failure } = await call(service, 'search_conversations', given, caller)
  assert.ok(answer, JSON.stringify(failure))
  return answer as Answer
}

type Chat = { chatId: string; relevance: number; snippets: { index: number; text: string }[] }

test('an answer for a model has at most 4,000 characters: what to do and how many first', async () => {
  for (const given of [{}, { response_mode: 'text' }, { precision_mode: 'fuzzy' }, { expand: 'auto' }]) {
    const answer = await asked({ query: 'pool connections', ...given })
    const said = JSON.stringify(answer)
    assert.ok(said.length <= MOST && said.length > MOST / 2, `${said.length} ${JSON.stringify(given)}`)
    assert.deepEqual(Object.keys(answer).slice(0, 4), ['status', 'confidence', 'totalFound', 'guidance'])
    assert.ok((answer.guidance as { nextActions: unknown[] }).nextActions.length > 0)
  }
})

test('each thing is said once, and nothing that is empty', async () => {
  const answer = await asked({ query: 'pool connections' })
  const chats = answer.results as Chat[]
  assert.ok(chats.length >= 5)
  for (const chat of chats) {
    assert.ok(chat.snippets.length > 0)
    assert.ok(!('sessionId' in chat) && !('timeRange' in chat))
    assert.equal(new Set(chat.snippets.map(({ index }) => index)).size, chat.snippets.length)
  }
  assert.doesNotMatch(JSON.stringify(answer), /:(?:\[\]|\{\}|"")/)
})

test('ids are as short as they can be, and taken wherever ids are', async () => {
  const { results } = (await asked({ query: '"3 in 3"' })) as unknown as { results: Chat[] }
  assert.equal(results[0]!.chatId, id(3).slice(0, 24))
  const other = (await asked({ query: '"3 in 5"' })) as unknown as { results: Chat[] }
  assert.equal(other.results[0]!.chatId, id(5).slice(0, 8))
  for (const { chatId } of [...results, ...other.results]) {
    const { answer } = await call(service, 'gather_chats', { chatIds: [chatId] }, AGENT)
    assert.ok(answer?.chat?.id.startsWith(chatId))
  }
})

for (const sizes of [{}, { limit: 7 }, { limit_chats: 15 }])
  test(`the pages together are all chats, each once: ${JSON.stringify(sizes)}`, async () => {
    const seen: string[] = []
    let cursor: string | undefined
    for (let page = 0; page < 20; page++) {
      const answer = await asked({ query: 'pool connections', ...sizes, ...(cursor && { cursor }) })
      assert.ok(Object.keys(sizes).length > 0 || JSON.stringify(answer).length <= MOST)
      seen.push(...(answer.results as Chat[]).map(({ chatId }) => chatId))
      cursor = (answer.more as { cursor: string } | undefined)?.cursor
      if (!cursor) break
    }
    assert.equal(seen.length, 40)
    assert.equal(new Set(seen).size, 40)
  })

test('who asks for sizes gets them, and guidance on every page', async () => {
  const given = { query: 'pool connections', limit: 30, limit_snippets_per_chat: 8, snippet_window: 200 }
  let cursor: string | undefined
  let [snippets, pages] = [0, 0]
  do {
    const answer = await asked({ ...given, ...(cursor && { cursor }) }, { kind: 'agent', budget: 10_000 })
    assert.ok(JSON.stringify(answer).length <= 10_000)
    assert.ok(Array.isArray((answer.guidance as { nextActions: unknown[] }).nextActions))
    snippets += (answer.results as Chat[]).reduce((sum, chat) => sum + chat.snippets.length, 0)
    cursor = (answer.more as { cursor: string } | undefined)?.cursor
  } while (cursor && ++pages < 30)
  assert.ok(pages > 3)
  assert.ok(snippets >= 240, String(snippets))
})

test('a person and a program get all fields', async () => {
  for (const kind of ['owner', 'program'] as const) {
    const scopes = kind === 'program' ? (['read'] as const) : undefined
    const { results } = await asked({ query: 'pool connections' }, { kind, scopes })
    const [first] = results as (Chat & { sessionId: string; timeRange: object })[]
    assert.equal(first!.sessionId.length, 36)
    assert.ok(first!.timeRange)
  }
})

test('what goes on after an unsure answer repeats nothing of it: other chats, and more of the same ones', async () => {
  for (const [words, least] of [
    ['pool connections', 12],
    ['queue orders nobody', 12],
  ] as const) {
    const first = await asked({ query: words })
    const { nextActions } = first.guidance as { nextActions: { args: Record<string, unknown> }[] }
    const { args } = nextActions[0]!
    assert.match(String(args.cursor), /^chats\.\d+\.\d+$/)
    const shown = (first.results as Chat[]).flatMap(({ chatId, snippets }) =>
      snippets.map(({ index }) => `${chatId} ${index}`),
    )
    const second = await asked(args)
    assert.ok(JSON.stringify(second).length <= Number(args.max_chars))
    const more = messagesIn(String(second.text))
    assert.ok(more.length >= least, String(more.length))
    assert.deepEqual(
      more.filter((each) => shown.includes(each)),
      [],
    )
    assert.equal(new Set(more).size, more.length)
    assert.deepEqual((second.guidance as { nextActions: unknown[] }).nextActions, [])
  }
})

/** `chat index` of each snippet in an answer's text. */
function messagesIn(text: string): string[] {
  let chat = ''
  return text.split('\n').flatMap((line) => {
    const index = /^#(\d+) /.exec(line)?.[1]
    if (index === undefined) chat = line.split(' ')[0]!
    return index === undefined ? [] : [`${chat} ${index}`]
  })
}

test('what is proposed is an answer in itself, and finds what was not there', async () => {
  const first = await asked({ query: 'pool connections' })
  const shown = new Set((first.results as Chat[]).map(({ chatId }) => chatId))
  const { nextActions } = first.guidance as {
    nextActions: { tool: string; args: Record<string, unknown> }[]
  }
  for (const { tool, args } of nextActions) {
    const { answer, failure } = await call(service, tool, args, AGENT)
    assert.ok(answer, JSON.stringify(failure))
    const told = JSON.stringify(answer)
    assert.ok(
      told.length <= 5_000 && [...told.matchAll(/0{6}\d\d(?=[ "-])/g)].some(([each]) => !shown.has(each)),
      told,
    )
  }
})
