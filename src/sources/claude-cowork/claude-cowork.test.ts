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
import { claudeCowork as described } from './index.ts'

const claudeCowork = await withReader(described)

const home = fs.mkdtempSync(path.join(os.tmpdir(), 'recollect-cowork-'))
after(() => fs.rmSync(home, { recursive: true, force: true }))
homes[0]!.put(home)
const machine = machineAt(home)
const ID = 'c0c0c0c0-0000-4000-8000-000000000001'
const META = path.join(home, '.config/Claude/local-agent-mode-sessions/acc-1/org-1/local_7a10.json')

test('a session, its sub-agent, and what Claude Desktop knows of it', () => {
  const { chats, messages, problems } = readMachine(claudeCowork, machine)
  assert.deepEqual(problems, [])
  assert.deepEqual(chats.map(({ id }) => id).sort(), ['agent-a77', ID])
  const chat = chats.find(({ id }) => id === ID)!
  assert.deepEqual(
    [chat.source, chat.workspace, chat.resume, chat.format],
    ['claude-cowork', '/home/me/receipts', undefined, '2.1.300'],
  )
  assert.deepEqual(
    messages[ID]?.map(({ kind, text }) => [kind, text]),
    [
      ['request', 'Put the receipts into folders by month'],
      ['answer', ''],
      ['tool', ''],
      ['answer', 'Two receipts moved to 2026-09.'],
    ],
  )
  const agent = chats.find(({ id }) => id === 'agent-a77')!
  assert.deepEqual(
    [agent.source, agent.parentId, agent.subagent, agent.workspace],
    ['claude-cowork', ID, true, undefined],
  )
  assert.deepEqual(
    messages['agent-a77']?.map(({ kind }) => kind),
    ['delegated', 'answer'],
  )
})

test('a new name and folder are written beside the transcript, and are believed more than it', () => {
  const unit = claudeCowork.unit('acc-1/org-1/local_7a10.json', { path: '/r' })!
  assert.deepEqual(unit, { path: '/r/acc-1/org-1/local_7a10.json', growth: 'whole', rank: 1 })
  const before = fs.readFileSync(META, 'utf8')
  fs.writeFileSync(META, before.replace('Sort the receipts', 'Receipts of autumn'))
  const { chats } = gather(claudeCowork.read({ ...unit, path: META }, undefined, machine))
  const forAnother = before.replace(ID, 'c0c0c0c0-0000-4000-8000-00000000000f')
  fs.writeFileSync(META, forAnother)
  assert.deepEqual(gather(claudeCowork.read({ ...unit, path: META }, undefined, machine)).chats, [])
  fs.writeFileSync(META, before)
  assert.deepEqual(chats, [
    { source: 'claude-cowork', id: ID, title: 'Receipts of autumn', workspace: '/home/me/receipts' },
  ])
})

test('read while it grows, and read once', () => {
  const random = randomFrom(5)
  for (const unit of unitsOf(claudeCowork, machine)) {
    if (unit.growth !== 'append') continue
    const bytes = fs.readFileSync(unit.path)
    const whole = plainly(gather(claudeCowork.read(unit, undefined, machine)))
    const ways = Array.from({ length: 10 }, () => anyCuts(bytes.length, 5, random))
    for (const cuts of [lineEnds(bytes), ...ways])
      assert.deepEqual(plainly(readGrowing(claudeCowork, unit, machine, cuts)), whole)
  }
})

test('no damage makes it throw', () => assertSurvives(claudeCowork, machine))

test('where it is looked for', () => {
  const roots = (platform: NodeJS.Platform, env = {}) =>
    claudeCowork.roots({ platform, home: '/home/me', env }).map((root) => root.path)
  assert.deepEqual(roots('linux'), ['/home/me/.config/Claude/local-agent-mode-sessions'])
  assert.deepEqual(roots('darwin'), ['/home/me/Library/Application Support/Claude/local-agent-mode-sessions'])
  assert.deepEqual(roots('win32', { APPDATA: 'C:\\r', LOCALAPPDATA: 'C:\\l' }), [
    'C:\\r\\Claude\\local-agent-mode-sessions',
    'C:\\l\\Packages\\Claude_pzs8sxrjxfjjc\\LocalCache\\Roaming\\Claude\\local-agent-mode-sessions',
  ])
  const enters = (folder: string) => claudeCowork.enters(folder, { path: '/r' })
  assert.ok(enters('a/o/local_1/.claude/projects/p/s/subagents'))
  assert.equal(enters('skills-plugin'), false)
  assert.equal(enters('a/o/local_1/outputs'), false)
  assert.equal(claudeCowork.unit('a/o/local_1/audit.jsonl', { path: '/r' }), undefined)
})
