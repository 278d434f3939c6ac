import { RecollectError } from '../../model/errors.ts'
import type { Connection } from './connection.ts'
import { ByteReader } from './index-bytes.ts'
import { REPAIR } from './next-steps.ts'
import { Ring } from './ring.ts'
import { MESSAGE } from './seal-tables.ts'
import { assertRowSealed, assertSealed, rangeOf, soundRow } from './seals.ts'
import { unzstd } from './unzstd.ts'
import { zstd } from './zstd.ts'

/**
 * Messages packed together. A block holds the texts and, apart from them, the details of some dozens
 * of messages of one chat, each message in its slot: who searches texts does not unpack what tools
 * answered. A part begins with the lengths of its slots; zstd adds a checksum that is verified at
 * each reading.
 */
export const MOST_MESSAGES = 128
/** Unpacked. Unpacking as much takes a tenth of a millisecond; a longer message has a block for itself. */
export const MOST_BYTES = 128 * 1024

export interface Body {
  text: string
  detail: string | null
}

/** The columns of a message that say where its body is. */
export interface BodyPlace {
  key: number
  chat: number
  block: number | null
  slot: number | null
  /** Only where it is in no block. */
  text: string
  detail: string | null
  /** How long its detail in the block is. */
  detail_bytes?: number | null
}

export const BODY_COLUMNS = 'key, chat, block, slot, text, detail, detail_bytes'

export function pack(parts: Uint8Array[]): Uint8Array {
  let most = 5
  for (const { length } of parts) most += length + 5
  const bytes = most > SCRATCH ? Buffer.allocUnsafeSlow(most) : scratchpad()
  let at = putNumber(bytes, 0, parts.length)
  for (const { length } of parts) at = putNumber(bytes, at, length)
  for (const part of parts) {
    bytes.set(part, at)
    at += part.length
  }
  return zstd(bytes.subarray(0, at))
}

/** Seven bits a byte, the lowest first, as `ByteReader` reads it. */
function putNumber(bytes: Buffer, at: number, value: number): number {
  let end = at
  let rest = value
  for (; rest > 127; rest >>>= 7) bytes[end++] = (rest & 127) | 128
  bytes[end++] = rest
  return end
}

/** Where parts are put together: blocks are packed by the thousand, and new memory for each keeps the collector busy. */
const SCRATCH = 256 * 1024
let scratch: Buffer | undefined
function scratchpad(): Buffer {
  scratch ??= Buffer.allocUnsafeSlow(SCRATCH)
  return scratch
}

/** `into` gives the room for what is unpacked, where it is not to be new. */
export function unpack(data: Uint8Array, into?: (size: number) => Buffer | undefined): Slots {
  const bytes = unzstd(data, into)
  const from = new ByteReader(bytes)
  const count = from.number()
  const ends = new Uint32Array(count + 1)
  for (let slot = 0; slot < count; slot++) ends[slot + 1] = ends[slot]! + from.number()
  return { bytes, start: from.at, ends, count }
}

export interface Slots {
  bytes: Buffer
  start: number
  ends: Uint32Array
  count: number
}

function partAt(slots: Slots, slot: number): string {
  return bytesAt(slots, slot).toString()
}

export function bytesAt({ bytes, start, ends }: Slots, slot: number): Buffer {
  const from = ends[slot] ?? 0
  return bytes.subarray(start + from, start + (ends[slot + 1] ?? from))
}

/** So many bytes are kept unpacked. Who searches looks at some dozens of blocks, several times each. */
const KEPT = 3 * 1024 * 1024

/** Of a larger one little else would be left in the room. */
const LARGEST_IN_ROOM = KEPT / 4

/** That there is none is kept as well: so much for each, as there may be very many. */
const NONE = 1024

type Part = { block: number; of: Map<number, Slots | null> }

/**
 * Reads bodies, with the blocks read last at hand. To be used over one state of the archive, not longer. One that is used
 * again and again has room of its own for them: new memory for every block would have the garbage collector run all the time.
 */
export class Bodies {
  readonly #connection: Connection
  readonly #texts = new Map<number, Slots | null>()
  readonly #details = new Map<number, Slots | null>()
  readonly #room: Ring<Part> | undefined
  /** Those that have memory of their own, in the order in which they were read. */
  #parts: (Part & { bytes: number })[] = []
  #kept = 0
  /** Rows, or ranges of them, that are what was written. */
  readonly #sound = new Set<number>()

  constructor(connection: Connection, { hasRoom = false } = {}) {
    this.#connection = connection
    if (hasRoom) this.#room = new Ring(KEPT, ({ of, block }) => of.delete(block))
  }

  text(row: BodyPlace): string {
    this.#assertSound(row)
    return this.#textAt(row)
  }

  /**
   * Of many messages, to be compared with each other: whether a row is what was written is looked at when its message is to be shown, as
   * that takes three times as long as reading it.
   */
  texts(keys: readonly number[]): Map<number, string> {
    const rows = this.#connection
      .prepare(`SELECT ${BODY_COLUMNS} FROM chat_message WHERE key IN (SELECT value FROM json_each(?))`)
      .all(JSON.stringify(keys)) as unknown as BodyPlace[]
    return new Map(rows.map((row) => [row.key, this.#textAt(row)]))
  }

  detail(row: BodyPlace): string | null {
    this.#assertSound(row)
    if (isUnpacked(row)) return row.detail
    const slots = this.#part(this.#details, 'details', row)
    const detail = (slots && partAt(slots, row.slot!)) || null
    // Without its row in the table a message would look as if no tool had been called.
    if (detail === null && row.detail_bytes)
      return readable(this.#connection, row.chat, () => {
        throw new Error('it is missing')
      })
    return detail
  }

  #textAt(row: BodyPlace): string {
    if (isUnpacked(row)) return row.text
    return partAt(this.#part(this.#texts, 'texts', row)!, row.slot!)
  }

  forgetAll(): void {
    this.#texts.clear()
    this.#details.clear()
    this.#parts = []
    this.#kept = 0
    this.#room?.clear()
    this.#sound.clear()
  }

  /** These columns of a message's row, which is what was written; nothing where there is none. */
  row(key: number, columns: string): Record<string, unknown> | undefined {
    if (!this.#room || this.#sound.has(key))
      return this.#connection.prepare(`SELECT ${columns} FROM chat_message WHERE key = ?`).get(key)
    const row = soundRow(this.#connection, MESSAGE, key, columns)
    this.#sound.add(key)
    return row
  }

  /** A row says which text is its own: a damaged one would show another's. */
  #assertSound({ key }: BodyPlace): void {
    // One that is used again and again reads one row here and one there.
    const name = this.#room ? key : rangeOf(key)
    if (this.#sound.has(name)) return
    if (this.#room) assertRowSealed(this.#connection, MESSAGE, key)
    else assertSealed(this.#connection, MESSAGE, key)
    this.#sound.add(name)
  }

  #part(
    known: Map<number, Slots | null>,
    part: 'texts' | 'details',
    { block, chat }: BodyPlace,
  ): Slots | null {
    const at = known.get(block!)
    if (at !== undefined) return at
    const name: Part = { block: block!, of: known }
    let isInRoom = false
    const into = (size: number) => {
      if (!this.#room || size > LARGEST_IN_ROOM) return undefined
      isInRoom = true
      return this.#room.place(name, size)
    }
    const slots = readable(this.#connection, chat, () => {
      const data = part === 'texts' ? textsOf(this.#connection, block!) : detailsOf(this.#connection, block!)
      return data === undefined ? null : unpack(data, into)
    })
    known.set(block!, slots)
    if (!isInRoom) this.#keep({ ...name, bytes: slots?.bytes.length ?? NONE })
    return slots
  }

  #keep(part: Part & { bytes: number }): void {
    this.#parts.push(part)
    this.#kept += part.bytes
    while (this.#parts.length > 1 && this.#kept > KEPT) {
      const { of, block, bytes } = this.#parts.shift()!
      of.delete(block)
      this.#kept -= bytes
    }
  }
}

/** The packed texts of a block. */
export function textsOf({ prepare }: Connection, block: number): Uint8Array {
  const row = prepare('SELECT texts FROM block WHERE key = ?').get(block)
  if (!row) throw new Error('it is missing')
  return row.texts as Uint8Array
}

/** The packed details of a block, if any of its messages has some. */
export function detailsOf({ prepare }: Connection, block: number): Uint8Array | undefined {
  return prepare('SELECT details FROM block_detail WHERE key = ?').get(block)?.details as
    | Uint8Array
    | undefined
}

/** A message of the first edition that was not packed yet, or that one of its programs changed since. */
export function isUnpacked({ block, text, detail }: BodyPlace): boolean {
  return block === null || text !== '' || detail !== null
}

/** Never wrong text: what does not fit its checksum is an error that names the chat. */
export function readable<T>({ prepare, file }: Connection, chat: number, work: () => T): T {
  try {
    return work()
  } catch (error) {
    const owner = prepare('SELECT source, id FROM chat WHERE key = ?').get(chat)
    throw new RecollectError(
      'ARCHIVE_DAMAGED',
      `Part of the chat ${owner?.source}:${owner?.id} cannot be read: its block in ${file} is damaged (${(error as Error).message}).`,
      REPAIR,
    )
  }
}
