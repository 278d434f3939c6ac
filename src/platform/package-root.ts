import fs from 'node:fs'
import path from 'node:path'

/** The folder of this package, whether it runs from its sources or from its bundle. */
export function packageRoot(): string {
  let folder = import.meta.dirname
  while (!fs.existsSync(path.join(folder, 'package.json'))) folder = path.dirname(folder)
  return folder
}

export function packageVersion(): string {
  return JSON.parse(fs.readFileSync(path.join(packageRoot(), 'package.json'), 'utf8')).version
}
