import assert from 'node:assert/strict'
import fs from 'node:fs'
import path from 'node:path'
import { after, before, test } from 'node:test'
import { type Site, site } from './http-kit.ts'
import { type Alex, type Answer, answerOf, connected, sampleMachine } from './mcp-kit.ts'

/** The same call through MCP, REST and the command line gives the same data. */

const DEADLOCK = 'b6fb68b8-36d3-4357-8b35-71944dd9ba8f'
let alex: Alex
let served: Site
let mcp: Awaited<ReturnType<typeof connected>>

before(async () => {
  alex = sampleMachine()
  await alex.run(['sync'])
  served = await site(alex, { args: ['--no-sync'] })
  mcp = await connected(alex, 'modern', { args: ['--no-sync', '--max-chars', '2000000'] })
})
after(async () => {
  await mcp.close()
  await served.close()
  alex.remove()
})

async function byMcp(name: string, given: Record<string, unknown>): Promise<Answer> {
  return data(answerOf(await mcp.callTool({ name, arguments: given })))
}

async function byRest(name: string, given: unknown, as: 'page' | 'program' = 'program'): Promise<Answer> {
  return data((await served.ask(`/api/v1/${name}`, { method: 'POST', body: given, as })).json)
}

async function byCli(args: string[]): Promise<Answer> {
  return data(JSON.parse((await alex.run([...args, '--json'])).out))
}

/** Without what is said to models only, and what depends on the moment. */
function data({ quoted, coverage, ...answer }: Answer): Answer {
  return answer
}

const SAME: [name: string, given: Record<string, unknown>, args: string[]][] = [
  ['list_chats', { limit: 5 }, ['list', '--limit', '5']],
  ['list_chats', { source: 'Claude Code', limit: 50 }, ['list', '--source', 'Claude Code', '--limit', '50']],
  [
    'search_conversations',
    {
      intent_query: 'deadlock',
      include_tools_in_search: true,
      match: 'any',
      precision_mode: 'basic',
      expand: 'off',
      limit_chats: 10,
    },
    ['search', 'deadlock'],
  ],
  ['gather_chats', { chatIds: [DEADLOCK], includeTools: true, max_chars: 1_000_000 }, ['gather', DEADLOCK]],
  ['list_requests', { sessionId: DEADLOCK, limit: 20 }, ['requests', DEADLOCK]],
  ['get_request', { sessionId: DEADLOCK, index: 2 }, ['requests', DEADLOCK, '--index', '2']],
  ['usage_metrics', { group_by: 'source' }, ['metrics', '--by', 'source']],
  ['collect_evidence', { chatIds: [DEADLOCK], max_chars: 1_000_000 }, ['evidence', DEADLOCK]],
  ['export_chats', { chatIds: [DEADLOCK], format: 'markdown' }, ['export', DEADLOCK]],
]

for (const [name, given, args] of SAME) {
  test(`${name} is the same for an agent, a program, the page and a person: ${args.join(' ')}`, async () => {
    const told = await byMcp(name, given)
    assert.ok(Object.keys(told).length > 0)
    assert.deepEqual(await byRest(name, given), told)
    assert.deepEqual(await byRest(name, given, 'page'), told)
    assert.deepEqual(await byCli(args), told)
  })
}

test('a line that no sync has read is in show, gather and export alike, and for agents', async () => {
  const [file] = fs
    .globSync(`${alex.home}/.claude/projects/**/${DEADLOCK}.jsonl`)
    .map((each) => path.resolve(each))
  assert.ok(file)
  const last = fs
    .readFileSync(file, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))
    .findLast((line) => line.type === 'user')
  const line = {
    ...last,
    uuid: 'ffffffff-0000-4000-8000-000000000001',
    parentUuid: last.uuid,
    timestamp: new Date().toISOString(),
    message: { role: 'user', content: 'What about the kingfisher?' },
  }
  fs.appendFileSync(file, `${JSON.stringify(line)}\n`)
  for (const args of [
    ['show', DEADLOCK],
    ['gather', DEADLOCK],
    ['export', DEADLOCK],
    ['requests', DEADLOCK],
  ]) {
    assert.match((await alex.run(args)).out, /kingfisher/, args.join(' '))
  }
  const told = await byMcp('gather_chats', { chatIds: [DEADLOCK], max_chars: 1_000_000 })
  assert.match(JSON.stringify(told), /kingfisher/)
  assert.deepEqual(await byRest('gather_chats', { chatIds: [DEADLOCK], max_chars: 1_000_000 }), told)
  for (const as of ['page', 'program'] as const) {
    const at = `/api/v1/chats/${DEADLOCK}`
    const { chat, requests } = (await served.ask(at, { as })).json as Opened
    assert.match(requests.at(-1)!.preview, /kingfisher/, as)
    const last = chat.messageCount - 1
    const page = (await served.ask(`${at}/messages?from=${last}`, { as })).json as {
      messages: { index: number; text: string }[]
      total: number
    }
    assert.deepEqual(
      page.messages.map(({ index, text }) => [index, text]),
      [[last, 'What about the kingfisher?']],
    )
    assert.equal(page.total, chat.messageCount)
    assert.match(JSON.stringify((await served.ask(`${at}/messages/${last}`, { as })).json), /kingfisher/)
    const { hits } = (await served.ask(`${at}/find?q=kingfisher`, { as })).json as { hits: unknown[] }
    assert.deepEqual(hits, [{ index: last, count: 1 }])
    const file = await served.ask(`/api/v1/export?chat=${DEADLOCK}&format=markdown`, { as })
    assert.match(file.text, /kingfisher/, as)
  }
})

interface Opened {
  chat: { messageCount: number }
  requests: { preview: string }[]
}

test('an agent and a token are refused unredacted text, in words', async () => {
  const given = { chatIds: [DEADLOCK], format: 'markdown', redact: false }
  const byAgent = await byMcp('export_chats', given)
  assert.equal(byAgent.code, 'FORBIDDEN')
  assert.match(String(byAgent.message), /Unredacted text goes to its owner only/)
  const { status, json } = await served.ask('/api/v1/export_chats', {
    method: 'POST',
    body: given,
    as: 'program',
  })
  assert.equal(status, 403)
  assert.match(JSON.stringify(json), /owner only/)
})
