import type { UnitReading } from './unit-shapes.ts'

/**
 * What readings told, ready to be written: bounded, hashed, encoded, and taken apart into words. Bytes and numbers in memory that
 * two threads share, so that one can hand it to the other without a copy.
 */
export interface Parcel {
  readings: ParcelReading[]
  /** How many messages. */
  count: number
  /** Their ids, a NUL between each two. */
  ids: string
  /** A row of numbers for each message: FACT says which. */
  facts: Float64Array
  /** Facts, texts and details as UTF-8: as they are hashed, which is left to the thread that writes, as it waits for the other. */
  bodies: Uint8Array
  /** What the numbers in `facts` and `tools` stand for. */
  names: { chats: string[]; models: string[]; tools: string[] }
  /** Calls and failures, message by message: the hash of a call's id, and its tool or -1 for a failure. */
  tools: Float64Array
  /** By field: said, thought, tools. */
  words: FieldWords[]
}

/** A reading whose messages are those of the parcel from `first` to before `end`. */
export interface ParcelReading extends Omit<UnitReading, 'messages' | 'checkpoint'> {
  first: number
  end: number
  /** As JSON. */
  checkpoint: string | null
  /** How far the unit was read. */
  offset: number
}

/** Where a message's numbers stand in its row; those that are not known are NaN. */
export const FACT = {
  chat: 0,
  role: 1,
  kind: 2,
  createdAt: 3,
  order: 4,
  undone: 5,
  /** In `bodies`: what is hashed of it ends here, and begins where that of the message before ends. */
  bodyEnd: 6,
  model: 7,
  input: 8,
  output: 9,
  cached: 10,
  cacheWrite: 11,
  reasoning: 12,
  cost: 13,
  latencyMs: 14,
  thinkingMs: 15,
  /** In `bodies`: the details follow the text, with a byte between. */
  textStart: 16,
  textEnd: 17,
  detailEnd: 18,
  /** In `tools`, in pairs. */
  toolsEnd: 19,
  /** Words, without stop words. */
  said: 20,
  thought: 21,
  tools: 22,
} as const
export const FACTS = 23

/** The words of one field, message by message: which message each is in is turned round by the thread that writes, as it waits for the other. */
export interface FieldWords {
  /** Of the terms, one after the other, as UTF-8; and where each begins, the one behind the last, too. */
  letters: Uint8Array
  starts: Int32Array
  /** Four numbers for each message that has some: its number in the parcel, its length in words, and its part of `found`. */
  documents: Int32Array
  /** Numbers of terms, each once a message, and how often. */
  found: Int32Array
  counts: Int32Array
}

type Numbers = Uint8Array | Int32Array | Float64Array

/**
 * Memory for the bytes and numbers of a parcel, that the thread which writes it sees as well: used for one after the other, as memory that is new for
 * each has V8 clean up all of a thread's each time some came, and the system give it out page by page.
 */
export class ParcelRoom {
  /** What has not been written to yet takes no memory. */
  readonly #memory = new SharedArrayBuffer(MOST_ROOM)
  #end = 0

  /** What lies here is void. */
  clear(): void {
    this.#end = 0
  }

  /** The same numbers, here; in memory of their own where there is no room left. */
  copy<T extends Numbers>(numbers: T): T {
    const copy = this.#made(numbers.constructor as Maker<T>, numbers.length)
    copy.set(numbers)
    return copy
  }

  /** Room for so many numbers, whatever is in it. */
  ints(length: number): Int32Array {
    return this.#made(Int32Array, length)
  }

  #made<T extends Numbers>(make: Maker<T>, length: number): T {
    const from = this.#end
    const to = from + Math.ceil((length * make.BYTES_PER_ELEMENT) / ALIGNED) * ALIGNED
    if (to > MOST_ROOM) return new make(new SharedArrayBuffer(length * make.BYTES_PER_ELEMENT), 0, length)
    this.#end = to
    return new make(this.#memory, from, length)
  }
}

type Maker<T> = {
  new (memory: SharedArrayBuffer, from: number, length: number): T
  readonly BYTES_PER_ELEMENT: number
}

/** Parcels of a first sync take some 10 MB. */
const MOST_ROOM = 32_000_000
const ALIGNED = 8
