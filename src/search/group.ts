import type { SearchView, WordField } from '../archive/archive.ts'
import { type Floats, floats, ints, longer, release } from '../platform/loops/memory.ts'
import { takeTimes, uniteList } from '../platform/loops/ranking.ts'
import type { QueryTerm } from './query-parts.ts'

/** Where a word stands that may be written in several ways, as one list. Overwritten by the next look at the index. */
export interface Group {
  size: number
  keys: Int32Array
  /** How often, each way by its weight. */
  counts: Uint8Array | Float32Array
  /** How many messages count as having it, for how rare it is. */
  messages: number
}

/**
 * The lists of a term and of all that counts as one word with it, united: what is written in three
 * ways is neither rarer nor better for it (probabilistic structured queries, Darwish and Oard 2003). They are counted in `times`, by message or
 * chat, which is all zeros and is left so.
 */
export function postingsOf(
  view: SearchView,
  field: WordField,
  { term, also }: QueryTerm,
  times: Floats,
): Group {
  if (!also) {
    const { size, keys, counts } = view.postings(field, term)
    return { size, keys, counts, messages: size }
  }
  let messages = 0
  let size = 0
  for (const each of [{ term, weight: 1 }, ...also]) {
    const list = view.postings(field, each.term)
    messages += list.size * each.weight
    const need = size + list.size
    if (need > united.length) united = longer(united, 2 ** Math.ceil(Math.log2(need)))
    size = uniteList(times, united, size, list.keys, list.counts, list.size, each.weight)
  }
  if (unitedCounts.length < size) {
    release(unitedCounts)
    unitedCounts = floats(united.length)
  }
  takeTimes(times, united, size, unitedCounts)
  return { size, keys: united, counts: unitedCounts, messages: Math.min(messages, size) }
}

let united = ints(1 << 12)
let unitedCounts = floats(1 << 12)
