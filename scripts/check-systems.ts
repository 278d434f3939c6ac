/**
 * Checks from Linux what differs elsewhere, all of it in a clone that Git would give CRLF and with
 * temporary folders behind a link (as on macOS): on the oldest Node that is supported, and with the names
 * of other systems where only those decide. Windows and macOS themselves are in .github/workflows.
 * `node scripts/check-systems.ts [oldest] [darwin] [win32]` does only some of it.
 */
import { execFileSync, spawnSync } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { groupTests, writeGroups } from './test-groups.ts'

const OLDEST_NODE = '22.18.0'
/** As much work on any system as on the first, where `npm test` does it: thousands of made-up or cut files. */
const SAME_EVERYWHERE = [
  'many-writers',
  'mutations',
  'growth',
  'growing',
  'oracle',
  'prefix',
  'limits',
  'meaning',
  'search',
  'leaks',
  'aside',
  'redact',
  'formats',
  'repair',
  'damage',
  'forget',
  'forgotten',
  'import-sessions',
  'samples',
  'threads',
  'change-log',
  'current',
  'guessing',
  'import',
  'kept-usage',
  'remade',
]
/**
 * What reads and ranks texts, in rooms that never meet the system: one run of `npm test` says all of it. And the hub,
 * whose server must not run as root, and cannot be started out of a private folder by anybody else.
 */
const PURE = /^src[\\/](hub|search|sources[\\/](?!coverage|imports)[^\\/]+)[\\/]/
/** What talks to the system by way of a whole program: the shortest that meet each part of it. */
const PROGRAMS = ['hints', 'mcp', 'old-node', 'read-only', 'tools', 'windows-processes'].map(
  (name) => `test/${name}.test.ts`,
)
/** Where the name of the system decides. */
const BY_PLATFORM = [
  'src/sync/*.test.ts',
  'src/context/*.test.ts',
  'src/platform/*.test.ts',
  'src/cli/setup/*.test.ts',
]

const root = path.join(import.meta.dirname, '..')
const temp = fs.mkdtempSync(path.join(os.tmpdir(), 'recollect-systems-'))

try {
  const clone = cloneWithCrlf()
  const linked = path.join(temp, 'link')
  fs.mkdirSync(path.join(temp, 'behind'))
  fs.symlinkSync(path.join(temp, 'behind'), linked)
  const places = { TMPDIR: linked, TEMP: linked }
  if (isWanted('oldest')) {
    const oldest = process.env.OLDEST_NODE ?? oldestNode()
    test(`Node ${OLDEST_NODE}`, clone, oldest, places, ['src/**/*.test.ts', ...PROGRAMS])
  }
  for (const platform of ['darwin', 'win32'].filter(isWanted)) {
    const pretend = `data:text/javascript,Object.defineProperty(process,'platform',{value:'${platform}'})`
    const env = { ...places, NODE_OPTIONS: `--import "${pretend}"` }
    test(`Node ${process.versions.node}, as ${platform}`, clone, process.execPath, env, BY_PLATFORM)
  }
} finally {
  fs.rmSync(temp, { recursive: true, force: true })
}

function isWanted(part: string): boolean {
  const wanted = process.argv.slice(2)
  return wanted.length === 0 || wanted.includes(part)
}

function cloneWithCrlf(): string {
  const clone = path.join(temp, 'clone')
  execFileSync('git', ['clone', '--quiet', '-c', 'core.autocrlf=true', root, clone])
  const endings = execFileSync('git', ['-C', clone, 'ls-files', '--eol'], { encoding: 'utf8' })
  const changed = endings
    .split('\n')
    .filter((line) => /^\S+\s+w\/(?:crlf|mixed)/.test(line) && !/^i\/(?:crlf|mixed)/.test(line))
  if (changed.length > 0) fail(`Git gives these other line endings:\n${changed.slice(0, 10).join('\n')}`)
  for (const folder of ['node_modules', 'test/tools/node_modules', 'dist']) {
    const own = path.join(root, folder)
    if (fs.existsSync(own)) fs.symlinkSync(own, path.join(clone, folder))
  }
  return clone
}

function oldestNode(): string {
  const name = `node-${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`
  execFileSync(
    'npm',
    ['install', '--prefix', temp, '--no-save', '--no-audit', '--no-fund', `${name}@${OLDEST_NODE}`],
    { stdio: ['ignore', 'ignore', 'inherit'] },
  )
  return path.join(temp, 'node_modules', name, 'bin', 'node')
}

function test(title: string, cwd: string, node: string, env: Record<string, string>, globs: string[]): void {
  const files = fs
    .globSync(globs, { cwd })
    .filter((file) => !SAME_EVERYWHERE.includes(path.basename(file, '.test.ts')) && !PURE.test(file))
  console.log(`\n-- ${title}: ${files.length} files`)
  const began = performance.now()
  const groups = writeGroups(cwd, groupTests(cwd, files), path.join(temp, `groups-${began}`))
  const args = ['--test', '--test-timeout=600000', '--test-concurrency=4', '--test-reporter=dot', ...groups]
  const { status } = spawnSync(node, args, {
    cwd,
    stdio: 'inherit',
    env: { ...process.env, ...env, PATH: `${path.dirname(node)}${path.delimiter}${process.env.PATH}` },
  })
  if (status !== 0) fail(`${title}: tests failed`)
  console.log(`${((performance.now() - began) / 1000).toFixed(0)} s`)
}

/** Not `process.exit`, which would leave the temporary folder behind. */
function fail(message: string): never {
  throw new Error(message)
}
