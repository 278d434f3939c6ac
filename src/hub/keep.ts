import { setTimeout as sleep } from 'node:timers/promises'
import type { Archive } from '../archive/archive.ts'
import { RecollectError } from '../model/errors.ts'
import { textOf } from '../platform/change-file.ts'
import { log } from '../platform/log.ts'
import type { Patience } from './database.ts'
import { Exchange, type Exchanged, type ExchangeOptions, isElsewhere, type Progress } from './exchange.ts'
import { type HubSettings, type HubSpace, hasHub, hubFile, readHub } from './settings.ts'
import { SpaceMemory } from './state.ts'
import { isPassing, isUnreachable } from './trouble.ts'

export interface KeepOptions {
  archive: Archive
  folder: string
  signal: AbortSignal
  onExchanged?: (exchanged: Exchanged[]) => void
  onProgress?: (progress: Progress) => void
  onTrouble?: (error: RecollectError) => void
  patience?: Patience
  pace?: Pace
}

export interface Pace {
  /** What changed here is looked for so often: with the rest, it is with the others within a second or two. */
  lookMs: number
  /** Without a word from the server it is asked so often: a pooler or a standby has no LISTEN, and a line may be dead. */
  askMs: number
  /** What is in trouble is tried again after so long; then after twice as long, up to the last. */
  waitMs: { first: number; last: number }
}

export const PACE: Pace = { lookMs: 250, askMs: 15_000, waitMs: { first: 1_000, last: 60_000 } }
const RENEW_MS = 1_500

/**
 * Exchanges chats with the hub until the signal. One process of a machine does at a time. Whatever is wrong with the
 * server, the archive goes on; what waits is sent when it is back.
 */
export async function keepExchanging(options: KeepOptions): Promise<void> {
  const { archive, folder, pace: { waitMs } = PACE } = options
  const left = untilLeft(folder, options.signal)
  const { signal } = left
  let wait = waitMs.first
  try {
    while (!signal.aborted) {
      const settings = await readable(options, () => readHub(folder))
      if (!settings) return
      const lease = await archive.takeLease('hub', 'hub')
      if (!('holder' in lease)) {
        await pause(waitMs.first, signal)
        continue
      }
      const renewing = setInterval(() => void archive.renewLease(lease).catch(() => {}), RENEW_MS)
      try {
        const exchange = await begun({ ...options, signal, lease }, settings)
        // A question that the server does not answer must not hold up whoever wants to leave, or to end.
        const close = () => void exchange.close()
        signal.addEventListener('abort', close, { once: true })
        try {
          wait = waitMs.first
          await follow(exchange, { ...options, signal })
        } finally {
          signal.removeEventListener('abort', close)
          await exchange.close()
        }
      } catch (error) {
        if (signal.aborted || !hasHub(folder)) break
        const isSoon = isPassing(error as RecollectError)
        const others = isUnreachable(error as RecollectError) ? elsewhere(settings) : []
        await note(options, error, others)
        // Not all machines at once when the server is back.
        const ms = (isSoon ? wait : waitMs.last) * (0.75 + Math.random() / 2)
        if (others.length > 0) await meanwhile({ ...options, signal, lease }, settings, ms)
        else await pause(ms, signal)
        wait = Math.min(wait * 2, waitMs.last)
      } finally {
        clearInterval(renewing)
        await archive.releaseLease(lease)
      }
    }
  } finally {
    left.end()
  }
}

/** The spaces that go on while the hub itself does not answer: they are in other databases. */
function elsewhere(settings: HubSettings): HubSpace[] {
  return settings.spaces.filter((space) => isElsewhere(settings, space))
}

/** Exchanges with the other databases, once at least, until it is time to try the hub again. */
async function meanwhile(
  options: KeepOptions & ExchangeOptions,
  settings: HubSettings,
  ms: number,
): Promise<void> {
  const over = new AbortController()
  const end = () => over.abort()
  const exchange = await Exchange.withoutHub(options, settings)
  const close = () => {
    end()
    void exchange.close()
  }
  options.signal.addEventListener('abort', close, { once: true })
  let ending: NodeJS.Timeout | undefined
  try {
    const exchanged = await exchange.exchange()
    options.onExchanged?.(exchanged)
    ending = setTimeout(end, ms)
    await follow(exchange, { ...options, signal: over.signal })
  } catch (error) {
    log('debug', `hub: ${(error as Error).message}`)
    await pause(ms, over.signal)
  } finally {
    clearTimeout(ending)
    options.signal.removeEventListener('abort', close)
    await exchange.close()
  }
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return sleep(ms, undefined, { signal }).catch(() => {})
}

/** Aborts with the given signal, and when the hub is left: whoever leaves waits for the right to clear up. */
function untilLeft(folder: string, given: AbortSignal): { signal: AbortSignal; end(): void } {
  const gone = new AbortController()
  const looking = setInterval(() => hasHub(folder) || gone.abort(), PACE.lookMs)
  return { signal: AbortSignal.any([given, gone.signal]), end: () => clearInterval(looking) }
}

/** A connection that takes long is not waited for after the signal. */
async function begun(options: ExchangeOptions, settings: HubSettings): Promise<Exchange> {
  const beginning = Exchange.begin(options, settings)
  const { signal } = options
  return await new Promise<Exchange>((resolve, reject) => {
    const end = () => {
      reject(signal?.reason)
      beginning.then((exchange) => exchange.close()).catch(() => {})
    }
    signal?.addEventListener('abort', end, { once: true })
    beginning.then(resolve, reject).finally(() => signal?.removeEventListener('abort', end))
  })
}

/** All there is, once: for `hub sync`. */
export async function exchangeOnce(options: KeepOptions): Promise<Exchanged[]> {
  const { archive, folder } = options
  const settings = readHub(folder)
  if (!settings) return []
  const lease = await archive.takeLease('hub', 'hub')
  if (!('holder' in lease)) {
    throw new RecollectError(
      'ARCHIVE_BUSY',
      `Process ${lease.pid} exchanges chats with the hub already.`,
      'It does so all the time; recollect hub status says how far it is.',
    )
  }
  const renewing = setInterval(() => void archive.renewLease(lease).catch(() => {}), RENEW_MS)
  try {
    let trouble: RecollectError | undefined
    const exchange = await Exchange.begin({ ...options, lease }, settings).catch((error) => {
      if (!isUnreachable(error) || elsewhere(settings).length === 0) throw error
      trouble = error
      return Exchange.withoutHub({ ...options, lease }, settings)
    })
    try {
      const exchanged = await exchange.exchange()
      // So that the others see how far this machine is.
      if (exchanged.some(({ pulled, pushed }) => pulled + pushed > 0)) await exchange.greet()
      return trouble ? withTrouble(settings, exchanged, trouble) : exchanged
    } finally {
      await exchange.close()
    }
  } finally {
    clearInterval(renewing)
    await archive.releaseLease(lease)
  }
}

/** What could not be exchanged, because the hub itself does not answer, beside what could. */
function withTrouble(
  { spaces }: HubSettings,
  exchanged: Exchanged[],
  { code, message, hint }: RecollectError,
): Exchanged[] {
  return spaces.map(
    ({ name }) =>
      exchanged.find(({ space }) => space === name) ?? {
        ...{ space: name, pushed: 0, pulled: 0 },
        trouble: { code, message, hint },
      },
  )
}

async function follow(
  exchange: Exchange,
  { archive, folder, signal, onExchanged, pace = PACE }: KeepOptions,
): Promise<void> {
  let wake: (() => void) | undefined
  let isHinted = true
  let isEnded = false
  const look = () => {
    isHinted = true
    wake?.()
  }
  void exchange.ended.then(() => {
    isEnded = true
    wake?.()
  })
  signal.addEventListener('abort', () => wake?.(), { once: true })
  await exchange.listen(look)
  let { mark } = await archive.changes()
  let settings = textOf(hubFile(folder))
  let askedAt = 0
  while (!signal.aborted) {
    if (isEnded)
      throw new RecollectError('HUB_DOWN', 'The connection to the hub was lost.', 'It is tried again.')
    if (isHinted || Date.now() - askedAt >= pace.askMs) {
      isHinted = false
      if (Date.now() - askedAt >= pace.askMs) {
        if (askedAt > 0) await exchange.greet()
        askedAt = Date.now()
      }
      const exchanged = await exchange.exchange()
      onExchanged?.(exchanged)
    }
    let looking: NodeJS.Timeout | undefined
    await new Promise<void>((resolve) => {
      wake = resolve
      if (!isHinted && !isEnded && !signal.aborted) looking = setTimeout(resolve, pace.lookMs)
      else resolve()
    })
    clearTimeout(looking)
    const now = await archive.changes(mark)
    const settingsNow = textOf(hubFile(folder))
    if (settingsNow === undefined) return
    if (now.mark !== mark) isHinted = true
    // Other spaces, other shares: they are agreed upon from the beginning.
    if (settingsNow !== settings) {
      isHinted = true
      settings = settingsNow
    }
    mark = now.mark
  }
}

async function readable<T>(options: KeepOptions, read: () => T): Promise<T | undefined> {
  try {
    return read()
  } catch (error) {
    await note(options, error)
    return undefined
  }
}

/** Where `hub status` finds it, whichever process asks. The spaces of the others are not in that trouble. */
async function note(
  { archive, folder, onTrouble }: KeepOptions,
  error: unknown,
  others: HubSpace[] = [],
): Promise<void> {
  const trouble =
    error instanceof RecollectError ? error : new RecollectError('HUB_FAILED', (error as Error).message)
  onTrouble?.(trouble)
  log('debug', `hub: ${trouble.message}`)
  try {
    for (const space of readHub(folder)?.spaces ?? []) {
      if (others.some(({ id }) => id === space.id)) continue
      const memory = await SpaceMemory.of(archive, space)
      if (memory.trouble?.code === trouble.code) continue
      const { code, message, hint } = trouble
      memory.trouble = { code, message, hint, since: Date.now() }
      await memory.save()
    }
  } catch (failure) {
    log('debug', `hub: ${(failure as Error).message}`)
  }
}
