import type { ServerStatus } from './agent.ts'
import { endsWithin } from './ends-within.ts'
import { McpServer } from './mcp-server.ts'
import { OWN_SERVER, type ServerConfig } from './server-config.ts'
import { canonical } from './signature.ts'
import type { Tool } from './tool.ts'
import { offeredNames } from './tool-names.ts'

/** How long a run waits for servers that are still starting. */
const SETTLE_MS = 10_000

export interface NamedTool extends Tool {
  /** As the model is offered it. */
  name: string
}

/** All servers, ours included, and what they offer. */
export class Pool {
  readonly #own: Tool[]
  readonly #timeoutMs: () => number
  readonly #folder: string
  #servers: McpServer[] = []
  #named: NamedTool[] | undefined

  constructor(own: Tool[], timeoutMs: () => number, folder: string) {
    this.#folder = folder
    this.#own = own
    this.#timeoutMs = timeoutMs
  }

  /** The servers as they are configured now. Those that stayed the same go on as they are. */
  configure(configs: ServerConfig[]): void {
    const before = new Map(this.#servers.map((server) => [canonical(server.config), server]))
    this.#servers = configs.map((config) => {
      const kept = before.get(canonical(config))
      before.delete(canonical(config))
      return kept ?? new McpServer(config, this.#folder, () => this.#forgetNames())
    })
    for (const gone of before.values()) void gone.close()
    this.#forgetNames()
  }

  /** Starts all at once, and waits until each is ready or has failed, but not for ever. */
  async settle(signal?: AbortSignal): Promise<void> {
    const starting = this.#servers.map((server) => server.settled())
    await endsWithin(Promise.all(starting), SETTLE_MS, signal)
  }

  tools(): NamedTool[] {
    this.#named ??= this.#name()
    return this.#named
  }

  toolOf(server: string, tool: string): NamedTool | undefined {
    return this.tools().find((each) => each.server === server && each.tool === tool)
  }

  /** What is missing, in a sentence each. */
  problems(): string[] {
    return this.#servers.flatMap(({ config, status, problem }) => {
      if (status === 'ready' || config.off) return []
      const reason = problem ?? 'It is still starting.'
      return [
        reason.includes(`"${config.id}"`) ? reason : `The server "${config.id}" is not available: ${reason}`,
      ]
    })
  }

  statuses(): ServerStatus[] {
    const own: ServerStatus = {
      id: OWN_SERVER,
      name: 'Recollect',
      description: 'What Recollect itself can do: search your chats, recall them, keep context.md.',
      status: 'ready',
      transport: 'own',
      tools: this.#own.length,
    }
    return [
      own,
      ...this.#servers.map(({ config, status, problem, tools, wantsLogin }) => ({
        id: config.id,
        name: config.name,
        description: config.description,
        status,
        problem,
        transport: config.transport,
        tools: tools.length,
        ...(config.wants && { wants: config.wants }),
        ...(wantsLogin && { login: `recollect mcp-servers login ${config.id}` }),
      })),
    ]
  }

  async close(): Promise<void> {
    await Promise.all(this.#servers.map((server) => server.close()))
  }

  #forgetNames(): void {
    this.#named = undefined
  }

  #name(): NamedTool[] {
    const tools = [...this.#own, ...this.#servers.flatMap((server) => this.#toolsOf(server))]
    const names = offeredNames(tools)
    return tools.map((tool, at) => ({ ...tool, name: names[at]! }))
  }

  #toolsOf(server: McpServer): Tool[] {
    return server.tools.map(({ name, description = '', inputSchema }) => ({
      server: server.config.id,
      tool: name,
      description,
      inputSchema,
      reads: false,
      available: server.status === 'ready',
      call: (args, context) => server.call(name, args, { ...context, timeoutMs: this.#timeoutMs() }),
    }))
  }
}
