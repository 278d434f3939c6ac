import type { Archive } from '../archive/archive.ts'
import { capabilities } from '../capabilities/index.ts'
import { News } from '../mcp/news.ts'
import type { Shared } from '../mcp/shared.ts'
import { callTool, toolList } from '../mcp/tools.ts'
import type { Machine } from '../platform/machine.ts'
import { AGENT_SOURCE } from '../sources/recollect-agent/place.ts'
import type { Source } from '../sources/source.ts'
import { OWN_SERVER } from './server-config.ts'
import { failure, type Tool } from './tool.ts'
import { outcomeOf } from './tool-content.ts'

export interface OwnDeps {
  archive: Archive
  sources: Source[]
  machine: Machine
  env: Machine['env']
  cwd: string
}

/** Recollect's capabilities, called in this process just as an MCP client would call them. */
export function ownTools({ archive, sources, machine, env, cwd }: OwnDeps, maxChars: number): Tool[] {
  const shared: Shared = {
    archive,
    env,
    readable: async () => ({ sources, machine }),
    capabilities: async () => capabilities,
    maxChars,
    syncing: () => undefined,
    news: new News(archive),
  }
  const writing = new Set(capabilities.filter(({ writes }) => writes).map(({ name }) => name))
  return toolList(capabilities).map(({ name, description = '', inputSchema }) => ({
    server: OWN_SERVER,
    tool: name,
    description,
    inputSchema,
    reads: !writing.has(name),
    available: true,
    async call(args, { sessionId, signal }) {
      signal.throwIfAborted()
      try {
        const caller = { sessionId: `${AGENT_SOURCE}:${sessionId}`, workspace: cwd, maxChars }
        return outcomeOf(await callTool(shared, name, args, caller))
      } catch (error) {
        return failure(error instanceof Error ? error.message : String(error))
      }
    },
  }))
}
