import assert from 'node:assert/strict'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { after, test } from 'node:test'
import { makeOnce } from './make-once.ts'

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'recollect-once-'))
after(() => fs.rmSync(folder, { recursive: true, force: true }))

test('the first that is made stays, unless it is no good; nothing is left beside it', () => {
  const file = path.join(folder, 'keys', 'a.key')
  const content = () => fs.readFileSync(file, 'utf8')
  makeOnce(file, 'first')
  makeOnce(file, 'second')
  assert.equal(content(), 'first')
  makeOnce(file, 'third', () => content() === 'first')
  assert.equal(content(), 'first')
  makeOnce(file, 'fourth', () => false)
  assert.equal(content(), 'fourth')
  assert.deepEqual(fs.readdirSync(path.dirname(file)), ['a.key'])
  if (process.platform !== 'win32') assert.equal(fs.statSync(file).mode & 0o777, 0o600)
})
