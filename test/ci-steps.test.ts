import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { test } from 'node:test'
import { root } from './run-cli.ts'

/** What .ci/run is made of: it may run things beside each other, and must never pass when one of them failed. */
const skip = process.platform === 'win32' && 'CI runs in a shell of Linux'
const ended = (script: string) => {
  const { status, stdout } = spawnSync('bash', ['-c', `set -euo pipefail\n. .ci/steps\n${script}`], {
    cwd: root,
    encoding: 'utf8',
  })
  return { status, out: stdout }
}

test('lanes run beside each other, and what they said is shown when they are waited for', { skip }, () => {
  const { status, out } = ended(`
    first() { step 'in the first'; read -r _ <"$logs/pipe"; echo 'ℹ pass 3'; }
    second() { echo go >"$logs/pipe"; }
    mkfifo "$logs/pipe"
    lane 'one' first
    lane 'two' second
    wait_for 'two'
    wait_for 'one'
    step 'all passed'`)
  assert.equal(status, 0)
  assert.match(
    out,
    /== two: passed[\s\S]*== one: passed[\s\S]*== in the first[\s\S]*ℹ pass 3[\s\S]*== all passed/,
  )
})

test('a lane that fails ends everything with its name and all that it said', { skip }, () => {
  for (const failing of [
    'false',
    'exit 7',
    'node -e "process.exit(3)"',
    'no_such_command',
    'false | cat',
    'kill -9 $BASHPID',
  ]) {
    const { status, out } = ended(`
      broken() { echo 'words before it'; ${failing}; echo 'words after it'; }
      lane 'the broken one' broken
      wait_for 'the broken one'
      step 'all passed'`)
    assert.equal(status, 1, failing)
    assert.match(out, /words before it[\s\S]*== the broken one FAILED/, failing)
    assert.doesNotMatch(out, /words after it|all passed/, failing)
  }
})

test('where a step in front fails, what runs beside it is ended, and CI fails', { skip }, () => {
  const { status, out } = ended(`
    endless() { echo $BASHPID >"$logs/../ended-$$"; sleep 600; }
    lane 'the endless one' endless
    while [ ! -s "$logs/../ended-$$" ]; do sleep 0.05; done
    cat "$logs/../ended-$$"; rm "$logs/../ended-$$"
    false
    step 'all passed'`)
  assert.equal(status, 1)
  assert.doesNotMatch(out, /all passed/)
  const pid = Number(/\d+/.exec(out)?.[0])
  assert.throws(() => process.kill(pid, 0), { code: 'ESRCH' })
})

test('what runs in memory finds a folder there, which is gone at the end, also where a lane fails', {
  skip,
}, () => {
  const { status, out } = ended(`
    broken() { in_memory bash -c 'touch "$TMPDIR/kept" && echo "in $TMPDIR"'; false; }
    lane 'the broken one' broken
    wait_for 'the broken one'`)
  assert.equal(status, 1)
  const folder = /in (\S+)/.exec(out)?.[1]
  assert.ok(folder)
  if (folder.startsWith('/dev/shm/')) assert.equal(fs.existsSync(folder), false)
})

test('every lane of .ci/run is waited for', { skip }, () => {
  const script = fs.readFileSync(path.join(root, '.ci', 'run'), 'utf8')
  const lanes = [...script.matchAll(/^\s*lane ('[^']+')/gm)].map(([, name]) => name)
  const waited = [...script.matchAll(/^\s*wait_for ('[^']+')/gm)].map(([, name]) => name)
  assert.ok(lanes.length >= 3)
  assert.deepEqual(lanes.toSorted(), waited.toSorted())
})

test('.ci/run passes where everything does, and fails with each single part of it', { skip }, () => {
  // Made-up programs note how they are called, and fail when they are called so.
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'recollect-ci-'))
  fs.cpSync(path.join(root, '.ci'), path.join(folder, '.ci'), { recursive: true })
  const [bin, called] = [path.join(folder, 'node_modules', '.bin'), path.join(folder, 'called')]
  fs.mkdirSync(bin, { recursive: true })
  for (const name of ['npm', 'node'])
    fs.writeFileSync(
      path.join(bin, name),
      `#!/bin/sh\ncall="${name} $*"\necho "$call" >>"${called}"\n[ "$call" != "$BROKEN" ]\n`,
      { mode: 0o755 },
    )
  const run = (broken: string) => {
    fs.writeFileSync(called, '')
    const env = { PATH: `${bin}:${process.env.PATH}`, CHROMIUM: '/bin/true', BROKEN: broken }
    const { status, stdout } = spawnSync(path.join(folder, '.ci', 'run'), {
      cwd: folder,
      env,
      encoding: 'utf8',
    })
    return { status, out: stdout }
  }
  try {
    const { status, out } = run('')
    assert.equal(status, 0, out)
    const calls = fs.readFileSync(called, 'utf8').trim().split('\n')
    assert.ok(calls.length > 15, calls.join('\n'))
    for (const script of ['test', 'run --silent bench', 'run --silent systems', 'run --silent test:page'])
      assert.ok(calls.includes(`npm ${script}`), script)
    for (const call of new Set(calls)) {
      const broken = run(call)
      assert.equal(broken.status, 1, call)
      assert.doesNotMatch(broken.out, /all passed/, call)
    }
  } finally {
    fs.rmSync(folder, { recursive: true, force: true })
  }
})
