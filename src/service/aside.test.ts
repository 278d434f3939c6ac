import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Archive } from '../archive/archive.ts'
import { capabilities } from '../capabilities/index.ts'
import { RecollectError } from '../model/errors.ts'
import { refusalCode } from '../recall/refusal-code.ts'
import { type Bench, bench, say } from '../recall/test-kit.ts'
import { type AsidePlan, asideFor } from './aside.ts'
import type { Aside } from './aside-words.ts'
import type { Caller } from './caller.ts'
import { readerFor } from './reader.ts'
import { call, type Service } from './service.ts'

const SECRET = 'ghp_R7kQ2mXw9LtB4vNcE8sY1jHf6UaZ3dPgTo5K'
const CHATS = 6
const LONG = 400

let at: Bench
let here: Service
const opened: Aside[] = []

before(async () => {
  at = bench()
  for (let chat = 0; chat < CHATS; chat++) {
    const words = (n: number) =>
      `deadlock ${chat % 2} in pool ${n}, see https://example.com/${chat}/${n % 7} and ${SECRET}`
    const length = chat === 0 ? LONG : 20
    await at.write(
      { id: `chat-${chat}` },
      Array.from({ length }, (_, n) => say(n, words(n))),
    )
  }
  const { archive, machine, sources } = at
  here = {
    archive,
    env: {},
    readable: async () => ({ machine, sources }),
    capabilities: async () => capabilities,
    syncing: () => undefined,
  }
})
after(async () => {
  await Promise.all(opened.map((aside) => aside.close()))
  await at.close()
})

/** The same service with threads, which reads no message of a chat itself. */
function beside(plan: Partial<AsidePlan> = {}): Service & { threads: Aside } {
  const { readable, syncing } = here
  const threads = asideFor({ folder: () => at.archive.folder(), readable, syncing, ...plan })
  opened.push(threads)
  const archive = new Proxy(at.archive, {
    get(own, name) {
      const isAllowed = name !== 'messages' && name !== 'usage'
      return isAllowed ? own[name as keyof Archive] : () => assert.fail(`${String(name)} was read here`)
    },
  })
  return { ...here, archive, aside: async () => threads, threads }
}

/** For what one service can be asked after the other: a thread takes longer to start than to answer. */
let kept: ReturnType<typeof beside> | undefined
const shared = () => {
  kept ??= beside()
  return kept
}

const LONG_CALLS: [string, Record<string, unknown>][] = [
  ['collect_evidence', { query: 'deadlock' }],
  ['gather_chats', { chatIds: ['chat-1', 'chat-2', 'nowhere'] }],
  ['gather_chats', { chatIds: ['chat-0'] }],
  ['export_chats', { chatIds: ['chat-0', 'chat-3'], format: 'markdown' }],
  ['search_conversations', { regex: 'pool 1\\d,' }],
]
const CALLERS: Caller[] = [
  { kind: 'owner' },
  { kind: 'agent', budget: 9_000 },
  { kind: 'agent', budget: 3_000, inBytes: true },
  { kind: 'program', scopes: ['read'] },
]

test('what takes long is answered by a thread as it would be here, for every kind of caller', async () => {
  const service = shared()
  for (const caller of CALLERS)
    for (const [name, given] of LONG_CALLS) {
      const there = await call(service, name, given, caller)
      assert.deepEqual(there, await call(here, name, given, caller), `${name} by ${caller.kind}`)
      assert.ok(there.answer, JSON.stringify(there.failure))
      assert.ok(!JSON.stringify(there).includes(SECRET))
    }
})

test('the owner sees secrets where they asked to, and nobody else does', async () => {
  const service = shared()
  const given = { chatIds: ['chat-1'], format: 'json', redact: false }
  const { answer } = await call(service, 'export_chats', given, { kind: 'owner' })
  assert.ok(String(answer?.text).includes(SECRET))
  const { failure } = await call(service, 'export_chats', given, { kind: 'agent' })
  assert.equal(failure?.code, 'FORBIDDEN')
})

test('failures are those of a call here', async () => {
  const service = shared()
  for (const [name, given] of [
    ['gather_chats', { chatIds: ['nowhere', 'nobody'] }],
    ['export_chats', { chatIds: ['nowhere'], format: 'markdown' }],
    ['search_conversations', { regex: '(' }],
    ['collect_evidence', { kinds: ['wishes'] }],
  ] as const)
    for (const caller of CALLERS) {
      const there = await call(service, name, given, caller)
      assert.ok(there.failure)
      assert.deepEqual(there, await call(here, name, given, caller))
    }
})

test('a refusal of the secretary keeps its code', async () => {
  const service = shared()
  const long = capabilities.map((each) =>
    each.name === 'get_request' ? { ...each, long: () => 'waits' as const } : each,
  )
  const { answer } = await call(
    { ...service, capabilities: async () => long },
    'get_request',
    { index: 0, sessionId: 'chat-1' },
    { kind: 'owner' },
  )
  assert.equal(answer?.success, false)
  assert.ok(refusalCode(answer ?? {}))
})

test('short work stays here: no thread is started for it', async () => {
  const service = beside()
  for (const [name, given] of [
    ['search_conversations', { query: 'deadlock' }],
    ['list_chats', {}],
    ['usage_metrics', {}],
  ] as const)
    await call({ ...service, archive: at.archive }, name, given, { kind: 'owner' })
  assert.equal(service.threads.threads(), 0)
})

test('a call that is cancelled is over, and the next one is answered', async () => {
  const service = shared()
  const stop = new AbortController()
  const given = { query: 'deadlock' }
  const calls = Array.from({ length: 5 }, () =>
    call(service, 'collect_evidence', given, { kind: 'owner', signal: stop.signal }),
  )
  stop.abort()
  for (const { failure } of await Promise.all(calls)) assert.equal(failure?.code, 'CANCELLED')
  const { answer } = await call(service, 'collect_evidence', given, { kind: 'owner' })
  assert.ok(answer)
})

test('a call that never ends is ended with its thread, when nobody wants it or its time is up', async () => {
  // Does not even hear that it is cancelled.
  const code = new URL(
    "data:text/javascript,import { parentPort } from 'node:worker_threads'; parentPort.on('message', () => { for (;;); })",
  )
  const late = beside({ limitMs: 50, code })
  const given = { query: 'deadlock' }
  const { failure } = await call(late, 'collect_evidence', given, { kind: 'agent' })
  assert.equal(failure?.code, 'TOO_LONG')
  assert.ok(failure?.hint)
  assert.equal(late.threads.threads(), 0)
  const stop = new AbortController()
  const service = beside({ code })
  const going = call(service, 'collect_evidence', given, { kind: 'agent', signal: stop.signal })
  while (service.threads.threads() === 0) await sleep(10)
  stop.abort()
  assert.equal((await going).failure?.code, 'CANCELLED')
  assert.equal(service.threads.threads(), 0)
})

test('a thread that dies fails its call alone', async () => {
  const code = new URL(
    "data:text/javascript,import { parentPort } from 'node:worker_threads'; parentPort.on('message', () => { throw new Error('no more') })",
  )
  const { failure } = await call(beside({ code }), 'collect_evidence', { query: 'x' }, { kind: 'agent' })
  assert.equal(failure?.code, 'UNEXPECTED')
  assert.match(failure?.message ?? '', /no more/)
})

test('more calls than threads wait for their turn', async () => {
  const service = beside()
  const calls = Array.from({ length: 9 }, (_, n) =>
    call(service, 'gather_chats', { chatIds: ['chat-0', `chat-${1 + (n % 5)}`] }, { kind: 'owner' }),
  )
  for (const { answer } of await Promise.all(calls)) assert.ok(answer)
  assert.ok(service.threads.threads() <= 2)
})

test('a thread that nobody needs ends, and is started again', async () => {
  const service = beside({ keptMs: 50 })
  const given = { query: 'deadlock' }
  await call(service, 'collect_evidence', given, { kind: 'owner' })
  while (service.threads.threads() > 0) await sleep(20)
  assert.ok((await call(service, 'collect_evidence', given, { kind: 'owner' })).answer)
})

test('who asked hears how far it has come', async () => {
  const heard: [number, number][] = []
  const progress = (done: number, of: number) => void heard.push([done, of])
  const given = { chatIds: ['chat-1', 'chat-2', 'chat-3'], format: 'jsonl' }
  await call(shared(), 'export_chats', given, { kind: 'owner', progress })
  assert.deepEqual(heard, [
    [1, 3],
    [2, 3],
    [3, 3],
  ])
})

test('a download comes piece by piece from a thread, which outlives a slow reader', async () => {
  const service = beside({ keptMs: 20 })
  const input = { chatIds: ['chat-0', 'chat-1'], format: 'markdown' as const }
  const text = async (of: Service, isSlow = false) => {
    const { pieces } = await readerFor(of, { kind: 'owner' }).download(input)
    let all = ''
    for await (const piece of pieces) {
      if (isSlow && all.length < 500) await sleep(60)
      all += piece
    }
    return all
  }
  assert.equal(await text(service, true), await text(here))
  const { pieces } = await readerFor(service, { kind: 'owner' }).download(input)
  await pieces.next()
  await pieces.return(undefined)
  while (service.threads.threads() > 0) await sleep(20)
  const unknown = await readerFor(service, { kind: 'owner' }).download({ ...input, chatIds: ['nowhere'] })
  await assert.rejects(
    async () => {
      for await (const _ of unknown.pieces);
    },
    (error: RecollectError) => error instanceof RecollectError && error.code === 'SESSION_NOT_FOUND',
  )
})

test('a long chat is read whole and searched by a thread', async () => {
  const service = shared()
  for (const caller of [CALLERS[0]!, CALLERS[1]!]) {
    const there = readerFor(service, caller)
    const own = readerFor(here, caller)
    assert.deepEqual(await there.whole('chat-0'), await own.whole('chat-0'))
    assert.deepEqual(await there.find('chat-0', 'pool'), await own.find('chat-0', 'pool'))
  }
})

test('the end of the server ends what is asked', async () => {
  const service = beside()
  const going = call(service, 'collect_evidence', { query: 'deadlock' }, { kind: 'owner' })
  await service.threads.close()
  const { failure } = await going
  assert.ok(failure === undefined || failure.code === 'CANCELLED')
  const { failure: refused } = await call(
    service,
    'collect_evidence',
    { query: 'deadlock' },
    { kind: 'owner' },
  )
  assert.equal(refused?.code, 'CANCELLED')
})
