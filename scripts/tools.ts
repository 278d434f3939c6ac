import { execFileSync } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'

const TOOLS = path.join(import.meta.dirname, '..', 'test', 'tools')

/**
 * The program of a tool in test/tools, for Node to run: what its package names, not npm's script for
 * a shell. They are installed when one is first needed.
 */
export function toolBin(name: string, folder = TOOLS): string {
  if (!fs.existsSync(path.join(folder, 'node_modules'))) install(folder)
  const { dependencies } = read(path.join(folder, 'package.json')) as { dependencies: Record<string, string> }
  for (const dependency of Object.keys(dependencies)) {
    const own = path.join(folder, 'node_modules', dependency)
    const { bin } = read(path.join(own, 'package.json')) as { bin?: string | Record<string, string> }
    const file =
      typeof bin === 'string' ? (path.posix.basename(dependency) === name ? bin : undefined) : bin?.[name]
    if (file) return fs.realpathSync(path.join(own, file))
  }
  throw new Error(`No package of test/tools has a program "${name}".`)
}

function read(file: string): unknown {
  return JSON.parse(fs.readFileSync(file, 'utf8'))
}

/** By npm's own program where npm started us: its `.cmd` on Windows needs a shell. */
function install(folder: string): void {
  const npm = process.env.npm_execpath
  const args = ['ci', '--prefix', folder, '--no-audit', '--no-fund', '--loglevel=error']
  execFileSync(npm ? process.execPath : 'npm', npm ? [npm, ...args] : args, {
    stdio: ['ignore', 'ignore', 'inherit'],
    shell: !npm && process.platform === 'win32',
  })
}
