import assert from 'node:assert/strict'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { test } from 'node:test'
import { toolBin } from '../scripts/tools.ts'

test("a tool is what its package names, not npm's script, which on Windows is one for another shell", (t) => {
  const folder = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'recollect-tools-')))
  t.after(() => fs.rmSync(folder, { recursive: true }))
  const put = (file: string, text: string) => {
    fs.mkdirSync(path.dirname(path.join(folder, file)), { recursive: true })
    fs.writeFileSync(path.join(folder, file), text)
  }
  put('package.json', JSON.stringify({ dependencies: { '@acme/wrench': '1.0.0', saw: '1.0.0' } }))
  put('node_modules/.bin/wrench', '#!/bin/sh\n')
  put('node_modules/.bin/saw', '#!/bin/sh\n')
  put('node_modules/@acme/wrench/package.json', JSON.stringify({ bin: 'cli.js' }))
  put('node_modules/@acme/wrench/cli.js', '')
  put('node_modules/saw/package.json', JSON.stringify({ bin: { saw: 'bin/saw.js' } }))
  put('node_modules/saw/bin/saw.js', '')
  assert.equal(toolBin('wrench', folder), path.join(folder, 'node_modules/@acme/wrench/cli.js'))
  assert.equal(toolBin('saw', folder), path.join(folder, 'node_modules/saw/bin/saw.js'))
})
