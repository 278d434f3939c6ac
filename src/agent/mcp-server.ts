import { setTimeout as sleep } from 'node:timers/promises'
import {
  Client,
  type Tool as McpTool,
  ProtocolError,
  StreamableHTTPClientTransport,
  type Transport,
} from '@modelcontextprotocol/client'
import { packageVersion } from '../platform/package-root.ts'
import { redact } from '../platform/redact.ts'
import type { ServerStatus } from './agent.ts'
import type { ServerConfig } from './server-config.ts'
import { StdioTransport } from './stdio-transport.ts'
import { type CallContext, failure, type Outcome } from './tool.ts'
import { outcomeOf } from './tool-content.ts'
import { within } from './within.ts'

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

/** One configured server: started, watched, and started again when it dies. */
export class McpServer {
  readonly config: ServerConfig
  /** As it last told them, also while it is down. */
  tools: McpTool[] = []
  status: ServerStatus['status'] = 'starting'
  problem: string | undefined
  readonly #onTools: () => void
  readonly #ending = new AbortController()
  #client: Client | undefined
  #starting: Promise<void> | undefined
  #failures = 0
  #isResting = false
  #startedAt = 0

  constructor(config: ServerConfig, onTools: () => void) {
    this.config = config
    this.#onTools = onTools
    if (config.disabled) {
      this.status = 'disabled'
      this.problem = config.disabled
    }
  }

  /** Ends when it is ready or has failed; does not wait for one that rests before it is tried again. */
  settled(): Promise<void> {
    const started = this.#start()
    return this.#isResting ? Promise.resolve() : started
  }

  async call(
    tool: string,
    args: Record<string, unknown>,
    { signal, timeoutMs }: Pick<CallContext, 'signal'> & { timeoutMs: number },
  ): Promise<Outcome> {
    if (this.status !== 'ready') await within(this.#start(), PATIENCE_MS, signal)
    signal.throwIfAborted()
    const client = this.#client
    if (!client || this.status !== 'ready') {
      return failure(
        `The server "${this.config.id}" is not running. ${this.problem ?? 'It is still starting.'}`,
      )
    }
    try {
      const result = await client.callTool(
        { name: tool, arguments: args },
        { signal, timeout: timeoutMs, resetTimeoutOnProgress: true, onprogress: () => {} },
      )
      return outcomeOf(result)
    } catch (error) {
      signal.throwIfAborted()
      const reason = redact(error instanceof Error ? error.message : String(error))
      if (/timed out/i.test(reason)) return failure(`${tool} took longer than ${timeoutMs / 1000} seconds.`)
      if (error instanceof ProtocolError) return failure(reason)
      this.#broke(client, reason)
      return failure(
        `The server "${this.config.id}" was lost while ${tool} ran: ${reason}. It is started again.`,
      )
    }
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
    const transport = transportTo(this.config)
    const client = new Client(
      { name: 'recollect', version: packageVersion() },
      {
        // A server of standard input is asked the plain way: one that does not know the newer question may hang.
        versionNegotiation: { mode: this.config.transport === 'http' ? 'auto' : 'legacy' },
        listChanged: { tools: { onChanged: (_, tools) => tools && this.#take(tools) } },
      },
    )
    try {
      await client.connect(transport, { timeout: START_MS, signal: this.#ending.signal })
      const { tools } = await client.listTools(undefined, { timeout: START_MS, signal: this.#ending.signal })
      client.onclose = () => this.#broke(client, 'It ended by itself.', transport)
      this.#client = client
      this.#startedAt = Date.now()
      this.status = 'ready'
      this.problem = undefined
      this.#take(tools)
    } catch (error) {
      await client.close().catch(() => {})
      await transport.close().catch(() => {})
      this.#failed(startProblem(this.config, error, transport))
    }
  }

  async #rest(): Promise<void> {
    if (this.#failures === 0) return
    const pause = Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** (this.#failures - 1))
    this.#isResting = true
    await sleep(pause, undefined, { signal: this.#ending.signal, ref: false }).catch(() => {})
    this.#isResting = false
  }

  #take(tools: McpTool[]): void {
    this.tools = tools
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

function transportTo(config: ServerConfig): Transport {
  const { transport, url, headers } = config
  if (transport === 'http')
    return new StreamableHTTPClientTransport(new URL(url ?? ''), { requestInit: { headers } })
  return new StdioTransport(config)
}

function startProblem(config: ServerConfig, error: unknown, transport: Transport): string {
  const reason = error instanceof Error ? error.message : String(error)
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  if (code === 'ENOENT')
    return `There is no command "${config.command}" (in ${config.cwd}). Install it, or give its whole path.`
  if (code === 'EACCES') return `"${config.command}" may not be run.`
  const cause = error instanceof Error && error.cause instanceof Error ? `: ${error.cause.message}` : ''
  if (config.transport === 'http') return `${config.url} does not answer as an MCP server: ${reason}${cause}`
  const said = complaintsOf(transport)
  return `It did not start: ${reason}.${said ? ` ${said}` : ''}`
}

function complaintsOf(transport: Transport | undefined): string {
  const said = transport instanceof StdioTransport ? transport.complaints.trim() : ''
  return said ? `It said: ${said.split('\n').slice(-5).join(' ').slice(-500)}` : ''
}
