import { setTimeout as sleep } from 'node:timers/promises'
import type { Archive } from '../archive/archive.ts'
import { RecollectError } from '../model/errors.ts'
import { textOf } from '../platform/change-file.ts'
import { log } from '../platform/log.ts'
import type { Patience } from './database.ts'
import { Exchange, type Exchanged, type ExchangeOptions, type Progress } from './exchange.ts'
import { type HubSettings, hasHub, hubFile, readHub } from './settings.ts'
import { SpaceMemory } from './state.ts'
import { isPassing } from './trouble.ts'

export interface KeepOptions {
  archive: Archive
  folder: string
  signal: AbortSignal
  onExchanged?: (exchanged: Exchanged[]) => void
  onProgress?: (progress: Progress) => void
  onTrouble?: (error: RecollectError) => void
  patience?: Patience
}

/** What changed here is looked for so often: with the rest, it is with the others within a second or two. */
const LOOK_MS = 250
/** Without a word from the server it is asked so often: a pooler or a standby has no LISTEN, and a line may be dead. */
const ASK_MS = 15_000
const RENEW_MS = 1_500
const WAIT_MS = { first: 1_000, last: 60_000 }

/**
 * Exchanges chats with the hub until the signal. One process of a machine does at a time. Whatever is wrong with the
 * server, the archive goes on; what waits is sent when it is back.
 */
export async function keepExchanging(options: KeepOptions): Promise<void> {
  const { archive, folder } = options
  const left = untilLeft(folder, options.signal)
  const { signal } = left
  let wait = WAIT_MS.first
  try {
    while (!signal.aborted) {
      const settings = await readable(options, () => readHub(folder))
      if (!settings) return
      const lease = await archive.takeLease('hub', 'hub')
      if (!('holder' in lease)) {
        await pause(WAIT_MS.first, signal)
        continue
      }
      const renewing = setInterval(() => void archive.renewLease(lease).catch(() => {}), RENEW_MS)
      try {
        const exchange = await begun({ ...options, signal, lease }, settings)
        // A question that the server does not answer must not hold up whoever wants to leave, or to end.
        const close = () => void exchange.close()
        signal.addEventListener('abort', close, { once: true })
        try {
          wait = WAIT_MS.first
          await follow(exchange, { ...options, signal })
        } finally {
          signal.removeEventListener('abort', close)
          await exchange.close()
        }
      } catch (error) {
        if (signal.aborted) break
        await note(options, error)
        const isSoon = isPassing(error as RecollectError)
        // Not all machines at once when the server is back.
        await pause((isSoon ? wait : WAIT_MS.last) * (0.75 + Math.random() / 2), signal)
        wait = Math.min(wait * 2, WAIT_MS.last)
      } finally {
        clearInterval(renewing)
        await archive.releaseLease(lease)
      }
    }
  } finally {
    left.end()
  }
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return sleep(ms, undefined, { signal }).catch(() => {})
}

/** Aborts with the given signal, and when the hub is left: whoever leaves waits for the right to clear up. */
function untilLeft(folder: string, given: AbortSignal): { signal: AbortSignal; end(): void } {
  const gone = new AbortController()
  const looking = setInterval(() => hasHub(folder) || gone.abort(), LOOK_MS)
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
    const exchange = await Exchange.begin({ ...options, lease }, settings)
    try {
      const exchanged = await exchange.exchange()
      // So that the others see how far this machine is.
      if (exchanged.some(({ pulled, pushed }) => pulled + pushed > 0)) await exchange.greet()
      return exchanged
    } finally {
      await exchange.close()
    }
  } finally {
    clearInterval(renewing)
    await archive.releaseLease(lease)
  }
}

async function follow(
  exchange: Exchange,
  { archive, folder, signal, onExchanged }: KeepOptions,
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
  if (!exchange.isReadOnly) await exchange.listen(look)
  let { mark } = await archive.changes()
  let settings = textOf(hubFile(folder))
  let askedAt = 0
  while (!signal.aborted) {
    if (isEnded)
      throw new RecollectError('HUB_DOWN', 'The connection to the hub was lost.', 'It is tried again.')
    if (isHinted || Date.now() - askedAt >= ASK_MS) {
      isHinted = false
      if (Date.now() - askedAt >= ASK_MS) {
        if (askedAt > 0) await exchange.greet()
        askedAt = Date.now()
      }
      onExchanged?.(await exchange.exchange())
    }
    await new Promise<void>((resolve) => {
      wake = resolve
      if (!isHinted && !isEnded && !signal.aborted) setTimeout(resolve, LOOK_MS)
      else resolve()
    })
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

/** Where `hub status` finds it, whichever process asks. */
async function note({ archive, folder, onTrouble }: KeepOptions, error: unknown): Promise<void> {
  const trouble =
    error instanceof RecollectError ? error : new RecollectError('HUB_FAILED', (error as Error).message)
  onTrouble?.(trouble)
  log('debug', `hub: ${trouble.message}`)
  try {
    for (const space of readHub(folder)?.spaces ?? []) {
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
