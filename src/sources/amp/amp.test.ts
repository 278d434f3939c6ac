import assert from 'node:assert/strict'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { after, test } from 'node:test'
import { mutations } from '../mutations.ts'
import { withReader } from '../source.ts'
import { gather, machineAt, readMachine, unitsOf } from '../test-kit.ts'
import { homes } from './fixture-homes.ts'
import { amp as described } from './index.ts'

const amp = await withReader(described)

const home = fs.mkdtempSync(path.join(os.tmpdir(), 'recollect-amp-'))
after(() => fs.rmSync(home, { recursive: true, force: true }))
homes[0]!.put(home)
const machine = machineAt(home)
const ID = 'T-5a5a0000-0000-4000-8000-000000000001'

test('a thread', () => {
  const { chats, messages, problems } = readMachine(amp, machine)
  assert.deepEqual(problems, [])
  assert.deepEqual(chats, [
    {
      source: 'amp',
      id: ID,
      title: 'Prices with two decimals',
      workspace: '/home/me/shop',
      createdAt: 1790931600000,
      updatedAt: Date.parse('2026-10-02T09:00:31Z'),
      format: 'v12',
    },
  ])
  const said = messages[ID]!
  assert.deepEqual(
    said.map(({ kind, text }) => [kind, text]),
    [
      ['request', 'Show prices with two decimals'],
      ['answer', 'I will look.'],
      ['tool', ''],
      ['answer', 'src/price.ts prints two decimals now.'],
    ],
  )
  assert.equal(said[1]!.thinking, 'Where are they printed?')
  assert.deepEqual(said[2]!.toolResults, [
    { callId: 'toolu_1', text: 'src/price.ts:3' },
    { callId: 'toolu_2', error: 'no such file' },
  ])
  assert.deepEqual(said[1]!.usage, { input: 1210, output: 40, cached: 1000, cacheWrite: 200 })
  assert.deepEqual(said[3]!.usage, { input: 300, output: 20, cached: 0 })
})

test('no damage makes it throw', () => {
  const [unit] = unitsOf(amp, machine)
  const bytes = fs.readFileSync(unit!.path)
  for (const damaged of mutations(bytes, 2000)) {
    fs.writeFileSync(unit!.path, damaged)
    gather(amp.read(unit!, undefined, machine))
  }
  fs.writeFileSync(unit!.path, bytes)
})

test('where it is looked for', () => {
  const roots = (env = {}) => amp.roots(machineAt('/home/me', env)).map((root) => root.path)
  assert.deepEqual(roots(), ['/home/me/.local/share/amp/threads'])
  assert.deepEqual(roots({ XDG_DATA_HOME: '/data' }), ['/data/amp/threads'])
  assert.equal(amp.unit('history.jsonl', { path: '/r' }), undefined)
})
