import assert from 'node:assert/strict'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { after, test } from 'node:test'
import { mutations } from '../mutations.ts'
import { withReader } from '../source.ts'
import { gather, lookInto, machineAt, readMachine, unitsOf } from '../test-kit.ts'
import { assertSurvives } from '../test-reader.ts'
import { homes } from './fixture-homes.ts'
import { warp as described } from './index.ts'
import { taskMessages } from './task.ts'

const warp = await withReader(described)

const home = fs.mkdtempSync(path.join(os.tmpdir(), 'recollect-warp-'))
after(() => fs.rmSync(home, { recursive: true, force: true }))
homes[0]!.put(home)
const machine = machineAt(home)

test('who said what', () => {
  const reading = readMachine(warp, machine)
  const { chat, messages } = lookInto(reading)
  assert.deepEqual(reading.problems, [])
  assert.deepEqual(chat('c-1'), {
    source: 'warp',
    id: 'c-1',
    title: 'Disk usage',
    workspace: '/home/me',
    createdAt: 1790000000500,
    updatedAt: Date.parse('2026-09-21T13:33:30Z'),
    format: 'database',
  })
  assert.deepEqual(
    messages('c-1').map(({ kind, text }) => [kind, text]),
    [
      ['request', 'What fills my disk?'],
      ['answer', ''],
      ['answer', ''],
      ['tool', ''],
      ['answer', 'The videos do, with 9 gigabytes.'],
      ['delegated', 'List the largest videos'],
      ['answer', 'holiday.mov'],
    ],
  )
  const [, thought, call, result, answer] = messages('c-1')
  assert.equal(thought!.thinking, 'I should measure it.')
  assert.deepEqual(call!.toolCalls, [
    { id: 'call-1', tool: 'run_shell_command', args: { command: 'du -sh *' } },
  ])
  assert.deepEqual(result!.toolResults, [{ callId: 'call-1', text: '9G videos' }])
  assert.equal(answer!.model, 'claude-4-sonnet')
})

test('a conversation without tasks has what was asked', () => {
  const { chat, messages } = lookInto(readMachine(warp, machine))
  assert.equal(chat('c-2').workspace, '/home/me/shop')
  assert.deepEqual(
    messages('c-2').map(({ kind, text }) => [kind, text]),
    [['request', 'Undo my last commit']],
  )
})

test('no damage makes it throw', () => {
  assertSurvives(warp, machine, 1000)
  const [unit] = unitsOf(warp, machine)
  const db = new DatabaseSync(unit!.path)
  const { task } = db.prepare('SELECT task FROM agent_tasks').get()!
  db.close()
  for (const damaged of mutations(Buffer.from(task as Uint8Array), 2000)) taskMessages(damaged, 0)
  const { checkpoint } = gather(warp.read(unit!, undefined, machine))
  assert.deepEqual(gather(warp.read(unit!, checkpoint, machine)).chats, [])
})

test('where it is looked for', () => {
  const roots = (platform: NodeJS.Platform, at: string) =>
    warp.roots({ platform, home: at, env: {} }).map((root) => root.path)
  assert.deepEqual(roots('linux', '/home/me')[0], '/home/me/.local/state/warp-terminal')
  assert.equal(roots('win32', 'C:\\Users\\me')[0], 'C:\\Users\\me\\AppData\\Local\\warp\\Warp\\data')
  assert.ok(
    roots('darwin', '/Users/me').includes('/Users/me/Library/Application Support/dev.warp.Warp-Stable'),
  )
  assert.equal(warp.unit('other.sqlite', { path: '/r' }), undefined)
})
