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
import { mistralVibe as described } from './index.ts'

const mistralVibe = await withReader(described)

const home = fs.mkdtempSync(path.join(os.tmpdir(), 'recollect-vibe-'))
after(() => fs.rmSync(home, { recursive: true, force: true }))
homes[0]!.put(home)
const machine = machineAt(home)
const ID = 'session_20261003_080000_7e7e0001'
const [unit] = unitsOf(mistralVibe, machine)

test('a session', () => {
  const { chats, messages, problems } = readMachine(mistralVibe, machine)
  assert.deepEqual(problems, [])
  assert.deepEqual(chats, [
    {
      source: 'mistral-vibe',
      id: ID,
      title: 'What the shop sells',
      workspace: '/home/me/shop',
      branch: 'main',
      createdAt: Date.parse('2026-10-03T08:00:00Z'),
      updatedAt: Date.parse('2026-10-03T08:01:00Z'),
    },
  ])
  const said = messages[ID]!
  assert.deepEqual(
    said.map(({ kind, text }) => [kind, text]),
    [
      ['request', 'What does the shop sell?'],
      ['answer', ''],
      ['tool', ''],
      ['answer', 'Bread and milk.'],
      ['injected', 'Half of the context is used.'],
      ['request', 'And eggs?'],
      ['answer', 'No eggs.'],
      ['notice', 'Tokens of the whole session.'],
    ],
  )
  assert.deepEqual(said[1]!.toolCalls, [{ id: 'c1', tool: 'read_file', args: { path: 'README.md' } }])
  assert.equal(said[1]!.thinking, 'The readme knows.')
  assert.deepEqual([said.at(-1)!.usage, said.at(-1)!.model], [{ input: 900, output: 70 }, 'devstral-2'])
})

test('a title that is no more than the first request is none', () => {
  const meta = unit!.beside![0]!
  const before = fs.readFileSync(meta, 'utf8')
  fs.writeFileSync(meta, before.replace('"manual"', '"auto"'))
  const { chats } = gather(mistralVibe.read(unit!, undefined, machine))
  fs.writeFileSync(meta, before)
  assert.equal(chats[0]!.title, undefined)
})

test('read while it grows, and read once', () => {
  const random = randomFrom(17)
  const bytes = fs.readFileSync(unit!.path)
  const whole = plainly(gather(mistralVibe.read(unit!, undefined, machine)))
  const ways = Array.from({ length: 20 }, () => anyCuts(bytes.length, 5, random))
  for (const cuts of [lineEnds(bytes), ...ways])
    assert.deepEqual(plainly(readGrowing(mistralVibe, unit!, machine, cuts)), whole)
})

test('no damage makes it throw', () => {
  for (const file of [unit!.path, unit!.beside![0]!]) {
    const bytes = fs.readFileSync(file)
    for (const damaged of mutations(bytes, 1000)) {
      fs.writeFileSync(file, damaged)
      gather(mistralVibe.read(unit!, undefined, machine))
    }
    fs.writeFileSync(file, bytes)
  }
})

test('where it is looked for', () => {
  const roots = (env = {}) => mistralVibe.roots(machineAt('/home/me', env)).map((root) => root.path)
  assert.deepEqual(roots(), ['/home/me/.vibe/logs/session'])
  assert.deepEqual(roots({ VIBE_HOME: '/v' }), ['/v/logs/session'])
  assert.equal(mistralVibe.unit('s/meta.json', { path: '/r' })?.path, '/r/s/messages.jsonl')
})
