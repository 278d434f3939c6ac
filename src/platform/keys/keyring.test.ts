import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { findProgram } from '../program.ts'

const NEEDED = ['dbus-run-session', 'gnome-keyring-daemon', 'secret-tool']
const missing = NEEDED.filter((name) => !findProgram(name, { env: process.env }))

/** The keyring of a Linux desktop, with a session and a home of its own. */
test('a key goes into a real keyring and comes back', {
  skip: missing.length > 0 && `there is no ${missing.join(', ')} here`,
}, async (t) => {
  const home = fs.mkdtempSync(path.join(os.tmpdir(), 'recollect-keyring-'))
  t.after(() => fs.rmSync(home, { recursive: true, force: true }))
  const code = `
    const { KeptKeys } = await import(${JSON.stringify(path.join(import.meta.dirname, 'kept-keys.ts'))})
    const keys = () => new KeptKeys(${JSON.stringify(path.join(home, 'archive'))})
    const where = await keys().keep('anthropic', 'zq7-in-a-keyring')
    const key = await keys().key('anthropic')
    const removed = await keys().remove('anthropic')
    console.log(JSON.stringify({ where, key, removed, after: await keys().key('anthropic') ?? null }))`
  const script = `printf pass | gnome-keyring-daemon --unlock --components=secrets >/dev/null 2>&1
    exec "$0" --input-type=module -e "$1"`
  const { stdout } = await promisify(execFile)(
    'dbus-run-session',
    ['--', 'sh', '-c', script, process.execPath, code],
    { env: { PATH: process.env.PATH, HOME: home, XDG_RUNTIME_DIR: home }, timeout: 60_000 },
  )
  assert.deepEqual(JSON.parse(stdout.trim().split('\n').at(-1)!), {
    where: 'keychain',
    key: 'zq7-in-a-keyring',
    removed: true,
    after: null,
  })
  assert.ok(!fs.readFileSync(path.join(home, 'archive', 'keys.json'), 'utf8').includes('zq7'))
})
