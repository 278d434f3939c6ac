import { workspaceFolder } from '../context/place.ts'
import type { Shared } from '../server/shared.ts'
import type { Caller } from '../service/caller.ts'
import { knownClient } from './clients.ts'
import { hintsIn } from './hints.ts'

/** What is known of a request, whoever read it. */
export interface Asked extends Pick<Caller, 'client' | 'scopes' | 'signal' | 'progress'> {
  meta?: unknown
  /** The folders that the client says it works in; asked for only where they matter. */
  roots?(): Promise<string[]>
}

/** Who calls over MCP. */
export async function callerFor(shared: Shared, asked: Asked): Promise<Caller> {
  const { env } = shared
  const { client, scopes, signal, progress } = asked
  const { maxChars, inBytes } = knownClient(client)
  const { workspaces = [], ...told } = hintsIn(asked.meta)
  const named = env.WORKSPACE ? [] : ((await asked.roots?.()) ?? [])
  const [root, ...others] = env.WORKSPACE || named.length > 0 ? named : workspaces
  return {
    kind: 'agent',
    scopes,
    client,
    isAssistant: client !== undefined,
    budget: shared.maxChars ?? maxChars,
    isBudgetChosen: shared.maxChars !== undefined,
    inBytes,
    roots: [workspaceFolder({ env, root }), ...others],
    startedUsAt: shared.startedUsAt,
    signal,
    progress,
    ...told,
  }
}
