import assert from 'node:assert/strict'
import fs from 'node:fs'
import path from 'node:path'
import { after, before, describe, test } from 'node:test'
import { Validator } from '@seriousme/openapi-schema-validator'
import { writes } from '../src/capabilities/capability.ts'
import { capabilities } from '../src/capabilities/index.ts'
import { allRoutes } from '../src/http/routes.ts'
import { type Site, site } from './http-kit.ts'
import { type Answer, claudeFile, claudeLine, sampleMachine, until } from './mcp-kit.ts'

const alex = sampleMachine()
const SECRET = 'ghp_R7kQ2mXw9LtB4vNcE8sY1jHf6UaZ3dPgTo5K'
const LONG = '50000000-0000-4000-8000-000000000001'
let served: Site
let chats: { chatId: string; source: string; title: string; workspace: string }[]

before(async () => {
  const said = (text: string, second: number) =>
    claudeLine(LONG, text, alex.project, new Date(1_780_000_000_000 + second * 1_000))
  const lines = Array.from({ length: 450 }, (_, i) => said(`Message number ${i} about Zebras`, i))
  lines.push(said(`my key is ${SECRET} and ${'many words '.repeat(7_000)}`, 900))
  fs.writeFileSync(claudeFile(alex, LONG), lines.join(''))
  assert.equal((await alex.run(['sync'])).code, 0)
  served = await site(alex)
  chats = (await get('/api/v1/list_chats?limit=100')).chats
})
after(async () => {
  await served?.close()
  alex.remove()
})

/** What it answers, which is also what the document says that it answers. */
async function get(at: string, status = 200): Promise<Answer> {
  return await checked('get', at, undefined, status)
}

async function post(at: string, body: unknown, status = 200): Promise<Answer> {
  return await checked('post', at, body, status)
}

const routes = allRoutes(capabilities, alex.archive)
const asked = new Set<string>()

async function checked(method: string, at: string, body: unknown, status: number): Promise<Answer> {
  const answer = await served.ask(at, { method: method.toUpperCase(), ...(body !== undefined && { body }) })
  assert.equal(answer.status, status, `${method} ${at}: ${answer.text.slice(0, 500)}`)
  const [wanted = ''] = at.split('?')
  const found = routes.find(
    (route) =>
      route.method === method && new RegExp(`^${route.path.replaceAll(/\{\w+\}/g, '[^/]+')}$`).test(wanted),
  )
  assert.ok(found, `${method} ${at} is a route`)
  asked.add(`${method} ${found.path}`)
  if (status === 200) found.answer?.parse(answer.json)
  return answer.json
}

describe('the archive', () => {
  test('overview: what there is, by assistant and by project', async () => {
    await until('in step', async () => (await get('/api/v1/overview')).sync.state === 'in step')
    const overview = await get('/api/v1/overview')
    assert.equal(overview.sample, false)
    assert.equal(overview.archive.chats, 14)
    const claude = overview.sources.find((each: { source: string }) => each.source === 'claude-code')
    assert.deepEqual([claude.name, claude.chats], ['Claude Code', 7])
    assert.ok(overview.workspaces.some((each: { path: string }) => each.path === '/home/alex/shop'))
    assert.match(overview.version, /^\d+\.\d+\.\d+/)
    assert.equal(typeof overview.agent.ready, 'boolean')
    const { workspaces, origins, ...rest } = overview
    assert.deepEqual(await get('/api/v1/places'), { workspaces, origins })
    const none = { workspaces: [], origins: { repository: [], author: [], machine: [] } }
    assert.deepEqual(await get('/api/v1/overview?places=false'), { ...rest, ...none })
    assert.ok(Object.values(await get('/api/v1/states')).every((chats) => Number(chats) > 0))
  })

  test('sources: where was looked, and what stands in the way', async () => {
    fs.writeFileSync(path.join(alex.home, '.codex'), 'not a folder')
    const { sources } = await get('/api/v1/sources')
    const of = (id: string) => sources.find((each: { source: string }) => each.source === id)
    assert.deepEqual(of('claude-code').found, [path.join(alex.home, '.claude', 'projects')])
    assert.deepEqual(of('aider').problems, [])
    assert.equal(of('codex').problems.length, of('codex').unreadable.length)
    assert.match(of('codex').problems[0].problem, /\.codex.* cannot be read/)
    const listed = JSON.parse((await alex.run(['sources', '--json'])).out).sources
    assert.deepEqual(sources, listed, 'as the command says')
    fs.rmSync(path.join(alex.home, '.codex'))
  })
})

describe('capabilities', () => {
  test('each is there, by POST and, unless it writes, by GET', async () => {
    for (const capability of capabilities) {
      const { name } = capability
      const methods = routes.filter((route) => route.path === `/api/v1/${name}`).map((route) => route.method)
      assert.deepEqual(methods.sort(), writes(capability) ? ['post'] : ['get', 'post'], name)
    }
  })

  test('search by GET and by POST is the same', async () => {
    const given = await get(
      '/api/v1/search_conversations?query=deadlock&query=ShareLock&limit=2&include_tools_in_search=false&role_filter=user',
    )
    const sent = await post('/api/v1/search_conversations', {
      query: ['deadlock', 'ShareLock'],
      limit: 2,
      include_tools_in_search: false,
      role_filter: ['user'],
    })
    assert.match(given.results[0].title, /Deadlock/)
    assert.deepEqual(given, sent)
    const window = encodeURIComponent(JSON.stringify({ start: '2026-06-01', end: '2026-06-30' }))
    const narrow = await get(`/api/v1/search_conversations?query=42&time_window=${window}`)
    assert.equal(narrow.status, 'ok')
  })

  test('chats are gathered, listed, resolved, counted and looked through', async () => {
    const { chatId } = chats.find(({ title }) => /Deadlock/.test(title))!
    const gathered = await get(`/api/v1/gather_chats?chatIds=${chatId}&max_chars=5000`)
    assert.equal(gathered.chat.id, chatId)
    assert.equal(
      (await get(`/api/v1/resolve_ids?chatIdPrefix=${chatId.slice(0, 6)}`)).chats[0].chatId,
      chatId,
    )
    const { evidence } = await post('/api/v1/collect_evidence', { chatIds: [chatId] })
    assert.ok(evidence.some(({ kind, value }: Answer) => kind === 'file' && /\.ts$/.test(value)))
    const { totals, groups } = await get('/api/v1/usage_metrics?group_by=model')
    const answers = groups.reduce((sum: number, group: Answer) => sum + group.answers, 0)
    assert.deepEqual([answers, groups.length > 1], [totals.answers, true])
    const exported = await post('/api/v1/export_chats', { chatIds: [chatId], format: 'json' })
    assert.equal(exported.chats, 1)
    assert.match((await get(`/api/v1/get_first_request?sessionId=${chatId}`)).firstRequest, /./)
    assert.equal((await get(`/api/v1/get_request?sessionId=${chatId}&index=1`)).index, 1)
    assert.ok((await get(`/api/v1/list_requests?sessionId=${chatId}`)).requests.length > 0)
  })

  test('the secretary’s refusals are the contract’s texts with a fitting status', async () => {
    assert.deepEqual(await get('/api/v1/get_request?sessionId=nothing&index=1', 404), {
      success: false,
      error: 'Session not found: nothing',
    })
    assert.equal(
      (await get(`/api/v1/get_request?sessionId=${LONG}`, 400)).error,
      'Index parameter is required',
    )
    assert.equal(
      (await get(`/api/v1/get_request?sessionId=${LONG}&index=0`, 400)).error,
      'Index must be 1 or greater',
    )
  })

  test('unknown and ambiguous ids', async () => {
    const unknown = await post('/api/v1/gather_chats', { chatIds: ['nothing'] }, 404)
    assert.equal(unknown.error.code, 'SESSION_NOT_FOUND')
    for (const end of ['2', '3'])
      fs.writeFileSync(
        claudeFile(alex, `60000000-0000-4000-8000-00000000000${end}`),
        claudeLine(`60000000-0000-4000-8000-00000000000${end}`, 'twin', alex.project),
      )
    let twins: Answer
    await until('both are read', async () => {
      twins = await served.ask('/api/v1/chats/60000000')
      return twins.status === 409
    })
    assert.equal(twins.json.error.code, 'AMBIGUOUS_ID')
    assert.equal(twins.json.error.candidates.length, 2)
  })
})

describe('reading a chat', () => {
  const at = `/api/v1/chats/claude-code:${LONG}`

  test('what stands before its messages', async () => {
    const { chat, relatives, requests, sizes } = await get(at)
    assert.equal(chat.id, LONG)
    assert.equal(chat.sourceName, 'Claude Code')
    assert.equal(chat.messageCount, 451)
    assert.deepEqual(chat.filePaths, [claudeFile(alex, LONG)])
    assert.match(chat.resume, /claude --resume/)
    assert.deepEqual(relatives, { subagents: [], forks: [] })
    assert.equal(requests.length, 451)
    assert.deepEqual(
      [requests[7].n, requests[7].index, requests[7].preview],
      [8, 7, 'Message number 7 about Zebras'],
    )
    assert.equal(sizes.length, 451)
    assert.ok(sizes[450] > 70_000)
  })

  test('a page of messages, at most 200, secrets redacted and long texts cut', async () => {
    const first = await get(`${at}/messages`)
    assert.equal(first.total, 451)
    assert.deepEqual([first.messages.length, first.messages[99].index], [100, 99])
    assert.equal((await get(`${at}/messages?from=0&to=450`)).messages.length, 200)
    assert.deepEqual((await get(`${at}/messages?from=5000`)).messages, [])
    const { messages } = await get(`${at}/messages?from=449&to=450`)
    assert.equal(messages[0].cut, undefined)
    assert.equal(messages[1].cut, true)
    assert.equal(messages[1].text.length, 60_000)
    assert.match(messages[1].text, /my key is \[redacted/)
    const { message } = await get(`${at}/messages/450`)
    assert.ok(message.text.length > 70_000)
    assert.ok(!message.text.includes(SECRET))
    assert.ok((await get(`${at}/messages/450?reveal=1`)).message.text.includes(SECRET))
    assert.equal((await get(`${at}/messages/451`, 404)).error.code, 'MESSAGE_NOT_FOUND')
    await get(`${at}/messages?from=-1`, 400)
    await get(`${at}/messages?from=x`, 400)
    for (const none of ['x', '%20', '-1', '1.5']) await get(`${at}/messages/${none}`, 400)
  })

  test('words are found letter for letter, but a secret cannot be guessed at', async () => {
    const { hits } = await get(`${at}/find?q=number%2044%20ABOUT`)
    assert.deepEqual(hits, [{ index: 44, count: 1 }])
    assert.equal((await get(`${at}/find?q=zebras`)).hits.length, 450)
    assert.deepEqual((await get(`${at}/find?q=${SECRET.slice(0, 8)}`)).hits, [])
    assert.deepEqual((await get(`${at}/find?q=${SECRET.slice(0, 8)}&reveal=1`)).hits, [
      { index: 450, count: 1 },
    ])
    assert.deepEqual((await get(`${at}/find?q=.*`)).hits, [], 'no pattern')
    await get(`${at}/find?q=`, 400)
  })

  test('what tools were asked and answered is found too, and relatives are named', async () => {
    const deadlock = chats.find(({ title }) => /Deadlock/.test(title))!
    const found = await get(`/api/v1/chats/${deadlock.source}:${deadlock.chatId}/find?q=ShareLock`)
    assert.ok(found.hits.length > 0)
    for (const { source, chatId } of chats) await get(`/api/v1/chats/${source}:${chatId}`)
  })

  test('download: one chat or several, in each format, as a file', async () => {
    const one = await served.ask(`/api/v1/export?chat=claude-code:${LONG}&format=markdown`, { as: 'program' })
    asked.add('get /api/v1/export')
    assert.equal(one.status, 200)
    assert.equal(one.headers['content-disposition'], `attachment; filename="recollect-${LONG}.md"`)
    assert.match(one.text, /Message number 449/)
    assert.ok(!one.text.includes(SECRET))
    for (const [format, type] of [
      ['html', 'text/html'],
      ['json', 'application/json'],
      ['jsonl', 'application/x-ndjson'],
      ['finetune-openai', 'application/x-ndjson'],
    ]) {
      const { headers } = await served.ask(
        `/api/v1/export?chat=${LONG}&chat=${chats[2]!.chatId}&format=${format}`,
      )
      assert.equal(headers['content-type'], `${type}; charset=utf-8`)
      assert.match(String(headers['content-disposition']), /recollect-2-chats\.\w+"$/)
    }
    assert.equal((await served.ask('/api/v1/export?chat=nothing')).status, 404)
    // A file with one chat less than was asked for would say nothing of it.
    assert.equal((await served.ask(`/api/v1/export?chat=${LONG}&chat=nothing`)).status, 404)
    assert.equal((await served.ask('/api/v1/export')).status, 400)
  })
})

describe('context.md', () => {
  test('is read, saved, and not written over where somebody else was faster', async () => {
    const at = `/api/v1/context?workspace=${encodeURIComponent(alex.project)}`
    const none = await get(at)
    assert.deepEqual([none.exists, none.content, none.etag, none.entries], [false, '', '', []])
    const save = async (content: string, etag: string) =>
      await served.ask('/api/v1/context', { method: 'PUT', body: { workspace: alex.project, content, etag } })
    asked.add('put /api/v1/context')
    const first = await save('# Notes\n', '')
    assert.equal(first.status, 200)
    assert.equal(fs.readFileSync(path.join(alex.project, 'context.md'), 'utf8'), '# Notes\n')
    const appended = await post('/api/v1/append_context', {
      workspace: alex.project,
      content: 'Done.',
      title: 'Work',
    })
    assert.equal(appended.success, true)
    const late = await save('# Mine\n', first.json.etag)
    assert.equal(late.status, 409)
    assert.equal(late.json.error.code, 'CONFLICT')
    assert.match(late.json.error.current.content, /# Notes[\s\S]*Done\./)
    const now = await get(at)
    assert.equal(now.etag, late.json.error.current.etag)
    assert.equal(now.entries[0].title, 'Work')
    assert.equal((await save(`${now.content}\nMore\n`, now.etag)).status, 200)
    assert.equal((await save('again', '')).status, 409, 'it is there already')
  })

  test('only of folders that chats were about, or that the server works in', async () => {
    const elsewhere = await get('/api/v1/context?workspace=%2Fetc', 404)
    assert.equal(elsewhere.error.code, 'WORKSPACE_NOT_FOUND')
    const own = path.join(fs.realpathSync(alex.project), 'context.md')
    assert.equal(
      path.join(fs.realpathSync(path.dirname((await get('/api/v1/context')).path)), 'context.md'),
      own,
    )
    assert.equal((await get('/api/v1/context?workspace=/home/alex/shop')).exists, false)
  })

  test('a token reads it without secrets', async () => {
    fs.writeFileSync(path.join(alex.project, 'context.md'), `token: ${SECRET}\n`)
    const read = async (as: 'page' | 'program') => (await served.ask('/api/v1/context', { as })).json.content
    assert.match(await read('program'), /redacted/)
    assert.match(await read('page'), new RegExp(SECRET))
  })
})

describe('the owner', () => {
  test('makes, lists and revokes tokens', async () => {
    const made = await post('/api/v1/tokens', { name: 'phone', days: 3 })
    assert.match(made.token, /^rcl_/)
    assert.equal((await post('/api/v1/tokens', { name: 'phone' }, 409)).error.code, 'TOKEN_EXISTS')
    await post('/api/v1/tokens', { name: '' }, 400)
    const { tokens } = await get('/api/v1/tokens')
    const listed = tokens.find((each: { name: string }) => each.name === 'phone')
    assert.deepEqual(Object.keys(listed).sort(), ['createdAt', 'expiresAt', 'id', 'name', 'scopes'])
    const as = { as: 'nobody', headers: { authorization: `Bearer ${made.token}` } } as const
    assert.equal((await served.ask('/api/v1/overview', as)).status, 200)
    assert.equal(
      (await checked('delete', `/api/v1/tokens/${listed.id}`, undefined, 200)).revoked.name,
      'phone',
    )
    assert.equal((await served.ask('/api/v1/overview', as)).status, 401)
    assert.equal(
      (await checked('delete', '/api/v1/tokens/nothing', undefined, 404)).error.code,
      'TOKEN_NOT_FOUND',
    )
  })

  test('changes settings, which hold at once and are private', async () => {
    const { settings, path: file, missingHomes } = await get('/api/v1/settings')
    assert.deepEqual([settings, missingHomes], [{ sources: {}, homes: [] }, []])
    const change = async (body: unknown, status: number) =>
      await checked('put', '/api/v1/settings', body, status)
    assert.deepEqual((await change({ sources: { aider: false } }, 200)).settings.sources, { aider: false })
    if (process.platform !== 'win32') assert.equal(fs.statSync(file).mode & 0o777, 0o600)
    const { sources } = await get('/api/v1/sources')
    assert.equal(sources.find((each: { source: string }) => each.source === 'aider').on, false)
    assert.match((await change({ sources: { nobody: false } }, 400)).error.message, /not known/)
    assert.equal((await change({ source: {} }, 400)).error.code, 'INVALID_INPUT')
    assert.deepEqual((await change({ homes: [alex.home, '/gone'] }, 200)).missingHomes, ['/gone'])
    await change({}, 200)
    await until('in step again', async () => (await get('/api/v1/overview')).sync.state === 'in step')
  })

  test('tells of no hub where none was joined, and shares nothing', async () => {
    assert.deepEqual(await get('/api/v1/hub'), { joined: false, spaces: [] })
    const shop = { space: 'team', share: { workspace: '/home/alex/shop' } }
    for (const at of ['/api/v1/hub/share', '/api/v1/hub/unshare'])
      assert.equal((await post(at, shop, 404)).error.code, 'HUB_NOT_JOINED')
    await post('/api/v1/hub/share', { space: 'team' }, 400)
  })

  test('forgets: counted first, then for good', async () => {
    const before = (await get('/api/v1/overview')).archive.chats
    await post('/api/v1/forget', {}, 400)
    await post('/api/v1/forget', { before: 'yesterday' }, 400)
    const counted = await post('/api/v1/forget', { workspace: '/home/alex/courier', dryRun: true })
    assert.equal(counted.chats, 2)
    assert.equal((await get('/api/v1/overview')).archive.chats, before)
    const gone = await post('/api/v1/forget', { workspace: '/home/alex/courier' })
    assert.deepEqual([gone.chats, gone.messages], [counted.chats, counted.messages])
    assert.equal((await checked('delete', `/api/v1/chats/${LONG}`, undefined, 200)).chats, 1)
    await get(`/api/v1/chats/${LONG}`, 404)
    assert.equal((await post('/api/v1/forget', { before: '2000-01-01' })).chats, 0)
  })

  test('switches to the sample archive and back', async () => {
    assert.deepEqual(await post('/api/v1/sample', { on: true }), { sample: true })
    const shown = await get('/api/v1/overview')
    assert.deepEqual([shown.sample, shown.archive.chats], [true, 13])
    assert.equal((await checked('put', '/api/v1/settings', {}, 409)).error.code, 'SAMPLE_ARCHIVE')
    assert.deepEqual(await post('/api/v1/sample', { on: false }), { sample: false })
    assert.equal((await get('/api/v1/chats/60000000-0000-4000-8000-000000000002')).chat.title, 'twin')
    await post('/api/v1/sample', {}, 400)
  })
})

describe('the document', () => {
  test('is valid OpenAPI, and tells of every route', async () => {
    const document = await get('/openapi.json')
    const { valid, errors } = await new Validator().validate(document)
    assert.ok(valid, JSON.stringify(errors))
    for (const { method, path: at } of routes) assert.ok(document.paths[at]?.[method], `${method} ${at}`)
    assert.ok(document.paths['/mcp'].post)
    const { parameters } = document.paths['/api/v1/chats/{chat}/messages'].get
    assert.deepEqual(
      parameters.map((each: { name: string; in: string }) => `${each.in} ${each.name}`),
      ['path chat', 'query from', 'query to', 'query reveal'],
    )
  })

  test('every route but those of the agent, of live news and of writing capabilities was asked here', () => {
    const elsewhere =
      /\/(live|chat|chat\/.*|sessions.*|approvals.*|questions.*|providers.*|model-settings|citations|models|mcp\/.*|completions|responses.*|runs|spending|facets|searches.*|notes|backups|steps)$/
    const missing = routes
      .filter(({ tag }) => tag !== 'capabilities')
      .map(({ method, path: at }) => `${method} ${at}`)
      .filter((each) => !elsewhere.test(each) && !asked.has(each))
    assert.deepEqual(missing, [])
  })
})
