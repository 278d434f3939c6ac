/** Words with their numbers, and how often each was met. */
export class Words {
  readonly list: string[] = []
  readonly times: number[] = []
  readonly #numbers = new Map<string, number>()

  number(word: string): number {
    let number = this.#numbers.get(word)
    if (number === undefined) {
      number = this.list.length
      this.#numbers.set(word, number)
      this.list.push(word)
      this.times.push(0)
    }
    this.times[number]!++
    return number
  }
}

/** Pairs of numbers that were met, each with a number of its own: a hash table in flat arrays. */
export class Cells {
  readonly #keys: Float64Array
  readonly #mask: number
  readonly met: Uint8Array

  constructor(bits: number) {
    this.#keys = new Float64Array(2 ** bits).fill(-1)
    this.met = new Uint8Array(2 ** bits)
    this.#mask = 2 ** bits - 1
  }

  slot(x: number, y: number): number {
    const key = x * 0x200000 + y
    let slot = (Math.imul(x, 0x9e3779b1) ^ Math.imul(y, 0x85ebca6b)) >>> 0
    slot = (slot ^ (slot >>> 15)) & this.#mask
    while (this.#keys[slot] !== key && this.#keys[slot] !== -1) slot = (slot + 1) & this.#mask
    this.#keys[slot] = key
    return slot
  }

  pair(slot: number): [number, number] {
    const key = this.#keys[slot]!
    return [Math.floor(key / 0x200000), key % 0x200000]
  }
}
