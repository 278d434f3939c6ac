import assert from 'node:assert/strict'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { after, test } from 'node:test'
import { withReader } from '../source.ts'
import { assertDialogs, gather, lookInto, machineAt, readMachine, unitsOf } from '../test-kit.ts'
import { assertSurvives, assertSurvivesRows } from '../test-reader.ts'
import { homes } from './fixture-homes.ts'
import { amazonQ as described } from './index.ts'

const amazonQ = await withReader(described)

const home = fs.mkdtempSync(path.join(os.tmpdir(), 'recollect-amazon-q-'))
after(() => fs.rmSync(home, { recursive: true, force: true }))
homes[0]!.put(home)
const machine = machineAt(home)
const FIRST = '71000000-0000-4000-8000-000000000001'

test('who said what', () => {
  const reading = readMachine(amazonQ, machine)
  assertDialogs(reading, [
    [FIRST, ['Write a greeting for marmalade customers'], ['Hello, dear marmalade customers.'], 0, 0],
  ])
  assert.equal(lookInto(reading).chat(FIRST).workspace, '/home/me/shop')
})

test('only what changed is told again, and a new conversation takes the place of the old', () => {
  const [unit] = unitsOf(amazonQ, machine)
  const { checkpoint } = gather(amazonQ.read(unit!, undefined, machine))
  assert.deepEqual(gather(amazonQ.read(unit!, checkpoint, machine)).chats, [])
  const db = new DatabaseSync(unit!.path)
  db.exec(
    "UPDATE conversations SET value = replace(replace(value, '7100', '7200'), 'a greeting', 'good morning')",
  )
  db.close()
  const { chats, messages } = gather(amazonQ.read(unit!, checkpoint, machine))
  assert.deepEqual(
    chats.map(({ id }) => id),
    [FIRST.replace('7100', '7200')],
  )
  assert.equal(Object.values(messages)[0]![0]!.text, 'Write good morning for marmalade customers')
})

test('no damage makes it throw', () => {
  assertSurvives(amazonQ, machine, 1500)
  assertSurvivesRows(amazonQ, machine, ['conversations', 'value'])
})
