import assert from 'node:assert/strict'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
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
import { serviceAt } from './test-service.ts'

const SECRET = 'ghp_R7kQ2mXw9LtB4vNcE8sY1jHf6UaZ3dPgTo5K'
const CHATS = 6
const LONG = 400

let at: Bench
let here: Service
const opened: Aside[] = []
const temp = fs.mkdtempSync(path.join(os.tmpdir(), 'recollect-aside-'))

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
  here = serviceAt(at)
})
after(async () => {
  await Promise.all(opened.map((aside) => aside.close()))
  await at.close()
  fs.rmSync(temp, { recursive: true })
})

/** The same service with helpers, which reads no message of a chat itself. */
function beside(plan: Partial<AsidePlan> = {}): Service & { helpers: Aside } {
  const { readable, syncing } = here
  const helpers = asideFor({ folder: () => at.archive.folder(), readable, syncing, ...plan })
  opened.push(helpers)
  const archive = new Proxy(at.archive, {
    get(own, name) {
      const isAllowed = name !== 'messages' && name !== 'usage'
      return isAllowed ? own[name as keyof Archive] : () => assert.fail(`${String(name)} was read here`)
    },
  })
  return { ...here, archive, aside: async () => helpers, helpers }
}

/** For what one service can be asked after the other: a helper takes longer to start than to answer. */
const kept = new Map<boolean, ReturnType<typeof beside>>()
const shared = (isProcess = true) => {
  const service = kept.get(isProcess) ?? beside({ isProcess })
  kept.set(isProcess, service)
  return service
}

/** Asked of a process, as a server has it, and of a thread, as an editor has it. */
function both(name: string, work: (isProcess: boolean) => Promise<void>): void {
  test(`${name} (process)`, () => work(true))
  test(`${name} (thread)`, () => work(false))
}

/** A helper that does this with whatever it is told. */
function doing(work: string): URL {
  const file = path.join(temp, `${fs.readdirSync(temp).length}.mjs`)
  const line = pathToFileURL(path.join(import.meta.dirname, '../platform/beside-line.ts'))
  fs.writeFileSync(file, `import { onTold } from '${line}'; onTold(() => { ${work} })`)
  return pathToFileURL(file)
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

both(
  'what takes long is answered beside as it would be here, for every kind of caller',
  async (isProcess) => {
    const service = shared(isProcess)
    for (const caller of CALLERS)
      for (const [name, given] of LONG_CALLS) {
        const there = await call(service, name, given, caller)
        assert.deepEqual(there, await call(here, name, given, caller), `${name} by ${caller.kind}`)
        assert.ok(there.answer, JSON.stringify(there.failure))
        assert.ok(!JSON.stringify(there).includes(SECRET))
      }
  },
)

/** One that says it had very many chats, each of them long. */
function large(): Service {
  const service = beside()
  const all = ['countChats', 'formats', 'filesOfChats', 'groupChats', 'origins', 'overview', 'workspaces']
  const archive = new Proxy(service.archive, {
    get(own, name) {
      if (name === 'counts') return async () => ({ ...(await own.counts()), chats: 30_000 })
      if (name === 'resolveChat')
        return async (id: string) => ({ ...(await own.resolveChat(id)), messageCount: 2_000 })
      if (all.includes(String(name))) return () => assert.fail(`${String(name)} was asked here`)
      return own[name as keyof Archive]
    },
  })
  return { ...service, archive }
}

test('in an archive of many chats, what looks at all of them or at a long one is read beside', async () => {
  const many = large()
  for (const caller of CALLERS) {
    const [there, own] = [readerFor(many, caller), readerFor(here, caller)]
    assert.deepEqual(await there.states(), await own.states())
    assert.deepEqual(await there.workspaces(), await own.workspaces())
    assert.deepEqual(await there.origins(), await own.origins())
    assert.deepEqual(await there.groups({}, 'source'), await own.groups({}, 'source'))
    assert.deepEqual(plain(await there.sourceReports()), plain(await own.sourceReports()))
    for (const [name, given] of [
      ['get_request', { index: 2, sessionId: 'chat-1' }],
      ['list_requests', { sessionId: 'chat-1' }],
      ['get_first_request', { sessionId: 'chat-1' }],
      ['get_resume_command', { sessionId: 'chat-1' }],
      ['get_resume_command', {}],
    ] as const)
      assert.deepEqual(
        plain(await call(many, name, given, caller)),
        plain(await call(here, name, given, caller)),
        name,
      )
  }
})

test('a long chat is handed over by a helper, and once', async () => {
  const service = large()
  const workspace = fs.mkdtempSync(path.join(temp, 'workspace-'))
  const file = path.join(workspace, 'context.md')
  fs.writeFileSync(file, '# Notes\n')
  const given = { sessionId: 'chat-1', workspace }
  for (const entry of ['added', 'unchanged']) {
    const { answer, failure } = await call(service, 'export_conversation', given, { kind: 'owner' })
    assert.equal(answer?.entry, entry, failure?.message)
  }
  const text = fs.readFileSync(file, 'utf8')
  assert.match(text, /deadlock 1 in pool/)
  assert.ok(!text.includes(SECRET))
})

/** As it is sent. */
const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value))

test('the owner sees secrets where they asked to, and nobody else does', async () => {
  const service = shared()
  const given = { chatIds: ['chat-1'], format: 'json', redact: false }
  const { answer } = await call(service, 'export_chats', given, { kind: 'owner' })
  assert.ok(String(answer?.text).includes(SECRET))
  const { failure } = await call(service, 'export_chats', given, { kind: 'agent' })
  assert.equal(failure?.code, 'FORBIDDEN')
})

both('failures are those of a call here', async (isProcess) => {
  const service = shared(isProcess)
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

test('short work stays here: no helper is started for it', async () => {
  const service = beside()
  for (const [name, given] of [
    ['search_conversations', { query: 'deadlock' }],
    ['list_chats', {}],
    ['usage_metrics', {}],
  ] as const)
    await call({ ...service, archive: at.archive }, name, given, { kind: 'owner' })
  assert.equal(service.helpers.helpers(), 0)
})

both('a call that is cancelled is over, and the next one is answered', async (isProcess) => {
  const service = shared(isProcess)
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

both(
  'a call that never ends is ended with its helper, when nobody wants it or its time is up',
  async (isProcess) => {
    // Does not even hear that it is cancelled.
    const code = doing('for (;;);')
    const late = beside({ isProcess, limitMs: 50, code })
    const given = { query: 'deadlock' }
    const { failure } = await call(late, 'collect_evidence', given, { kind: 'agent' })
    assert.equal(failure?.code, 'TOO_LONG')
    assert.ok(failure?.hint)
    assert.equal(late.helpers.helpers(), 0)
    const stop = new AbortController()
    const service = beside({ isProcess, code })
    const going = call(service, 'collect_evidence', given, { kind: 'agent', signal: stop.signal })
    while (service.helpers.helpers() === 0) await sleep(10)
    stop.abort()
    assert.equal((await going).failure?.code, 'CANCELLED')
    assert.equal(service.helpers.helpers(), 0)
  },
)

both('a helper that dies fails its call alone', async (isProcess) => {
  const code = doing("throw new Error('no more')")
  const { failure } = await call(
    beside({ isProcess, code }),
    'collect_evidence',
    { query: 'x' },
    { kind: 'agent' },
  )
  assert.equal(failure?.code, 'UNEXPECTED')
  assert.match(failure?.message ?? '', /no more/)
})

test('more calls than helpers wait for their turn', async () => {
  const service = beside()
  const calls = Array.from({ length: 9 }, (_, n) =>
    call(service, 'gather_chats', { chatIds: ['chat-0', `chat-${1 + (n % 5)}`] }, { kind: 'owner' }),
  )
  for (const { answer } of await Promise.all(calls)) assert.ok(answer)
  assert.ok(service.helpers.helpers() <= 2)
})

both('a helper that nobody needs ends, and is started again', async (isProcess) => {
  const service = beside({ isProcess, keptMs: 50 })
  const given = { query: 'deadlock' }
  await call(service, 'collect_evidence', given, { kind: 'owner' })
  while (service.helpers.helpers() > 0) await sleep(20)
  assert.ok((await call(service, 'collect_evidence', given, { kind: 'owner' })).answer)
})

both('who asked hears how far it has come', async (isProcess) => {
  const chatIds = ['chat-1', 'chat-2', 'chat-3']
  for (const [name, given] of [
    ['export_chats', { chatIds, format: 'jsonl' }],
    ['collect_evidence', { chatIds }],
  ] as const) {
    const heard: [number, number][] = []
    const progress = (done: number, of: number) => void heard.push([done, of])
    await call(shared(isProcess), name, given, { kind: 'owner', progress })
    // The second only where it took its time.
    assert.deepEqual(
      [heard[0], heard.at(-1)],
      [
        [1, 3],
        [3, 3],
      ],
      name,
    )
    assert.deepEqual(
      heard.map(([done]) => done),
      [...new Set(heard.map(([done]) => done))].sort(),
      name,
    )
  }
})

both('a download comes piece by piece from a helper, which outlives a slow reader', async (isProcess) => {
  const service = beside({ isProcess, keptMs: 20 })
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
  while (service.helpers.helpers() > 0) await sleep(20)
  await assert.rejects(
    readerFor(service, { kind: 'owner' }).download({ ...input, chatIds: ['chat-0', 'nowhere'] }),
    (error: RecollectError) => error instanceof RecollectError && error.code === 'SESSION_NOT_FOUND',
  )
})

test('a long chat is read whole and searched beside', async () => {
  const service = shared()
  for (const caller of [CALLERS[0]!, CALLERS[1]!]) {
    const there = readerFor(service, caller)
    const own = readerFor(here, caller)
    assert.deepEqual(await there.whole('chat-0'), await own.whole('chat-0'))
    assert.deepEqual(await there.find('chat-0', 'pool'), await own.find('chat-0', 'pool'))
  }
})

both('the end of the server ends what is asked', async (isProcess) => {
  const service = beside({ isProcess })
  const going = call(service, 'collect_evidence', { query: 'deadlock' }, { kind: 'owner' })
  await service.helpers.close()
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
