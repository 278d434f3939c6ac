import type { AgentEvent } from './agent.ts'
import { MaskedSpeech } from './masked-speech.ts'
import type { RunLog } from './runs.ts'

const EVERY_MS = 40
const EVERY_CHARS = 2_000

/**
 * Writes an answer down while it is being given, and tells it once it is written: nobody sees a word
 * that a crash could lose. Letters that come close together go together. It is told without secrets, as it is later.
 */
export class PieceWriter {
  readonly #log: RunLog
  readonly #id: string
  readonly #tell: (event: AgentEvent) => void
  readonly sofar = { text: '', thinking: '' }
  readonly #masked = { text: new MaskedSpeech(), thinking: new MaskedSpeech() }
  #kind: 'text' | 'thinking' = 'text'
  #waiting = ''
  #at = 0
  #timer: NodeJS.Timeout | undefined
  #failure: unknown

  constructor(log: RunLog, id: string, tell: (event: AgentEvent) => void) {
    this.#log = log
    this.#id = id
    this.#tell = tell
  }

  add(kind: 'text' | 'thinking', piece: string): void {
    if (this.#failure !== undefined) throw this.#failure
    if (piece === '') return
    if (kind !== this.#kind) this.end()
    this.#kind = kind
    this.#waiting += piece
    this.sofar[kind] += piece
    const rest = EVERY_MS - (Date.now() - this.#at)
    if (rest <= 0 || this.#waiting.length > EVERY_CHARS) this.#flush()
    else this.#timer ??= setTimeout(() => this.#late(), rest)
  }

  /** Nothing follows for now: what was held back is told. */
  end(): void {
    this.#flush()
    this.#say(this.#masked[this.#kind].rest())
  }

  #flush(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    const piece = this.#waiting
    if (piece === '') return
    this.#waiting = ''
    this.#at = Date.now()
    this.#log.append({ type: 'piece', id: this.#id, [this.#kind]: piece })
    this.#say(this.#masked[this.#kind].add(piece))
  }

  #say(text: string): void {
    if (text !== '') this.#tell({ type: this.#kind, text })
  }

  /** A disk that fails is told to whoever speaks next. */
  #late(): void {
    try {
      this.#flush()
    } catch (error) {
      this.#failure = error
    }
  }
}
