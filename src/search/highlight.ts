import { termsOfWord } from '../model/terms.ts'
import { type Query, understand } from './query.ts'
import { type Marker, marker, merged } from './snippet.ts'

/** Says where in a text the words of a query stand, as a search for it would; and words that it found besides. */
export function highlighter(
  words: string,
  found: Iterable<string> = [],
): (text: string) => [start: number, end: number][] {
  const mark = markerOf(understand([words]), [...found].flatMap(termsOfWord))
  return (text) => merged(mark(text).map(({ start, end }) => [start, end]))
}

export function markerOf({ terms, phrases }: Query, also: string[] = []): Marker {
  const whole = terms
    .filter(({ prefix }) => !prefix)
    .flatMap(({ term, also = [] }) => [term, ...also.map((each) => each.term)])
  const beginnings = terms.filter(({ prefix }) => prefix).map(({ term }) => term)
  return marker(
    whole.concat(
      phrases.flatMap((phrase) => phrase.terms),
      also,
    ),
    beginnings,
  )
}
