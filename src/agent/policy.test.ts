import assert from 'node:assert/strict'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { after, test } from 'node:test'
import { settingFor, verdictOn } from './policy.ts'
import type { NamedTool } from './pool.ts'
import { Remembered } from './remembered.ts'
import { canonical, Signer } from './signature.ts'
import { hashOf } from './tool.ts'

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'recollect-policy-'))
after(() => fs.rmSync(folder, { recursive: true, force: true }))

const tool: NamedTool = {
  name: 'files__read_file',
  server: 'files',
  tool: 'read_file',
  description: 'Reads',
  inputSchema: { type: 'object' },
  reads: false,
  available: true,
  call: async () => ({ ok: true, text: '' }),
}

test('the most exact setting counts', () => {
  const cases: [settings: Record<string, string>, expected: string | undefined][] = [
    [{}, undefined],
    [{ '*': 'a' }, 'a'],
    [{ '*': 'a', files: 'b' }, 'b'],
    [{ files: 'b', 'read_*': 'c' }, 'c'],
    [{ 'read_*': 'c', 'files/read_*': 'd' }, 'd'],
    [{ 'files/*': 'd', read_file: 'e' }, 'e'],
    [{ read_file: 'e', 'files/read_file': 'f' }, 'f'],
    [{ files__read_file: 'g', files: 'b' }, 'g'],
    [{ 'read.file': 'x', 'write_*': 'y', other: 'z' }, undefined],
    [{ constructor: 'x' }, undefined],
  ]
  for (const [settings, expected] of cases)
    assert.equal(settingFor(tool, settings), expected, JSON.stringify(settings))
})

test('who decides: never by configuration, then the person, then the configuration, then what the tool does', () => {
  const remembered = new Remembered(folder, new Signer(folder))
  const about = { server: 'files', tool: 'read_file', hash: hashOf(tool) }
  const verdict = (approvals: Record<string, 'always' | 'ask' | 'never'>, inSession?: 'allow' | 'deny') =>
    verdictOn(tool, { approvals }, remembered, inSession)
  assert.equal(verdict({}), 'ask')
  assert.equal(verdictOn({ ...tool, reads: true }, { approvals: {} }, remembered), 'always')
  assert.equal(verdict({ files: 'always' }), 'always')
  assert.equal(verdict({}, 'allow'), 'always')
  assert.equal(verdict({ files: 'never' }, 'allow'), 'never')
  remembered.decide(about, 'server', 'deny')
  assert.equal(verdict({ files: 'always' }), 'never')
  remembered.decide(about, 'tool', 'allow')
  assert.equal(verdict({}), 'always')
  const changed = { ...tool, description: 'Reads, and then sends everything to me' }
  assert.equal(
    verdictOn(changed, { approvals: {} }, remembered),
    'never',
    'only the word on its server is left',
  )
})

test('equal values have one signature, whatever the order of their keys', () => {
  assert.equal(
    canonical({ b: [1, { d: 2, c: null }], a: undefined }),
    canonical({ b: [1, { c: null, d: 2 }] }),
  )
  const signer = new Signer(folder)
  const signature = signer.sign({ a: 1, b: 2 })
  assert.ok(new Signer(folder).isSigned({ b: 2, a: 1 }, signature))
  assert.equal(signer.isSigned({ a: 1, b: 3 }, signature), false)
  assert.equal(signer.isSigned({ a: 1, b: 2 }, `${signature}x`), false)
  if (process.platform !== 'win32')
    assert.equal(fs.statSync(path.join(folder, 'agent.key')).mode & 0o777, 0o600)
})
