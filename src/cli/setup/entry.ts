import { isDeepStrictEqual } from 'node:util'
import { RecollectError } from '../../model/errors.ts'
import { isTable, type Value } from './format.ts'
import { PLACES, type Server } from './server.ts'

/** How one client writes down a server. */
export interface Shape {
  /** What is ours to keep right. */
  keys: Record<string, Value>
  /** What a new entry gets besides; afterwards it is the user's. */
  firstKeys?: Record<string, Value>
  /** Where the environment is told, and what of it. */
  env?: { key: string; variables: Record<string, string> }
}

/** One key to put or, without a value, to take; its path is below the entry. */
export interface Edit {
  path: string[]
  value?: Value
}

/** The entry of a client that does not have one yet. */
export function newEntry({ keys, firstKeys, env }: Shape): Record<string, Value> {
  const variables = env && Object.keys(env.variables).length > 0 ? { [env.key]: env.variables } : {}
  return { ...keys, ...variables, ...firstKeys }
}

/** What has to change in an entry that is there; what the user added to it stays. */
export function editsTo(entry: unknown, { keys, env }: Shape): Edit[] {
  if (!isTable(entry)) {
    throw new RecollectError(
      'UNSUITED_FILE',
      'There is an entry of this name which is not a settings object.',
    )
  }
  const edits: Edit[] = []
  for (const [key, value] of Object.entries(keys)) {
    if (!isSame(key, entry[key], value)) edits.push({ path: [key], value })
  }
  for (const key of TRANSPORT_KEYS) {
    if (Object.hasOwn(entry, key) && !Object.hasOwn(keys, key)) edits.push({ path: [key] })
  }
  return env ? [...edits, ...environmentEdits(entry[env.key], env)] : edits
}

/** Arguments that the user added behind `mcp` stay, unless they are chosen anew. */
export function withKeptArguments(server: Server, entry: unknown, tools: string | undefined): Server {
  if (server.transport !== 'stdio') return server
  // Some clients have the command and its arguments in one list.
  const list = isTable(entry) ? (entry.args ?? entry.command) : undefined
  const had = Array.isArray(list) ? list.map(String) : []
  const at = had.indexOf('mcp')
  const kept = at < 0 ? [] : had.slice(at + 1)
  const chosen = kept.findIndex((arg) => arg === '--tools' || arg.startsWith('--tools='))
  if (tools !== undefined && chosen >= 0) kept.splice(chosen, kept[chosen] === '--tools' ? 2 : 1)
  const own = tools === undefined || tools === 'all' ? [] : ['--tools', tools]
  return { ...server, args: [...server.args, ...kept, ...own] }
}

/** Everything by which any client says how a server is reached: what is not wanted must go. */
const TRANSPORT_KEYS = [
  'type',
  'transport',
  'command',
  'cmd',
  'args',
  'url',
  'uri',
  'httpUrl',
  'serverUrl',
  'headers',
  'http_headers',
  'bearer_token_env_var',
  'bearerTokenEnvVar',
  'api_key_env',
  'api_key_header',
  'api_key_format',
]

/** Names for the same thing; most clients do without. */
const LOCAL_TYPES = new Set<unknown>([undefined, 'stdio', 'local'])

function isSame(key: string, had: unknown, wanted: Value): boolean {
  if (key === 'type' && LOCAL_TYPES.has(wanted)) return LOCAL_TYPES.has(had)
  return isDeepStrictEqual(structuredClone(had), wanted)
}

function environmentEdits(had: unknown, { key, variables }: NonNullable<Shape['env']>): Edit[] {
  if (!isTable(had)) {
    if (had === undefined || had === null)
      return Object.keys(variables).length > 0 ? [{ path: [key], value: variables }] : []
    throw new RecollectError('UNSUITED_FILE', `“${key}” of the entry is not an object of variables.`)
  }
  const edits: Edit[] = []
  for (const name of PLACES) {
    const value = variables[name]
    if (value !== undefined && had[name] !== value) edits.push({ path: [key, name], value })
    if (value === undefined && Object.hasOwn(had, name)) edits.push({ path: [key, name] })
  }
  return edits
}
