import assert from 'node:assert/strict'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { after, test } from 'node:test'
import { withReader } from '../source.ts'
import { lookInto, machineAt, readMachine } from '../test-kit.ts'
import { assertSurvives } from '../test-reader.ts'
import { homes } from './fixture-homes.ts'
import { auggie as described } from './index.ts'

const auggie = await withReader(described)

const home = fs.mkdtempSync(path.join(os.tmpdir(), 'recollect-auggie-'))
after(() => fs.rmSync(home, { recursive: true, force: true }))
homes[0]!.put(home)
const machine = machineAt(home)
const ID = 'b7c50000-0000-4000-8000-000000000001'

test('who said what, without the copies', () => {
  const reading = readMachine(auggie, machine)
  const { messages } = lookInto(reading)
  assert.deepEqual(reading.problems, [])
  assert.deepEqual(reading.chats, [
    {
      source: 'auggie',
      id: ID,
      title: 'Port of the shop',
      createdAt: Date.parse('2026-07-01T10:00:00Z'),
      updatedAt: Date.parse('2026-07-01T10:02:00Z'),
      format: 'session',
    },
  ])
  assert.deepEqual(
    messages(ID).map(({ kind, text }) => [kind, text]),
    [
      ['request', 'Which port does the shop use?'],
      ['answer', 'Let me look.'],
      ['tool', ''],
      ['answer', 'It listens on port 8080.'],
      ['summary', 'So far: the port was asked for.'],
      ['request', 'Change it to 9090'],
      ['answer', 'Changed.'],
    ],
  )
  const [, call, result, answer] = messages(ID)
  assert.deepEqual(call!.toolCalls, [{ id: 't1', tool: 'view', args: { path: 'config.json' } }])
  assert.deepEqual(result!.toolResults, [{ callId: 't1', text: '"port": 8080' }])
  assert.equal(answer!.model, 'claude-sonnet-4.5')
  assert.deepEqual(messages(ID).at(-1)!.files, [{ path: 'config.json', action: 'edit' }])
  assert.ok(!JSON.stringify(reading).includes('example.com'))
})

test('no damage makes it throw', () => assertSurvives(auggie, machine))

test('where it is looked for', () => {
  assert.deepEqual(auggie.roots(machineAt('/home/me')), [{ path: '/home/me/.augment/sessions' }])
  for (const file of ['x-backup2.json', 'x.tmp', 'a/x.json'])
    assert.equal(auggie.unit(file, { path: '/r' }), undefined)
})
