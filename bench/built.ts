import { execFileSync } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'

const root = path.join(import.meta.dirname, '..')

/** The package as it is published, in a folder: its command. A checkout would run its sources. */
export function built(folder: string): string {
  execFileSync(process.execPath, [path.join(root, 'scripts', 'build.ts')], { stdio: 'ignore' })
  for (const name of ['bin', 'dist', 'package.json'])
    fs.cpSync(path.join(root, name), path.join(folder, name), { recursive: true })
  return path.join(folder, 'bin', 'recollect')
}

/** The value that a share of all is not above. */
export function at(values: number[], share: number): number {
  return values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * share))] ?? 0
}
