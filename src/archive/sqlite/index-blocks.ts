import { blockSum } from './checksums.ts'
import type { Connection } from './connection.ts'
import { ByteReader, ByteWriter, sortable } from './index-bytes.ts'
import { BLOCK_ROW, soundBlock } from './sums.ts'

/**
 * A segment's terms of one field stand in order in blocks of some kilobytes. An entry is
 *
 *   bytes shared with the term before, number of other bytes, those bytes (UTF-8),
 *   how many messages, key of the first (less the segment's first key), and then
 *   - for one message: how often;
 *   - for more: last key less first, and the list: its length in bytes and the list itself, or 0
 *     and the row where a long list stands.
 *
 * A list gives for each message the distance to the one before it, times two, plus one where a
 * count follows because the term stands there more than once.
 */
export interface Entry {
  messages: number
  first: number
  last: number
  /** The list; it begins at `start`. */
  bytes: Uint8Array
  start: number
  end: number
}

/** How long a block is at most, and a list from where on it stands by itself. */
interface BlockSizes {
  block: number
  list: number
}

/** Four blocks fill a page of the archive. */
const FOUR_A_PAGE: BlockSizes = { block: 4_010, list: 1_000 }
/** One does: fewer rows, for a segment that is merged with others before long. */
export const ONE_A_PAGE: BlockSizes = { block: 16_250, list: 4_000 }
/** What the numbers of an entry take, at most of nearly all. */
const NUMBERS = 14
/** Blocks of so many bytes are written at a time, after the long lists among them, which would leave gaps between them. */
const AT_A_TIME = 1_000_000

export class BlockWriter {
  readonly connection: Connection
  readonly segment: number
  readonly base: number
  readonly #sizes: BlockSizes
  #block = new ByteWriter()
  #field = 0
  #first = ''
  readonly #before = new Uint8Array(LONGEST_TERM)
  #beforeLength = 0
  /** Blocks that are full, one after the other. */
  readonly #full = new ByteWriter()
  #waiting: { field: number; first: Uint8Array; start: number; end: number }[] = []

  constructor(connection: Connection, segment: number, base: number, sizes = FOUR_A_PAGE) {
    this.connection = connection
    this.segment = segment
    this.base = base
    this.#sizes = sizes
  }

  /**
   * Terms come field by field and in order. The term is in the given bytes from `termStart` on, the list in others,
   * `from` to before `to`: a view of each would take longer to make than to write.
   */
  add(
    field: number,
    term: Uint8Array,
    termStart: number,
    termLength: number,
    messages: number,
    first: number,
    last: number,
    list: Uint8Array,
    from: number,
    to: number,
  ): void {
    const { block: most, list: long } = this.#sizes
    const inline = messages > 1 && to - from < long ? to - from : 0
    if (field !== this.#field || this.#block.length + termLength + inline + NUMBERS > most) this.#close()
    if (this.#block.length === 0) {
      this.#field = field
      this.#first = decode(term, termStart, termLength)
      this.#beforeLength = 0
    }
    const block = this.#block
    const before = this.#before
    const least = Math.min(this.#beforeLength, termLength)
    let shared = 0
    while (shared < least && before[shared] === term[termStart + shared]) shared++
    block.byte(shared)
    block.byte(termLength - shared)
    block.append(term, termStart + shared, termStart + termLength)
    block.number(messages)
    block.number(first - this.base)
    if (messages === 1) block.number(countInList(list, from))
    else {
      block.number(last - first)
      if (to - from < long) {
        block.number(to - from)
        block.append(list, from, to)
      } else {
        block.number(0)
        block.number(this.#save(field, null, list.subarray(from, to)))
      }
    }
    for (let i = shared; i < termLength; i++) before[i] = term[termStart + i]!
    this.#beforeLength = termLength
  }

  finish(): void {
    this.#close()
    for (const { field, first, start, end } of this.#waiting)
      this.#save(field, first, this.#full.bytes.subarray(start, end))
    this.#waiting = []
    this.#full.length = 0
  }

  #close(): void {
    const { length, bytes } = this.#block
    if (length === 0) return
    const start = this.#full.length
    this.#full.append(bytes, 0, length)
    this.#waiting.push({ field: this.#field, first: sortable(this.#first), start, end: start + length })
    this.#block.length = 0
    if (this.#full.length >= AT_A_TIME) this.finish()
  }

  #save(field: number, first: Uint8Array | null, data: Uint8Array): number {
    return saveBlock(this.connection, this.segment, field, first, data)
  }
}

/** A block, with its first term, or something that stands by itself. Says its number. */
export function saveBlock(
  { prepare }: Connection,
  segment: number,
  field: number,
  first: Uint8Array | null,
  data: Uint8Array,
): number {
  const saved = prepare(
    'INSERT INTO word_block (segment, field, first, data, sum) VALUES (?, ?, ?, ?, ?)',
  ).run(segment, field, first, data, blockSum(segment, field, first, data))
  return Number(saved.lastInsertRowid)
}

/** A block, or what stands by itself, by its number. */
export function readBlock(connection: Connection, key: number): Uint8Array {
  const row = connection.prepare(`SELECT ${BLOCK_ROW} FROM word_block WHERE key = ?`).get(key)
  return soundBlock(connection, row)
}

/** Walks over the entries of one block. The entry is the same object each time. */
export class BlockReader {
  readonly entry: Entry = { messages: 0, first: 0, last: 0, bytes: EMPTY, start: 0, end: 0 }
  readonly #reader = new ByteReader(EMPTY)
  /** Reads a long list. */
  readonly #read: (key: number) => Uint8Array
  #base = 0
  /** The current entry's term, and how many bytes it has. */
  readonly termBytes = new Uint8Array(LONGEST_TERM)
  termLength = 0

  constructor(read: (key: number) => Uint8Array) {
    this.#read = read
  }

  /** Goes to the start of a block. */
  open(data: Uint8Array, base: number): void {
    this.#reader.bytes = data
    this.#reader.at = 0
    this.#base = base
  }

  get term(): string {
    return decode(this.termBytes, 0, this.termLength)
  }

  /** Goes to the next entry. The list of a long one is read by `list`. */
  next(): boolean {
    const reader = this.#reader
    const { bytes } = reader
    if (reader.at >= bytes.length) return false
    const shared = bytes[reader.at]!
    const other = bytes[reader.at + 1]!
    reader.at += 2
    for (let i = 0; i < other; i++) this.termBytes[shared + i] = bytes[reader.at + i]!
    this.termLength = shared + other
    reader.at += other
    this.#readEntry()
    return true
  }

  /** Goes from the start of the block to the entry of a term. Compares bytes: no strings are made on the way. */
  find(term: string): boolean {
    const length = encodeTerm(term, this.termBytes, 0)
    this.termLength = length
    const at = placeOf(this.#reader.bytes, this.termBytes, length)
    if (at < 0) return false
    this.#reader.at = at
    this.#readEntry()
    return true
  }

  #readEntry(): void {
    const { entry } = this
    const reader = this.#reader
    const { bytes } = reader
    entry.messages = reader.number()
    entry.first = reader.number() + this.#base
    entry.bytes = bytes
    if (entry.messages === 1) {
      entry.last = entry.first
      entry.start = reader.at
      while (bytes[reader.at++]! > 127);
      entry.end = reader.at
      return
    }
    entry.last = entry.first + reader.number()
    const inline = reader.number()
    entry.start = reader.at
    if (inline > 0) reader.at += inline
    else reader.number()
    entry.end = reader.at
    if (inline === 0) entry.bytes = EMPTY
  }

  /** The bytes of the entry's list; for a single message only its count. */
  list(): void {
    const { entry } = this
    if (entry.messages === 1 || entry.bytes !== EMPTY) return
    const reader = new ByteReader(this.#reader.bytes)
    reader.at = entry.start
    entry.bytes = this.#read(reader.number())
    entry.start = 0
    entry.end = entry.bytes.length
  }
}

/** Where in a block what follows a term begins; -1 where the block does not have it. */
function placeOf(bytes: Uint8Array, wanted: Uint8Array, length: number): number {
  let common = 0
  for (let at = 0; at < bytes.length; ) {
    const shared = bytes[at]!
    const other = bytes[at + 1]!
    // It differs from the one before earlier than that one does from what is wanted: it comes after it, and so do all others.
    if (shared < common) return -1
    at += 2
    if (shared === common) {
      let i = 0
      while (common < length && i < other && bytes[at + i] === wanted[common]) {
        common++
        i++
      }
      if (common === length && i === other) return at + other
    }
    at += other
    const isSingle = bytes[at] === 1
    while (bytes[at++]! > 127);
    while (bytes[at++]! > 127);
    while (bytes[at++]! > 127);
    if (isSingle) continue
    let inline = 0
    let scale = 1
    let byte: number
    do {
      byte = bytes[at++]!
      inline += (byte & 127) * scale
      scale *= 128
    } while (byte > 127)
    if (inline > 0) at += inline
    else while (bytes[at++]! > 127);
  }
  return -1
}

const EMPTY = new Uint8Array(0)
const encoder = new TextEncoder()
const decoder = new TextDecoder()

/** Terms have at most 64 characters. */
export const LONGEST_TERM = 256

/** Writes a term's bytes and says where they end. By hand, as the encoder takes longer to call than a word to encode. */
function encodeTerm(term: string, into: Uint8Array, at: number): number {
  let end = at
  for (let i = 0; i < term.length; i++) {
    const code = term.charCodeAt(i)
    if (code < 0x80) into[end++] = code
    else if (code < 0x800) {
      into[end++] = 0xc0 | (code >> 6)
      into[end++] = 0x80 | (code & 63)
    } else if (code >= 0xd800 && code < 0xe000)
      return at + encoder.encodeInto(term, into.subarray(at)).written
    else {
      into[end++] = 0xe0 | (code >> 12)
      into[end++] = 0x80 | ((code >> 6) & 63)
      into[end++] = 0x80 | (code & 63)
    }
  }
  return end
}

function decode(bytes: Uint8Array, start: number, length: number): string {
  let text = ''
  for (let i = start; i < start + length; i++) {
    const byte = bytes[i]!
    if (byte > 127) return decoder.decode(bytes.subarray(start, start + length))
    text += String.fromCharCode(byte)
  }
  return text
}

/** Terms as JavaScript orders them, by their bytes: characters beyond the basic plane stand before its last ones. */
export function compareTerms(
  a: Uint8Array,
  aLength: number,
  b: Uint8Array,
  bLength: number,
  from = 0,
): number {
  const most = Math.min(aLength, bLength)
  for (let i = from; i < most; i++) {
    const x = a[i]!
    const y = b[i]!
    if (x !== y) return orderOf(x) - orderOf(y)
  }
  return aLength - bLength
}

/** How many bytes of a term make a number. */
export const HEAD = 6

/** Bytes of a term that ends at a place, from another on, as a number in the order of `compareTerms`. No term has a zero in it. */
export function termHead(bytes: Uint8Array, end: number, at: number): number {
  return headPart(bytes, end, at) * 2 ** 24 + headPart(bytes, end, at + 3)
}

function headPart(bytes: Uint8Array, end: number, at: number): number {
  return (
    (end > at ? orderOf(bytes[at]!) << 16 : 0) |
    (end > at + 1 ? orderOf(bytes[at + 1]!) << 8 : 0) |
    (end > at + 2 ? orderOf(bytes[at + 2]!) : 0)
  )
}

export function orderOf(byte: number): number {
  return byte === 0xee || byte === 0xef ? byte + 16 : byte
}

/** How often, from a list of one message. */
function countInList(list: Uint8Array, from: number): number {
  if (list[from] === 0) return 1
  const reader = new ByteReader(list)
  reader.at = from + 1
  return reader.number()
}

/** Adds one message to a list. */
export function addToList(list: ByteWriter, distance: number, count: number): void {
  list.number(distance * 2 + (count > 1 ? 1 : 0))
  if (count > 1) list.number(count)
}
