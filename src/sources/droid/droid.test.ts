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
import { droid as described } from './index.ts'

const droid = await withReader(described)

const home = fs.mkdtempSync(path.join(os.tmpdir(), 'recollect-droid-'))
after(() => fs.rmSync(home, { recursive: true, force: true }))
homes[0]!.put(home)
const machine = machineAt(home)
const ID = 'd401d000-0000-4000-8000-000000000001'
const [unit] = unitsOf(droid, machine)

test('a session with a branch that was left', () => {
  const { chats, messages, problems } = readMachine(droid, machine)
  assert.deepEqual(problems, [])
  assert.deepEqual(chats, [
    {
      source: 'droid',
      id: ID,
      workspace: '/home/me/shop',
      format: 'v2',
      createdAt: Date.parse('2026-10-05T08:00:00Z'),
      updatedAt: Date.parse('2026-10-05T08:03:04Z'),
    },
  ])
  assert.deepEqual(
    messages[ID]?.map(({ kind, text, undone }) => [kind, text, undone]),
    [
      ['injected', 'Today is Monday.', undefined],
      ['request', 'Which port does the shop use?', undefined],
      ['answer', '', undefined],
      ['tool', '', undefined],
      ['answer', 'Port 8080.', undefined],
      ['notice', 'The key of this model ends soon.', undefined],
      ['request', 'Make it 9090', true],
      ['answer', 'Done.', true],
      ['request', 'No, make it 7070', undefined],
      ['answer', 'It is 7070 now.', undefined],
      ['notice', 'Tokens of the whole session.', undefined],
    ],
  )
  const said = messages[ID]!
  assert.deepEqual([said[2]!.thinking, said[2]!.model], ['The readme may say.', 'custom:house-model-0'])
  assert.deepEqual(said[3]!.toolResults, [{ callId: 'call_1', text: 'It listens on port 8080.' }])
  assert.deepEqual(said.at(-1)!.usage, {
    input: 3400,
    output: 60,
    cached: 3000,
    cacheWrite: 0,
    reasoning: 15,
  })
})

test('tokens that are counted later are told without the log having changed', () => {
  const beside = unit!.beside![0]!
  const settings = fs.readFileSync(beside, 'utf8')
  const before = gather(droid.read(unit!, undefined, machine))
  fs.writeFileSync(beside, settings.replace('"outputTokens":60', '"outputTokens":90'))
  const { messages } = gather(droid.read(unit!, before.checkpoint, machine), before)
  fs.writeFileSync(beside, settings)
  assert.equal(messages[ID]!.at(-1)!.usage?.output, 90)
  assert.equal(messages[ID]!.length, before.messages[ID]!.length)
})

test('read while it grows, and read once', () => {
  const random = randomFrom(13)
  const bytes = fs.readFileSync(unit!.path)
  const whole = plainly(gather(droid.read(unit!, undefined, machine)))
  const ways = Array.from({ length: 20 }, () => anyCuts(bytes.length, 5, random))
  for (const cuts of [lineEnds(bytes), ...ways])
    assert.deepEqual(plainly(readGrowing(droid, unit!, machine, cuts)), whole)
})

test('no damage makes it throw', () => {
  for (const file of [unit!.path, unit!.beside![0]!]) {
    const bytes = fs.readFileSync(file)
    for (const damaged of mutations(bytes, 1000)) {
      fs.writeFileSync(file, damaged)
      gather(droid.read(unit!, undefined, machine))
    }
    fs.writeFileSync(file, bytes)
  }
})

test('where it is looked for', () => {
  assert.deepEqual(droid.roots(machineAt('/home/me')), [{ path: '/home/me/.factory/sessions' }])
  const unitOf = (file: string) => droid.unit(file, { path: '/r' })?.path
  assert.equal(unitOf('p/a.settings.json'), '/r/p/a.jsonl')
  assert.equal(unitOf('a.jsonl'), '/r/a.jsonl')
  assert.equal(unitOf('p/a.settings.json.bak'), undefined)
})
