import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { redactJson } from '../platform/redact.ts'
import { collectEvidence } from './evidence.ts'
import { exportChats } from './export/export.ts'
import { usageMetrics } from './metrics.ts'
import { type Bench, bench, say } from './test-kit.ts'

const CHATS = 45
const MOST = 1_000

let at: Bench
before(async () => {
  at = bench()
  for (let i = 0; i < CHATS; i++)
    await at.write({ id: `wombat-${i}` }, [
      say(0, `A wombat, see https://example.org/${i}`, { id: `w-${i}` }),
      say(1, 'Which burrow?', { id: `b-${i}` }),
    ])
  await at.write({ id: 'other' }, [say(0, 'A quokka', { id: 'q' })])
})
after(() => at.close())

const asText = () => ({ clean: redactJson, room: 1_000_000, folder: '/' })

test('what is done with the chats that a search finds is done with all of them', async () => {
  const exported = await exportChats(at, { query: 'wombat', format: 'jsonl' }, asText())
  assert.deepEqual([exported.chats, exported.notes], [CHATS, undefined])
  const { evidence, notes } = await collectEvidence(at, { query: 'wombat' }, redactJson, 1_000_000)
  assert.deepEqual([evidence.length, notes], [CHATS, undefined])
  const { totals } = await usageMetrics(at, { query: 'wombat' }, asText())
  assert.equal(totals.messages, 2 * CHATS)
})

test('what stands beside named chats narrows nothing, which is said', async () => {
  const named = { chatIds: ['other'], query: 'wombat', source: 'nobody' }
  const exported = await exportChats(at, { ...named, format: 'jsonl' }, asText())
  const note = 'The chats that are named were taken: query, source narrow nothing beside them.'
  assert.deepEqual([exported.chats, exported.notes], [1, [note]])
  const { notes } = await collectEvidence(at, { chatIds: ['other'] }, redactJson, 1_000_000)
  assert.equal(notes, undefined)
  const used = await usageMetrics(at, { chatIds: ['other'], query: 'wombat' }, asText())
  assert.match(String(used.notes), /query narrow nothing beside them/)
  assert.equal((await usageMetrics(at, { chatIds: ['other'] }, asText())).notes, undefined)
})

test('what a search does not find has used nothing', async () => {
  const { totals } = await usageMetrics(at, { query: 'zyzzyva' }, asText())
  assert.equal(totals.messages, 0)
  const narrowed = await usageMetrics(at, { query: 'wombat', source: 'nobody' }, asText())
  assert.equal(narrowed.totals.messages, 0)
})

test('where a search finds more than can be opened, every answer says so', async () => {
  for (let i = CHATS; i < MOST + 5; i++)
    await at.write({ id: `wombat-${i}` }, [say(0, 'A wombat', { id: `w-${i}` })])
  const said = [/finds 1005 chats; the best 1000 of them were taken, 5 left out/]
  const input = { query: 'wombat' }
  for (const { notes = [] } of [
    await exportChats(at, { ...input, format: 'jsonl' }, asText()),
    await collectEvidence(at, input, redactJson, 1_000_000),
    await usageMetrics(at, input, asText()),
  ]) {
    assert.equal(notes.length, said.length)
    assert.match(notes[0]!, said[0]!)
  }
})
