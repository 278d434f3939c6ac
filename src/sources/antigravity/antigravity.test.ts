import assert from 'node:assert/strict'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { after, test } from 'node:test'
import { withReader } from '../source.ts'
import { lookInto, machineAt, readMachine } from '../test-kit.ts'
import { assertGrows, assertSurvives } from '../test-reader.ts'
import { homes } from './fixture-homes.ts'
import { antigravity as described } from './index.ts'

const antigravity = await withReader(described)

const home = fs.mkdtempSync(path.join(os.tmpdir(), 'recollect-antigravity-'))
after(() => fs.rmSync(home, { recursive: true, force: true }))
homes[0]!.put(home)
const machine = machineAt(home)
const CHAT = '5f0c2a1e-8d3b-4c7a-9e21-0a1b2c3d4e5f'
const OLD = '0b7d9e64-1111-4c7a-9e21-0a1b2c3d4e60'

test('who said what', () => {
  const reading = readMachine(antigravity, machine)
  const { chat, messages } = lookInto(reading)
  assert.deepEqual(reading.problems, [])
  assert.deepEqual(chat(CHAT), {
    source: 'antigravity',
    id: CHAT,
    workspace: '/home/me/shop',
    createdAt: Date.parse('2026-10-01T09:00:00Z'),
    updatedAt: Date.parse('2026-10-01T09:02:05Z'),
    format: 'transcript',
  })
  assert.deepEqual(
    messages(CHAT).map(({ kind, text }) => [kind, text]),
    [
      ['request', 'Which port does the shop use?'],
      ['answer', 'I will look.'],
      ['tool', ''],
      ['tool', ''],
      ['answer', 'It listens on port 8080.'],
      ['injected', 'Message of another agent: the build is green.'],
      ['request', 'Thanks, change it to 9090'],
      ['answer', 'Changed.'],
    ],
  )
  const [, call, ran, viewed, answer] = messages(CHAT)
  assert.equal(call!.thinking, 'The port is in the settings.')
  assert.equal(call!.model, 'Gemini 3.7 Flash (High)')
  assert.deepEqual(call!.toolCalls, [
    {
      id: 'step-2.0',
      tool: 'run_command',
      args: { CommandLine: 'grep port config.json', Cwd: '/home/me/shop' },
    },
    { id: 'step-2.1', tool: 'view_file', args: { AbsolutePath: '/home/me/shop/README.md' } },
  ])
  assert.deepEqual(ran!.toolResults, [{ callId: 'step-2.0', text: 'Output:\n"port": 8080', exitCode: 0 }])
  assert.deepEqual(viewed!.toolResults, [{ callId: 'step-2.1', error: 'no such file' }])
  assert.deepEqual(answer!.usage, { input: 1200, output: 20 })
})

test('an older build, whose folder the command line program remembers', () => {
  const { chat, texts } = lookInto(readMachine(antigravity, machine))
  assert.equal(chat(OLD).workspace, '/home/me/hello')
  assert.deepEqual([texts(OLD, 'request'), texts(OLD, 'answer')], [['Say hello'], ['Hello.']])
})

test('read while it grows, and read once', () => assertGrows(antigravity, machine))

test('no damage makes it throw', () => assertSurvives(antigravity, machine))

test('where it is looked for', () => {
  assert.deepEqual(
    antigravity.roots(machineAt('/home/me')).map((root) => root.path),
    ['antigravity', 'antigravity-ide', 'antigravity-cli'].map((name) => `/home/me/.gemini/${name}/brain`),
  )
  const unit = (file: string) => antigravity.unit(file, { path: '/r' })
  assert.equal(unit('c/.system_generated/logs/transcript_full.jsonl')?.rank, 2)
  for (const file of ['c/task.md', 'c/.system_generated/logs/other.jsonl'])
    assert.equal(unit(file), undefined)
})
