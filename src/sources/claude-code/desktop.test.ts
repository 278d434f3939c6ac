import assert from 'node:assert/strict'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { after, test } from 'node:test'
import { mutations } from '../mutations.ts'
import { withReader } from '../source.ts'
import { gather, machineAt, unitsOf } from '../test-kit.ts'
import { homes } from './fixture-homes.ts'
import { claudeCode as described } from './index.ts'

const claudeCode = await withReader(described)

const home = fs.mkdtempSync(path.join(os.tmpdir(), 'recollect-desktop-'))
after(() => fs.rmSync(home, { recursive: true, force: true }))
homes[1]!.put(home)
const machine = machineAt(home)
const unit = unitsOf(claudeCode, machine).find(({ growth }) => growth === 'whole')!

test('Claude Desktop knows the title of a session, and is believed more than the transcript', () => {
  assert.equal(unit.rank, 1)
  const { chats, messages, problems } = gather(claudeCode.read(unit, undefined, machine))
  assert.deepEqual(chats, [
    {
      source: 'claude-code',
      id: '0b1f6c1e-0000-4000-8000-0000000000b2',
      title: 'Shop: what the desktop calls it',
    },
  ])
  assert.deepEqual([messages, problems], [{}, []])
})

test('no damage makes it throw', () => {
  const bytes = fs.readFileSync(unit.path)
  for (const damaged of mutations(bytes, 500)) {
    fs.writeFileSync(unit.path, damaged)
    gather(claudeCode.read(unit, undefined, machine))
  }
})

test('where Claude Desktop keeps it', () => {
  const desktop = (platform: NodeJS.Platform, env: Record<string, string> = {}) =>
    claudeCode.roots({ platform, home: '/home/me', env }).flatMap(({ path, label }) => (label ? [path] : []))
  assert.deepEqual(desktop('linux'), ['/home/me/.config/Claude/claude-code-sessions'])
  assert.deepEqual(desktop('darwin'), ['/home/me/Library/Application Support/Claude/claude-code-sessions'])
  assert.equal(desktop('win32', { APPDATA: 'C:\\r', LOCALAPPDATA: 'C:\\l' }).length, 2)
  const [root] = claudeCode.roots(machineAt('/home/me')).filter(({ label }) => label)
  assert.equal(claudeCode.unit('a/o/notes.json', root!), undefined)
  assert.equal(claudeCode.enters('a/o', root!), true)
  assert.equal(claudeCode.enters('a/o/x', root!), false)
})
