import { loops } from './compiled.ts'
import type { Bytes, Ints } from './memory.ts'

/** Puts the terms of a text, as UTF-16, into `found`, as far as its words and characters are known, and says why it stopped. It then goes on from there. */
export function readWords(state: Ints, text: Bytes, length: number): number {
  return loops().readWords!(state.byteOffset, text.byteOffset, length)
}

/**
 * Adds the terms that were found to lists of terms and of how often each was found, which begin with `start`. Says where they end. `places` has
 * a 0 for each term.
 */
export function countWords(
  found: Ints,
  count: number,
  places: Ints,
  terms: Ints,
  counts: Ints,
  start: number,
): number {
  return loops().countWords!(
    found.byteOffset,
    count,
    places.byteOffset,
    terms.byteOffset,
    counts.byteOffset,
    start,
  )
}
