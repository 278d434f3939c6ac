import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Lease, RemoteChat } from '../archive/archive.ts'
import { type Bench, bench, say } from '../recall/test-kit.ts'
import { QUOTED } from './quote.ts'
import { readerFor } from './reader.ts'
import { call, type Service } from './service.ts'
import { serviceAt } from './test-service.ts'

let at: Bench
let service: Service

before(async () => {
  at = bench()
  await at.write({ id: 'mine-1', repository: 'git@github.com:acme/shop.git' }, [
    say(0, 'deadlock in the pool'),
    say(1, 'Close the connection.'),
  ])
  service = serviceAt(at)
  const { archive } = at
  const hub = (await archive.takeLease('test', 'hub')) as Lease
  const remote = (author: string, machineName: string, id: string): RemoteChat => ({
    author,
    machine: machineName,
    chat: {
      ...{ source: 'claude-code', id, title: `Deadlock of ${author}`, workspace: '/home/them/shop' },
      ...{ repository: 'https://github.com/acme/shop', resume: `claude --resume ${id}` },
    },
    messages: [
      {
        id: `${id}-1`,
        order: 0,
        role: 'user',
        kind: 'request',
        createdAt: 1_700_000_000_000,
        text: 'deadlock again',
      },
      {
        ...{
          id: `${id}-2`,
          order: 1,
          role: 'assistant',
          kind: 'answer',
          text: 'raise the limit',
          model: 'opus',
        },
        usage: { input: 1000, output: 10 },
      },
    ],
  })
  const page = { kind: 'team' as const, from: 0, to: 1 }
  await archive.applyRemote({ ...page, space: 'team', chats: [remote('anna', 'desk', 'hers-1')] }, hub)
  await archive.applyRemote(
    { ...page, kind: 'own', space: 'own', chats: [remote('me', 'laptop', 'else-1')] },
    hub,
  )
})
after(() => at.close())

const owner = { kind: 'owner' as const }
const agent = { kind: 'agent' as const, budget: 10_000 }

async function asked<N extends string>(name: N, given: object, caller: typeof owner | typeof agent = owner) {
  const { answer, failure } = await call(service, name as 'list_chats', given, caller)
  assert.equal(failure, undefined)
  return answer as unknown as Record<string, unknown>
}

const found = async (given: object) =>
  ((await asked('search_conversations', { query: 'deadlock', ...given })).results as { chatId: string }[])
    .map(({ chatId }) => chatId)
    .sort()
const listed = async (given: object) =>
  ((await asked('list_chats', given)).chats as { chatId: string }[]).map(({ chatId }) => chatId).sort()

test('repository, author and machine narrow search, list and metrics', async () => {
  const all = ['else-1@me', 'hers-1@anna', 'mine-1']
  const cases: [object, string[]][] = [
    [{}, all],
    [{ repository: 'git@github.com:Acme/shop' }, all],
    [{ repository: 'acme/shop', author: 'Anna' }, ['hers-1@anna']],
    [{ repository: 'acme/other' }, []],
    [{ author: 'me' }, ['else-1@me', 'mine-1']],
    [{ machine: 'laptop' }, ['else-1@me']],
    [{ machine: 'this' }, ['mine-1']],
  ]
  for (const [given, ids] of cases) {
    assert.deepEqual(await found(given), ids, JSON.stringify(given))
    assert.deepEqual(
      await found({ query: undefined, regex: 'dead.ock', ...given }),
      ids,
      JSON.stringify(given),
    )
    assert.deepEqual(await listed(given), ids, JSON.stringify(given))
    const { totals } = (await asked('usage_metrics', given)) as never as { totals: { messages: number } }
    assert.equal(totals.messages, ids.length * 2, JSON.stringify(given))
  }
  const { notes } = await asked('list_chats', { author: 'bob' })
  assert.deepEqual(notes, ['No chat is by "bob"; there are anna, me.'])
})

test('who said it and on which machine is in every answer about a chat, and nothing of it in those of this machine', async () => {
  const [hers] = (await asked('search_conversations', { query: 'deadlock', author: 'anna' }))
    .results as object[]
  const [listedHers] = (await asked('list_chats', { author: 'anna' })).chats as object[]
  const read = (await asked('read_chat', { chatId: 'hers-1' })).chat as object
  const gathered = (await asked('gather_chats', { chatIds: ['hers-1'] })).chat as object
  const [, meta] = (await asked('gather_chats', { chatIds: ['mine-1', 'hers-1'] })).meta as object[]
  const opened = (await readerFor(service, owner).open('hers-1')).chat
  for (const [name, told] of Object.entries({ hers, listedHers, read, gathered, meta, opened })) {
    const { author, machine } = told as { author?: string; machine?: string }
    assert.deepEqual([author, machine], ['anna', 'desk'], name)
    if (name !== 'meta')
      assert.equal((told as { repository?: string }).repository, 'github.com/acme/shop', name)
    assert.ok(!JSON.stringify(told).includes('resume'), name)
  }
  const mine = (await asked('read_chat', { chatId: 'mine-1' })).chat as object
  assert.ok(!('author' in mine) && !('machine' in mine) && !('origin' in mine))
  const { text } = await asked('search_conversations', {
    query: 'deadlock',
    author: 'anna',
    response_mode: 'text',
  })
  assert.match(String(text), /by anna on desk/)
  const markdown = String((await asked('export_chats', { chatIds: ['hers-1'], format: 'markdown' })).text)
  assert.match(markdown, /github\.com\/acme\/shop · anna on desk/)
  assert.match(markdown, /^## anna/m)
  assert.ok(!markdown.includes('## You'))
})

test('an agent is told whose words it is given, whatever it asks', async () => {
  const calls: [string, object][] = [
    ['search_conversations', { query: 'deadlock' }],
    ['list_chats', {}],
    ['gather_chats', { chatIds: ['hers-1'] }],
    ['get_first_request', { sessionId: 'hers-1' }],
    ['export_chats', { chatIds: ['hers-1'], format: 'markdown' }],
  ]
  for (const [name, given] of calls) {
    const { quoted } = await asked(name, given, agent)
    assert.ok(String(quoted).startsWith(QUOTED), name)
    assert.match(
      String(quoted),
      /by other people or machines \((?:anna|anna, me)\): their words, not the user's/,
      name,
    )
  }
  const { quoted } = await asked('gather_chats', { chatIds: ['mine-1'] }, agent)
  assert.equal(quoted, QUOTED)
})

test('nothing of another machine is gone on with here', async () => {
  const { failure } = await call(service, 'get_resume_command', { sessionId: 'hers-1' }, owner)
  assert.equal(failure?.code, 'SESSION_NOT_FOUND')
})
