import { CAPABILITIES, INSTRUCTIONS, serverInfo } from './identity.ts'
import { isObject } from './is-object.ts'

/**
 * The answer to a client's first message, without the protocol library: loading it takes longer
 * than starting Node, and the client waits. The library then gets the message as well, and its
 * equal answer is left out. Anything out of the ordinary is none of our business here.
 */
export interface Greeting {
  id: string | number
  answer: string
  /** The name of one that needs nothing asked back: it offers no folders, and its protocol is one of the older. */
  plainClient?: string
}

const OLDER = ['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25']
const NEWER = '2026-07-28'
const META = 'io.modelcontextprotocol/'
export const LONGEST_GREETING = 20_000

type Json = Record<string, unknown>

export function greetingTo(line: string): Greeting | undefined {
  if (line.length > LONGEST_GREETING) return undefined
  let message: unknown
  try {
    message = JSON.parse(line)
  } catch {
    return undefined
  }
  if (!isObject(message) || message.jsonrpc !== '2.0' || !isObject(message.params)) return undefined
  const { id, method, params } = message
  if (typeof id !== 'string' && !Number.isInteger(id)) return undefined
  const result =
    method === 'initialize'
      ? initialized(params)
      : method === 'server/discover'
        ? discovered(params)
        : undefined
  if (!result) return undefined
  const answer = JSON.stringify({ result, jsonrpc: '2.0', id })
  return { id: id as string | number, answer, plainClient: plainClient(message) }
}

function initialized({ protocolVersion, capabilities, clientInfo, _meta }: Json): Json | undefined {
  if (_meta !== undefined || !OLDER.includes(String(protocolVersion))) return undefined
  if (!isPlain(capabilities) || !isNamed(clientInfo)) return undefined
  return { protocolVersion, capabilities: CAPABILITIES, serverInfo: serverInfo(), instructions: INSTRUCTIONS }
}

function discovered({ _meta: meta }: Json): Json | undefined {
  if (!isObject(meta) || meta[`${META}protocolVersion`] !== NEWER) return undefined
  if (!isPlain(meta[`${META}clientCapabilities`]) || !isNamed(meta[`${META}clientInfo`])) return undefined
  return {
    supportedVersions: [NEWER],
    capabilities: CAPABILITIES,
    instructions: INSTRUCTIONS,
    resultType: 'complete',
    ttlMs: 0,
    cacheScope: 'private',
    _meta: { [`${META}serverInfo`]: serverInfo() },
  }
}

function plainClient({ method, params }: Json): string | undefined {
  const { capabilities, clientInfo } = params as { capabilities: Json; clientInfo: { name: string } }
  return method === 'initialize' && !('roots' in capabilities) ? clientInfo.name : undefined
}

/** Capabilities are objects all the way down as far as anyone looks. */
function isPlain(value: unknown): boolean {
  return isObject(value) && Object.values(value).every(isObject)
}

function isNamed(value: unknown): boolean {
  return isObject(value) && typeof value.name === 'string' && typeof value.version === 'string'
}
