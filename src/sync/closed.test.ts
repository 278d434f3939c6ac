import assert from 'node:assert/strict'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { test } from 'node:test'
import type { Machine } from '../platform/machine.ts'
import { sources } from '../sources/index.ts'
import { machineAt } from '../sources/test-kit.ts'
import { sourceReports } from './source-report.ts'

test('what is encrypted, or kept in a way that is not read, is named, with what to do', async (t) => {
  const home = fs.mkdtempSync(path.join(os.tmpdir(), 'recollect-closed-'))
  t.after(() => fs.rmSync(home, { recursive: true }))
  const reports = async () => await sourceReports({ sources, machine: machineAt(home), homes: [] }, undefined)
  assert.deepEqual(
    (await reports()).flatMap(({ closed }) => closed),
    [],
  )
  for (const file of [
    '.codeium/windsurf/cascade/1.pb',
    '.gemini/antigravity/conversations/2.pb',
    '.gemini/antigravity-ide/implicit/3.pb',
    '.config/Trae/ModularData/ai-agent/database.db',
    '.gemini/antigravity/conversations/4.db',
    '.config/Kiro/User/globalStorage/kiro.kiroagent/workspace-sessions/L2hvbWU/sessions.json',
    '.hermes/sessions/20260101_101010_ab12.jsonl',
    '.config/github-copilot/iu/chat-sessions/1a2b/copilot-chat-nitrite.db',
  ]) {
    fs.mkdirSync(path.join(home, path.dirname(file)), { recursive: true })
    fs.writeFileSync(path.join(home, file), 'x')
  }
  const closed = (await reports()).filter((report) => report.closed.length > 0)
  assert.deepEqual(
    closed.map((report) => [report.source, report.closed.length]),
    [
      ['copilot-jetbrains', 1],
      ['traex', 1],
      ['antigravity', 3],
      ['kiro', 1],
      ['hermes', 1],
      ['windsurf', 1],
    ],
  )
  const problems = closed.flatMap((report) => report.problems)
  assert.equal(problems.filter(({ problem }) => /keeps chats encrypted in/.test(problem)).length, 4)
  assert.equal(problems.length, 8)
  for (const { problem, hint } of problems) {
    assert.match(
      problem,
      /keeps chats encrypted in .* \(1 file\): they cannot be read|in an (?:older|undocumented) format in .* \(1 file\): they are not read/,
    )
    assert.ok(hint.length > 20)
  }
})

test('what runs on another system only is not looked for here, and says so', async (t) => {
  const home = fs.mkdtempSync(path.join(os.tmpdir(), 'recollect-systems-of-'))
  t.after(() => fs.rmSync(home, { recursive: true, force: true }))
  const here = machineAt(home)
  const of = async (homes: Machine[]) =>
    (await sourceReports({ sources, machine: here, homes }, undefined)).find(
      ({ source }) => source === 'visual-studio',
    )!
  const alone = await of([])
  assert.deepEqual([alone.onlyOn, alone.looked], [['Windows'], 0])
  // A home of Windows, mounted here, may have it.
  const beside = await of([{ ...here, platform: 'win32' }])
  assert.deepEqual([beside.onlyOn, beside.looked], [undefined, 1])
})
