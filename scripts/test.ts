/**
 * `npm test [files]`: all tests, or these. Most of their time goes into starting the command, so it is bundled first, as it
 * is shipped: it starts in a third of the time of its sources. A file that is run by `node --test` runs the sources.
 */
import { spawnSync } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { bundleCommand } from './bundle.ts'

const root = path.join(import.meta.dirname, '..')
const ALL = ['src/**/*.test.ts', 'test/**/*.test.ts', 'bench/**/*.test.ts']
const given = process.argv.slice(2)
const files = given.some((each) => !each.startsWith('-')) ? [] : ALL

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'recollect-tested-'))
let status = 1
// Ctrl-C ends the tests; what was bundled is removed all the same.
process.on('SIGINT', () => {})
try {
  await bundleCommand(path.join(folder, 'dist'))
  for (const name of ['bin', 'package.json', 'sample'])
    fs.cpSync(path.join(root, name), path.join(folder, name), { recursive: true })
  const run = spawnSync(
    process.execPath,
    ['--test', '--test-timeout=1200000', '--test-concurrency=4', ...given, ...files],
    {
      cwd: root,
      stdio: 'inherit',
      env: {
        ...process.env,
        RECOLLECT_TESTED: path.join(folder, 'bin', 'recollect'),
        RECOLLECT_TEST_PG_DATA: path.join(folder, 'postgres'),
      },
    },
  )
  status = run.status ?? 1
} finally {
  fs.rmSync(folder, { recursive: true, force: true })
}
process.exitCode = status
