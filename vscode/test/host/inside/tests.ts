import path from 'node:path'
import Mocha from 'mocha'
import { inWindow } from './window.ts'

const TESTS = (process.env.RECOLLECT_TESTS ?? '').split(',')

/** Runs the tests that were asked for and tells how they go. */
export async function runTests(): Promise<void> {
  try {
    const mocha = new Mocha({ ui: 'tdd', timeout: 240_000, reporter: ToWindow })
    for (const name of TESTS) mocha.addFile(path.join(__dirname, `${name}.test.js`))
    await new Promise((resolve) => mocha.run(resolve))
  } catch (error) {
    await inWindow.report({ title: 'the tests load', ms: 0, error: String(error) })
  }
  await reported
  await inWindow.end()
}

/** One after the other, so that they are printed in their order. */
let reported: Promise<void> = Promise.resolve()

/** A reporter of mocha's that tells each outcome at once. */
class ToWindow extends Mocha.reporters.Base {
  constructor(runner: Mocha.Runner) {
    super(runner)
    // Other extensions run in this process as well. What ours throws is on the console, and counts there.
    Object.assign(runner, { uncaught: () => {}, unhandled: () => {} })
    runner.on('pass', (test) => tell(test))
    runner.on('fail', (test, error: Error) => tell(test, error.stack ?? String(error)))
    runner.on('pending', (test) => tell(test, undefined, true))
  }
}

function tell(test: Mocha.Runnable, error?: string, skipped = false): void {
  const outcome = { title: test.fullTitle(), ms: test.duration ?? 0, error, skipped }
  reported = reported.then(() => inWindow.report(outcome))
}
