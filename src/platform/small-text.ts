import fs from 'node:fs'

/** The text of a small file; undefined where it is not there, larger, or a pipe, from which reading would never end. */
export function smallText(file: string, mostBytes: number): string | undefined {
  try {
    const stat = fs.statSync(file)
    return stat.isFile() && stat.size <= mostBytes ? fs.readFileSync(file, 'utf8') : undefined
  } catch {
    return undefined
  }
}
