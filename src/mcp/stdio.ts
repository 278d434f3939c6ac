import { finished } from 'node:stream/promises'
import { setImmediate as others, setTimeout as sleep } from 'node:timers/promises'
import { keepCompiled } from '../platform/kept-code.ts'
import { LITTLE_MEMORY, LITTLE_MEMORY_LATER, setFlags } from '../platform/little-memory.ts'
import { log } from '../platform/log.ts'
import type { Shared } from '../server/shared.ts'
import { firstCall } from './first-call.ts'
import { type Greeter, greeted } from './greeter.ts'

/** Until the code for the first calls is loaded. */
const FIRST_CALLS_MS = 3_000
/** After its question for tools a client may have others. */
const READY_AFTER_MS = 150
/** Who has closed its side is given answers for so long. */
const LAST_ANSWERS_MS = 10_000

/**
 * Serves one client over stdin and stdout until either closes or the signal comes. `ready` says what
 * keeps us from serving, while the rest is loaded: the greeting does not wait for it.
 */
export async function serveOverStdio(
  shared: Shared,
  signal: AbortSignal,
  ready: () => Promise<void>,
  greeter: Greeter = greeted(),
): Promise<void> {
  setFlags(LITTLE_MEMORY_LATER)
  const spendLittle = () => {
    // What the first search has compiled, before flags change.
    keepCompiled()
    setFlags(LITTLE_MEMORY)
  }
  // Whatever else writes to the console must not end up between the messages.
  console.log = console.info = console.debug = (...said: unknown[]) => log('debug', said.join(' '))
  const gone = new Promise<void>((resolve) => {
    void greeter.gone.then(resolve)
    signal.addEventListener('abort', () => resolve(), { once: true })
    if (signal.aborted) resolve()
  })
  await Promise.race([greeter.first, gone])
  const startedUsAt = Date.now() - process.uptime() * 1_000
  // Needed whoever reads the messages; a call that comes in the same breath as the greeting is there when they are loaded.
  await Promise.all([import('./tools.ts'), import('./caller.ts'), ready()])
  // What is in the pipe is read between two of these.
  await others()
  await others()
  const early = firstCall(greeter, { ...shared, startedUsAt })
  await Promise.race([early?.settled, gone])
  const [
    { serveStdio, StdioServerTransport },
    { mcpServer },
    { subscribedTo },
    { Unanswered },
    { wellFormed },
  ] = await Promise.all([
    import('@modelcontextprotocol/server/stdio'),
    import('./server.ts'),
    import('./subscribed.ts'),
    import('./unanswered.ts'),
    import('./well-formed.ts'),
  ])
  // The library drops what it has not answered when its input ends: it does not hear of that.
  const input = greeter.input.pipe(
    wellFormed((text) => process.stdout.write(text)),
    { end: false },
  )
  const transport = new StdioServerTransport(input, greeter.output)
  const handle = serveStdio((context) => mcpServer({ ...shared, startedUsAt }, context), {
    transport,
    onerror: (error) => log('debug', error.message),
  })
  const unanswered = new Unanswered(transport)
  // The library keeps to itself what the newer protocol subscribes to.
  const deliver = transport.onmessage
  let isAsked = early !== undefined
  if (isAsked) setTimeout(spendLittle, FIRST_CALLS_MS).unref()
  let isListed = false
  transport.onmessage = (message) => {
    const method = 'method' in message ? message.method : undefined
    if (!isAsked && method === 'tools/call') {
      isAsked = true
      setTimeout(spendLittle, FIRST_CALLS_MS).unref()
    }
    if (!isListed && method === 'tools/list') {
      isListed = true
      setTimeout(() => void makeReadySoon().catch(() => {}), READY_AFTER_MS).unref()
    }
    unanswered.note(message)
    if (early && isCancelling(message, early.id)) early.cancel()
    shared.news.tellOf(subscribedTo(message))
    deliver?.(message)
  }
  const makeReadySoon = async () => {
    if (isAsked) return
    const { makeReady } = await import('../service/ready.ts')
    await makeReady(shared, () => isAsked)
    if (!isAsked) setTimeout(spendLittle, FIRST_CALLS_MS).unref()
  }
  await gone
  // Who closes its side after the last question still waits for answers.
  if (greeter.input.writableEnded && !signal.aborted) {
    const isRead = finished(greeter.input, { writable: false }).catch(() => {})
    const noneLeft = isRead.then(async () => {
      while (input.writableLength + input.readableLength > 0) await others()
      await unanswered.none()
      while (greeter.output.writableLength > 0) await others()
    })
    const allAnswered = Promise.all([early?.answered, noneLeft])
    await Promise.race([
      allAnswered,
      greeter.deaf,
      over(signal),
      sleep(LAST_ANSWERS_MS, undefined, { ref: false }),
    ])
  }
  await handle.close().catch(() => {})
}

function over(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }))
}

function isCancelling(message: object, id: string | number): boolean {
  if (!('method' in message) || message.method !== 'notifications/cancelled') return false
  return 'params' in message && (message.params as { requestId?: unknown } | undefined)?.requestId === id
}
