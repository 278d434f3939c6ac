import type { Capability } from '../capabilities/capability.ts'
import { isLocal, type ListenOptions, listen } from '../server/listen.ts'
import type { Speaking } from '../server/shared.ts'
import { closeAgentOf } from './agent-of.ts'
import { app } from './app.ts'
import { type Desk, type Desks, Guests } from './desk.ts'
import { door } from './door.ts'
import { SignIn } from './sign-in.ts'

export interface ServeOptions extends ListenOptions {
  desks: Desks
  capabilities: Capability[]
  mcp: Speaking
  /** Where tokens and the key of cookies are. */
  folder: string
  /** What people see who came with a token for these spaces. */
  guests: (spaces: readonly string[]) => Desk
  /** Mostly such people come. */
  isNode?: boolean
}

export interface Serving {
  /** Without a slash at its end. */
  url: string
  /** A link that opens the page, once. */
  link(): string
  close(): Promise<void>
}

/** Serves the page, the REST interface and the MCP endpoint on one port. */
export async function serve(options: ServeOptions): Promise<Serving> {
  const { desks, capabilities, mcp, folder, isNode } = options
  const guests = new Guests(options.guests)
  const signIn = new SignIn(folder)
  const served = app({
    desks,
    capabilities,
    mcp,
    folder,
    isNode,
    guests: (spaces) => guests.of(spaces),
    signIn,
    door: door(signIn, { folder, local: isLocal(options) }),
  })
  const server = await listen(options, served.fetch)
  return {
    url: server.url,
    link: () => `${server.url}/open?code=${signIn.code()}`,
    async close() {
      await served.close()
      await server.close()
      await Promise.allSettled(desks.opened().map(closeAgentOf))
      await desks.close()
      await guests.close()
    },
  }
}
