import { loops } from './compiled.ts'
import type { Bytes, Ints } from './memory.ts'

// The places of the numbers that `readWords` goes by and leaves behind.
/** Where in the text it goes on, and where the character before it in a run begins, or -1. */
export const NEXT = 0
export const BEFORE = 1
/** How many terms were found, and how many of them are of words that are no stop words. */
export const COUNT = 2
export const LENGTH = 3
/** Where the table of words begins, and its length less one; then where terms are put, and how many there is room for. */
export const TABLE = 4
export const MASK = 5
export const FOUND = 6
export const ROOM = 7
export const PARTS = 8
export const KINDS = 9
/** Where in the text a character stands of which nothing is known. */
export const AT = 10
/** How many words were seen, and how many of these were taken: the next one is not in the table, and others may not be. */
export const SEEN = 11
export const TAKEN = 12
/** The words that were seen, of each: its start and end in the text, what it is (1 and 2: so many characters of a run), its two hashes. */
export const WORDS = 16
export const EACH = 5
export const STATE = WORDS + 33 * EACH

// Why it stopped.
export const DONE = 0
export const NEW_WORD = 1
export const NEW_CHARACTER = 2

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
