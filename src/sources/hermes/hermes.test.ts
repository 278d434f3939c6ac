import assert from 'node:assert/strict'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { after, test } from 'node:test'
import { withReader } from '../source.ts'
import { gather, lookInto, machineAt, readMachine, unitsOf } from '../test-kit.ts'
import { assertSurvives, assertSurvivesRows } from '../test-reader.ts'
import { homes } from './fixture-homes.ts'
import { hermes as described } from './index.ts'

const hermes = await withReader(described)

const home = fs.mkdtempSync(path.join(os.tmpdir(), 'recollect-hermes-'))
after(() => fs.rmSync(home, { recursive: true, force: true }))
homes[0]!.put(home)
const machine = machineAt(home)
const ID = '20260901_100000_ab12cd'

test('who said what', () => {
  const reading = readMachine(hermes, machine)
  const { messages } = lookInto(reading)
  assert.deepEqual(reading.problems, [])
  assert.deepEqual(reading.chats, [
    {
      source: 'hermes',
      id: ID,
      title: 'Watering the garden',
      createdAt: 1788256800500,
      updatedAt: 1788256830000,
      format: 'database',
    },
  ])
  assert.deepEqual(
    messages(ID).map(({ kind, text, via }) => [kind, text, ...(via ? [via] : [])]),
    [
      ['request', 'When shall I water the tomatoes?'],
      ['answer', ''],
      ['tool', ''],
      ['answer', 'Wait for the rain tomorrow.'],
      ['request', 'make a plan for May', '/garden'],
      ['answer', 'Sow beans in the middle of May.'],
      ['notice', 'Tokens of hermes-4.'],
    ],
  )
  const [, call, result] = messages(ID)
  assert.equal(call!.thinking, 'Rain matters.')
  assert.deepEqual(call!.toolCalls, [{ id: 'c1', tool: 'weather', args: { days: 2 } }])
  assert.deepEqual(result!.toolResults, [{ callId: 'c1', text: '{"rain":"tomorrow"}' }])
  assert.deepEqual(messages(ID).at(-1)!.usage, {
    input: 1200,
    output: 40,
    cached: 200,
    reasoning: 5,
    cost: 0.02,
  })
})

test('only what was added is told again', () => {
  const [unit] = unitsOf(hermes, machine)
  const { checkpoint } = gather(hermes.read(unit!, undefined, machine))
  const db = new DatabaseSync(unit!.path)
  db.exec(
    `INSERT INTO messages (session_id, role, content, timestamp) VALUES ('${ID}', 'user', 'Thanks', 1788256900.0)`,
  )
  db.close()
  const { messages } = gather(hermes.read(unit!, checkpoint, machine))
  assert.deepEqual(
    messages[ID]!.map(({ id }) => id),
    ['7', 'usage'],
  )
})

test('no damage makes it throw', () => {
  assertSurvives(hermes, machine, 1500)
  assertSurvivesRows(hermes, machine, ['messages', 'tool_calls'])
})

test('where it is looked for', () => {
  assert.deepEqual(hermes.roots(machineAt('/home/me')), [{ path: '/home/me/.hermes' }])
  assert.deepEqual(hermes.roots(machineAt('/home/me', { HERMES_HOME: '/h' })), [{ path: '/h' }])
  const unit = (file: string) => hermes.unit(file, { path: '/r' })?.path
  assert.equal(unit('profiles/work/state.db-wal'), '/r/profiles/work/state.db')
  for (const file of ['auth.json', 'profiles/state.db', 'sessions/state.db'])
    assert.equal(unit(file), undefined)
})
