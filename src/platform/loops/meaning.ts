import { loop } from './compiled.ts'
import type { Bytes, Floats, Ints, Shorts } from './memory.ts'

/**
 * Adds up the rows of a text's words (`sum`), and raises how near the nearest of them is to each word that is asked for (`best`). What a row that was
 * not met in this query (`now`) is to these goes to `near`, behind `placed`. Says where that ends.
 */
export const nearWords =
  loop<
    [
      rows: Ints,
      words: number,
      numbers: Bytes,
      scales: Shorts,
      dims: number,
      met: Ints,
      now: number,
      places: Ints,
      near: Floats,
      placed: number,
      asked: Ints,
      count: number,
      vectors: Floats,
      floor: number,
      best: Floats,
      one: Floats,
      sum: Floats,
    ]
  >('nearWords')
