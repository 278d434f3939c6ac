import assert from 'node:assert/strict'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { after, test } from 'node:test'
import { randomFrom } from '../mutations.ts'
import { withReader } from '../source.ts'
import {
  anyCuts,
  gather,
  lineEnds,
  machineAt,
  plainly,
  readGrowing,
  readMachine,
  unitsOf,
} from '../test-kit.ts'
import { assertSurvives } from '../test-reader.ts'
import { homes } from './fixture-homes.ts'
import { copilotJetbrains as described } from './index.ts'

const copilotJetbrains = await withReader(described)

const home = fs.mkdtempSync(path.join(os.tmpdir(), 'recollect-jb-'))
after(() => fs.rmSync(home, { recursive: true, force: true }))
homes[0]!.put(home)
const machine = machineAt(home)

test('a chat in two partitions, and none of the copies of what was rolled back', () => {
  const { chats, messages, problems } = readMachine(copilotJetbrains, machine)
  assert.deepEqual(problems, [])
  assert.deepEqual(
    chats.map(({ source, id }) => [source, id]),
    [['copilot-jetbrains', 'c-51']],
  )
  assert.deepEqual(
    messages['c-51']?.map(({ kind, text }) => [kind, text]),
    [
      ['request', 'Rename the field price to amount'],
      ['answer', 'I will look for it.'],
      ['answer', ''],
      ['tool', ''],
      ['answer', ''],
      ['tool', ''],
      ['answer', 'Renamed.'],
      ['summary', 'The field price became amount.'],
      ['request', 'Now the tests too'],
      ['answer', 'The tests say amount.'],
      ['notice', 'Aborted: cancelled'],
    ],
  )
  const said = messages['c-51']!
  assert.equal(said[1]!.thinking, 'Cart.kt holds it.')
  assert.deepEqual(
    said.flatMap(({ toolCalls = [] }) => toolCalls.map(({ id, tool, args }) => [id, tool, args])),
    [
      ['call_1', 'read_file', { filePath: '/home/me/shop/Cart.kt' }],
      ['call_2', 'run_in_terminal', { command: 'gradle test' }],
    ],
  )
  assert.deepEqual(
    said.flatMap(({ toolResults = [] }) =>
      toolResults.map(({ callId, text, error }) => [callId, text, error]),
    ),
    [
      ['call_1', 'val price: Int', undefined],
      ['call_2', undefined, 'no gradle here'],
    ],
  )
})

test('read while it grows, and read once', () => {
  const random = randomFrom(11)
  for (const unit of unitsOf(copilotJetbrains, machine)) {
    const bytes = fs.readFileSync(unit.path)
    const whole = plainly(gather(copilotJetbrains.read(unit, undefined, machine)))
    const ways = Array.from({ length: 20 }, () => anyCuts(bytes.length, 5, random))
    for (const cuts of [lineEnds(bytes), ...ways])
      assert.deepEqual(plainly(readGrowing(copilotJetbrains, unit, machine, cuts)), whole)
  }
})

test('no damage makes it throw', () => assertSurvives(copilotJetbrains, machine))

test('where it is looked for', () => {
  assert.deepEqual(copilotJetbrains.roots(machineAt('/home/me')), [{ path: '/home/me/.copilot/jb' }])
  const windows = { platform: 'win32' as const, home: 'C:\\Users\\me', env: {} }
  assert.deepEqual(copilotJetbrains.roots(windows), [{ path: 'C:\\Users\\me\\.copilot\\jb' }])
  const unit = (file: string) => copilotJetbrains.unit(file, { path: '/r' })?.path
  assert.equal(unit('c/partition-12.jsonl'), '/r/c/partition-12.jsonl')
  assert.equal(unit('c/partition-1.v1.jsonl'), undefined)
})
