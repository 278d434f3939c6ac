import fs from 'node:fs'

/** What a small file of our own holds, a JSON value on each line; a line that a crash cut off is left out. Nothing where there is none. */
export function jsonLinesIn(file: string): Record<string, unknown>[] {
  let text: string
  try {
    text = fs.readFileSync(file, 'utf8')
  } catch {
    return []
  }
  return text.split('\n').flatMap((line) => {
    try {
      const value: unknown = JSON.parse(line)
      return typeof value === 'object' && value !== null ? [value as Record<string, unknown>] : []
    } catch {
      return []
    }
  })
}
