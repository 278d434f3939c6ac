import assert from 'node:assert/strict'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { after, test } from 'node:test'
import { makeFolder } from './make-folder.ts'

const temp = fs.mkdtempSync(path.join(os.tmpdir(), 'recollect-make-folder-'))
after(() => fs.rmSync(temp, { recursive: true, force: true }))

test('a folder is made with those above it, for its owner only, and one that is there is left as it is', () => {
  const folder = path.join(temp, 'a', 'b', 'c')
  makeFolder(folder)
  makeFolder(folder)
  assert.ok(fs.statSync(folder).isDirectory())
  if (process.platform !== 'win32')
    for (const each of [folder, path.dirname(folder)]) assert.equal(fs.statSync(each).mode & 0o777, 0o700)
})

test('a file in the way, or a link to nowhere, is an error', (t) => {
  const file = path.join(temp, 'file')
  fs.writeFileSync(file, 'in the way')
  assert.throws(() => makeFolder(file), { code: 'EEXIST' })
  assert.throws(() => makeFolder(path.join(file, 'below')), { code: /ENOTDIR|ENOENT|EEXIST/ })
  assert.equal(fs.readFileSync(file, 'utf8'), 'in the way')
  if (process.platform === 'win32') return t.skip('links need a right of their own there')
  fs.symlinkSync(path.join(temp, 'nowhere'), path.join(temp, 'link'))
  assert.throws(() => makeFolder(path.join(temp, 'link')), { code: 'EEXIST' })
})

test('where the system lets nothing be made it ends, with an error', {
  skip: process.platform !== 'linux' && 'there is no /proc',
}, () => {
  assert.throws(() => makeFolder('/proc/recollect/backups'), { code: /ENOENT|EACCES|EPERM|EROFS/ })
})
