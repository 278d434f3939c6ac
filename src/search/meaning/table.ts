import fs from 'node:fs'
import { dataFile } from '../../platform/data-file.ts'
import { type Bytes, bytes, type Shorts, shorts } from '../../platform/loops/memory.ts'

/**
 * Word meanings: for each of some 67,000 words and parts of words in six languages a few numbers, such that
 * words that mean alike have numbers alike. The file is used as it lies: loading it is reading it, and a
 * word is looked up by its hash, without a string for it in memory.
 *
 * The file: "RMT1", rows, numbers a row, bytes of the words (u32 each); then for each row, in the order of
 * their hashes, its hash (u32), its scale (f16), and its numbers, 4 bits each, the lower half of a byte first;
 * then the words, one a line. Of 100,000 words that are not in it two are taken for one that is. `scripts/meaning/pack.ts` writes it.
 */
export interface MeaningTable {
  rows: number
  dims: number
  /** Where the words lie in the file: they are read only when asked for. */
  words: { at: number; size: number }
  hashes: Uint32Array
  scales: Shorts
  numbers: Bytes
  /** By the leading half of a hash: its first row plus one; 0 until it was looked for. */
  starts: Uint32Array
}

export const FILE = 'meaning.bin'
export const MAGIC = 'RMT1'
export const HEAD = 16

let loaded: MeaningTable | undefined | null

/** The table, loaded when first asked for; nothing where the file is missing or not what it should be. */
export function meaningTable(): MeaningTable | undefined {
  if (loaded === undefined) {
    try {
      loaded = readTable(dataFile(FILE))
    } catch {
      // Search by words needs no table.
      loaded = null
    }
  }
  return loaded ?? undefined
}

export function readTable(file: string): MeaningTable {
  const handle = fs.openSync(file, 'r')
  try {
    const head = Buffer.alloc(HEAD)
    fs.readSync(handle, head, 0, HEAD, 0)
    if (head.toString('latin1', 0, 4) !== MAGIC) throw new Error(`${file} is no table of meanings`)
    const rows = head.readUInt32LE(4)
    const dims = head.readUInt32LE(8)
    const [hashes, scales, numbers] = [new Uint32Array(rows), shorts(rows), bytes((rows * dims) / 2)]
    let at = HEAD
    for (const list of [hashes, scales, numbers]) {
      if (fs.readSync(handle, list, 0, list.byteLength, at) !== list.byteLength)
        throw new Error(`${file} is cut off`)
      at += list.byteLength
    }
    return {
      rows,
      dims,
      words: { at, size: head.readUInt32LE(12) },
      hashes,
      scales,
      numbers,
      starts: new Uint32Array(65_536),
    }
  } finally {
    fs.closeSync(handle)
  }
}

/**
 * The words of some rows. Read anew each time: only a search that finds little asks for them, and of all 67,000 it wants two
 * hundred.
 */
export function wordsAt(
  { words: { at, size } }: MeaningTable,
  rows: number[],
  file = dataFile(FILE),
): string[] {
  const bytes = Buffer.allocUnsafeSlow(size)
  const handle = fs.openSync(file, 'r')
  try {
    fs.readSync(handle, bytes, 0, size, at)
  } finally {
    fs.closeSync(handle)
  }
  const words = new Map<number, string>()
  let [row, start, end] = [0, 0, lineEnd(bytes, 0)]
  for (const wanted of rows.toSorted((a, b) => a - b)) {
    for (; row < wanted; row++) {
      start = end + 1
      end = lineEnd(bytes, start)
    }
    words.set(wanted, bytes.toString('utf8', start, end))
  }
  return rows.map((wanted) => words.get(wanted)!)
}

function lineEnd(bytes: Buffer, from: number): number {
  let end = from
  while (end < bytes.length && bytes[end] !== 10) end++
  return end
}

/** Words are hashed letter by letter, so that all beginnings of a word are hashed on the way. */
export const FIRST_HASH = 0x811c9dc5

export function nextHash(hash: number, code: number): number {
  return Math.imul(hash ^ code, 0x01000193)
}

/** Spreads the last letters over all bits: rows are found by the leading ones. */
export function mixed(hash: number): number {
  let h = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35)
  return (h ^ (h >>> 16)) >>> 0
}

/** The row of a hashed word; -1 for none. */
export function rowOf({ hashes, starts }: MeaningTable, hash: number): number {
  const wanted = mixed(hash)
  const lead = wanted >>> 16
  if (starts[lead] === 0) starts[lead] = firstFrom(hashes, (lead << 16) >>> 0) + 1
  let row = starts[lead]! - 1
  while (hashes[row]! < wanted) row++
  return hashes[row] === wanted ? row : -1
}

/** The first row whose hash is not smaller. */
function firstFrom(hashes: Uint32Array, least: number): number {
  let [from, to] = [0, hashes.length]
  while (from < to) {
    const middle = (from + to) >>> 1
    if (hashes[middle]! < least) from = middle + 1
    else to = middle
  }
  return from
}

export function rowOfWord(table: MeaningTable, word: string): number {
  return rowOf(table, hashOf(word))
}

export function hashOf(word: string): number {
  let hash = FIRST_HASH
  for (let i = 0; i < word.length; i++) hash = nextHash(hash, word.charCodeAt(i))
  return hash
}

/** Adds a row's numbers to others. */
export function addRow({ dims, numbers, scales }: MeaningTable, row: number, into: Float32Array): void {
  const half = dims >> 1
  const scale = halfFloat(scales[row]!) / 7
  let at = row * half
  for (let i = 0; i < dims; i += 2) {
    const byte = numbers[at++]!
    into[i]! += scale * ((byte << 28) >> 28)
    into[i + 1]! += scale * ((byte << 24) >> 28)
  }
}

export function lengthOf(vector: Float32Array): number {
  let sum = 0
  for (let i = 0; i < vector.length; i++) sum += vector[i]! * vector[i]!
  return Math.sqrt(sum)
}

const POWERS = Float64Array.from({ length: 32 }, (_, exponent) => 2 ** (Math.max(exponent, 1) - 25))

function halfFloat(bits: number): number {
  const exponent = (bits >> 10) & 31
  const size = ((exponent === 0 ? 0 : 1024) + (bits & 1023)) * POWERS[exponent]!
  return bits & 0x8000 ? -size : size
}
