import { RecollectError } from '../model/errors.ts'
import type { SearchInput } from './input.ts'
import type { Pattern } from './regex-threads.ts'

/** The regular expression that a search asks for: given as one, or between slashes as in JavaScript. */
export function regexOf({ regex, intent_query, query }: SearchInput): string | undefined {
  if (regex) return regex
  const text = intent_query ?? query
  return typeof text === 'string' ? slashed(text) : undefined
}

/** What is between slashes; with another slash in it, it is a path. */
export function slashed(text: string): string | undefined {
  return /^\s*\/((?:\\.|[^/\\])+)\/\s*$/s.exec(text)?.[1]
}

/** Small letters match capitals too, as long as the pattern has no capitals. */
export function patternOf(source: string): Pattern {
  const flags = `gm${/\p{Lu}/u.test(source.replace(/\\./g, '')) ? '' : 'i'}`
  try {
    new RegExp(source, `${flags}u`)
    return { source, flags: `${flags}u` }
  } catch {
    try {
      new RegExp(source, flags)
      return { source, flags }
    } catch (error) {
      throw new RecollectError(
        'INVALID_QUERY',
        `That is not a regular expression: ${(error as Error).message}`,
        'Escape special characters with a backslash, or search for words.',
      )
    }
  }
}
