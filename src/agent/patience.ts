/** How long something may take. The time does not run while a person is asked, and begins again with each sign of life. */
export class Patience {
  readonly #ms: number
  readonly #over = new AbortController()
  #asked = 0
  #timer: NodeJS.Timeout | undefined

  constructor(ms: number) {
    this.#ms = ms
    this.renew()
  }

  /** Aborted once it took too long. */
  get over(): AbortSignal {
    return this.#over.signal
  }

  renew(): void {
    clearTimeout(this.#timer)
    if (this.#asked === 0) this.#timer = setTimeout(() => this.#over.abort(), this.#ms)
  }

  async whileAsked<T>(work: () => Promise<T>): Promise<T> {
    this.#asked++
    clearTimeout(this.#timer)
    try {
      return await work()
    } finally {
      this.#asked--
      this.renew()
    }
  }

  end(): void {
    // What is asked meanwhile must not start it again.
    this.#asked = Infinity
    clearTimeout(this.#timer)
  }
}
