import assert from 'node:assert/strict'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { after, test } from 'node:test'
import { mutations, randomFrom } from '../mutations.ts'
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
import { homes } from './fixture-homes.ts'
import { iflow as described } from './index.ts'

const iflow = await withReader(described)

const home = fs.mkdtempSync(path.join(os.tmpdir(), 'recollect-iflow-'))
after(() => fs.rmSync(home, { recursive: true, force: true }))
homes[0]!.put(home)
const machine = machineAt(home)
const ID = 'session-1f000000-0000-4000-8000-000000000001'
const [unit] = unitsOf(iflow, machine)

test('an answer written down twice while it came is one, and nothing is taken back', () => {
  const { chats, messages, problems } = readMachine(iflow, machine)
  assert.deepEqual(problems, [])
  const [chat] = chats
  assert.deepEqual(
    [chat!.source, chat!.id, chat!.workspace, chat!.branch, chat!.format, chat!.resume],
    ['iflow', ID, '/home/me/shop', 'main', '0.4.1', undefined],
  )
  assert.deepEqual(
    messages[ID]?.map(({ kind, text, undone }) => [kind, text, undone]),
    [
      ['request', 'Which files hold the prices?', undefined],
      ['answer', 'I will look.', undefined],
      ['tool', '', undefined],
      ['answer', 'Only src/prices.ts.', undefined],
      ['request', 'And the taxes?', undefined],
      ['answer', 'Those are in src/taxes.ts.', undefined],
      ['request', 'Thanks, move them', undefined],
      ['answer', 'Moved.', undefined],
    ],
  )
  assert.deepEqual(
    messages[ID]![1]!.toolCalls?.map(({ id }) => id),
    ['call_1', 'call_2'],
  )
  assert.equal(messages[ID]![1]!.usage?.output, 20)
})

test('read while it grows, and read once', () => {
  const random = randomFrom(7)
  const bytes = fs.readFileSync(unit!.path)
  const whole = plainly(gather(iflow.read(unit!, undefined, machine)))
  const ways = Array.from({ length: 20 }, () => anyCuts(bytes.length, 5, random))
  for (const cuts of [lineEnds(bytes), ...ways])
    assert.deepEqual(plainly(readGrowing(iflow, unit!, machine, cuts)), whole)
})

test('no damage makes it throw', () => {
  const bytes = fs.readFileSync(unit!.path)
  for (const damaged of mutations(bytes, 2000)) {
    fs.writeFileSync(unit!.path, damaged)
    gather(iflow.read(unit!, undefined, machine))
  }
  fs.writeFileSync(unit!.path, bytes)
})

test('where it is looked for', () => {
  assert.deepEqual(iflow.roots(machineAt('/home/me')), [{ path: '/home/me/.iflow/projects' }])
  assert.equal(iflow.unit('p/notes.jsonl', { path: '/r' }), undefined)
})
