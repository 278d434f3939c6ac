import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import os from 'node:os'
import path from 'node:path'
import { test } from 'node:test'
import { pathToFileURL } from 'node:url'

const own = os.getPriority(0)

/** The priority of a process that has stepped back. */
function priorityOf(who: string): number {
  const from = pathToFileURL(path.join(import.meta.dirname, 'step-back.ts'))
  const code = `import { stepBack } from '${from}'; import os from 'node:os'; stepBack('${who}'); console.log(os.getPriority(0))`
  return Number(execFileSync(process.execPath, ['--no-warnings', '--input-type=module', '-e', code]))
}

const skip = process.platform === 'win32' && 'Windows has classes instead of numbers'

test('what somebody waits for steps back less than what nobody waits for, and neither comes forward', {
  skip,
}, () => {
  assert.equal(priorityOf('waitedFor'), Math.max(7, own))
  assert.equal(priorityOf('behind'), Math.max(10, own))
})
