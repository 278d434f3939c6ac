import { workspaceFolder } from '../context/place.ts'
import type { Entry } from '../mcp/guard.ts'
import type { Caller } from '../service/caller.ts'
import type { Desk } from './desk.ts'

/** Who asks over HTTP: the person at the page, or a program with a token. Works in the folder that the server was started in. */
export function callerOf({ owner, client, scopes = [] }: Entry, { shared }: Desk): Caller {
  const roots = [workspaceFolder({ env: shared.env })]
  return owner ? { kind: 'owner', client, roots } : { kind: 'program', client, scopes, roots }
}
