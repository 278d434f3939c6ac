import { setTimeout as sleep } from 'node:timers/promises'
import {
  Client,
  type Tool as McpTool,
  ProtocolError,
  type RequestOptions,
  SSEClientTransport,
  SseError,
  type Transport,
} from '@modelcontextprotocol/client'
import { packageVersion } from '../platform/package-root.ts'
import { redact } from '../platform/redact.ts'
import type { ServerStatus } from './agent.ts'
import { endsWithin } from './ends-within.ts'
import { takeOutMisshapen } from './misshapen-tools.ts'
import { Patience } from './patience.ts'
import { RunningCalls } from './running-calls.ts'
import type { ServerConfig } from './server-config.ts'
import { answerRequests } from './server-requests.ts'
import { type CallContext, failure, notKnown, type Outcome } from './tool.ts'
import { outcomeOf } from './tool-content.ts'
import {
  complaintsOf,
  isLoginNeeded,
  isLostSession,
  isOlderHttp,
  misunderstood,
  startProblem,
  transportTo,
} from './transports.ts'

/** How long a server may take to start: `npx` may have to fetch it first. */
const START_MS = 30_000
/** A server that dies is started again after so long, and after twice as long each time. */
const FIRST_PAUSE_MS = 500
const LONGEST_PAUSE_MS = 60_000
/** So often it is tried by itself; after that, when it is next asked for something. */
const MOST_TRIES = 6
/** One that lived for so long died of something new. */
const HEALTHY_MS = 60_000
/** The longest that a call waits for a server to come back. */
const PATIENCE_MS = 5_000
/** And so long one that can safely be repeated. */
const RENEWAL_MS = 30_000

/** As long as a timer can be. */
const LONGEST_MS = 2 ** 31 - 1

type Context = Omit<CallContext, 'sessionId'> & { timeoutMs: number }

/** One configured server: started, watched, and started again when it dies. */
export class McpServer {
  readonly config: ServerConfig
  /** As it last told them, also while it is down. */
  tools: McpTool[] = []
  status: ServerStatus['status'] = 'starting'
  /** Why it failed; of one that is ready, what it offers and cannot be used. */
  problem: string | undefined
  /** A person has to sign in first. */
  wantsLogin = false
  /** Where it is kept what servers granted. */
  readonly #folder: string
  readonly #onTools: () => void
  readonly #ending = new AbortController()
  readonly #running = new RunningCalls()
  /** Tools that were left out of its list. */
  readonly #misshapen: string[] = []
  /** It turned out to speak HTTP as it was before. */
  #isOlder = false
  #client: Client | undefined
  #starting: Promise<void> | undefined
  #failures = 0
  /** Ends the pause before it is tried again. */
  #resting: AbortController | undefined
  #startedAt = 0

  constructor(config: ServerConfig, folder: string, onTools: () => void) {
    this.config = config
    this.#folder = folder
    this.#onTools = onTools
    if (config.disabled) {
      this.status = 'disabled'
      this.problem = config.disabled
    }
  }

  /** Ends when it is ready or has failed; does not wait for one that rests before it is tried again, unless it ran before. */
  settled(): Promise<void> {
    const started = this.#start()
    if (!this.#resting) return started
    // Whoever asks may have signed in by now.
    if (this.wantsLogin) this.#resting.abort()
    if (this.#startedAt === 0) return Promise.resolve()
    this.#resting.abort()
    return started
  }

  /** Where the server is lost meanwhile, it is found again, and what is safe to repeat is called once more. */
  async call(tool: string, args: Record<string, unknown>, context: Context): Promise<Outcome> {
    const first = await this.#try(tool, args, context)
    if ('outcome' in first) return first.outcome
    const { lost, wasRun } = first
    if (wasRun && !this.#isRepeatable(tool)) {
      return failure(
        `The server "${this.config.id}" was lost while ${tool} ran: ${lost}. It is started again. ${notKnown(tool)}`,
      )
    }
    this.#resting?.abort()
    await endsWithin(this.#start(), RENEWAL_MS, context.signal)
    const second = await this.#try(tool, args, context)
    if ('outcome' in second) return second.outcome
    return failure(`The server "${this.config.id}" was lost twice while ${tool} ran: ${second.lost}.`)
  }

  async #try(
    tool: string,
    args: Record<string, unknown>,
    context: Context,
  ): Promise<{ outcome: Outcome } | { lost: string; wasRun: boolean }> {
    const { signal, timeoutMs, onProgress } = context
    if (this.status !== 'ready') {
      // Somebody waits: it is tried at once, however often it failed.
      this.#resting?.abort()
      await endsWithin(this.#start(), PATIENCE_MS, signal)
    }
    signal.throwIfAborted()
    const client = this.#client
    if (!client || this.status !== 'ready') {
      const reason = `The server "${this.config.id}" is not running. ${this.problem ?? 'It is still starting.'}`
      return { outcome: failure(reason) }
    }
    const patience = new Patience(timeoutMs)
    const options: RequestOptions = {
      signal: AbortSignal.any([signal, patience.over]),
      // The time is ours to take: a person who is asked may need longer than a tool.
      timeout: LONGEST_MS,
      onprogress: ({ progress, total, message }) => {
        patience.renew()
        onProgress?.({ done: progress, total, message })
      },
    }
    try {
      const result = await this.#running.during({ context, patience }, () =>
        client.callTool({ name: tool, arguments: args }, options),
      )
      const read = (uri: string) => client.readResource({ uri }, { signal, timeout: timeoutMs })
      return { outcome: await outcomeOf(result, read) }
    } catch (error) {
      signal.throwIfAborted()
      const reason = redact(error instanceof Error ? error.message : String(error))
      if (patience.over.aborted || /timed out/i.test(reason)) {
        const unknown = this.#isRepeatable(tool) ? '' : ` ${notKnown(tool)}`
        return { outcome: failure(`${tool} took longer than ${timeoutMs / 1000} seconds.${unknown}`) }
      }
      if (error instanceof ProtocolError) return { outcome: failure(reason) }
      const wrong = misunderstood(error)
      if (wrong) return { outcome: failure(`${tool} ran, but ${wrong}.`) }
      this.#broke(client, reason)
      return { lost: reason, wasRun: !isLostSession(error) }
    } finally {
      patience.end()
    }
  }

  /** Its server says that to call it twice is as good as once. */
  #isRepeatable(tool: string): boolean {
    const { readOnlyHint, idempotentHint } = this.tools.find(({ name }) => name === tool)?.annotations ?? {}
    return readOnlyHint === true || idempotentHint === true
  }

  async close(): Promise<void> {
    this.#ending.abort()
    const client = this.#client
    this.#client = undefined
    await client?.close().catch(() => {})
    await this.#starting
  }

  #start(): Promise<void> {
    if (this.status === 'disabled' || this.status === 'ready') return Promise.resolve()
    this.#starting ??= this.#connect().finally(() => {
      this.#starting = undefined
      const goesOn = this.status === 'failed' && this.#failures < MOST_TRIES && !this.#ending.signal.aborted
      if (goesOn) void this.#start()
    })
    return this.#starting
  }

  async #connect(): Promise<void> {
    await this.#rest()
    if (this.#ending.signal.aborted) return
    this.status = 'starting'
    const transport = transportTo(
      this.#isOlder ? { ...this.config, transport: 'sse' } : this.config,
      this.#folder,
    )
    const client = new Client(
      { name: 'recollect', version: packageVersion() },
      {
        // A server of standard input is asked the plain way: one that does not know the newer question may hang.
        versionNegotiation: { mode: this.config.transport === 'http' && !this.#isOlder ? 'auto' : 'legacy' },
        capabilities: { elicitation: { form: {} }, sampling: {} },
        listChanged: { tools: { onChanged: (_, tools) => tools && this.#take(tools) } },
      },
    )
    answerRequests(client, this.config.id, this.#running)
    this.#misshapen.length = 0
    // Before the library sees it.
    transport.onmessage = (message) => this.#misshapen.push(...takeOutMisshapen(message))
    try {
      await client.connect(transport, { timeout: START_MS, signal: this.#ending.signal })
      const { tools } = await client.listTools(undefined, { timeout: START_MS, signal: this.#ending.signal })
      client.onclose = () => this.#broke(client, 'It ended by itself.', transport)
      // This one would go on with another session that was never begun.
      if (transport instanceof SSEClientTransport)
        transport.onerror = (error) =>
          error instanceof SseError && this.#broke(client, 'The connection was lost.')
      this.#client = client
      this.#startedAt = Date.now()
      this.status = 'ready'
      this.wantsLogin = false
      this.#take(tools)
    } catch (error) {
      await client.close().catch(() => {})
      await transport.close().catch(() => {})
      if (this.config.transport === 'http' && !this.#isOlder && isOlderHttp(error)) {
        this.#isOlder = true
        return await this.#connect()
      }
      this.wantsLogin = isLoginNeeded(error)
      this.#failed(startProblem(this.config, error, transport))
    }
  }

  async #rest(): Promise<void> {
    if (this.#failures === 0) return
    const pause = Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** (this.#failures - 1))
    this.#resting = new AbortController()
    const signal = AbortSignal.any([this.#ending.signal, this.#resting.signal])
    await sleep(pause, undefined, { signal, ref: false }).catch(() => {})
    this.#resting = undefined
  }

  #take(tools: McpTool[]): void {
    this.tools = tools
    const names = this.#misshapen.splice(0)
    this.problem =
      names.length > 0
        ? redact(`Left out, as they are not as the protocol has tools: ${names.join(', ')}.`)
        : undefined
    this.#onTools()
  }

  /** The connection is no more. */
  #broke(client: Client, reason: string, transport?: Transport): void {
    if (this.#client !== client || this.#ending.signal.aborted) return
    this.#client = undefined
    client.onclose = undefined
    client.close().catch(() => {})
    if (Date.now() - this.#startedAt > HEALTHY_MS) this.#failures = 0
    this.#failed([reason, complaintsOf(transport)].filter(Boolean).join(' '))
    void this.#start()
  }

  #failed(problem: string): void {
    this.#failures++
    this.status = 'failed'
    this.problem = redact(problem)
    this.#onTools()
  }
}
