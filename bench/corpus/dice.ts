/** Random numbers that come out the same for the same seed, on every machine. */
export interface Dice {
  /** From 0 up to, not including, 1. */
  next(): number
  /** A whole number from 0 up to, not including, `below`. */
  int(below: number): number
  chance(probability: number): boolean
  pick<T>(items: readonly T[]): T
  /** Throws positions in a list of `size`, the first ones most often, as with the words of a language. */
  zipf(size: number): () => number
  /** Long-tailed: half of the values lie below `median`, a few far above. */
  longTail(median: number, spread: number): number
  hex(digits: number): string
  uuid(): string
}

const HEX = Array.from({ length: 65_536 }, (_, value) => value.toString(16).padStart(4, '0'))

/** sfc32: small, quick and good enough for made-up text. */
export function dice(seed: number): Dice {
  let a = 0x9e3779b9
  let b = seed | 0
  let c = 0x243f6a88
  let counter = 1

  function bits(): number {
    const sum = (((a + b) | 0) + counter) | 0
    counter = (counter + 1) | 0
    a = b ^ (b >>> 9)
    b = (c + (c << 3)) | 0
    c = (c << 21) | (c >>> 11)
    c = (c + sum) | 0
    return sum >>> 0
  }
  const next = () => bits() / 4294967296
  const int = (below: number) => Math.floor(next() * below)

  /** Eight hexadecimal digits. */
  function word(): string {
    const value = bits()
    return HEX[value >>> 16]! + HEX[value & 0xffff]!
  }

  for (let i = 0; i < 16; i++) bits()
  return {
    next,
    int,
    chance: (probability) => next() < probability,
    pick: (items) => items[int(items.length)]!,
    // The inverse of Zipf and Mandelbrot's 1 / (rank + 2.7), cut at `size`.
    zipf(size) {
      const reach = Math.log((size + 2.7) / 2.7)
      return () => Math.floor(2.7 * (Math.exp(next() * reach) - 1))
    },
    longTail: (median, spread) => median * Math.exp(spread * (next() + next() + next() + next() - 2) * 1.73),
    hex(digits) {
      let text = word()
      while (text.length < digits) text += word()
      return text.slice(0, digits)
    },
    uuid() {
      const middle = bits()
      const end = bits()
      const version = HEX[0x4000 | (middle & 0xfff)]
      const variant = HEX[0xa000 | (end & 0xfff)]
      return `${word()}-${HEX[middle >>> 16]}-${version}-${variant}-${HEX[end >>> 16]}${word()}`
    },
  }
}
