import fs from 'node:fs'
import path from 'node:path'
import { RecollectError } from '../model/errors.ts'

/** The folder of this package, whether it runs from its sources or from its bundle. */
export function packageRoot(from = import.meta.dirname): string {
  for (let folder = from; ; folder = path.dirname(folder)) {
    if (fs.existsSync(path.join(folder, 'package.json'))) return folder
    if (folder === path.dirname(folder)) throw incomplete(from)
  }
}

export function packageVersion(): string {
  return JSON.parse(fs.readFileSync(path.join(packageRoot(), 'package.json'), 'utf8')).version
}

/** Somebody moved the files out of their package, or lost a part of it. */
function incomplete(from: string): RecollectError {
  return new RecollectError(
    'NOT_INSTALLED',
    `Recollect is incomplete: there is no package.json in ${from}, nor above it.`,
    'Install it again: `npm install -g recollect`.',
  )
}
