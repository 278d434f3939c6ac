import type { Shared } from '../server/shared.ts'
import type { Readable } from '../sync/readable.ts'

/** One archive with all that serving it takes. */
export interface Desk {
  /** It is the built-in sample. */
  sample: boolean
  /** Where the archive and its settings lie. */
  folder(): Promise<string>
  /** What is read, and of which machines. */
  readable(): Promise<Readable>
  shared: Shared
  /** Begins the syncing anew: what is to be read has changed. */
  syncAgain(): Promise<void>
  close(): Promise<void>
}

/** What people see who may read some spaces: a desk for each set of them, opened when it is first wanted. */
export class Guests {
  readonly #open: (spaces: readonly string[]) => Desk
  readonly #desks = new Map<string, Desks>()

  constructor(open: (spaces: readonly string[]) => Desk) {
    this.#open = open
  }

  of(spaces: readonly string[]): Desks {
    const name = JSON.stringify([...spaces].sort())
    const known = this.#desks.get(name) ?? new Desks(() => this.#open(spaces), false)
    this.#desks.set(name, known)
    return known
  }

  async close(): Promise<void> {
    await Promise.allSettled([...this.#desks.values()].map((desks) => desks.close()))
  }
}

/** The person's own archive and the sample, of which one is served at a time. Each is opened when it is first wanted. */
export class Desks {
  readonly #open: (sample: boolean) => Desk
  readonly #desks = new Map<boolean, Desk>()
  readonly #listeners = new Set<(desk: Desk) => void>()
  #sample: boolean

  constructor(open: (sample: boolean) => Desk, sample: boolean) {
    this.#open = open
    this.#sample = sample
  }

  current(): Desk {
    const desk = this.#desks.get(this.#sample) ?? this.#open(this.#sample)
    this.#desks.set(this.#sample, desk)
    return desk
  }

  use(sample: boolean): void {
    if (sample === this.#sample) return
    this.#sample = sample
    const desk = this.current()
    for (const listener of this.#listeners) listener(desk)
  }

  /** Tells when another one is served. */
  listen(listener: (desk: Desk) => void): () => void {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }

  opened(): Desk[] {
    return [...this.#desks.values()]
  }

  async close(): Promise<void> {
    await Promise.allSettled([...this.#desks.values()].map((desk) => desk.close()))
  }
}
