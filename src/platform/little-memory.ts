import v8 from 'node:v8'

/**
 * V8's quick compiler puts a loop into the function that calls it, and there it stays as that compiler leaves it: a function that runs once in
 * a search is hardly ever compiled by the thorough one, however long the loop in it runs. Left by itself the loop is, at once.
 */
const LOOPS_APART = '--no-maglev-inlining'
/** The room for new objects stays as it is: it would grow to 17 MB, and searches are no quicker by that. */
const SAME_ROOM = '--semi-space-growth-factor=1'
/** Compilers are held back, and memory is cleaned up sooner. */
const SMALL_CODE = '--optimize-for-size'
/** Of threads that are started from now on. */
const LITTLE_ROOM = '--max-semi-space-size=2'

/**
 * For processes that wait and answer, of which many may run at once: V8 cleans up sooner instead of
 * letting its heap grow. Measured on searches: 105 MB instead of 150, at the same speed.
 */
export const LITTLE_MEMORY: readonly string[] = [
  LOOPS_APART,
  SMALL_CODE,
  SAME_ROOM,
  LITTLE_ROOM,
  // Left to itself it then cleans up all of it every few searches, which takes a tenth of their time; for 7 MB half as often.
  '--heap-growing-percent=60',
]

/** For one that ends when it has answered: with compilers that are not held back it takes a fifth less time, and 10 MB more. */
export const LITTLE_MEMORY_FOR_A_WHILE: readonly string[] = LITTLE_MEMORY.filter(
  (flag) => flag !== SMALL_CODE,
)

/**
 * The beginning of it, for one whose first answer is waited for: while code is loaded nothing is to be cleaned up, and V8 would do so
 * four times, a fifth of what the first search takes. The rest of it, when that is over.
 */
export const LITTLE_MEMORY_LATER: readonly string[] = [LOOPS_APART, LITTLE_ROOM, SAME_ROOM]

/**
 * For a process that reads much and ends: the room for new objects does not grow, as V8 takes several times what it fills.
 * (Its largest size cannot be changed any more.) Measured on a first sync: 100 MB less, at the same speed. Threads that it
 * starts have a room of a size that need not grow: with the megabyte that V8 begins with, one that reads 100 MB of chats
 * cleaned up 1,700 times; twice that is enough. One thread does that: the others have work of their own. What outlives the first
 * cleaning mostly ends with its parcel, and V8 let three times what is in use pile up of it: 135 MB less, and no slower.
 */
export const LESS_MEMORY: readonly string[] = [
  SAME_ROOM,
  '--min-semi-space-size=2',
  '--no-parallel-scavenge',
  '--heap-growing-percent=65',
  // A text has one of six shapes, and V8 tells at most four apart before it looks up each by name.
  '--max-valid-polymorphic-map-count=8',
  // V8's thorough compiler took a twelfth of all CPU time, most of it for functions that are not called often enough to make up for it.
  '--invocation-count-for-turbofan=20000',
  // Of code that is kept V8 also keeps what was compiled thoroughly, and does so at once the next time, before it has seen what it is called with.
  '--no-profile-guided-optimization',
]

export function setFlags(flags: readonly string[]): void {
  for (const flag of flags) v8.setFlagsFromString(flag)
}
