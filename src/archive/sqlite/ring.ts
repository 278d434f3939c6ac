/**
 * Room for pieces of bytes that are kept for a while, one after the other and around. In memory of their own they would be garbage when they go,
 * and wait for a cleaning that is rare where little else grows old: a server held 25 MB of them.
 */
export class Ring<Name> {
  readonly #size: number
  readonly #gone: (name: Name) => void
  readonly #makeRoom: (size: number) => Buffer
  #room: Buffer | undefined
  #next = 0
  /** From the oldest on. */
  readonly #kept: { name: Name; from: number }[] = []

  /** `room` makes it when it is needed. */
  constructor(
    size: number,
    gone: (name: Name) => void,
    room: (size: number) => Buffer = (bytes) => Buffer.allocUnsafeSlow(bytes),
  ) {
    this.#size = size
    this.#gone = gone
    this.#makeRoom = room
  }

  /** Room for so many bytes, no more than there are in all. What was there is gone, also for who still has it. */
  place(name: Name, length: number): Buffer {
    // Those from here on are the oldest: the end of the room is left out.
    if (this.#next + length > this.#size) {
      while (this.#kept[0] && this.#kept[0].from >= this.#next) this.#drop()
      this.#next = 0
    }
    const from = this.#next
    const to = from + length
    // None begins before this place and reaches into it: it would have gone with the piece before.
    while (this.#kept[0] && this.#kept[0].from >= from && this.#kept[0].from < to) this.#drop()
    this.#next = to
    this.#kept.push({ name, from })
    this.#room ??= this.#makeRoom(this.#size)
    return this.#room.subarray(from, to)
  }

  clear(): void {
    while (this.#kept.length > 0) this.#drop()
    this.#next = 0
  }

  #drop(): void {
    this.#gone(this.#kept.shift()!.name)
  }
}
