import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import { allTests, groupTests } from '../scripts/test-groups.ts'
import { root } from './run-cli.ts'

test('`npm test` runs every file of tests once, and none of a package', () => {
  const files = groupTests(root, allTests(root)).flat()
  assert.equal(new Set(files).size, files.length)
  assert.deepEqual(
    files.filter((file) => file.includes('node_modules')),
    [],
  )
  const patterns = ['src/*.test.ts', 'test/*.test.ts', 'bench/*.test.ts']
  const tracked = execFileSync('git', ['ls-files', ...patterns], { cwd: root, encoding: 'utf8' })
  const there = tracked.split('\n').filter((file) => file && fs.existsSync(path.join(root, file)))
  for (const file of there) assert.ok(files.includes(file), `${file} is not run`)
})

test('a file that changes something of the process has one of its own', () => {
  const alone = groupTests(root, allTests(root)).filter((files) => files.length === 1)
  for (const file of ['src/platform/change-file.test.ts', 'src/sync/troubles.test.ts', 'test/kill.test.ts'])
    assert.ok(
      alone.some(([only]) => only === file),
      file,
    )
})
