import type { Capability } from '../capabilities/capability.ts'
import { isLocal, type ListenOptions, listen } from '../server/listen.ts'
import type { Speaking } from '../server/shared.ts'
import { accessOf } from './access.ts'
import { closeAgentOf } from './agent-of.ts'
import { app } from './app.ts'
import { type Backend, type Backends, Guests } from './backend.ts'
import { SignIn } from './sign-in.ts'

export interface ServeOptions extends ListenOptions {
  backends: Backends
  capabilities: Capability[]
  mcp: Speaking
  /** Where tokens and the key of cookies are. */
  folder: string
  /** What people see who came with a token for these spaces. */
  guests: (spaces: readonly string[]) => Backend
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
  const { backends, capabilities, mcp, folder, isNode } = options
  const guests = new Guests(options.guests)
  const signIn = new SignIn(folder)
  const served = app({
    backends,
    capabilities,
    mcp,
    folder,
    isNode,
    guests: (spaces) => guests.of(spaces),
    signIn,
    access: accessOf(signIn, { folder, local: isLocal(options) && !options.insecure }),
  })
  const server = await listen(options, served.fetch)
  return {
    url: server.url,
    link: () => `${server.url}/open?code=${signIn.code()}`,
    async close() {
      await served.close()
      await server.close()
      await Promise.allSettled(backends.opened().map(closeAgentOf))
      await backends.close()
      await guests.close()
    },
  }
}
