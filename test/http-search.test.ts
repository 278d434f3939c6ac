import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { backupRoutes } from '../src/http/backup-routes.ts'
import { chatRoutes } from '../src/http/chat-routes.ts'
import { searchRoutes } from '../src/http/search-routes.ts'
import { type Site, site } from './http-kit.ts'
import { type Answer, sampleMachine } from './mcp-kit.ts'

const alex = sampleMachine()
const DEADLOCK = 'b6fb68b8-36d3-4357-8b35-71944dd9ba8f'
let served: Site

before(async () => {
  assert.equal((await alex.run(['sync'])).code, 0)
  served = await site(alex)
})
after(async () => {
  await served?.close()
  alex.remove()
})

/** What it answers, which is also what the document says. */
async function ask(method: string, below: string, body?: unknown, status = 200): Promise<Answer> {
  const at = `/api/v1/${below}`
  const [address = ''] = at.split('?')
  const answer = await served.ask(at, { method: method.toUpperCase(), ...(body !== undefined && { body }) })
  assert.equal(answer.status, status, `${method} ${at}: ${answer.text.slice(0, 500)}`)
  const route = [...searchRoutes, ...backupRoutes, ...chatRoutes].find(
    (each) =>
      each.method === method && new RegExp(`^${each.path.replaceAll(/\{\w+\}/g, '[^/]+')}$`).test(address),
  )
  if (status === 200) route?.answer?.parse(answer.json)
  return answer.json
}

test('words are found in a chat as a search takes them', async () => {
  const found = await ask('get', `chats/${DEADLOCK}/find?q=deadlocks&as=search`)
  assert.ok(found.words.includes('deadlock'), found.words.join())
  assert.ok(found.hits.length > 2)
  assert.deepEqual(
    (await ask('get', `chats/${DEADLOCK}/find?q=deadlocks`)).hits.length < found.hits.length,
    true,
  )
})

test('words are found in a chat as the search took them that led there', async () => {
  const find = async (query: string) => (await ask('get', `chats/${DEADLOCK}/find?as=search&${query}`)).words
  // What begins so, and what means something like it, only where the search was asked for these.
  assert.deepEqual(await find('q=dead'), [])
  assert.ok((await find('q=dead&fuzzy=true')).includes('deadlocks'))
  assert.deepEqual(await find('q=sql'), [])
  assert.ok((await find('q=sql&expand=true')).includes('database'))
})

test('what was said in a part of a chat is listed, a line each', async () => {
  const { steps, all } = await ask('get', `chats/${DEADLOCK}/steps?from=1&to=9`)
  assert.equal(steps.length, all)
  assert.deepEqual(steps[0], { index: 1, preview: steps[0].preview })
  assert.match(steps[0].preview, /^"Waits for ShareLock on transaction"/)
  assert.ok(steps.every(({ index }: Answer) => index <= 9))
  await ask('get', 'chats/nothing/steps?from=0&to=1', undefined, 404)
})

test('a search says by what it can be narrowed, and takes several of each', async () => {
  const facets = await ask('post', 'facets', { query: 'deadlock' })
  const counts = facets.source.map(({ value, chats }: Answer) => `${value} ${chats}`)
  assert.ok(counts.includes('claude-code 1') && counts.includes('copilot-cli 1'), counts.join())
  const both = await ask('post', 'search_conversations', {
    query: 'deadlock',
    source: ['claude-code', 'Copilot CLI'],
  })
  assert.equal(both.totalFound, 2)
  const byDate = await ask('post', 'search_conversations', { query: 'stock', sort: 'date', limit_chats: 2 })
  assert.ok(byDate.results[0].updatedAt >= byDate.results[1].updatedAt)
  assert.equal(byDate.nextCursor, 'chats.2')
})

test('a chat is starred by its owner, and found by that', async () => {
  const starred = await ask('put', `chats/${DEADLOCK}/notes`, { pinned: true })
  assert.deepEqual([starred.pinned, starred.archived], [true, false])
  const list = await ask('get', 'list_chats?starred=true')
  assert.deepEqual(
    list.chats.map(({ chatId, pinned }: Answer) => [chatId, pinned]),
    [[DEADLOCK, true]],
  )
  assert.equal((await ask('get', `chats/${DEADLOCK}`)).chat.pinned, true)
  assert.equal((await ask('get', 'search_conversations?query=deadlock&starred=true')).totalFound, 1)
  const cli = await alex.run(['list', '--starred'])
  assert.match(cli.out, /★ b6fb68b8\S*\s+Deadlock between checkout/)
  assert.match((await alex.run(['star', 'b6fb68b8', '--remove'])).out, /^☆ Deadlock/)
  assert.deepEqual((await ask('get', 'list_chats?starred=true')).chats, [])
  await ask('put', 'chats/nothing/notes', { pinned: true }, 404)
})

test('a search is saved, run again in the terminal, and removed', async () => {
  const { input } = await ask('put', 'searches', {
    name: ' My  locks ',
    input: { query: 'deadlock', source: ['claude-code'], cursor: 'chats.9' },
  })
  assert.deepEqual(input, { query: 'deadlock', source: ['claude-code'] }, 'not where it went on')
  assert.equal((await ask('get', 'searches')).searches[0].name, 'My locks')
  assert.match((await alex.run(['searches'])).out, /^My locks {2}deadlock source: \["claude-code"\]/)
  const again = await alex.run(['search', '--saved', 'my locks', '--json'])
  assert.deepEqual(JSON.parse(again.out).topChatIds, [DEADLOCK])
  const saved = await alex.run(['search', 'stock', '--starred', '--save', 'Stars'])
  assert.match(saved.err, /recollect search --saved Stars/)
  assert.deepEqual(
    (await ask('get', 'searches')).searches.map(({ name }: Answer) => name),
    ['My locks', 'Stars'],
  )
  assert.equal((await alex.run(['searches', '--remove', 'Stars'])).code, 0)
  const unknown = await alex.run(['search', '--saved', 'Stars'])
  assert.match(unknown.err, /no saved search "Stars"[\s\S]*"My locks"/)
  await ask('delete', 'searches/My%20locks', undefined, 200)
  await ask('delete', 'searches/My%20locks', undefined, 404)
  await ask('put', 'searches', { name: ' ', input: {} }, 400)
})

test('a backup is made, and listed as the command lists it', async () => {
  const before = await ask('get', 'backups')
  assert.deepEqual([before.backups, before.bytes], [[], 0])
  // Whoever asks while one is being made gets that one.
  const [made, same] = await Promise.all([ask('post', 'backups', {}), ask('post', 'backups', {})])
  assert.deepEqual(same, made)
  assert.ok(made.addedBytes > 0 && made.file.startsWith(before.folder))
  const { backups, bytes } = await ask('get', 'backups')
  assert.deepEqual([backups.length, backups[0].name, backups[0].kind], [1, made.name, 'backup'])
  assert.equal(bytes, made.addedBytes)
  const listed = JSON.parse((await alex.run(['restore', '--list', '--json'])).out).backups
  assert.equal(listed[0].file, made.file, 'the command restores it')
  await ask('post', 'sample', { on: true })
  assert.equal((await ask('post', 'backups', {}, 409)).error.code, 'SAMPLE_ARCHIVE')
  await ask('post', 'sample', { on: false })
})

test('a program may see saved searches, and change nothing', async () => {
  assert.equal((await served.ask('/api/v1/searches', { as: 'program' })).status, 200)
  const tries: [string, string, unknown][] = [
    ['PUT', 'searches', { name: 'x', input: {} }],
    ['DELETE', 'searches/x', undefined],
    ['GET', 'backups', undefined],
    ['POST', 'backups', {}],
    ['PUT', `chats/${DEADLOCK}/notes`, { pinned: false }],
  ]
  for (const [method, below, body] of tries) {
    const answer = await served.ask(`/api/v1/${below}`, {
      method,
      as: 'program',
      ...(body !== undefined && { body }),
    })
    assert.equal(answer.status, 403, below)
  }
})
