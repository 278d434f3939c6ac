import type { Documents, SearchView, WordField } from '../archive/archive.ts'
import { takeTimes, uniteList } from './loops.ts'
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
 * ways is neither rarer nor better for it (probabilistic structured queries, Darwish and Oard 2003).
 */
export function postingsOf(view: SearchView, field: WordField, { term, also }: QueryTerm): Group {
  if (!also) {
    const { size, keys, counts } = view.postings(field, term)
    return { size, keys, counts, messages: size }
  }
  const times = timesFor(view.documents)
  let messages = 0
  let size = 0
  for (const each of [{ term, weight: 1 }, ...also]) {
    const list = view.postings(field, each.term)
    messages += list.size * each.weight
    if (size + list.size > united.length) united = grown(united, size, size + list.size)
    size = uniteList(times, united, size, list.keys, list.counts, list.size, each.weight)
  }
  if (unitedCounts.length < size) unitedCounts = new Float32Array(united.length)
  takeTimes(times, united, size, unitedCounts)
  return { size, keys: united, counts: unitedCounts, messages: Math.min(messages, size) }
}

let united = new Int32Array(1 << 12)
let unitedCounts = new Float32Array(1 << 12)
/** By message or chat, all zeros between two calls: kept, as filling megabytes for each would take longer than the rest. */
let kept = new Float32Array(0)

function timesFor({ end, endOfChats }: Documents): Float32Array {
  const need = Math.max(end, endOfChats)
  if (kept.length < need) kept = new Float32Array(Math.ceil(need * 1.05))
  return kept
}

function grown(list: Int32Array<ArrayBuffer>, size: number, need: number): Int32Array<ArrayBuffer> {
  const larger = new Int32Array(2 ** Math.ceil(Math.log2(need)))
  larger.set(list.subarray(0, size))
  return larger
}
