import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { test } from 'node:test'
import { smallText } from './small-text.ts'

test('a pipe where a file is expected is not waited for', { skip: process.platform === 'win32' }, () => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'recollect-small-'))
  try {
    const [file, pipe] = [path.join(folder, 'a.json'), path.join(folder, 'b.json')]
    fs.writeFileSync(file, '{"a":1}')
    execFileSync('mkfifo', [pipe])
    assert.equal(smallText(file, 7), '{"a":1}')
    assert.equal(smallText(file, 6), undefined)
    assert.equal(smallText(pipe, 1_000), undefined)
    assert.equal(smallText(folder, 1_000_000), undefined)
    assert.equal(smallText(path.join(folder, 'none'), 1_000), undefined)
  } finally {
    fs.rmSync(folder, { recursive: true })
  }
})
