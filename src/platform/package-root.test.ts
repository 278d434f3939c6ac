import assert from 'node:assert/strict'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { after, test } from 'node:test'
import { packageRoot } from './package-root.ts'

const temp = fs.mkdtempSync(path.join(os.tmpdir(), 'recollect-root-'))
after(() => fs.rmSync(temp, { recursive: true, force: true }))

test('the folder of the package is the nearest one above with a package.json', () => {
  const deep = path.join(temp, 'package', 'dist', 'chunks')
  fs.mkdirSync(deep, { recursive: true })
  fs.writeFileSync(path.join(temp, 'package', 'package.json'), '{}')
  assert.equal(packageRoot(deep), path.join(temp, 'package'))
})

test('files outside of any package end with an error, not in a circle', () => {
  // Nothing is above it on any system.
  const alone = path.join(path.parse(temp).root, 'nowhere-at-all', 'dist')
  assert.throws(() => packageRoot(alone), {
    code: 'NOT_INSTALLED',
    hint: 'Install it again: `npm install -g recollect`.',
  })
})
