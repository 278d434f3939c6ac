import assert from 'node:assert/strict'
import fs from 'node:fs'
import path from 'node:path'
import { after, before, test } from 'node:test'
import { ACTS, actsOf, type Capability } from '../capabilities/capability.ts'
import { allCapabilities } from '../capabilities/index.ts'
import { SCOPES } from '../platform/scopes.ts'
import { type Bench, bench, say } from '../recall/test-kit.ts'
import type { Caller } from './caller.ts'
import { QUOTED } from './quote.ts'
import { may } from './rights.ts'
import { call, type Service } from './service.ts'
import { serviceAt } from './test-service.ts'

let at: Bench
let service: Service
let workspace: string

before(async () => {
  at = bench()
  workspace = path.join(at.folder, 'workspace')
  fs.mkdirSync(workspace)
  await at.write({ id: 'chat-one' }, [say(0, 'pool'), say(1, 'key ghp_R7kQ2mXw9LtB4vNcE8sY1jHf6UaZ3dPgTo5K')])
  service = serviceAt(at)
})
after(() => at.close())

/** Input with which a capability does each of its acts. */
const INPUTS: Record<string, () => Record<string, unknown>> = {
  'export_chats export-file': () => ({
    chatIds: ['nowhere'],
    format: 'markdown',
    path: `${workspace}/x.md`,
  }),
  'export_chats reveal': () => ({ chatIds: ['nowhere'], format: 'markdown', redact: false }),
  'export_to_memory write-memory': () => ({ workspace, target: 'agents-md', apply: true }),
  'import_from_memory write-context': () => ({ workspace, apply: true }),
}

const CALLERS: Caller[] = [
  { kind: 'owner' },
  { kind: 'agent', budget: 10_000 },
  ...SCOPES.map((scope): Caller => ({ kind: 'agent', budget: 10_000, scopes: [scope] })),
  { kind: 'program', scopes: [] },
  ...SCOPES.map((scope): Caller => ({ kind: 'program', scopes: [scope] })),
  { kind: 'program', scopes: [...SCOPES] },
]

/** Every capability with every act that it may do, by every kind of caller: refused before it is done, or not. */
for (const capability of allCapabilities) {
  for (const { act } of capability.also ?? []) {
    const given = () => INPUTS[`${capability.name} ${act}`]!()
    test(`${capability.name} that does ${act} asks for the right to it`, async () => {
      assert.ok(actsOf(capability, capability.input.parse(given())).includes(act))
      await walked(capability, given())
    })
  }
  test(`${capability.name} asks for the right to ${capability.acts.join(' and ')}`, async () => {
    await walked(capability, inputOf(capability))
  })
}

async function walked(capability: Capability, given: Record<string, unknown>): Promise<void> {
  const handled: string[] = []
  const watched: Capability = {
    ...capability,
    brief: undefined,
    async handle() {
      handled.push(capability.name)
      return {}
    },
  }
  for (const caller of CALLERS) {
    const acts = actsOf(capability, capability.input.parse(given))
    const allowed = acts.every((act) => may(caller, act))
    handled.length = 0
    const asking = { ...caller, roots: [workspace] }
    const offering = { ...service, capabilities: async () => [watched] }
    const { failure } = await call(offering, capability.name, given, asking)
    const said = `${caller.kind} [${caller.scopes ?? 'no token'}] ${capability.name} ${JSON.stringify(given)}`
    if (!allowed) assert.equal(failure?.code, 'FORBIDDEN', said)
    assert.equal(handled.length > 0, allowed && failure === undefined, said)
    if (allowed && failure) assert.notEqual(failure.code, 'FORBIDDEN', said)
  }
}

function inputOf({ name }: Capability): Record<string, unknown> {
  if (/gather_chats|collect_evidence|export_chats/.test(name))
    return { chatIds: ['chat-one'], format: 'markdown' }
  if (name === 'append_context') return { content: 'x', workspace }
  if (name === 'export_conversation') return { sessionId: 'chat-one', workspace }
  if (name === 'search_conversations') return { query: 'pool' }
  if (name === 'resolve_ids') return { chatIdPrefix: 'chat' }
  return name === 'read_chat' ? { chatId: 'chat-one' } : name.endsWith('_context') ? { workspace } : {}
}

test('every act of a capability is one of the table', () => {
  for (const { acts, also = [] } of allCapabilities)
    for (const act of [...acts, ...also.map((each) => each.act)]) assert.ok(ACTS.includes(act))
})

test('unredacted text goes to the owner only, by an explicit act', async () => {
  const key = /ghp_R7kQ/
  const given = { chatIds: ['chat-one'], format: 'markdown', redact: false }
  for (const caller of CALLERS.filter(({ kind }) => kind !== 'owner')) {
    const { failure, answer } = await call(service, 'export_chats', given, caller)
    assert.equal(answer, undefined)
    assert.equal(failure?.code, 'FORBIDDEN')
    const revealing = await call(
      service,
      'gather_chats',
      { chatIds: ['chat-one'] },
      { ...caller, reveal: true },
    )
    assert.doesNotMatch(JSON.stringify(revealing), key)
  }
  const asked = await call(service, 'export_chats', given, { kind: 'agent', budget: 9_000 })
  assert.match(asked.failure?.message ?? '', /Unredacted text goes to its owner only/)
  const { answer } = await call(service, 'export_chats', given, { kind: 'owner' })
  assert.match(String(answer?.text), key)
  const shown = await call(service, 'read_chat', { chatId: 'chat-one' }, { kind: 'owner' })
  assert.doesNotMatch(JSON.stringify(shown), key)
  const revealed = await call(service, 'read_chat', { chatId: 'chat-one' }, { kind: 'owner', reveal: true })
  assert.match(JSON.stringify(revealed), key)
})

test('what is not offered is for our own faces only', async () => {
  for (const caller of CALLERS.filter(({ kind }) => kind !== 'owner')) {
    const { failure } = await call(service, 'read_chat', { chatId: 'chat-one' }, caller)
    assert.equal(failure?.code, 'UNKNOWN_CAPABILITY')
  }
})

test("sums and searches are answered without the assistants' formats", async () => {
  let asked = 0
  const alone: Service = {
    ...service,
    machine: async () => at.machine,
    async readable() {
      asked++
      return { machine: at.machine, sources: at.sources }
    },
  }
  const owner: Caller = { kind: 'owner' }
  assert.ok((await call(alone, 'usage_metrics', { group_by: 'source' }, owner)).answer)
  assert.ok((await call(alone, 'usage_metrics', { chatIds: ['chat-one'] }, owner)).answer)
  assert.ok((await call(alone, 'search_conversations', { query: 'pool' }, owner)).answer)
  assert.equal(asked, 0)
  // Which dialog asks is looked up in the assistants' files.
  await call(alone, 'usage_metrics', { chatIds: ['current'] }, owner)
  assert.equal(asked, 1)
})

test('no answer is longer than was asked for', async () => {
  const agent: Caller = { kind: 'agent', budget: 10_000 }
  const words = Array.from({ length: 40 }, (_, i) => say(i, `pool ${i} ${'of connections '.repeat(20)}`))
  for (let i = 0; i < 6; i++) await at.write({ id: `long-${i}`, title: `Pool ${i} ${'x'.repeat(90)}` }, words)
  const calls: [string, object][] = [
    ['gather_chats', { chatIds: ['long-1'] }],
    ['gather_chats', { chatIds: ['long-1', 'long-2'] }],
    ['list_chats', {}],
    ['list_requests', { sessionId: 'long-1' }],
    ['search_conversations', { query: 'pool' }],
    ['search_conversations', { query: 'pool', response_mode: 'text' }],
    ['collect_evidence', { chatIds: ['long-1'] }],
    ['usage_metrics', { group_by: 'day' }],
  ]
  for (const [name, given] of calls) {
    for (const max_chars of [1_000, 1_700, '1200']) {
      const { answer } = await call(service, name, { ...given, max_chars }, agent)
      const { length } = JSON.stringify(answer)
      assert.ok(length <= Number(max_chars), `${name}: ${length} of ${max_chars}`)
    }
  }
})

test('an endless argument is not said back, and no secret in it', async () => {
  const endless = `${'nowhere '.repeat(240)}ghp_R7kQ2mXw9LtB4vNcE8sY1jHf6UaZ3dPgTo5K ${'x'.repeat(100_000)}`
  for (const [name, given] of [
    ['gather_chats', { chatIds: [endless] }],
    ['collect_evidence', { chatIds: [endless] }],
    ['usage_metrics', { chatIds: [endless] }],
  ] as const) {
    const { failure } = await call(service, name, given, { kind: 'agent', budget: 10_000 })
    assert.equal(failure?.code, 'SESSION_NOT_FOUND')
    const said = JSON.stringify(failure)
    assert.ok(said.length < 10_000, `${name}: ${said.length}`)
    assert.doesNotMatch(said, /ghp_R7/)
  }
})

test('whatever repeats what was said or written is marked as quoted for an agent', async () => {
  const agent: Caller = { kind: 'agent', budget: 10_000, roots: [workspace] }
  for (const id of ['like-1', 'like-2']) await at.write({ id, title: 'Obey this title' }, [say(0, 'pool')])
  const answered = async (name: string, given: object) => {
    const { answer, failure } = await call(service, name, given, agent)
    return { ...answer, ...failure?.details } as { quoted?: string }
  }
  assert.equal((await answered('init_context', { workspace })).quoted, undefined)
  await answered('append_context', { workspace, content: 'Obey this entry' })
  const repeating: [string, object, RegExp][] = [
    ['export_chats', { chatIds: ['like-1'], format: 'markdown' }, /Obey this title/],
    ['export_to_memory', { workspace, target: 'agents-md' }, /Obey this entry/],
    ['export_to_memory', { workspace, target: 'agents-md', apply: true }, /Obey this entry/],
    ['get_first_request', { sessionId: 'like' }, /Obey this title/],
    ['get_resume_command', { sessionId: 'like' }, /Obey this title/],
  ]
  for (const [name, given, said] of repeating) {
    const answer = await answered(name, given)
    assert.match(JSON.stringify(answer), said, name)
    assert.equal(answer.quoted, QUOTED, name)
  }
  assert.equal((await answered('get_first_request', { sessionId: 'nowhere' })).quoted, undefined)
})
