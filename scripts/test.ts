/**
 * `npm test [files]`: all tests, or these. Most of their time goes into starting processes, so the command is bundled
 * first, as it is shipped (it starts in a third of the time of its sources), and files of unit tests share a process. A
 * file that is run by `node --test` runs alone, and runs the sources.
 */
import { spawnSync } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { bundleCommand } from './bundle.ts'
import { allTests, groupTests, writeGroups } from './test-groups.ts'

const root = path.join(import.meta.dirname, '..')
const given = process.argv.slice(2)
const isWhole = given.every((each) => each.startsWith('-'))

// Short: paths of what tests make are shown on screens of 80 columns, and name sockets.
const folder = fs.mkdtempSync(path.join(quickFolder(), 'rt-'))
let status = 1
// Ctrl-C ends the tests; what was bundled is removed all the same.
process.on('SIGINT', () => {})
try {
  // Beside what the tests make, not around it: what is in its own folder the command takes for itself.
  const tested = path.join(folder, 'package')
  await bundleCommand(path.join(tested, 'dist'))
  for (const name of ['bin', 'package.json', 'sample'])
    fs.cpSync(path.join(root, name), path.join(tested, name), { recursive: true })
  const [temporary, databases] = [path.join(folder, 't'), path.join(folder, 'pg')]
  for (const each of [temporary, databases]) fs.mkdirSync(each)
  // A database server that does not run as root has its files in there.
  for (const each of [folder, temporary, databases]) fs.chmodSync(each, 0o711)
  const groups = () => writeGroups(root, groupTests(root, allTests(root)), path.join(folder, 'groups'))
  const files = isWhole ? groups() : []
  const run = spawnSync(
    process.execPath,
    ['--test', '--test-timeout=1200000', '--test-concurrency=4', ...given, ...files],
    {
      cwd: root,
      stdio: 'inherit',
      env: {
        // Hundreds of processes load the same files: compiled once, they take half of the time.
        NODE_COMPILE_CACHE: path.join(root, 'node_modules', '.cache', 'compiled'),
        ...process.env,
        TMPDIR: temporary,
        // See src/hub/test-kit.ts.
        ...(process.platform !== 'win32' && { RECOLLECT_TEST_PG_DATA: path.join(databases, 'data') }),
        RECOLLECT_TESTED: path.join(tested, 'bin', 'recollect'),
      },
    },
  )
  status = run.status ?? 1
} finally {
  fs.rmSync(folder, { recursive: true, force: true })
}
process.exitCode = status

/** In memory where there is room for it: hundreds of archives are written, and nothing is to outlast this. */
function quickFolder(): string {
  const memory = '/dev/shm'
  try {
    const { bavail, bsize } = fs.statfsSync(memory)
    if (bavail * bsize > 4 * 2 ** 30) return memory
  } catch {
    // It is there on Linux only.
  }
  return os.tmpdir()
}
