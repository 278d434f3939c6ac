import assert from 'node:assert/strict'
import fs from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import { root } from './run-cli.ts'

const text = (file: string) => fs.readFileSync(path.join(root, file), 'utf8')

/** What a page says is in a file: `[file](…), `name``, or `` `Name` in [file](…) ``. */
function* namedIn(page: string): Generator<{ file: string; name: string }> {
  for (const [, file, name] of page.matchAll(/\]\(\.\.\/([^)]+\.tsx?)\),\s+`(\w+)`/g))
    yield { file: file!, name: name! }
  for (const [, name, file] of page.matchAll(/`(\w+)` in \[[^\]]+\]\(\.\.\/([^)]+\.tsx?)\)/g))
    yield { file: file!, name: name! }
  for (const [, names, file] of page.matchAll(/^\| ((?:`\w+`(?:, )?)+) \|.*\]\(\.\.\/([^)]+\.tsx?)\) \|$/gm))
    for (const [, name] of names!.matchAll(/`(\w+)`/g)) yield { file: file!, name: name! }
}

for (const [page, least] of [
  ['docs/walk.md', 25],
  ['docs/glossary.md', 12],
] as const)
  test(`what ${page} names is where it says`, () => {
    const named = [...namedIn(text(page))]
    assert.ok(named.length >= least, `only ${named.length} names found`)
    for (const { file, name } of named) {
      const made = new RegExp(
        `(?:function\\*? |class |const |interface |type |^  (?:async )?)${name}\\b`,
        'm',
      )
      assert.match(text(file), made, `${name} in ${file}`)
    }
  })

test('a message and a query are followed in at most ten steps each', () => {
  const [, ...ways] = text('docs/walk.md').split(/^## /m)
  for (const way of ways) {
    const steps = way.match(/^\d+\. /gm)?.length ?? 0
    assert.ok(steps > 0 && steps <= 10, way.slice(0, 40))
  }
})
