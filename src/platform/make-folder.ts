import fs from 'node:fs'
import path from 'node:path'

/**
 * Makes a private folder with those above it. Node's own way never ends where the system says of a folder that is there
 * that nothing can be in it, as below /proc.
 */
export function makeFolder(folder: string): void {
  const missing: string[] = []
  for (let at = path.resolve(folder); !isThere(at) && path.dirname(at) !== at; at = path.dirname(at))
    missing.push(at)
  for (const each of missing.reverse()) makeOne(each)
}

/** A file in its place is not: the system says so where it is to be made. */
function isThere(folder: string): boolean {
  return fs.statSync(folder, { throwIfNoEntry: false })?.isDirectory() ?? false
}

/** Another process may have made it meanwhile. */
function makeOne(folder: string): void {
  try {
    fs.mkdirSync(folder, { mode: 0o700 })
  } catch (error) {
    const isMade =
      (error as NodeJS.ErrnoException).code === 'EEXIST' &&
      fs.statSync(folder, { throwIfNoEntry: false })?.isDirectory()
    if (!isMade) throw error
  }
}
