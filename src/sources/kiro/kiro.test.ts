import assert from 'node:assert/strict'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { after, test } from 'node:test'
import { withReader } from '../source.ts'
import { lookInto, machineAt, readMachine } from '../test-kit.ts'
import { assertGrows, assertSurvives, assertSurvivesRows } from '../test-reader.ts'
import { homes } from './fixture-homes.ts'
import { kiro as described } from './index.ts'

const kiro = await withReader(described)

const home = fs.mkdtempSync(path.join(os.tmpdir(), 'recollect-kiro-'))
after(() => fs.rmSync(home, { recursive: true, force: true }))
for (const { put } of homes) put(home)
const machine = machineAt(home)
const reading = readMachine(kiro, machine)
const { chat, messages } = lookInto(reading)
const CLI = '3c1d5e70-aaaa-4b5c-8d6e-000000000001'
const STORED = '9d000000-0000-4000-8000-000000000009'

const outline = (id: string) => messages(id).map(({ kind, text, via }) => [kind, text, ...(via ? [via] : [])])

test('a session of the command line program', () => {
  assert.deepEqual(reading.problems, [])
  assert.deepEqual(chat(CLI), {
    source: 'kiro',
    id: CLI,
    title: 'Failing tests',
    workspace: '/home/me/shop',
    createdAt: Date.parse('2026-09-01T10:00:00Z'),
    updatedAt: Date.parse('2026-09-01T10:01:00Z'),
    format: 'cli',
  })
  assert.deepEqual(outline(CLI), [
    ['request', 'Which tests fail?'],
    ['answer', 'I will run them.'],
    ['tool', ''],
    ['answer', 'Only the one of the cart.'],
  ])
  assert.deepEqual(messages(CLI)[1]!.toolCalls, [
    { id: 't1', tool: 'execute_bash', args: { command: 'npm test' } },
  ])
  assert.deepEqual(messages(CLI)[2]!.toolResults, [{ callId: 't1', text: '1 failed: cart.test.ts' }])
})

test('a session of the editor', () => {
  assert.deepEqual(
    [chat('sess_7f21').title, chat('sess_7f21').workspace, chat('sess_7f21').updatedAt],
    ['Rename the cart', '/home/me/shop', Date.parse('2026-09-02T08:00:05Z')],
  )
  assert.deepEqual(outline('sess_7f21'), [
    ['request', 'Rename cart to basket'],
    ['answer', ''],
    ['answer', ''],
    ['tool', ''],
    ['answer', 'It is a basket now.'],
  ])
  const [, thought, call, result, answer] = messages('sess_7f21')
  assert.equal(thought!.thinking, 'It is used in two files.')
  assert.deepEqual(call!.toolCalls, [{ id: 'c1', tool: 'strReplace', args: { path: 'src/cart.ts' } }])
  assert.deepEqual(result!.toolResults, [{ callId: 'c1', text: 'done' }])
  assert.equal(answer!.model, 'claude-sonnet-4.5')
})

test('the database, in which a refused call has a comment', () => {
  assert.equal(chat(STORED).workspace, '/home/me/shop')
  assert.deepEqual(outline(STORED), [
    ['summary', 'Prices were discussed.'],
    ['request', 'Where is the price?'],
    ['answer', 'Let me look.'],
    ['tool', ''],
    ['answer', 'In price.ts. I will change it.'],
    ['tool', ''],
    ['request', 'No, leave it as it is', 'refusal'],
    ['answer', 'I leave it.'],
  ])
  assert.deepEqual(messages(STORED)[5]!.toolResults, [
    { callId: 'tu2', error: 'Tool use was cancelled by the user' },
  ])
})

test('read while it grows, and read once', () => assertGrows(kiro, machine))

test('no damage makes it throw', () => {
  assertSurvives(kiro, machine)
  assertSurvivesRows(kiro, machine, ['conversations_v2', 'value'])
})

test('where it is looked for', () => {
  const roots = (env: Record<string, string>, platform: NodeJS.Platform = 'linux') =>
    kiro.roots({ platform, home: '/home/me', env, reader: 'linux' }).map((root) => root.path)
  assert.deepEqual(roots({}), ['/home/me/.kiro/sessions', '/home/me/.local/share/kiro-cli'])
  assert.deepEqual(roots({ KIRO_HOME: '/k' }, 'darwin'), [
    '/k/sessions',
    '/home/me/Library/Application Support/kiro-cli',
  ])
  const unit = (file: string) => kiro.unit(file, { path: '/r' })?.path
  assert.equal(unit('cli/x.json'), '/r/cli/x.jsonl')
  assert.equal(unit('h/sess_1/session.json'), '/r/h/sess_1/messages.jsonl')
  for (const file of ['cli/x.lock', 'h/messages.jsonl', 'data.sqlite3']) assert.equal(unit(file), undefined)
})
