import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type Bench, bench, say } from '../recall/test-kit.ts'
import { readerFor } from '../service/reader.ts'
import { serviceAt } from '../service/test-service.ts'
import { complete } from './complete.ts'
import { type Backend, listResources, readResource } from './resources.ts'

const SHARED = 'bbbb0000-0000-4000-8000-000000000001'
let at: Bench
let desk: Backend

before(async () => {
  at = bench()
  const long = Array.from({ length: 30 }, (_, i) => say(i, `${i} ${'of codex '.repeat(60)}`))
  await at.write({ id: SHARED, source: 'codex' }, long, '/codex/1')
  await at.write({ id: SHARED, source: 'claude-code' }, [say(0, 'said to claude')], '/claude/1')
  await at.write({ id: 'codex:odd', source: 'claude-code' }, [say(0, 'a colon')], '/claude/2')
  await at.write({ id: 'alone-1', source: 'claude-code' }, [say(0, 'alone')], '/claude/3')
  const reader = readerFor(serviceAt(at), { kind: 'agent', budget: 10_000 })
  desk = { reader, env: {}, room: 10_000 }
})
after(() => at.close())

const read = async (uri: string) => ((await readResource(desk, uri)).contents[0] as { text: string }).text

test('every chat that is listed has an address of its own, under which it is read', async () => {
  const { resources } = await listResources(desk.reader, undefined)
  const chats = resources.filter(({ uri }) => uri.startsWith('context://sessions/'))
  assert.equal(new Set(chats.map(({ uri }) => uri)).size, 4)
  assert.ok(chats.some(({ uri }) => uri === 'context://sessions/alone-1'))
  for (const { uri, name } of chats) {
    const source = name.slice(0, name.indexOf(':'))
    assert.equal(JSON.parse(await read(uri)).id, name.slice(source.length + 1), name)
    assert.ok((await read(`${uri}.md`)).includes(` · ${source} · `), name)
  }
})

test('an id that two assistants gave is completed with each of them', async () => {
  const ref = { type: 'ref/resource' as const, uri: 'context://sessions/{sessionId}' }
  const { completion } = await complete(desk.reader, { ref, argument: { name: 'sessionId', value: 'bbbb' } })
  assert.deepEqual(completion.values.toSorted(), [`claude-code:${SHARED}`, `codex:${SHARED}`])
})

test('the next page of a chat is of that chat, whoever else has its id', async () => {
  const first = JSON.parse(await read(`context://sessions/codex:${SHARED}`))
  const second = JSON.parse(await read(first.leftOut.next))
  assert.equal(second.from, first.requests.length + 1)
  assert.match(second.requests[0].userMessage, /of codex/)
})

test('an assistant is named as people write it, and one that is not there is said to be none', async () => {
  const idsOf = async (uri: string) =>
    JSON.parse(await read(uri)).sessions.map(({ source }: { source: string }) => source)
  assert.deepEqual(await idsOf('context://sessions?source=Codex'), ['codex'])
  assert.deepEqual(await idsOf('context://sessions?source=Claude%20Code&limit=2'), [
    'claude-code',
    'claude-code',
  ])
  assert.equal((await idsOf('context://sessions?source=')).length, 4)
  await assert.rejects(read('context://sessions?source=nope'), /no assistant "nope"; there are claude-code/)
})
