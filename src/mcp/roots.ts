import { fileURLToPath } from 'node:url'
import {
  CLIENT_CAPABILITIES_META_KEY,
  type InputRequiredResult,
  inputRequired,
  inputResponse,
  type McpRequestContext,
  type Server,
  type ServerContext,
} from '@modelcontextprotocol/server'

/** The folder that a client says it works in. */
export interface Roots {
  /** What to answer instead of the result, so that the client tells its folders and asks again. */
  question(ctx: ServerContext): InputRequiredResult | undefined
  first(): Promise<string | undefined>
}

const ROOTS_MS = 1_500
const KEY = 'roots'

export function rootsOf(server: Server, era: McpRequestContext['era']): Roots {
  return era === 'modern' ? toldOnAsking() : askedFor(server)
}

/** In the newer protocol a server asks by its answer: once for a connection, or for a request where there is none. */
function toldOnAsking(): Roots {
  let isTold = false
  let root: string | undefined
  return {
    question({ mcpReq: { envelope, inputResponses } }) {
      if (isTold || !offersRoots(envelope)) return undefined
      if (!inputResponses) return inputRequired({ inputRequests: { [KEY]: inputRequired.listRoots() } })
      const response = inputResponse(inputResponses, KEY)
      isTold = true
      root = response.kind === 'roots' ? folderOf(response.roots[0]?.uri) : undefined
      return undefined
    },
    first: async () => root,
  }
}

function offersRoots(envelope: Record<string, unknown> = {}): boolean {
  const offered = envelope[CLIENT_CAPABILITIES_META_KEY]
  return typeof offered === 'object' && offered !== null && 'roots' in offered
}

/** An older client is asked once, and again when it says that its folders changed. */
function askedFor(server: Server): Roots {
  let known: Promise<string | undefined> | undefined
  const ask = async (): Promise<string | undefined> => {
    if (!server.getClientCapabilities()?.roots) return undefined
    try {
      const { roots } = await server.listRoots({}, { timeout: ROOTS_MS })
      return folderOf(roots[0]?.uri)
    } catch {
      return undefined
    }
  }
  server.setNotificationHandler('notifications/roots/list_changed', () => {
    known = undefined
  })
  return {
    question: () => undefined,
    first() {
      known ??= ask()
      return known
    },
  }
}

function folderOf(uri: unknown): string | undefined {
  if (typeof uri !== 'string' || !uri.startsWith('file:')) return undefined
  try {
    return fileURLToPath(uri)
  } catch {
    return undefined
  }
}
