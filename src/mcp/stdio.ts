import { PassThrough, Writable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { spendLittleMemory } from '../platform/little-memory.ts'
import { log } from '../platform/log.ts'
import type { Shared } from '../server/shared.ts'
import { type Greeting, greetingTo, LONGEST_GREETING } from './greeting.ts'

/** A client sends its first message as soon as it has started us; one that does not loses this much. */
const GREETING_MS = 40

/**
 * Serves one client over stdin and stdout until either closes or the signal comes. `ready` says what
 * keeps us from serving, while the rest is loaded: the greeting does not wait for it.
 */
export async function serveOverStdio(
  shared: Shared,
  signal: AbortSignal,
  ready: () => Promise<void>,
): Promise<void> {
  spendLittleMemory()
  // Whatever else writes to the console must not end up between the messages.
  console.log = console.info = console.debug = (...said: unknown[]) => log('debug', said.join(' '))
  const gone = new Promise<void>((resolve) => {
    for (const event of ['end', 'close', 'error']) process.stdin.once(event, resolve)
    for (const event of ['close', 'error']) process.stdout.once(event, resolve)
    signal.addEventListener('abort', () => resolve(), { once: true })
    if (signal.aborted) resolve()
  })
  const greeter = greeted()
  // Loading keeps the process busy: a message that is on its way is answered before.
  await Promise.race([greeter.first, sleep(GREETING_MS), gone])
  const [{ serveStdio, StdioServerTransport }, { mcpServer }, { subscribedTo }, { wellFormed }] =
    await Promise.all([
      import('@modelcontextprotocol/server/stdio'),
      import('./server.ts'),
      import('./subscribed.ts'),
      import('./well-formed.ts'),
      ready(),
    ])
  const input = greeter.input.pipe(wellFormed((text) => process.stdout.write(text)))
  const transport = new StdioServerTransport(input, greeter.output)
  const startedUsAt = Date.now() - process.uptime() * 1_000
  const handle = serveStdio((context) => mcpServer({ ...shared, startedUsAt }, context), {
    transport,
    onerror: (error) => log('debug', error.message),
  })
  // The library keeps to itself what the newer protocol subscribes to.
  const deliver = transport.onmessage
  transport.onmessage = (message) => {
    shared.news.tellOf(subscribedTo(message))
    deliver?.(message)
  }
  await gone
  await handle.close().catch(() => {})
}

/** Standard input and output, with the first message answered as soon as it is there. */
function greeted(): { input: PassThrough; output: Writable; first: Promise<void> } {
  const input = new PassThrough()
  const { promise, resolve } = Promise.withResolvers<void>()
  let first: string | undefined = ''
  let greeting: Greeting | undefined
  process.stdin.on('data', (chunk: Buffer) => {
    input.write(chunk)
    if (first === undefined) return
    first += chunk.toString('latin1')
    const end = first.indexOf('\n')
    if (end < 0 && first.length < LONGEST_GREETING) return
    greeting = greetingTo(Buffer.from(first.slice(0, Math.max(0, end)), 'latin1').toString())
    first = undefined
    if (greeting) process.stdout.write(`${greeting.answer}\n`)
    resolve()
  })
  process.stdin.on('end', () => input.end())
  process.stdin.on('error', () => input.end())
  const output = new Writable({
    decodeStrings: false,
    write(chunk: string | Buffer, _, done) {
      if (greeting && answers(String(chunk), greeting)) {
        greeting = undefined
        done()
      } else process.stdout.write(chunk, (error) => done(error))
    },
  })
  return { input, output, first: promise }
}

/** The library's own answer to the message that has been answered. */
function answers(written: string, { id }: Greeting): boolean {
  const message = JSON.parse(written) as { id?: unknown; method?: unknown }
  return message.id === id && message.method === undefined
}
