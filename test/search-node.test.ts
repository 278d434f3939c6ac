import assert from 'node:assert/strict'
import fs from 'node:fs'
import path from 'node:path'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import type { Lease, RemoteChat } from '../src/archive/archive.ts'
import { openSqliteArchive } from '../src/archive/sqlite/index.ts'
import { keepHub } from '../src/hub/settings.ts'
import { createToken, revokeToken } from '../src/platform/tokens.ts'
import { type Site, site } from './http-kit.ts'
import { clientOf, ERAS, sampleMachine } from './mcp-kit.ts'

const alex = sampleMachine()
let node: Site
let red: string
/** A chat of the other space, and one that was read on the node itself. */
const FOREIGN = { blue: 'f0f0f0f0-1111', local: 'a1a1a1a1-2222' }
/** What must not be told to somebody of the space red, by anything. */
const NEVER = /bluecheese|bob\b|bobs-desk|localcoffee|Memory leak|alex/i

function remote(author: string, machine: string, id: string, words: string): RemoteChat {
  const at = 1_770_000_000_000
  return {
    author,
    machine,
    chat: {
      ...{
        source: 'codex',
        id,
        title: `About ${words}`,
        workspace: `/work/${words}`,
        createdAt: at,
        updatedAt: at + 1,
      },
      repository: `https://git.example/${words}/app`,
    },
    messages: [
      {
        id: `${id}-m1`,
        order: 0,
        role: 'user',
        kind: 'request',
        createdAt: at,
        text: `How to keep ${words} fresh?`,
      },
      {
        ...{
          id: `${id}-m2`,
          order: 1,
          role: 'assistant',
          kind: 'answer',
          createdAt: at + 1,
          model: `model-${words}`,
        },
        ...{
          text: `Wrap the ${words} in paper: https://docs.example/${words}`,
          usage: { input: 5, output: 5 },
        },
      },
    ],
  }
}

before(async () => {
  const archive = openSqliteArchive(alex.archive)
  const sync = (await archive.takeLease('test')) as Lease
  const hub = (await archive.takeLease('test', 'hub')) as Lease
  const page = { kind: 'team' as const, from: 0, to: 1 }
  await archive.applyRemote(
    { ...page, space: 'red', chats: [remote('anna', 'annas-desk', 'abcdef12-0000', 'redwine')] },
    hub,
  )
  await archive.applyRemote(
    { ...page, space: 'blue', chats: [remote('bob', 'bobs-desk', FOREIGN.blue, 'bluecheese')] },
    hub,
  )
  await archive.write(
    [
      {
        ...{
          source: 'codex',
          path: '/local/file.jsonl',
          rank: 0,
          generation: 1,
          begins: true,
          completes: false,
        },
        ...{ problems: [{ reason: 'localcoffee trouble' }] },
        fingerprint: { stamp: '1', inode: 1, size: 1, mtime: 1, head: '', tail: '' },
        chats: [{ source: 'codex', id: FOREIGN.local, workspace: '/work/localcoffee' }],
        messages: [
          {
            chatId: FOREIGN.local,
            message: { id: 'l1', order: 1, role: 'user', kind: 'request', text: 'localcoffee' },
          },
        ],
      },
    ],
    sync,
  )
  await archive.markSynced(sync)
  for (const lease of [sync, hub]) await archive.releaseLease(lease)
  await archive.close()
  fs.writeFileSync(path.join(alex.project, 'context.md'), '# Context of localcoffee\n')
  keepHub(alex.archive, {
    hub: 'nowhere',
    address: { host: '127.0.0.1', port: 1, database: 'x', insecure: true },
    login: { user: 'x' },
    ...{ person: 'node', label: 'node' },
    spaces: ['red', 'blue'].map((name, id) => ({
      ...{ id, name, kind: 'team' as const, sealed: false, answers: false, shares: [] },
    })),
  })
  red = createToken(alex.archive, 'anna', { spaces: ['red'] }).token
  node = await site(alex, { args: ['--hub'] })
})
after(async () => {
  await node.close()
  alex.remove()
})

const bearer = () => ({ authorization: `Bearer ${red}` })

/** The node takes so many requests a second and no more: a quick machine has to wait for it. */
async function patiently<T extends { status: number }>(ask: () => Promise<T>): Promise<T> {
  for (;;) {
    const answer = await ask()
    if (answer.status !== 429) return answer
    await sleep(200)
  }
}

async function asked(at: string, body?: unknown) {
  const answer = await patiently(() =>
    node.ask(at, { as: 'nobody', headers: bearer(), ...(body !== undefined && { method: 'POST', body }) }),
  )
  assert.doesNotMatch(answer.text, NEVER, `${at} ${JSON.stringify(body)}`)
  return answer
}

test('somebody of a space finds and reads what is in it', async () => {
  const { json } = await asked('/api/v1/search_conversations', { query: 'redwine' })
  const [first] = json.results as { chatId: string; author: string }[]
  assert.deepEqual([first?.chatId, first?.author], ['abcdef12-0000@anna', 'anna'])
  const { json: opened } = await asked('/api/v1/chats/abcdef12')
  assert.equal(opened.chat.author, 'anna')
  const { json: overview } = await asked('/api/v1/overview')
  assert.deepEqual([overview.archive.chats, overview.archive.messages, overview.archive.bytes], [1, 2, 0])
  assert.deepEqual(overview.guest, { spaces: ['red'] })
  assert.deepEqual(
    overview.origins.author.map(({ name }: { name: string }) => name),
    ['anna'],
  )
})

test('no address of the interface tells anything of another space or of the machine', async () => {
  const { json: document } = await asked('/openapi.json')
  let walked = 0
  for (const [at, methods] of Object.entries(document.paths as Record<string, Record<string, unknown>>)) {
    for (const chat of ['abcdef12', FOREIGN.blue, FOREIGN.local, 'current', '/local/file.jsonl']) {
      const url = at.replaceAll(/\{\w+\}/g, encodeURIComponent(chat))
      if (url.endsWith('/live')) continue
      walked++
      if ('get' in methods) await asked(url)
      if ('get' in methods) await asked(`${url}?reveal=true&q=bluechees&chat=${chat}&format=json`)
      if ('post' in methods) await asked(url, INPUTS(chat))
    }
  }
  assert.ok(walked > 100, String(walked))
})

/** All that any capability may be asked at once: what it does not take is left out, and said. */
function INPUTS(chat: string) {
  return {
    ...{
      query: 'blue* chees fresh',
      chatIds: [chat],
      sessionId: chat,
      chatIdPrefix: chat.slice(0, 6),
      index: 1,
    },
    ...{
      messageIdPrefix: `${chat}-m`,
      format: 'markdown',
      group_by: 'workspace',
      subagents: true,
      index_: 0,
    },
    ...{ precision_mode: 'fuzzy', expand: 'auto', workspace: 'work', author: 'bo', redact: true },
  }
}

test('no search leads to words of others: not by spelling, meaning, time, expression or filter', async () => {
  for (const given of [
    { query: 'bluchese' },
    { query: 'blue', precision_mode: 'fuzzy', expand: 'auto' },
    { query: 'fresh', expand: 'auto' },
    { regex: 'b.ue|coff.e' },
    { query: 'fresh', author: 'bo' },
    { query: 'fresh', workspace: 'nowhere' },
    { query: 'fresh', repository: 'x/y' },
    { query: 'fresh', source: 'cursor' },
    { query: 'fresh', time_window: '7d' },
  ]) {
    const { json } = await asked('/api/v1/search_conversations', given)
    const foreign = (json.results ?? []).filter(
      ({ chatId }: { chatId: string }) => chatId !== 'abcdef12-0000@anna',
    )
    assert.deepEqual(foreign, [], JSON.stringify(given))
    assert.ok((json.totalFound ?? 0) <= 1)
  }
  const { json } = await asked('/api/v1/usage_metrics', { group_by: 'model' })
  assert.deepEqual(
    [json.totals.messages, json.groups.map(({ key }: { key: string }) => key)],
    [2, ['model-redwine']],
  )
  for (const group_by of ['day', 'tool', 'source', 'workspace', 'chat'])
    assert.equal((await asked('/api/v1/usage_metrics', { group_by })).status, 200, group_by)
})

for (const era of ERAS) {
  test(`no tool, resource, prompt or completion tells anything of another space, ${era}`, async () => {
    const client = clientOf(era, 'claude-code')
    await client.connect(
      new StreamableHTTPClientTransport(new URL('/mcp', node.url), {
        requestInit: { headers: bearer() },
        fetch: (url, init) => patiently(() => fetch(url, init)),
      }),
    )
    const told: string[] = []
    const note = async (work: () => Promise<unknown>) => {
      told.push(JSON.stringify(await work().catch((error: Error) => error.message)))
    }
    const { tools } = await client.listTools()
    assert.ok(!tools.some(({ name }) => name.includes('context')), 'nothing about files of the node')
    for (const { name } of tools)
      for (const chat of ['abcdef12', FOREIGN.blue, FOREIGN.local])
        await note(() => client.callTool({ name, arguments: INPUTS(chat) }))
    for (const text of told) assert.doesNotMatch(text, /Here chats are only read/, 'what is offered works')
    const { resources } = await client.listResources()
    for (const { uri } of resources) assert.ok(await client.readResource({ uri }), 'so does what is listed')
    for (const uri of [
      ...resources.map((resource) => resource.uri),
      ...Object.values(FOREIGN).flatMap((id) => [`context://sessions/${id}`, `context://sessions/${id}.md`]),
      'context://current',
      'context://sessions',
      'context://workspaces',
      'context://searches',
      'context://cli-sessions',
    ])
      await note(() => client.readResource({ uri }))
    await note(() => client.listResourceTemplates())
    await note(() =>
      client.complete({
        ref: { type: 'ref/resource', uri: 'context://sessions/{sessionId}' },
        argument: { name: 'sessionId', value: FOREIGN.blue.slice(0, 4) },
      }),
    )
    const { prompts } = await client.listPrompts()
    for (const { name } of prompts)
      await note(() => client.getPrompt({ name, arguments: { topic: 'bluechees', message_count: '3' } }))
    await client.close()
    assert.ok(told.length > 30 && told.some((text) => text.includes('redwine')))
    for (const text of told) assert.doesNotMatch(text, NEVER)
  })
}

test('a person signs in at the page with their token, and is out when it is revoked', async () => {
  const before = await node.ask('/', { as: 'nobody' })
  assert.equal(before.status, 401)
  assert.match(before.text, /<form method="post" action="\/open">/)
  const form = { 'content-type': 'application/x-www-form-urlencoded' }
  const wrong = await node.ask('/open', {
    as: 'nobody',
    method: 'POST',
    headers: form,
    body: 'token=rcl_nonsense',
  })
  assert.equal(wrong.status, 401)
  // A token for programs of the owner is no way in.
  const own = await node.ask('/open', {
    as: 'nobody',
    method: 'POST',
    headers: form,
    body: `token=${node.token}`,
  })
  assert.equal(own.status, 401)
  const { token, entry } = createToken(alex.archive, 'eve', { spaces: ['red'] })
  const opened = await node.ask('/open', {
    as: 'nobody',
    method: 'POST',
    headers: form,
    body: `token=${token}`,
  })
  assert.equal(opened.status, 303)
  const cookie = String(opened.headers['set-cookie']?.[0]).replace(/;.*/, '')
  const proof = String(opened.headers.location).replace(/^.*#proof=/, '')
  const headers = { cookie, 'x-recollect': proof, 'sec-fetch-site': 'same-origin' }
  const list = await node.ask('/api/v1/list_chats', { as: 'nobody', headers })
  assert.deepEqual(
    list.json.chats.map(({ chatId }: { chatId: string }) => chatId),
    ['abcdef12-0000@anna'],
  )
  // Without its proof the cookie is good for nothing, and it is no owner's.
  assert.equal((await node.ask('/api/v1/list_chats', { as: 'nobody', headers: { cookie } })).status, 401)
  for (const at of ['/api/v1/tokens', '/api/v1/settings'])
    assert.equal((await node.ask(at, { as: 'nobody', headers })).status, 403, at)
  assert.equal((await node.ask('/mcp', { as: 'nobody', method: 'POST', headers, body: {} })).status, 403)
  revokeToken(alex.archive, entry.id)
  assert.equal((await node.ask('/api/v1/list_chats', { as: 'nobody', headers })).status, 401)
})

test('whoever runs the node makes tokens for people by the names of spaces', async () => {
  const made = await alex.run(['token', 'create', 'carl', '--json', '--space', 'red', 'blue'])
  assert.deepEqual(JSON.parse(made.out).spaces, ['blue', 'red'])
  const wrong = await alex.run(['token', 'create', 'dora', '--space', 'green'])
  assert.match(wrong.err, /There is no space "green" here/)
  const list = await alex.run(['token', 'list'])
  assert.match(list.out, /carl {2}spaces blue, red/)
})
