import type { Archive, WordField } from '../archive/archive.ts'
import { markerOf } from './highlight.ts'
import type { SearchInput } from './input.ts'
import { lastStep } from './last-step.ts'
import { nearestWords, withNearWords } from './meaning/nearest.ts'
import { patternOf, slashed } from './pattern.ts'
import { understand } from './query.ts'
import { sayable } from './sayable.ts'
import { type Clean, merged } from './snippet.ts'
import { timedQuery } from './time.ts'
import { understoodIn } from './understood.ts'

const FIELDS: WordField[] = ['said', 'thought', 'tools']
/** A pattern that matches everywhere is not shown more often. */
const MOST_MATCHES = 400
const LOOKED_AT = 200_000

/** How the words were taken by the search that led here. */
export type Taken = Pick<SearchInput, 'precision_mode' | 'expand'>

/**
 * What of a text a search for these words would mark, as it is written there: other forms of them, their translations,
 * what was meant where they are misspelt, and words that mean something like them where the search took those.
 */
export async function seekerOf(
  archive: Archive,
  words: string,
  clean: Clean,
  taken: Taken = {},
): Promise<(text: string) => string[]> {
  const pattern = slashed(words)
  if (pattern !== undefined) return matchesOf(pattern)
  const query = timedQuery([words], {})?.query ?? understand([words])
  const mark = await archive.searching((view) => {
    const isSayable = sayable(view, FIELDS, clean)
    const understood = understoodIn(view, query, FIELDS, taken, isSayable).query
    const instead = lastStep(view, understood, isSayable)
    const near = taken.expand === 'auto' ? nearestWords(view, understood, FIELDS, isSayable) : []
    return markerOf(withNearWords(understood, instead.length > 0 ? instead : near, 1))
  })
  return (text) =>
    merged(mark(text).map(({ start, end }) => [start, end])).map(([start, end]) => text.slice(start, end))
}

function matchesOf(pattern: string): (text: string) => string[] {
  try {
    const { source, flags } = patternOf(pattern)
    const sought = new RegExp(source, flags)
    return (text) => {
      const found: string[] = []
      for (const [match] of text.slice(0, LOOKED_AT).matchAll(sought)) {
        if (match !== '') found.push(match)
        if (found.length >= MOST_MATCHES) break
      }
      return found
    }
  } catch {
    return () => []
  }
}
