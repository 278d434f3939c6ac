import assert from 'node:assert/strict'
import path from 'node:path'
import { test } from 'node:test'
import { below } from './below.ts'

test('a file below a root is where path.join says, however the root is written', () => {
  for (const root of ['/home/u/.claude/projects', '/home/u//x/../y/', '/', 'relative/place', './here', '.'])
    for (const file of ['a.jsonl', '-w-app/b c.jsonl', 'x/y/z/ö.json', '.hidden/...odd'])
      assert.equal(below({ path: root }, file), path.join(root, file))
})
