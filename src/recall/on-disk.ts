import fs from 'node:fs'

/** Whether an assistant still has a chat, by the files that told of it: what is gone there cannot be resumed. */
export function isOnDisk(units: { path: string }[]): boolean {
  return units.length === 0 || units.some(({ path }) => fs.existsSync(path))
}
