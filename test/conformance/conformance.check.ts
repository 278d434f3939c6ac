/** What the protocol's own suite says of our server, at both revisions: `npm run test:conformance`. */
import assert from 'node:assert/strict'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { after, before, test } from 'node:test'
import { parse } from 'yaml'
import { root } from '../run-cli.ts'
import { runTool } from '../run-tool.ts'
import { startFixtureServer } from './fixture-server.ts'

const REVISIONS = ['2025-11-25', '2026-07-28']
/** The required scenarios of each revision, and those that are run but not scored. */
const LEAST_SCENARIOS = { '2025-11-25': 33, '2026-07-28': 50 }

const temp = fs.mkdtempSync(path.join(os.tmpdir(), 'recollect-conformance-'))
let server: Awaited<ReturnType<typeof startFixtureServer>>

before(async () => {
  server = await startFixtureServer(path.join(root, 'sample'), path.join(temp, 'archive'))
})
after(async () => {
  await server.close()
  fs.rmSync(temp, { recursive: true, force: true })
})

test('every scenario passes, but those that ask for what is not offered', async () => {
  const wrong = new Map<string, string[]>()
  for (const revision of REVISIONS) {
    const outcomes = await outcomesOf(revision)
    assert.ok(
      outcomes.size >= LEAST_SCENARIOS[revision as keyof typeof LEAST_SCENARIOS],
      `${revision}: only ${outcomes.size} scenarios were run`,
    )
    for (const [scenario, checks] of outcomes) {
      const said = checks
        .filter(({ status }) => status === 'FAILURE' || status === 'WARNING')
        .map(({ id, errorMessage }) => `${revision} ${id}: ${errorMessage}`)
      if (said.length > 0) wrong.set(scenario, [...(wrong.get(scenario) ?? []), ...said])
    }
  }
  const expected = new Set(expectedFailures())
  const unexpected = [...wrong].filter(([scenario]) => !expected.has(scenario))
  assert.deepEqual(unexpected, [], 'failed, and not listed in expected-failures.yml')
  assert.deepEqual(
    [...expected].filter((scenario) => !wrong.has(scenario)),
    [],
    'listed in expected-failures.yml, and passed',
  )
})

interface Check {
  id: string
  status: 'SUCCESS' | 'FAILURE' | 'WARNING' | 'SKIPPED' | 'INFO'
  errorMessage?: string
}

/** What was found out, by the name of the scenario. */
async function outcomesOf(revision: string): Promise<Map<string, Check[]>> {
  const results = path.join(temp, revision)
  const { code, out, err } = await runTool(
    'conformance',
    ['server', '--url', server.url, '--requirements', revision, '--output-dir', results],
    temp,
  )
  assert.equal(code, 0, `a required scenario of ${revision} failed:\n${out.slice(-4_000)}${err}`)
  const folders = fs.readdirSync(results)
  return new Map(
    folders.map((folder) => [
      folder.replace(/^server-/, '').replace(/-\d{4}-\d\d-\d\dT[\d-]+Z$/, ''),
      JSON.parse(fs.readFileSync(path.join(results, folder, 'checks.json'), 'utf8')),
    ]),
  )
}

function expectedFailures(): string[] {
  return parse(fs.readFileSync(path.join(import.meta.dirname, 'expected-failures.yml'), 'utf8')).server
}
