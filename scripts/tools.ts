import { execFileSync } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'

const folder = path.join(import.meta.dirname, '..', 'test', 'tools')

/** The program of a tool in test/tools, for Node to run. They are installed when one is first needed. */
export function toolBin(name: string): string {
  const bin = path.join(folder, 'node_modules', '.bin', name)
  if (!fs.existsSync(bin)) install()
  return fs.realpathSync(bin)
}

function install(): void {
  const isWindows = process.platform === 'win32'
  execFileSync(
    isWindows ? 'npm.cmd' : 'npm',
    ['ci', '--prefix', folder, '--no-audit', '--no-fund', '--loglevel=error'],
    { stdio: ['ignore', 'ignore', 'inherit'], shell: isWindows },
  )
}
