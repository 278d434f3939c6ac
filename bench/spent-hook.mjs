/** Loaded into a command that is measured (`NODE_OPTIONS=--import …`): writes down what all of its threads took. */
import fs from 'node:fs'
import { isMainThread } from 'node:worker_threads'

const file = process.env.SPENT_FILE
if (isMainThread && file)
  process.on('exit', () => {
    const { user, system } = process.cpuUsage()
    const wallMs = performance.now()
    const peakMB = process.resourceUsage().maxRSS / 1024
    fs.writeFileSync(file, JSON.stringify({ wallMs, cpuMs: (user + system) / 1000, peakMB }))
  })
