import assert from 'node:assert/strict'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { test } from 'node:test'
import { root, runCommand } from './run-cli.ts'

/** A program that runs the launcher as an older Node would: with that version in `process.versions`. */
function pretend(version: string, launcher: string): string[] {
  const script = `Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '${version}' } });
    Object.defineProperty(process, 'version', { value: 'v${version}' });
    process.argv.splice(1, 0, ${JSON.stringify(launcher)});
    require(${JSON.stringify(launcher)})`
  return ['-e', script, '--', '--version']
}

test('started with an old Node, a checkout uses the Node it brings', async () => {
  const { out, code } = await runCommand(
    process.execPath,
    pretend('20.20.2', path.join(root, 'bin', 'recollect')),
    {},
  )
  assert.equal(code, 0)
  assert.match(out, /^\d+\.\d+\.\d+\n$/)
})

test('started with an old Node where there is no other, it says in a sentence what to do', async () => {
  const temp = fs.mkdtempSync(path.join(os.tmpdir(), 'recollect-old-'))
  fs.cpSync(path.join(root, 'bin'), path.join(temp, 'bin'), { recursive: true })
  const { err, code } = await runCommand(
    process.execPath,
    pretend('20.20.2', path.join(temp, 'bin', 'recollect')),
    {},
  )
  assert.equal(code, 3)
  assert.match(
    err,
    /^Recollect needs Node 22\.18 or newer, and this is v20\.20\.2: install a newer Node.*\n$/,
  )
  fs.rmSync(temp, { recursive: true })
})
