import type { Shared } from '../server/shared.ts'
import type { Readable } from '../sync/readable.ts'

/** One archive with all that serving it takes. */
export interface Backend {
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

/** What people see who may read some spaces: a backend for each set of them, opened when it is first wanted. */
export class Guests {
  readonly #open: (spaces: readonly string[]) => Backend
  readonly #backends = new Map<string, Backends>()

  constructor(open: (spaces: readonly string[]) => Backend) {
    this.#open = open
  }

  of(spaces: readonly string[]): Backends {
    const name = JSON.stringify([...spaces].sort())
    const known = this.#backends.get(name) ?? new Backends(() => this.#open(spaces), false)
    this.#backends.set(name, known)
    return known
  }

  async close(): Promise<void> {
    await Promise.allSettled([...this.#backends.values()].map((backends) => backends.close()))
  }
}

/** The person's own archive and the sample, of which one is served at a time. Each is opened when it is first wanted. */
export class Backends {
  readonly #open: (sample: boolean) => Backend
  readonly #backends = new Map<boolean, Backend>()
  readonly #listeners = new Set<(backend: Backend) => void>()
  #sample: boolean

  constructor(open: (sample: boolean) => Backend, sample: boolean) {
    this.#open = open
    this.#sample = sample
  }

  current(): Backend {
    const backend = this.#backends.get(this.#sample) ?? this.#open(this.#sample)
    this.#backends.set(this.#sample, backend)
    return backend
  }

  use(sample: boolean): void {
    if (sample === this.#sample) return
    this.#sample = sample
    const backend = this.current()
    for (const listener of this.#listeners) listener(backend)
  }

  /** Tells when another one is served. */
  listen(listener: (backend: Backend) => void): () => void {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }

  opened(): Backend[] {
    return [...this.#backends.values()]
  }

  async close(): Promise<void> {
    await Promise.allSettled([...this.#backends.values()].map((backend) => backend.close()))
  }
}
