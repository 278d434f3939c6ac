import { crc32 } from 'node:zlib'

/** Checksums of blocks of the word index, of its segments and of vectors: sums.ts compares them. */
export function blockSum(segment: number, field: number, first: Uint8Array | null, data: Uint8Array): number {
  return sumOn(data, sumOn(first ?? NOTHING, segment * 8 + field))
}

export function segmentSum(
  base: number,
  messages: number,
  documents: Uint8Array,
  titles: Uint8Array,
): number {
  return sumOn(titles, sumOn(documents, sumOn(`${base} ${messages}`)))
}

export function vectorSum(model: string, messages: Uint8Array, data: Uint8Array): number {
  return sumOn(data, sumOn(messages, sumOn(model)))
}

/** No bytes change nothing. (Node 22 begins again at those that SQLite gave.) */
function sumOn(data: Uint8Array | string, before = 0): number {
  return data.length === 0 ? before : crc32(data, before)
}

const NOTHING = new Uint8Array(0)
