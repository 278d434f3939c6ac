import assert from 'node:assert/strict'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { after, test } from 'node:test'
import { diskLayer } from './disk/layer.ts'
import { runCommand } from './run-cli.ts'

/**
 * Every write, sync, rename and removal fails in turn, SQLite's own included, in a process of its own that has a layer
 * over its files. `FAULTS=every` leaves none out, `FAULTS=all` fails each of them in every way; `FAULTS_PART=2/8` does a part
 * of it, and `FAULTS_OF='a forget'` one kind of work.
 */
// In memory where that can be: nothing is ever pulled out, and a real disk takes its time to sync.
const place = fs.existsSync('/dev/shm') ? '/dev/shm' : os.tmpdir()
const temp = fs.mkdtempSync(path.join(place, 'recollect-disk-'))
after(() => fs.rmSync(temp, { recursive: true, force: true }))

const only = process.env.FAULTS_OF
const agent = "an agent's run"
for (const name of ['archive', 'agent'].filter((each) => !only || (each === 'agent') === (only === agent)))
  test(`whatever call of the disk fails: ${name}`, async (t) => {
    const folder = path.join(temp, name)
    fs.mkdirSync(folder)
    const env = diskLayer(folder)
    if (typeof env === 'string') return t.skip(env)
    const file = path.join(import.meta.dirname, 'disk', `${name}.faults.ts`)
    const pattern = only ? [`--test-name-pattern=^${only}$`] : []
    const { code, out, err } = await runCommand(
      process.execPath,
      ['--test-reporter=spec', ...pattern, file],
      {
        ...env,
        TMPDIR: env.DISK_UNDER!,
        FAULTS: process.env.FAULTS ?? '',
        FAULTS_PART: process.env.FAULTS_PART ?? '0/1',
        LOG_LEVEL: 'error',
      },
    )
    for (const line of out.split('\n')) if (/✔|✖|calls, /.test(line)) t.diagnostic(line.trim())
    assert.equal(code, 0, `${out}\n${err}`)
  })
