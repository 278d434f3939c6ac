// Of `readWords`, for words.as.ts and who calls it: the places of the numbers that it goes by and leaves behind.

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
/** So many words are seen before they are looked up: then memory is waited for once for several of them. The last may be two, of a run. */
export const MOST = 32
export const STATE = WORDS + (MOST + 1) * EACH

// Why it stopped.
export const DONE = 0
export const NEW_WORD = 1
export const NEW_CHARACTER = 2
export const NO_ROOM = 3
