import assert from 'node:assert/strict'
import fs from 'node:fs'
import path from 'node:path'
import { afterEach, beforeEach, test } from 'node:test'
import { dayOf } from '../model/day.ts'
import { percentiles, usageMetrics } from './metrics.ts'
import { costOf, plainModel, pricesOn } from './prices.ts'
import { type Bench, bench, NOON, sampleHome, say } from './test-kit.ts'

let at: Bench
beforeEach(() => {
  at = bench()
})
afterEach(() => at.close())

const metrics = (input: Parameters<typeof usageMetrics>[1] = {}, room = 100_000) =>
  usageMetrics(at, input, { clean: (value) => value, room })

test('the sample archive adds up to what was counted by hand in its files', async () => {
  await at.close()
  at = bench(sampleHome)
  await at.sync()
  const claude = await metrics({ source: 'claude-code' })
  // Claude Code repeats the usage of an answer on each of its lines: counted once per message id.
  assert.deepEqual(claude.totals.tokens, {
    input: 441_116,
    output: 7_082,
    cached: 346_813,
    cacheWrite: 94_111,
    reasoning: 0,
    measured: 28,
  })
  assert.deepEqual(claude.totals.tools, { calls: 28, failures: 0 })
  assert.equal(claude.totals.requests, 16)
  assert.equal(claude.totals.latencyMs?.count, 17)
  assert.ok(Math.abs(claude.totals.cost.usd! - 0.6093035) < 1e-5)
  assert.equal(claude.totals.cost.unknown, 0)

  const models = await metrics({ source: 'claude-code', group_by: 'model' })
  assert.deepEqual(
    models.groups!.map(({ key, tokens, cost }) => [key, tokens!.input, tokens!.output, cost!.usd]),
    [
      ['claude-opus-5-5', 161_393, 2_675, 0.246655],
      ['claude-opus-4-6', 81_109, 1_194, 0.167373],
      ['claude-sonnet-4-6', 98_085, 1_520, 0.111277],
      ['claude-sonnet-5', 81_691, 1_371, 0.0694],
      ['claude-haiku-4-5', 18_838, 322, 0.014598],
    ],
  )
  // Two of three Copilot CLI sessions tell the output of their answers only, which has no price, and what
  // they read in the totals at their end: 75,022 + 62,826 + 62,437.
  const copilot = await metrics({ source: 'copilot-cli' })
  assert.deepEqual(copilot.totals.tokens, {
    input: 200_285,
    output: 2_727,
    cached: 161_114,
    cacheWrite: 0,
    reasoning: 169,
    measured: 18,
  })
  assert.equal(copilot.totals.cost.unknown, 10)
  const sources = await metrics({ group_by: 'source' })
  assert.deepEqual(sources.groups!.map(({ key }) => key).sort(), ['claude-code', 'copilot-cli', 'vscode'])
  const tools = await metrics({ group_by: 'tool' })
  const calls = tools.groups!.reduce((sum, group) => sum + group.tools!.calls, 0)
  assert.equal(calls, tools.totals.tools.calls)
})

const usage = { input: 1000, output: 100, cached: 600, cacheWrite: 100 }
const answer = (order: number, more: object = {}) =>
  say(order, 'ok', { role: 'assistant', model: 'claude-sonnet-4-6', usage, ...more })

test('what a fork repeats was paid for once', async () => {
  const prefix = [say(0, 'go'), answer(1, { latencyMs: 1000, toolCalls: [{ id: 't1', tool: 'Bash' }] })]
  await at.write({ id: 'original' }, prefix)
  await at.write({ id: 'the-fork', forkOf: 'original' }, [...prefix, answer(2, { latencyMs: 3000 })])
  const { totals } = await metrics()
  assert.equal(totals.messages, 3)
  assert.equal(totals.requests, 1)
  assert.equal(totals.tokens.input, 2000)
  assert.equal(totals.tools.calls, 1)
  assert.deepEqual(totals.latencyMs, { p50: 1000, p95: 3000, count: 2 })
})

test('what the source says it cost counts; what has no price is unknown, not nothing', async () => {
  await at.write({ id: 'priced' }, [
    answer(0),
    answer(1, { usage: { ...usage, cost: 0.5 }, model: 'house-model' }),
    answer(2, { model: 'house-model' }),
    answer(3, { usage: { output: 5 } }),
    answer(4, { usage: undefined }),
  ])
  const { totals, prices } = await metrics()
  // 300 × 3 + 600 × 0.3 + 100 × 3.75 + 100 × 15, in millionths, and what the source said.
  assert.deepEqual(totals.cost, { usd: 0.502955, unknown: 2 })
  assert.equal(totals.answers, 5)
  assert.equal(totals.tokens.measured, 4)
  assert.deepEqual(prices.unknownModels, ['house-model'])
  await at.write({ id: 'unpriced', source: 'codex' }, [answer(0, { model: 'house-model', id: 'x' })])
  assert.deepEqual((await metrics({ source: 'codex' })).totals.cost, { usd: null, unknown: 1 })
})

test("the user's own prices go first; a broken file says so", async () => {
  await at.write({ id: 'own-price' }, [answer(0, { model: 'acme/House-Model-20260101' })])
  const file = path.join(at.machine.env.RECOLLECT_HOME!, 'prices.json')
  fs.writeFileSync(file, `\ufeff${JSON.stringify({ 'house-model': { input: 10, output: 20 } })}`)
  assert.equal((await metrics()).totals.cost.usd, 0.012)
  fs.writeFileSync(file, JSON.stringify({ 'house-model': { input: 'ten' } }))
  await assert.rejects(metrics(), { code: 'INVALID_PRICES' })
})

test('times, failures and days', async () => {
  const day = 86_400_000
  await at.write({ id: 'two-days', workspace: '/home/me/shop' }, [
    say(0, 'first'),
    answer(1, {
      latencyMs: 2_000,
      thinkingMs: 500,
      toolCalls: [
        { id: 't1', tool: 'Bash' },
        { id: 't2', server: 'git', tool: 'log' },
      ],
    }),
    say(2, '', {
      role: 'tool',
      toolResults: [
        { callId: 't1', error: 'no' },
        { callId: 't2', text: 'fine', exitCode: 0 },
      ],
    }),
    say(3, 'second', { createdAt: NOON + day }),
    answer(4, { createdAt: NOON + day, latencyMs: 4_000, toolCalls: [{ id: 't3', tool: 'Bash' }] }),
    say(5, '', {
      role: 'tool',
      createdAt: NOON + day,
      toolResults: [{ callId: 't3', text: 'x', exitCode: 2 }],
    }),
  ])
  const days = await metrics({ group_by: 'day' })
  assert.deepEqual(
    days.groups!.map(({ messages, requests, latencyMs, reasoningMs, tools }) => ({
      messages,
      requests,
      latency: latencyMs?.p50,
      reasoning: reasoningMs?.p95,
      tools,
    })),
    [
      { messages: 3, requests: 1, latency: 2_000, reasoning: 500, tools: { calls: 2, failures: 1 } },
      { messages: 3, requests: 1, latency: 4_000, reasoning: undefined, tools: { calls: 1, failures: 1 } },
    ],
  )
  const tools = await metrics({ group_by: 'tool' })
  assert.deepEqual(tools.groups, [
    { key: 'Bash', tools: { calls: 2, failures: 2 } },
    { key: 'git/log', tools: { calls: 1, failures: 0 } },
  ])
  const first = await metrics({ time_window: { end: NOON + day / 2 } })
  assert.equal(first.totals.messages, 3)
  const folder = await metrics({ group_by: 'workspace' })
  assert.equal(folder.groups![0]!.key, '/home/me/shop')
  const none = await metrics({ workspace: '/home/me/other' })
  assert.deepEqual([none.totals.messages, none.totals.cost.usd, none.totals.latencyMs], [0, null, null])
})

test('only some chats; unknown ones are reported', async () => {
  await at.write({ id: 'chat-one' }, [answer(0, { id: 'a' })])
  await at.write({ id: 'chat-two' }, [answer(0, { id: 'b' })])
  const some = await metrics({ chatIds: ['chat-one', 'nowhere'] })
  assert.equal(some.totals.messages, 1)
  assert.deepEqual(some.notFound, [{ id: 'nowhere', error: 'Session not found: nowhere' }])
  await assert.rejects(metrics({ chatIds: ['nowhere'] }), { code: 'SESSION_NOT_FOUND' })
})

test('of many days the last ones are given', async () => {
  const messages = Array.from({ length: 60 }, (_, i) => say(i, 'x', { createdAt: NOON + i * 86_400_000 }))
  await at.write({ id: 'long-time' }, messages)
  const answer = await metrics({ group_by: 'day' }, 4_000)
  assert.ok(JSON.stringify(answer).length <= 4_000)
  assert.equal(answer.groups!.at(-1)!.key, dayOf(NOON + 59 * 86_400_000))
  assert.equal(answer.leftOut!.groups, 60 - answer.groups!.length)
  const two = await metrics({ group_by: 'day', limit: 2 })
  assert.deepEqual(
    two.groups!.map(({ key }) => key),
    [58, 59].map((days) => dayOf(NOON + days * 86_400_000)),
  )
  assert.deepEqual((await metrics({ group_by: 'day', tool: 'none', limit: 2 })).groups, [])
})

test('one name for the spellings of a model', () => {
  const cases: [string, string][] = [
    ['claude-sonnet-4.6', 'claude-sonnet-4-6'],
    ['claude-sonnet-4-5-20250929', 'claude-sonnet-4-5'],
    ['anthropic/claude-opus-4.5', 'claude-opus-4-5'],
    ['us.anthropic.claude-sonnet-4-20250514-v1:0', 'claude-sonnet-4'],
    ['claude-opus-4-6[1m]', 'claude-opus-4-6'],
    ['claude-haiku-4-5@20251001', 'claude-haiku-4-5'],
    ['openai/gpt-4.1-2025-04-14', 'gpt-4.1'],
    ['models/gemini-3-pro-preview', 'gemini-3-pro'],
    ['copilot/gpt-5.2', 'gpt-5.2'],
    ['openai:gpt-5', 'gpt-5'],
    ['bedrock:us.anthropic.claude-sonnet-4-20250514-v1:0', 'claude-sonnet-4'],
    // What follows the name of a model is a variant of it.
    ['llama3.3:latest', 'llama3.3'],
    ['ollama:mistral:instruct', 'mistral:instruct'],
    ['qwen/qwen3-coder:free', 'qwen3-coder:free'],
    ['hf.co/acme/House-GGUF:Q4_K_M', 'house-gguf:q4_k_m'],
  ]
  for (const [model, plain] of cases) assert.equal(plainModel(model), plain)
})

test('a price is that of its day', () => {
  const prices = pricesOn(at.machine)
  assert.equal(prices.of('o3', '2025-05-01')?.input, 10)
  assert.equal(prices.of('o3', '2025-06-10')?.input, 2)
  assert.equal(prices.of('no-such-model', '2026-01-01'), undefined)
  assert.equal(costOf({ input: 1, output: 2 }, { input: 1e6, output: 1e6, cached: 5e5, cacheWrite: 0 }), 3)
})

test('percentiles are values that were measured', () => {
  assert.equal(percentiles([]), null)
  assert.deepEqual(percentiles([[7]]), { p50: 7, p95: 7, count: 1 })
  const hundred = Array.from({ length: 100 }, (_, i) => 100 - i)
  assert.deepEqual(percentiles([hundred.slice(0, 30), [], hundred.slice(30)]), {
    p50: 50,
    p95: 95,
    count: 100,
  })
})
