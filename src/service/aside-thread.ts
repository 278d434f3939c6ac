import { Worker } from 'node:worker_threads'
import { RecollectError } from '../model/errors.ts'
import { log } from '../platform/log.ts'
import type { Answered, Order, ToThread } from './aside-words.ts'
import type { Caller } from './caller.ts'
import type { Failure } from './failure.ts'

/** A call that was cancelled may end by itself for so long. */
const GRACE_MS = 250
/** As `spendLittleMemory` does it: what is new is cleaned up often. */
const LIMITS = { maxYoungGenerationSizeMb: 8 }

type Outcome = { answer: unknown; failure?: undefined } | { failure: Failure; answer?: undefined }

interface Asked {
  resolve(told: Outcome): void
  reject(error: unknown): void
  progress?: Caller['progress']
}

/** A thread beside the one that serves, and the calls that wait for it. */
export class AsideThread {
  /** It takes no more calls. */
  isGone = false
  readonly #worker: Worker
  readonly #over: Promise<void>
  readonly #keptMs: number
  readonly #asked = new Map<number, Asked>()
  #timer: NodeJS.Timeout | undefined
  #held = 0
  #last = 0

  constructor(keptMs: number, code = threadCode()) {
    this.#keptMs = keptMs
    // Nothing of it may reach stdout, and what Node 22 says of its SQLite nobody; what fails is answered.
    this.#worker = new Worker(code, { stdout: true, stderr: true, resourceLimits: LIMITS })
    this.#worker.on('message', (answered: Answered) => this.#heard(answered))
    this.#worker.on('error', (error) => this.#fail(error))
    this.#over = new Promise((resolve) =>
      this.#worker.once('exit', () => {
        this.#fail(new Error('the thread ended'))
        resolve()
      }),
    )
  }

  /** `isAlone`: nobody else waits for this thread, so that it can be ended where the call does not end by itself. */
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

  send(message: ToThread): void {
    if (!this.isGone) this.#worker.postMessage(message)
  }

  /** Keeps the thread, and the process with it, until it is let go; a while later it ends. */
  hold(): () => void {
    this.#held++
    clearTimeout(this.#timer)
    this.#worker.ref()
    return () => {
      if (--this.#held > 0 || this.isGone) return
      this.#worker.unref()
      this.#timer = setTimeout(() => void this.end(), this.#keptMs).unref()
    }
  }

  async end(): Promise<void> {
    clearTimeout(this.#timer)
    this.send('end')
    const patience = setTimeout(() => void this.#worker.terminate(), GRACE_MS)
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
    void this.#worker.terminate()
  }

  #fail(error: unknown): void {
    if (this.isGone) return
    this.isGone = true
    clearTimeout(this.#timer)
    if (!(error instanceof RecollectError)) log('warn', `a thread for long calls: ${error}`)
    const isFull = (error as NodeJS.ErrnoException).code === 'ERR_WORKER_OUT_OF_MEMORY'
    for (const { reject } of this.#asked.values()) reject(isFull ? tooLarge() : error)
  }
}

/** A bundle holds the thread's code beside this one. */
function threadCode(): URL {
  const file = import.meta.url.endsWith('.ts') ? './aside-worker.ts' : './aside-worker.js'
  return new URL(file, import.meta.url)
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
