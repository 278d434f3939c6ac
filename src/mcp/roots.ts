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

/** The folders that a client says it works in. */
export interface Roots {
  /** What to answer instead of the result, so that the client tells its folders and asks again. */
  question(ctx: ServerContext): InputRequiredResult | undefined
  all(): Promise<string[]>
}

const ROOTS_MS = 1_500
const KEY = 'roots'

export function rootsOf(server: Server, era: McpRequestContext['era']): Roots {
  return era === 'modern' ? rootsByAsking() : askedFor(server)
}

/** In the newer protocol a server asks by its answer: once for a connection, or for a request where there is none. */
function rootsByAsking(): Roots {
  let isTold = false
  let folders: string[] = []
  return {
    question({ mcpReq: { envelope, inputResponses } }) {
      if (isTold || !offersRoots(envelope)) return undefined
      if (!inputResponses) return inputRequired({ inputRequests: { [KEY]: inputRequired.listRoots() } })
      const response = inputResponse(inputResponses, KEY)
      isTold = true
      folders = response.kind === 'roots' ? foldersOf(response.roots) : []
      return undefined
    },
    all: async () => folders,
  }
}

function offersRoots(envelope: Record<string, unknown> = {}): boolean {
  const offered = envelope[CLIENT_CAPABILITIES_META_KEY]
  return typeof offered === 'object' && offered !== null && 'roots' in offered
}

/** An older client is asked once, and again when it says that its folders changed. */
function askedFor(server: Server): Roots {
  let known: Promise<string[]> | undefined
  const ask = async (): Promise<string[]> => {
    if (!server.getClientCapabilities()?.roots) return []
    try {
      const { roots } = await server.listRoots({}, { timeout: ROOTS_MS })
      return foldersOf(roots)
    } catch {
      return []
    }
  }
  server.setNotificationHandler('notifications/roots/list_changed', () => {
    known = undefined
  })
  return {
    question: () => undefined,
    all() {
      known ??= ask()
      return known
    },
  }
}

const MOST_ROOTS = 100

function foldersOf(roots: readonly { uri?: unknown }[]): string[] {
  const folders = roots.slice(0, MOST_ROOTS).flatMap(({ uri }) => folderOf(uri) ?? [])
  return [...new Set(folders)]
}

function folderOf(uri: unknown): string | undefined {
  if (typeof uri !== 'string' || !uri.startsWith('file:')) return undefined
  try {
    return fileURLToPath(uri)
  } catch {
    return undefined
  }
}
