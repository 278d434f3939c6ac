import assert from 'node:assert/strict'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { after, test } from 'node:test'
import { withReader } from '../source.ts'
import { lookInto, machineAt, readMachine } from '../test-kit.ts'
import { assertGrows, assertSurvives } from '../test-reader.ts'
import { homes } from './fixture-homes.ts'
import { junie as described } from './index.ts'

const junie = await withReader(described)

const home = fs.mkdtempSync(path.join(os.tmpdir(), 'recollect-junie-'))
after(() => fs.rmSync(home, { recursive: true, force: true }))
homes[0]!.put(home)
const machine = machineAt(home)
const ID = 'session-260901-100000-ab12'

test('who said what: of each block the last', () => {
  const reading = readMachine(junie, machine)
  const { messages } = lookInto(reading)
  assert.deepEqual(reading.problems, [])
  assert.deepEqual(reading.chats, [
    {
      source: 'junie',
      id: ID,
      title: 'Fix the failing cart test',
      workspace: '/home/me/shop',
      createdAt: 1788256800000,
      updatedAt: 1788256810000,
      format: 'events',
      resume: `junie --resume --session-id ${ID}`,
    },
  ])
  assert.deepEqual(
    messages(ID).map(({ kind, text, toolCalls, toolResults }) => [
      kind,
      text || toolCalls?.[0]?.tool || toolResults?.[0]?.text,
    ]),
    [
      ['request', 'Why does the cart test fail?'],
      ['answer', 'terminal'],
      ['tool', '1 failed: cart.test.ts'],
      ['answer', 'view_files'],
      ['answer', 'list_chats'],
      ['tool', 'none'],
      ['answer', 'change_files'],
      ['answer', 'The sum was rounded twice.'],
      ['request', 'Thanks'],
    ],
  )
  const [, terminal, , viewed, , , changed] = messages(ID)
  assert.deepEqual(terminal!.usage, { input: 1200, output: 20, cost: 0.01 })
  assert.equal(terminal!.model, 'claude-sonnet-4.5')
  assert.deepEqual(viewed!.files, [{ path: '/home/me/shop/cart.ts', action: 'read' }])
  assert.deepEqual(changed!.files, [{ path: '/home/me/shop/cart.ts', action: 'edit' }])
  assert.ok(!JSON.stringify(reading).includes('hidden'))
})

test('read while it grows, and read once', () => assertGrows(junie, machine))

test('no damage makes it throw', () => assertSurvives(junie, machine))

test('where it is looked for', () => {
  assert.deepEqual(junie.roots(machineAt('/home/me')), [{ path: '/home/me/.junie/sessions' }])
  const unit = (file: string) => junie.unit(file, { path: '/r' })?.path
  assert.equal(unit('session-1/state.json'), '/r/session-1/events.jsonl')
  for (const file of ['index.jsonl', 'session-1/transcript.md']) assert.equal(unit(file), undefined)
})
