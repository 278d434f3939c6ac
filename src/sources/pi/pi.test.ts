import assert from 'node:assert/strict'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { after, test } from 'node:test'
import { withReader } from '../source.ts'
import { machineAt, readMachine } from '../test-kit.ts'
import { assertGrows, assertSurvives } from '../test-reader.ts'
import { homes } from './fixture-homes.ts'
import { pi as described } from './index.ts'

const pi = await withReader(described)

const home = fs.mkdtempSync(path.join(os.tmpdir(), 'recollect-pi-'))
after(() => fs.rmSync(home, { recursive: true, force: true }))
homes[0]!.put(home)
const machine = machineAt(home)
const SEEN = '01a1ded6-98c8-71e3-95ad-0516efd61534'
const BRANCHED = '0b2f0b64-6a0e-7b21-8c11-111111111111'

test('a session of 0.87', () => {
  const { chats, messages, problems } = readMachine(pi, machine)
  assert.deepEqual(problems, [])
  assert.deepEqual(
    chats.find(({ id }) => id === SEEN),
    {
      source: 'pi',
      id: SEEN,
      workspace: '/home/me/shop',
      createdAt: Date.parse('2026-11-15T10:52:48.201Z'),
      updatedAt: 1794739969043,
      format: 'v3',
    },
  )
  assert.deepEqual(
    messages[SEEN]?.map(({ kind, text }) => [kind, text]),
    [
      ['request', 'Please read README.md and tell me the name of the shop.'],
      ['answer', ''],
      ['tool', ''],
      ['answer', 'The shop is called Corner Shop.'],
      ['request', 'Thanks. Which port does it use?'],
      ['answer', 'It listens on port 8080.'],
    ],
  )
  const [, call, result] = messages[SEEN]!
  assert.deepEqual(call!.toolCalls, [{ id: 'call_1', tool: 'read', args: { path: 'README.md' } }])
  assert.equal(call!.thinking, 'I should look at the readme.')
  assert.deepEqual(call!.usage, {
    input: 1200,
    output: 20,
    cached: 1000,
    cacheWrite: 0,
    reasoning: 5,
    cost: 0.00106,
  })
  assert.match(result!.toolResults![0]!.text!, /^# Corner Shop/)
})

test('who goes back begins a branch; what was left behind is undone', () => {
  const { chats, messages } = readMachine(pi, machine)
  const chat = chats.find(({ id }) => id === BRANCHED)!
  assert.equal(chat.title, 'Rename the cart to trolley')
  assert.equal(chat.forkOf, SEEN)
  assert.deepEqual(
    messages[BRANCHED]?.map(({ kind, text, undone }) => [kind, text, undone ?? false]),
    [
      ['request', 'Rename the cart', false],
      ['answer', 'To what?', false],
      ['request', 'To basket', true],
      ['notice', '529 overloaded', true],
      ['summary', 'A basket was tried and failed.', false],
      ['request', 'To trolley, as in this picture', false],
      ['command', '!git status\nclean', false],
      ['answer', '', false],
      ['tool', '', false],
      ['answer', 'There is no', false],
      ['summary', 'The cart is to become a trolley.', false],
      ['injected', 'Two things left.', false],
    ],
  )
  const said = messages[BRANCHED]!
  assert.deepEqual(said[5]!.attachments, [
    { name: 'image', type: 'image', mimeType: 'image/png', bytes: 6, data: 'aGVsbG8=' },
  ])
  assert.deepEqual(said[8]!.toolResults, [{ callId: 'c9', error: 'no such file' }])
  assert.deepEqual([said[3]!.outcome, said[9]!.outcome], ['failed', 'cancelled'])
})

test('read while it grows, and read once', () => assertGrows(pi, machine))

test('no damage makes it throw', () => assertSurvives(pi, machine))

test('where it is looked for', () => {
  const paths = (env: Record<string, string>) => pi.roots(machineAt('/home/me', env)).map((root) => root.path)
  assert.deepEqual(paths({}), [
    '/home/me/.pi/agent/sessions',
    '/home/me/.omp/agent/sessions',
    '/home/me/.prime/agent/sessions',
  ])
  assert.equal(paths({ PI_CODING_AGENT_DIR: '/data/pi' })[0], '/data/pi/sessions')
  const root = { path: '/r' }
  assert.ok(pi.unit('--home-me--/2026_x.jsonl', root) && pi.unit('x.jsonl', root))
  assert.equal(pi.unit('a/b/x.jsonl', root), undefined)
  assert.equal(pi.unit('a/x.json', root), undefined)
})
