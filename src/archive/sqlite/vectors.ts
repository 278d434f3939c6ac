import type { Nearest } from '../archive.ts'
import { vectorSum } from './checksums.ts'
import type { Connection } from './connection.ts'
import { soundVectors, VECTOR_ROW } from './sums.ts'

/**
 * Vectors, some dozens in a row of the table `vector`: a scan reads few rows, and forgetting rewrites
 * few. `messages` holds three numbers of eight bytes for each: the message's key, its hash at that
 * time, and its scale. Its bytes in `data`, times the scale, are a vector of length 1.
 */
export const HEAD = 3

export function hasVectors({ prepare }: Connection): boolean {
  return prepare('SELECT 1 FROM vector LIMIT 1').get() !== undefined
}

/** Takes the vectors of these messages out, for good where `secure_delete` is on. */
export function eraseVectors(connection: Connection, messages: Pick<Set<number>, 'has'>): void {
  rewrite(connection, (key) => !messages.has(key))
}

/**
 * Looks at every vector of the model. Those of messages that say something else by now do not count,
 * though they are still there until `withoutVector` drops them.
 */
export function nearest(
  connection: Connection,
  model: string,
  vector: ArrayLike<number>,
  passes: (key: number) => boolean,
  most: number,
): Nearest {
  const { prepare } = connection
  const asked = rounded(vector)
  const best = new Best(most * 2)
  let [seen, sum, squares] = [0, 0, 0]
  for (const row of prepare(`SELECT ${VECTOR_ROW} FROM vector WHERE model = ?`).iterate(model)) {
    const sound = soundVectors(connection, row)
    const heads = numbers(sound.messages)
    const count = heads.length / HEAD
    const data = signed(sound.data)
    if (data.length !== count * asked.bytes.length) continue
    for (let i = 0; i < count; i++) {
      const likeness = product(asked.bytes, data, i * asked.bytes.length) * heads[i * HEAD + 2]! * asked.scale
      seen++
      sum += likeness
      squares += likeness * likeness
      if (likeness > best.least && passes(heads[i * HEAD]!))
        best.add({ key: heads[i * HEAD]!, hash: heads[i * HEAD + 1]!, likeness })
    }
  }
  const average = sum / Math.max(1, seen)
  const same = prepare('SELECT 1 FROM chat_message WHERE key = ? AND hash = ? AND copy_of IS NULL')
  return {
    messages: best
      .sorted()
      .filter(({ key, hash }) => same.get(key, hash) !== undefined)
      .slice(0, most)
      .map(({ key, likeness }) => ({ key, likeness })),
    average,
    deviation: Math.sqrt(Math.max(0, squares / Math.max(1, seen) - average * average)),
  }
}

/** Leaves only the vectors that are to be kept. */
export function rewrite(connection: Connection, keeps: (key: number, hash: number) => boolean): void {
  const { prepare } = connection
  const rows = prepare('SELECT key, messages FROM vector ORDER BY key DESC').all()
  for (const row of rows) {
    const block = Number(row.key)
    const heads = numbers(row.messages)
    const count = heads.length / HEAD
    const kept: number[] = []
    for (let i = 0; i < count; i++) if (keeps(heads[i * HEAD]!, heads[i * HEAD + 1]!)) kept.push(i)
    if (kept.length === count) continue
    if (kept.length === 0) {
      prepare('DELETE FROM vector WHERE key = ?').run(block)
      continue
    }
    const whole = prepare(`SELECT ${VECTOR_ROW} FROM vector WHERE key = ?`).get(block)!
    const data = signed(soundVectors(connection, whole).data)
    const length = data.length / count
    const part = (list: Uint8Array, size: number) =>
      Buffer.concat(kept.map((i) => list.subarray(i * size, (i + 1) * size)))
    const messages = part(new Uint8Array(heads.buffer, heads.byteOffset, heads.byteLength), HEAD * 8)
    const bytes = part(new Uint8Array(data.buffer, data.byteOffset, data.length), length)
    const sum = vectorSum(String(whole.model), messages, bytes)
    prepare('UPDATE vector SET messages = ?, data = ?, sum = ? WHERE key = ?').run(
      messages,
      bytes,
      sum,
      block,
    )
  }
}

/** A vector in bytes: its largest number becomes 127. */
export function rounded(vector: ArrayLike<number>): { bytes: Int8Array; scale: number } {
  const bytes = new Int8Array(vector.length)
  let largest = 0
  for (let i = 0; i < vector.length; i++) largest = Math.max(largest, Math.abs(vector[i]!))
  if (!(largest > 0)) return { bytes, scale: 0 }
  let squares = 0
  for (let i = 0; i < vector.length; i++) {
    const byte = Math.round((vector[i]! / largest) * 127)
    bytes[i] = byte
    squares += byte * byte
  }
  return { bytes, scale: 1 / Math.sqrt(squares) }
}

function product(asked: Int8Array, data: Int8Array, start: number): number {
  let a = 0
  let b = 0
  let c = 0
  let d = 0
  const whole = asked.length & ~3
  // Four at a time, in whole numbers: three quarters of the time of a plain loop.
  for (let i = 0, at = start; i < whole; i += 4, at += 4) {
    a = (a + Math.imul(asked[i]!, data[at]!)) | 0
    b = (b + Math.imul(asked[i + 1]!, data[at + 1]!)) | 0
    c = (c + Math.imul(asked[i + 2]!, data[at + 2]!)) | 0
    d = (d + Math.imul(asked[i + 3]!, data[at + 3]!)) | 0
  }
  for (let i = whole; i < asked.length; i++) a += asked[i]! * data[start + i]!
  return a + b + c + d
}

function numbers(blob: unknown): Float64Array {
  const bytes = blob as Uint8Array
  const whole = bytes.byteOffset % 8 === 0 ? bytes : bytes.slice()
  return new Float64Array(whole.buffer, whole.byteOffset, Math.floor(whole.length / 8))
}

function signed(blob: unknown): Int8Array {
  const bytes = blob as Uint8Array
  return new Int8Array(bytes.buffer, bytes.byteOffset, bytes.length)
}

interface Candidate {
  key: number
  hash: number
  likeness: number
}

/** The few best of many. */
class Best {
  readonly #most: number
  readonly #kept: Candidate[] = []
  /** What is not above it cannot be among them. */
  least = Number.NEGATIVE_INFINITY

  constructor(most: number) {
    this.#most = most
  }

  add(candidate: Candidate): void {
    this.#kept.push(candidate)
    // Sorting now and then is cheaper than keeping order at each.
    if (this.#kept.length >= this.#most * 2) this.#cut()
  }

  sorted(): Candidate[] {
    this.#cut()
    return this.#kept
  }

  #cut(): void {
    this.#kept.sort((a, b) => b.likeness - a.likeness || b.key - a.key)
    if (this.#kept.length < this.#most) return
    this.#kept.length = this.#most
    this.least = this.#kept.at(-1)!.likeness
  }
}
