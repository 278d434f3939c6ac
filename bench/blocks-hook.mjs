/**
 * Loaded into a server that is measured (`NODE_OPTIONS=--import …`): writes down how long its thread that serves worked
 * without looking for other callers, in CPU time, which other jobs on the machine do not add to.
 */
import fs from 'node:fs'
import { isMainThread } from 'node:worker_threads'

const file = process.env.BLOCKS_FILE
// Not the processes that it starts for long calls.
if (isMainThread && !process.send && file && process.threadCpuUsage) {
  const used = () => {
    const { user, system } = process.threadCpuUsage()
    return (user + system) / 1000
  }
  let before = used()
  setInterval(() => {
    const now = used()
    if (now - before > 5) fs.appendFileSync(file, `${Date.now()} ${(now - before).toFixed(1)}\n`)
    before = used()
  }, 1).unref()
}
