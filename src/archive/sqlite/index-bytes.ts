/** Bytes that grow as they are written. Numbers take seven bits a byte, the lowest first. */
export class ByteWriter {
  bytes = new Uint8Array(1 << 12)
  length = 0

  number(value: number): void {
    if (this.length + 10 > this.bytes.length) this.#grow(10)
    let rest = value
    while (rest > 0x7fffffff) {
      this.bytes[this.length++] = (rest % 128) | 128
      rest = Math.floor(rest / 128)
    }
    while (rest > 127) {
      this.bytes[this.length++] = (rest & 127) | 128
      rest >>>= 7
    }
    this.bytes[this.length++] = rest
  }

  /** Small negative numbers stay short. */
  signed(value: number): void {
    this.number(value < 0 ? -value * 2 - 1 : value * 2)
  }

  byte(value: number): void {
    if (this.length === this.bytes.length) this.#grow(1)
    this.bytes[this.length++] = value
  }

  /** In four bytes, the lowest first. */
  fixed(value: number): void {
    if (this.length + 4 > this.bytes.length) this.#grow(4)
    this.bytes[this.length++] = value
    this.bytes[this.length++] = value >>> 8
    this.bytes[this.length++] = value >>> 16
    this.bytes[this.length++] = value >>> 24
  }

  append(bytes: Uint8Array, start: number, end: number): void {
    if (this.length + end - start > this.bytes.length) this.#grow(end - start)
    // Most pieces are a few bytes, for which a loop is faster than a view.
    if (end - start < 24) for (let i = start; i < end; i++) this.bytes[this.length++] = bytes[i]!
    else {
      this.bytes.set(bytes.subarray(start, end), this.length)
      this.length += end - start
    }
  }

  /** A copy of what was written; the writer starts anew. */
  take(): Uint8Array {
    const taken = this.bytes.slice(0, this.length)
    this.length = 0
    return taken
  }

  #grow(need: number): void {
    const larger = new Uint8Array(Math.max(this.bytes.length * 2, this.length + need))
    larger.set(this.bytes.subarray(0, this.length))
    this.bytes = larger
  }
}

export class ByteReader {
  bytes: Uint8Array
  at: number

  constructor(bytes: Uint8Array) {
    this.bytes = bytes
    this.at = 0
  }

  number(): number {
    const { bytes } = this
    let byte = bytes[this.at++]!
    if (byte < 128) return byte
    let value = byte & 127
    let scale = 128
    do {
      byte = bytes[this.at++]!
      value += (byte & 127) * scale
      scale *= 128
    } while (byte > 127)
    return value
  }

  signed(): number {
    const value = this.number()
    return value % 2 === 1 ? -(value + 1) / 2 : value / 2
  }
}

/** Whether this machine keeps the low part of a number first, as nearly all do. */
export const LOW_FIRST = new Uint8Array(new Uint16Array([1]).buffer)[0] === 1

/** A term so that SQLite orders it as JavaScript does. */
export function sortable(term: string): Uint8Array {
  return Buffer.from(term, 'utf16le').swap16()
}

/**
 * Lengths in one byte: exact to 64, then within 2.5 %. That is all ranking needs, and a process
 * that searches holds the lengths of all messages in memory. They are whole 256ths: sums of them are exact, in whatever
 * order they are added and taken away.
 */
export const LENGTHS = Float64Array.from({ length: 256 }, (_, code) =>
  code <= 64 ? code : Math.round(64 * 1.05 ** (code - 64) * 256) / 256,
)

export function lengthCode(length: number): number {
  if (length <= 64) return length
  return Math.min(255, 64 + Math.round(Math.log(length / 64) / Math.log(1.05)))
}

export function lengthOf(code: number): number {
  return LENGTHS[code]!
}
