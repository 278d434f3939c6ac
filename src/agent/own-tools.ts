import type { Archive } from '../archive/archive.ts'
import { capabilities } from '../capabilities/index.ts'
import type { Machine } from '../platform/machine.ts'
import type { ChatCitation } from '../recall/citations.ts'
import type { Caller } from '../service/caller.ts'
import { definitionOf } from '../service/definitions.ts'
import { call, type Service } from '../service/service.ts'
import { AGENT_SOURCE } from '../sources/recollect-agent/place.ts'
import type { Source } from '../sources/source.ts'
import { OWN_SERVER } from './server-config.ts'
import { failure, type Tool } from './tool.ts'

export interface OwnDeps {
  archive: Archive
  sources: Source[]
  machine: Machine
  env: Machine['env']
  cwd: string
  aside?: Service['aside']
}

/** Whether what an answer says of past chats is there. */
export async function ownCitations(deps: OwnDeps, text: string): Promise<ChatCitation[]> {
  if (!text.includes('context://sessions/')) return []
  const { readerFor } = await import('../service/reader.ts')
  const caller: Caller = { kind: 'agent', client: OWN_SERVER, assistant: AGENT_SOURCE, roots: [deps.cwd] }
  return await readerFor(serviceOf(deps), caller).citations(text)
}

function serviceOf({ archive, sources, machine, env, aside }: OwnDeps): Service {
  return {
    archive,
    env,
    readable: async () => ({ sources, machine }),
    capabilities: async () => capabilities,
    syncing: () => undefined,
    aside,
  }
}

/** Recollect's capabilities, called in this process as any agent may call them. */
export function ownTools(deps: OwnDeps, maxChars: () => number): Tool[] {
  const service = serviceOf(deps)
  const { cwd } = deps
  return capabilities.map(definitionOf).map(({ name, description, inputSchema, writes }) => ({
    server: OWN_SERVER,
    tool: name,
    description,
    inputSchema,
    reads: !writes,
    available: true,
    async call(args, { sessionId, signal }) {
      signal.throwIfAborted()
      const dialog = `${AGENT_SOURCE}:${sessionId}`
      const caller: Caller = {
        kind: 'agent',
        client: OWN_SERVER,
        assistant: AGENT_SOURCE,
        dialog,
        roots: [cwd],
        budget: maxChars(),
        signal,
      }
      const { answer, failure: problem } = await call(service, name, args, caller)
      if (problem) return failure(JSON.stringify(problem))
      return answer.success === false
        ? failure(JSON.stringify(answer))
        : { ok: true, text: JSON.stringify(answer) }
    },
  }))
}
