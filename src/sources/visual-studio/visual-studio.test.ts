import assert from 'node:assert/strict'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { after, test } from 'node:test'
import { withReader } from '../source.ts'
import { assertDialogs, gather, lookInto, machineAt, readMachine } from '../test-kit.ts'
import { assertGrows, assertSurvives } from '../test-reader.ts'
import { homes } from './fixture-homes.ts'
import { visualStudio as described } from './index.ts'

const visualStudio = await withReader(described)

const home = fs.mkdtempSync(path.join(os.tmpdir(), 'recollect-visual-studio-'))
after(() => fs.rmSync(home, { recursive: true, force: true }))
homes[0]!.put(home)
const machine = machineAt(home)

test('who said what: each request once, though every span repeats it', () => {
  const reading = readMachine(visualStudio, machine)
  assertDialogs(reading, [
    [
      'conv-1',
      ['Which class holds the basket?', 'Thanks, rename it to Cart'],
      ['Let me look.', 'Basket in Shop.cs.', 'Renamed.'],
      1,
      1,
    ],
    ['conv-2', ['Name the colours of autumn'], ['Amber, russet and ochre.'], 0, 0],
  ])
  const [, call, result] = lookInto(reading).messages('conv-1')
  assert.deepEqual(call!.toolCalls, [{ id: 'call_1', tool: 'get_file', args: { path: 'Shop.cs' } }])
  assert.deepEqual(result!.toolResults, [{ callId: 'call_1', text: 'class Basket {}' }])
  assert.deepEqual([call!.model, call!.usage], ['gpt-4.1', { input: 1200, output: 20 }])
})

test('a session of a solution', () => {
  const file = path.join(home, 'Shop/.vs/Shop/copilot-chat/a1/sessions/5f0c2a1e-8d3b-4c7a-9e21-0a1b2c3d4e5f')
  fs.mkdirSync(path.dirname(file), { recursive: true })
  fs.copyFileSync(path.join(import.meta.dirname, 'fixtures/traces.jsonl'), file)
  const below = 'copilot-chat/a1/sessions/5f0c2a1e-8d3b-4c7a-9e21-0a1b2c3d4e5f'
  const unit = visualStudio.unit(below, { path: path.join(home, 'Shop/.vs/Shop') })!
  assert.equal(unit.path, file)
  const { chats } = gather(visualStudio.read(unit, undefined, machine))
  assert.equal(chats[0]?.workspace, path.join(home, 'Shop'))
})

test('read while it grows, and read once', () => assertGrows(visualStudio, machine))

test('no damage makes it throw', () => assertSurvives(visualStudio, machine))

test('where it is looked for', () => {
  const windows = { platform: 'win32' as const, home: 'C:\\Users\\me', env: {} }
  assert.deepEqual(visualStudio.roots(windows), [
    { path: 'C:\\Users\\me\\AppData\\Local\\Temp\\VSGitHubCopilotLogs\\traces' },
  ])
  assert.equal(visualStudio.unit('other.jsonl', { path: '/r' }), undefined)
})
