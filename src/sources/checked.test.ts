import assert from 'node:assert/strict'
import fs from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import { sources } from './index.ts'
import { fixtureHomes } from './test-homes.ts'

/** Of a family of two in one folder. */
const FOLDERS: Record<string, string> = { 'kimi-code': 'kimi', 'kimi-cli': 'kimi', 'roo-code': 'cline' }

for (const { id } of sources) {
  test(`${id} is in the tests that go through all sources`, () => {
    // What grows, what is imported, what is counted and what is forgotten is tested with these homes.
    assert.ok(
      fixtureHomes.some((home) => home.id === id),
      'it has a fixture-homes.ts',
    )
    const folder = path.join(import.meta.dirname, FOLDERS[id] ?? id)
    const tests = fs
      .readdirSync(folder)
      .filter((name) => name.endsWith('.test.ts'))
      .map((name) => fs.readFileSync(path.join(folder, name), 'utf8'))
      .join('\n')
    assert.match(tests, /\b(?:mutat\w*|assertSurvives\w*|diceFrom)\(/, 'it is damaged')
  })
}
