import assert from 'node:assert/strict'
import { afterEach, beforeEach, test } from 'node:test'
import type { Clean } from '../model/clean.ts'
import { listChats } from './list.ts'
import { usageMetrics } from './metrics.ts'
import { type Bench, bench, say } from './test-kit.ts'

let at: Bench
beforeEach(() => {
  at = bench()
})
afterEach(() => at.close())

const clean: Clean = (value) => value
const metrics = (input: Parameters<typeof usageMetrics>[1]) =>
  usageMetrics(at, input, { clean, room: 100_000 })
const keys = async (input: Parameters<typeof usageMetrics>[1]) =>
  (await metrics(input)).groups!.map(({ key, messages }) => [key, messages])

/** 23:30 on a Sunday in UTC: Monday in Tokyo, Sunday afternoon in New York. */
const LATE = Date.parse('2026-05-03T23:30:00Z')

test('days and hours are those of the zone that is asked for, at every hour', async () => {
  await at.write({ id: 'late' }, [say(0, 'one', { createdAt: LATE }), say(1, 'two', { createdAt: LATE })])
  const cases = [
    ['Asia/Tokyo', '2026-05-04', '1-08'],
    ['America/New_York', '2026-05-03', '7-19'],
    ['Pacific/Kiritimati', '2026-05-04', '1-13'],
    ['Pacific/Niue', '2026-05-03', '7-12'],
    ['Asia/Kathmandu', '2026-05-04', '1-05'],
    ['UTC', '2026-05-03', '7-23'],
  ] as const
  for (const [time_zone, day, hour] of cases) {
    assert.deepEqual(await keys({ group_by: 'day', time_zone }), [[day, 2]], time_zone)
    assert.deepEqual(await keys({ group_by: 'hour', time_zone }), [[hour, 2]], time_zone)
  }
  await assert.rejects(
    metrics({ group_by: 'day', time_zone: 'Mars/Base' }),
    /"Mars\/Base" is not a time zone/,
  )
})

const call = (id: string, tool: string) => ({ id, server: '', tool, args: {} })

test('one tool with two spellings is one, and its failures say what was answered', async () => {
  await at.write({ id: 'calls', title: 'Two shells' }, [
    say(0, 'run them'),
    say(1, '', {
      role: 'assistant',
      toolCalls: [call('a', 'Bash'), call('b', 'Bash'), call('c', 'bash'), call('d', 'Read')],
    }),
    say(2, '', { role: 'tool', toolResults: [{ callId: 'a', text: 'ok', exitCode: 0 }] }),
    say(3, '', { role: 'tool', toolResults: [{ callId: 'c', text: 'make: *** no rule', exitCode: 2 }] }),
  ])
  await at.write({ id: 'quiet' }, [say(0, 'nothing to call')])
  const { groups, failed, totals } = await metrics({ group_by: 'tool' })
  assert.deepEqual(groups, [
    { key: 'Bash', tools: { calls: 3, failures: 1 } },
    { key: 'Read', tools: { calls: 1, failures: 0 } },
  ])
  assert.deepEqual(totals.tools, { calls: 4, failures: 1 })
  assert.deepEqual(
    failed!.map(({ tool, chatId, title, index, error }) => ({ tool, chatId, title, index, error })),
    [{ tool: 'bash', chatId: 'calls', title: 'Two shells', index: 3, error: 'make: *** no rule' }],
  )
  const by = await metrics({ group_by: 'chat', tool: 'BASH' })
  assert.deepEqual(
    by.groups!.map(({ key, title, tools }) => [key, title, tools]),
    [['claude-code:calls', 'Two shells', { calls: 3, failures: 1 }]],
  )
})

test('a call that failed after the time asked for has failed', async () => {
  const [called, answered] = ['2026-05-03T11:59:59Z', '2026-05-03T12:00:01Z'].map((at) => Date.parse(at))
  await at.write({ id: 'midnight' }, [
    say(0, 'run it', { createdAt: called }),
    say(1, '', { role: 'assistant', createdAt: called, toolCalls: [call('a', 'Bash')] }),
    say(2, '', {
      role: 'tool',
      createdAt: answered,
      toolResults: [{ callId: 'a', exitCode: 1, text: 'no' }],
    }),
  ])
  const noon = Date.parse('2026-05-03T12:00:00Z')
  const before = await metrics({ time_window: { end: noon - 1 } })
  assert.deepEqual(before.totals.tools, { calls: 1, failures: 1 })
  const behind = await metrics({ time_window: { start: noon } })
  assert.deepEqual(behind.totals.tools, { calls: 0, failures: 0 })
})

test('by chat, by repository, and what sub-agents had of it', async () => {
  const used = (tokens: number) => ({
    role: 'assistant' as const,
    model: 'claude-sonnet-4-6',
    usage: { input: tokens, output: 0 },
  })
  await at.write({ id: 'large', title: 'Large', repository: 'github.com/acme/shop' }, [
    say(0, 'ask'),
    say(1, 'answer', used(2_000_000)),
  ])
  await at.write({ id: 'small', title: 'Small' }, [say(2, 'ask'), say(3, 'answer', used(1_000_000))])
  await at.write({ id: 'helper', subagent: true, parentId: 'large', repository: 'github.com/acme/shop' }, [
    say(4, 'do', { kind: 'delegated' }),
    say(5, 'done', used(1_000_000)),
  ])
  const cost = async (input: Parameters<typeof usageMetrics>[1]) =>
    (await metrics(input)).groups!.map(({ key, cost }) => [key, cost!.usd])
  assert.deepEqual(await cost({ group_by: 'repository' }), [
    ['github.com/acme/shop', 9],
    ['unknown', 3],
  ])
  assert.deepEqual(await cost({ group_by: 'subagent' }), [
    ['main', 9],
    ['subagent', 3],
  ])
  assert.deepEqual(await cost({ group_by: 'chat', limit: 1 }), [['claude-code:large', 6]])
  assert.equal((await metrics({ group_by: 'chat', limit: 1 })).groups![0]!.title, 'Large')
})

test('chats are listed by how their last turn ended', async () => {
  const now = Date.now()
  await at.write({ id: 'asks', status: 'waiting', updatedAt: now }, [say(0, 'a', { createdAt: now })])
  await at.write({ id: 'over', status: 'done', updatedAt: now }, [say(0, 'b', { createdAt: now })])
  await at.write({ id: 'died', status: 'running', updatedAt: now - 7 * 3_600_000 }, [
    say(0, 'c', { createdAt: now - 7 * 3_600_000 }),
  ])
  const ids = async (...status: ('waiting' | 'done' | 'running' | 'cancelled')[]) => {
    const { chats } = await listChats(at.archive, { status }, { clean, room: 100_000 })
    return chats.map(({ chatId, status }) => [chatId, status])
  }
  assert.deepEqual(await ids('waiting'), [['asks', 'waiting']])
  assert.deepEqual(await ids('done'), [['over', 'done']])
  assert.deepEqual(await ids('running'), [])
  // What was running and was heard of no more is over.
  assert.deepEqual(await ids('cancelled'), [['died', 'cancelled']])
})
