import { RecollectError } from '../model/errors.ts'
import { type Beside, startBeside } from '../platform/beside.ts'
import { codeBeside } from '../platform/code-beside.ts'
import { LITTLE_MEMORY_FOR_A_WHILE } from '../platform/little-memory.ts'
import { log } from '../platform/log.ts'
import type { Answered, Order, ToHelper } from './aside-words.ts'
import type { Caller } from './caller.ts'
import type { Failure } from './failure.ts'

/** A call that was cancelled may end by itself for so long. */
const GRACE_MS = 250
/** As `LITTLE_MEMORY` does it, for a thread: what is new is cleaned up often. */
const YOUNG_MB = 8

type Outcome = { answer: unknown; failure?: undefined } | { failure: Failure; answer?: undefined }

interface Asked {
  resolve(told: Outcome): void
  reject(error: unknown): void
  progress?: Caller['progress']
}

/** A process, or a thread, beside what serves, and the calls that wait for it. */
export class AsideHelper {
  /** It takes no more calls. */
  isGone = false
  readonly #started: Beside<ToHelper>
  readonly #over: Promise<void>
  readonly #keptMs: number
  readonly #asked = new Map<number, Asked>()
  #timer: NodeJS.Timeout | undefined
  #held = 0
  #last = 0

  constructor(
    keptMs: number,
    {
      code = codeBeside('aside-worker', import.meta.url),
      isProcess,
    }: { code?: URL; isProcess?: boolean } = {},
  ) {
    this.#keptMs = keptMs
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#over = promise
    this.#started = startBeside<ToHelper, Answered>(
      code,
      {
        heard: (answered) => this.#heard(answered),
        over: (why, isFull) => {
          this.#fail(why, isFull)
          resolve()
        },
      },
      { isProcess, flags: LITTLE_MEMORY_FOR_A_WHILE, youngMB: YOUNG_MB },
    )
  }

  /** `isAlone`: nobody else waits for this one, so that it can be ended where the call does not end by itself. */
  async ask(
    order: Order,
    stop: AbortSignal,
    { progress, isAlone = false }: { progress?: Caller['progress']; isAlone?: boolean } = {},
  ): Promise<Outcome> {
    stop.throwIfAborted()
    if (this.isGone) throw ending()
    const letGo = this.hold()
    const id = ++this.#last
    const { promise, resolve, reject } = Promise.withResolvers<Outcome>()
    this.#asked.set(id, { resolve, reject, progress })
    let grace: NodeJS.Timeout | undefined
    const late = () => {
      this.send({ cancelled: id })
      if (isAlone) grace = setTimeout(() => this.#kill(stop.reason), GRACE_MS)
      else reject(stop.reason)
    }
    stop.addEventListener('abort', late, { once: true })
    try {
      this.send({ id, order })
      const told = await promise
      stop.throwIfAborted()
      return told
    } finally {
      clearTimeout(grace)
      stop.removeEventListener('abort', late)
      this.#asked.delete(id)
      letGo()
    }
  }

  send(message: ToHelper): void {
    if (!this.isGone) this.#started.send(message)
  }

  /** Keeps it, and this process with it, until it is let go; a while later it ends. */
  hold(): () => void {
    this.#held++
    clearTimeout(this.#timer)
    this.#started.ref()
    return () => {
      if (--this.#held > 0 || this.isGone) return
      this.#started.unref()
      this.#timer = setTimeout(() => void this.end(), this.#keptMs).unref()
    }
  }

  async end(): Promise<void> {
    clearTimeout(this.#timer)
    // Else this process would be over before it, and before whatever comes after.
    this.#started.ref()
    this.send('end')
    const patience = setTimeout(() => this.#started.kill(), GRACE_MS)
    this.#fail(ending())
    await this.#over
    clearTimeout(patience)
  }

  #heard(answered: Answered): void {
    const asked = this.#asked.get(answered.id)
    if ('progress' in answered) asked?.progress?.(...answered.progress)
    else if ('failure' in answered) asked?.resolve({ failure: answered.failure })
    else asked?.resolve({ answer: answered.answer })
  }

  #kill(reason: unknown): void {
    this.#fail(reason)
    this.#started.kill()
  }

  #fail(error: unknown, isFull = false): void {
    if (this.isGone) return
    this.isGone = true
    clearTimeout(this.#timer)
    if (!(error instanceof RecollectError)) log('warn', `beside, for long calls: ${error}`)
    for (const { reject } of this.#asked.values()) reject(isFull ? tooLarge() : error)
  }
}

export function ending(): RecollectError {
  return new RecollectError('CANCELLED', 'The server is ending.')
}

function tooLarge(): RecollectError {
  return new RecollectError(
    'TOO_LARGE',
    'This takes more memory than there is.',
    'Ask for fewer chats at once.',
  )
}
