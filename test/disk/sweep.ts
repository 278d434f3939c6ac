import assert from 'node:assert/strict'
import fs from 'node:fs'
import path from 'node:path'
import type { TestContext } from 'node:test'
import { DISK_FAULTS, type DiskCalls, type DiskFault, failDisk, healDisk, layeredFolder } from './layer.ts'

/**
 * With FAULTS=all every call fails in every way, with FAULTS=every each fails once, in another way than the one before it.
 * Else, where there are many calls that are alike, some are left out.
 */
const ALL = process.env.FAULTS === 'all'
const MOST = process.env.FAULTS === 'every' ? Number.POSITIVE_INFINITY : 24
/** `2/8`: of each eight calls the second, for a long run in pieces. */
const [PART = 0, PARTS = 1] = (process.env.FAULTS_PART ?? '0/1').split('/').map(Number)

export interface Outcome {
  error: Error | undefined
  /** For the words of a failed check. */
  what: string
  /** Nothing could be removed either: what is left must go with the next time. */
  mayLeave: boolean
}

/** Fails one call after the other of some work, each time in a folder of its own. */
export async function sweepDisk<T>(
  t: TestContext,
  prepare: (folder: string) => T | Promise<T>,
  work: (made: T, folder: string) => unknown,
  check: (made: T, folder: string, outcome: Outcome) => unknown,
): Promise<void> {
  let errors = 0
  const met = new Map<string, number>()
  const once = async (nth: number, fault: DiskFault): Promise<DiskCalls> => {
    const folder = fs.mkdtempSync(path.join(layeredFolder(), 'sweep-'))
    const made = await prepare(folder)
    let error: Error | undefined
    failDisk(nth, fault)
    try {
      await work(made, folder)
    } catch (caught) {
      error = caught as Error
      errors++
    }
    const calls = healDisk()
    if (calls.hits > 0) met.set(calls.operation, (met.get(calls.operation) ?? 0) + 1)
    const what = `${fault} at call ${nth} (${calls.operation}): ${error?.stack}`
    try {
      await check(made, folder, { error, what, mayLeave: fault === 'dead' || calls.operation === 'unlink' })
    } catch (failure) {
      if (failure instanceof assert.AssertionError) throw failure
      throw new Error(`${what}\nand then ${(failure as Error).stack}`, { cause: failure })
    }
    fs.rmSync(folder, { recursive: true })
    return calls
  }
  const { calls } = await once(0, 'EIO')
  assert.equal(errors, 0, 'it works without faults')
  let times = 0
  const stride = ALL ? 1 : Math.max(1, Math.ceil(calls / MOST))
  // The first and the last calls differ most.
  const isChosen = (nth: number) => nth < 12 || nth > calls - 12 || nth % stride === 0
  for (let nth = 1; nth <= calls; nth++) {
    if (nth % PARTS !== PART % PARTS) continue
    for (const [i, fault] of DISK_FAULTS.entries())
      if (ALL || (isChosen(nth) && times % DISK_FAULTS.length === i)) {
        await once(nth, fault)
        times++
        if (!ALL) break
      }
  }
  const seen = [...met].map(([operation, count]) => `${operation} ${count}`).join(', ')
  t.diagnostic(`${t.name}: ${calls} calls, ${times} runs, failed first: ${seen}; ${errors} ended in an error`)
  assert.ok(errors > 0, 'the faults were met')
}
