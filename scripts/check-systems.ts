/**
 * Checks from Linux what differs elsewhere: a clone that Git gives CRLF, the oldest Node that is
 * supported, temporary folders behind a link (as on macOS), and the names of other systems where
 * only those decide. Windows and macOS themselves are in .github/workflows.
 */
import { execFileSync, spawnSync } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'

const OLDEST_NODE = '22.18.0'
const root = path.join(import.meta.dirname, '..')
const temp = fs.mkdtempSync(path.join(os.tmpdir(), 'recollect-systems-'))

try {
  const clone = cloneWithCrlf()
  const node = oldestNode()
  const linked = path.join(temp, 'link')
  fs.mkdirSync(path.join(temp, 'behind'))
  fs.symlinkSync(path.join(temp, 'behind'), linked)
  test('Node 22.18, temporary files behind a link', clone, node, { TMPDIR: linked }, [
    'src/**/*.test.ts',
    'test/cli.test.ts',
    'test/context.test.ts',
    'test/setup.test.ts',
    'test/mcp.test.ts',
  ])
  for (const platform of ['darwin', 'win32']) {
    const pretend = `data:text/javascript,Object.defineProperty(process,'platform',{value:'${platform}'})`
    test(`as ${platform}`, root, process.execPath, { NODE_OPTIONS: `--import "${pretend}"` }, [
      'src/sync/*.test.ts',
      'src/context/*.test.ts',
    ])
  }
} finally {
  fs.rmSync(temp, { recursive: true, force: true })
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
    {
      stdio: ['ignore', 'ignore', 'inherit'],
    },
  )
  return path.join(temp, 'node_modules', name, 'bin', 'node')
}

function test(title: string, cwd: string, node: string, env: Record<string, string>, files: string[]): void {
  console.log(`\n-- ${title}`)
  const args = ['--test', '--test-timeout=300000', '--test-concurrency=2', '--test-reporter=dot', ...files]
  const { status } = spawnSync(node, args, {
    cwd,
    stdio: 'inherit',
    env: { ...process.env, ...env, PATH: `${path.dirname(node)}${path.delimiter}${process.env.PATH}` },
  })
  if (status !== 0) fail(`${title}: tests failed`)
}

function fail(message: string): never {
  console.error(message)
  process.exit(1)
}
