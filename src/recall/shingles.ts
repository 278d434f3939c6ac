const MOST_PLACES = 6

/** Where each short run of words was seen first. Typed arrays: a Map of a million numbers would take most of the time. */
export class Shingles {
  readonly #slots: Int32Array
  readonly #mask: number
  #keys: Int32Array = new Int32Array(1 << 14)
  #places: Int32Array = new Int32Array(1 << 14)
  #next: Int32Array = new Int32Array(1 << 14)
  #count = 1

  constructor(words: number) {
    let size = 1 << 10
    while (size < words * 2) size *= 2
    this.#slots = new Int32Array(size)
    this.#mask = size - 1
  }

  /** The places of a run of words, put into `found`; how many there are. A run seen everywhere tells nothing: only its first places are kept. */
  places(key: number, found: Int32Array): number {
    let n = 0
    for (let entry = this.#slots[slotOf(key, this.#mask)]!; entry !== 0; entry = this.#next[entry]!) {
      if (this.#keys[entry] === key && n < MOST_PLACES) found[n++] = this.#places[entry]!
    }
    return n
  }

  add(key: number, place: number): void {
    const slot = slotOf(key, this.#mask)
    let known = 0
    for (let entry = this.#slots[slot]!; entry !== 0; entry = this.#next[entry]!) {
      if (this.#keys[entry] === key && ++known >= MOST_PLACES) return
    }
    if (this.#count === this.#keys.length) {
      this.#keys = doubled(this.#keys)
      this.#places = doubled(this.#places)
      this.#next = doubled(this.#next)
    }
    this.#keys[this.#count] = key
    this.#places[this.#count] = place
    this.#next[this.#count] = this.#slots[slot]!
    this.#slots[slot] = this.#count++
  }
}

function slotOf(key: number, mask: number): number {
  return (key ^ (key >>> 15)) & mask
}

function doubled(array: Int32Array): Int32Array {
  const larger = new Int32Array(array.length * 2)
  larger.set(array)
  return larger
}
