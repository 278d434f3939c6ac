import assert from 'node:assert/strict'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { test } from 'node:test'
import { sources } from '../sources/index.ts'
import { machineAt } from '../sources/test-kit.ts'
import { sourceReports } from './source-report.ts'

test('encrypted stores are named, with what to do', async (t) => {
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
  ]) {
    fs.mkdirSync(path.join(home, path.dirname(file)), { recursive: true })
    fs.writeFileSync(path.join(home, file), 'x')
  }
  const closed = (await reports()).filter((report) => report.closed.length > 0)
  assert.deepEqual(
    closed.map((report) => [report.source, report.closed.length]),
    [
      ['traex', 1],
      ['antigravity', 2],
      ['windsurf', 1],
    ],
  )
  const problems = closed.flatMap((report) => report.problems)
  assert.equal(problems.length, 4)
  for (const { problem, hint } of problems) {
    assert.match(problem, /keeps chats encrypted in .* \(1 file\): they cannot be read/)
    assert.ok(hint.length > 20)
  }
})
