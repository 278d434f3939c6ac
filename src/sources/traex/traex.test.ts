import assert from 'node:assert/strict'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { after, test } from 'node:test'
import { withReader } from '../source.ts'
import { machineAt, readMachine } from '../test-kit.ts'
import { assertSurvives } from '../test-reader.ts'
import { homes } from './fixture-homes.ts'
import { traex as described } from './index.ts'

const traex = await withReader(described)

const home = fs.mkdtempSync(path.join(os.tmpdir(), 'recollect-traex-'))
after(() => fs.rmSync(home, { recursive: true, force: true }))
homes[0]!.put(home)
const machine = machineAt(home)
const ID = '019fcf70-2222-7000-8000-000000000001'

test('a session whose lines add several items', () => {
  const { chats, messages, problems } = readMachine(traex, machine)
  assert.deepEqual(problems, [])
  const [chat] = chats
  assert.deepEqual(
    [chat!.source, chat!.id, chat!.workspace, chat!.format, chat!.resume],
    ['traex', ID, '/home/me/shop', '0.200.19', undefined],
  )
  const said = messages[ID]!
  assert.deepEqual(
    said.filter(({ text }) => text).map(({ kind, text }) => [kind, text]),
    [
      ['request', 'Which port does the shop use?'],
      ['answer', 'I will look at the readme.'],
      ['answer', 'It uses port 8080.'],
      ['request', 'Make it 9090'],
      ['answer', 'Now it is 9090.'],
    ],
  )
  assert.deepEqual(
    said.flatMap(({ toolCalls = [] }) => toolCalls.map(({ id, tool }) => [id, tool])),
    [['call_1', 'exec']],
  )
  assert.equal(said.flatMap(({ toolResults = [] }) => toolResults)[0]?.text, 'It listens on port 8080.')
  assert.equal(said.find(({ usage }) => usage)?.usage?.input, 100)
  assert.equal(new Set(said.map(({ id }) => id)).size, said.length)
})

test('no damage makes it throw', () => assertSurvives(traex, machine))

test('where it is looked for', () => {
  assert.deepEqual(traex.roots(machineAt('/home/me')), [{ path: '/home/me/.trae/cli' }])
  const unit = (file: string) => traex.unit(file, { path: '/r' })
  assert.ok(unit('sessions/2026/09/01/rollout-x.jsonl') && unit('archived_sessions/rollout-x.jsonl'))
  assert.equal(unit('history.jsonl'), undefined)
})
