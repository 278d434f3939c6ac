import type { RunLog } from './runs.ts'

const EVERY_MS = 300
const EVERY_CHARS = 2_000

/** Writes an answer down while it is being given: not each letter, but so that a crash loses little. */
export class PieceWriter {
  readonly #log: RunLog
  readonly #id: string
  readonly sofar = { text: '', thinking: '' }
  #text = ''
  #thinking = ''
  #at = Date.now()

  constructor(log: RunLog, id: string) {
    this.#log = log
    this.#id = id
  }

  add({ text = '', thinking = '' }: { text?: string; thinking?: string }): void {
    this.#text += text
    this.#thinking += thinking
    this.sofar.text += text
    this.sofar.thinking += thinking
    const isDue = Date.now() - this.#at > EVERY_MS || this.#text.length + this.#thinking.length > EVERY_CHARS
    if (!isDue) return
    this.#log.append({
      type: 'piece',
      id: this.#id,
      text: this.#text || undefined,
      thinking: this.#thinking || undefined,
    })
    this.#text = ''
    this.#thinking = ''
    this.#at = Date.now()
  }
}
