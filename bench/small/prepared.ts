import { execFileSync } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { built } from '../built.ts'
import { writeCorpus } from '../corpus.ts'

const MESSAGES = 8_000
const root = path.join(import.meta.dirname, '..', '..')

/** What figures work with, each made once. */
export interface Prepared {
  temp: string
  home(): string
  /** A synced archive of it. */
  archive(): string
  /** The command of the package as it is published. */
  package(): string
  /** The one of this checkout. */
  checkout: string
}

export function prepared(temp: string): Prepared {
  const home = once(() => {
    const folder = path.join(temp, 'home')
    writeCorpus(folder, { messages: MESSAGES })
    return folder
  })
  const archive = once(() => {
    const folder = path.join(temp, 'archive')
    task('full', home(), folder)
    return folder
  })
  const command = once(() => built(path.join(temp, 'package')))
  return { temp, home, archive, package: command, checkout: path.join(root, 'bin', 'recollect') }
}

/** One measurement of bench/sync-task.ts, in a process of its own. */
export function task(name: string, home: string, archive: string): Record<string, number> {
  const file = path.join(root, 'bench', 'sync-task.ts')
  // Compiled once: threads load their code while they are measured.
  const env = { NODE_COMPILE_CACHE: path.join(os.tmpdir(), 'recollect-bench-compiled'), ...process.env }
  return JSON.parse(execFileSync(process.execPath, [file, name, home, archive], { encoding: 'utf8', env }))
}

function once<T>(make: () => T): () => T {
  let made: { value: T } | undefined
  return () => {
    made ??= { value: make() }
    return made.value
  }
}

export function bytesIn(folder: string): number {
  return fs
    .readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, entry) => sum + fs.statSync(path.join(entry.parentPath, entry.name)).size, 0)
}
