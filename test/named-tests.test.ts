import assert from 'node:assert/strict'
import fs from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'

const root = path.join(import.meta.dirname, '..')

test('every test that a page of the docs names is there', () => {
  // What context.md shows is a file of somebody else.
  const pages = fs
    .globSync(['docs/**/*.md', '*.md'], { cwd: root })
    .filter((page) => !page.endsWith('context.md'))
  const missing = pages.flatMap((page) =>
    [
      ...fs
        .readFileSync(path.join(root, page), 'utf8')
        .matchAll(/`((?:src|test|vscode|bench)\/[\w./-]+\.(?:test|page|check|faults)\.ts)`/g),
    ]
      .filter(([, file]) => !fs.existsSync(path.join(root, file!)))
      .map(([, file]) => `${page}: ${file}`),
  )
  assert.deepEqual(missing, [])
})

test('each of the defects that docs/systems.md lists has tests of the names that it gives', () => {
  const page = fs.readFileSync(path.join(root, 'docs', 'systems.md'), 'utf8')
  const [, table = ''] = page.split('## Defects that were found')
  const rows = table.split('\n').filter((line) => line.startsWith('| ') && !/^\| (?:---|defect)/.test(line))
  assert.equal(rows.length, 15)
  for (const row of rows) {
    const tests = row.split(' | ')[1]!
    for (const [, file, names] of tests.matchAll(/`([\w./-]+\.test\.ts)`: ([^;|]+)/g)) {
      const text = fs.readFileSync(path.join(root, file!), 'utf8')
      for (const part of names!.split(/ · |…/).map((each) => each.trim()))
        assert.ok(text.includes(part), `${file} has no test “${part}”`)
    }
  }
})
