import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { redactJson } from '../platform/redact.ts'
import { type Bench, bench, sampleHome } from '../recall/test-kit.ts'
import type { Capability } from './capability.ts'
import { collectEvidence } from './collect-evidence.ts'
import { exportChats } from './export-chats.ts'
import { gatherChats } from './gather-chats.ts'
import { getFirstRequest } from './get-first-request.ts'
import { getRequest } from './get-request.ts'
import { capabilities } from './index.ts'
import { listChats } from './list-chats.ts'
import { listRequests } from './list-requests.ts'
import { resolveIds } from './resolve-ids.ts'
import { usageMetrics } from './usage-metrics.ts'

const DEADLOCK = 'b6fb68b8-36d3-4357-8b35-71944dd9ba8f'
const REFUNDS = '11d22106-a816-4cce-886d-1987be44d879'

let at: Bench
before(async () => {
  at = bench(sampleHome)
  await at.sync()
})
after(() => at.close())

/** As a face would: the input through its schema, the answer through its own. */
async function call(capability: Capability, input: object, room = 10_000) {
  const answer = await capability.handle(
    { ...at, caller: {}, clean: redactJson, room },
    capability.input.parse(input),
  )
  return capability.output.parse(JSON.parse(JSON.stringify(answer))) as Record<string, never>
}

const CALLS: [Capability, object][] = [
  [getFirstRequest, { sessionId: DEADLOCK }],
  [getFirstRequest, {}],
  [getRequest, { sessionId: DEADLOCK, index: 2 }],
  [getRequest, { sessionId: DEADLOCK, index: 'two' }],
  [listRequests, { sessionId: DEADLOCK }],
  [gatherChats, { chatIds: [DEADLOCK] }],
  [gatherChats, { chatIds: [DEADLOCK, REFUNDS, 'nowhere'] }],
  [listChats, { workspace: 'shop', sort: 'messages' }],
  [resolveIds, { chatIdPrefix: 'b6fb' }],
  [collectEvidence, { chatIds: [DEADLOCK, REFUNDS] }],
  [collectEvidence, { query: 'deadlock', kinds: ['file', 'command'] }],
  [usageMetrics, { group_by: 'day' }],
  [usageMetrics, {}],
  [exportChats, { chatIds: [DEADLOCK], format: 'markdown' }],
]

test('every answer is of its schema and within the budget of an answer', async () => {
  for (const [capability, input] of CALLS) {
    const answer = await call(capability, input)
    assert.ok(JSON.stringify(answer).length <= 10_000, capability.name)
  }
})

test('a client that takes less gets less', async () => {
  for (const [capability, input] of CALLS) {
    const answer = await call(capability, input, 4_000)
    assert.ok(JSON.stringify(answer).length <= 4_000, `${capability.name} ${JSON.stringify(answer).length}`)
  }
})

test('the error texts reach the caller through the schema', async () => {
  const error = async (capability: Capability, input: object) => (await call(capability, input)).error
  assert.equal(await error(getRequest, { sessionId: DEADLOCK }), 'Index parameter is required')
  assert.equal(await error(getRequest, { sessionId: DEADLOCK, index: -1 }), 'Index must be 1 or greater')
  assert.equal(await error(getRequest, { sessionId: DEADLOCK, index: 'x' }), 'Index must be 1 or greater')
  assert.equal(
    await error(getRequest, { sessionId: DEADLOCK, index: 99 }),
    'Index 99 exceeds total requests (3)',
  )
  assert.equal(await error(getFirstRequest, {}), 'No active dialog found')
})

test('the two deadlock chats of the sample share what they quote of each other', async () => {
  const answer = await call(gatherChats, { chatIds: [DEADLOCK, REFUNDS] })
  const shared = (answer.commonAlignment as unknown as { content: string }[])
    .map(({ content }) => content)
    .join('\n')
  assert.match(shared, /take the same locks in opposite order/)
})

test('names are those of the contract, once each', () => {
  const names = capabilities.map(({ name }) => name)
  assert.equal(new Set(names).size, names.length)
  for (const [capability] of CALLS) assert.ok(names.includes(capability.name))
})
