import path from 'node:path'
import type { Root } from './source.ts'

let latest = ''
let folder = ''

/**
 * Where a file below a root is: what `path.join` says, for a path as a walk gives it, with `/` and without dots or doubled
 * slashes. Asked for every file of a sync, where taking the same folder apart ten thousand times is a quarter of the look.
 */
export function below({ path: root }: Pick<Root, 'path'>, file: string): string {
  if (path.sep !== '/') return path.join(root, file)
  if (root !== latest) {
    latest = root
    folder = path.join(root, '/').replace(/^\.\/$/, '')
  }
  return folder + file
}
