import { createHash } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import { z } from 'zod'
import { RecollectError } from '../model/errors.ts'
import type { Machine } from '../platform/machine.ts'

export const SERVERS_FILE = 'mcp-servers.json'
/** Our own capabilities are offered under this name. */
export const OWN_SERVER = 'recollect'

/** An MCP server as it is configured, with everything filled in. */
export interface ServerConfig {
  id: string
  name: string
  description?: string
  /** `sse`: HTTP as it was before Streamable HTTP. */
  transport: 'stdio' | 'http' | 'sse'
  command?: string
  args: string[]
  env: Record<string, string>
  url?: string
  headers: Record<string, string>
  /** The working directory of its process. */
  cwd: string
  /** As it stands in its file: what is filled in there may be secret. */
  written: Pick<ServerConfig, 'command' | 'args' | 'url'>
  /** Why it is not started. */
  disabled?: string
  /** It was switched off on purpose: nobody needs to be told. */
  off?: boolean
  /** What the person has to enter before it can be started. */
  wants?: ServerInput[]
}

/** `${input:name}`, as other clients know it. */
interface ServerInput {
  name: string
  description?: string
}

/** A file of servers that lies in a folder somebody works in: it is read once its owner said so. */
export interface FolderFile {
  file: string
  hash: string
}

const entry = z.looseObject({
  id: z.string().optional(),
  name: z.string().optional(),
  description: z.string().optional(),
  enabled: z.boolean().optional(),
  /** Others' word for the same. */
  disabled: z.boolean().optional(),
  transport: z.string().optional(),
  type: z.string().optional(),
  command: z.string().min(1).optional(),
  args: z.array(z.string()).optional(),
  env: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])).optional(),
  url: z.string().optional(),
  headers: z.record(z.string(), z.string()).optional(),
  cwd: z.string().optional(),
})
type Entry = z.output<typeof entry>

const named = z.record(z.string(), z.unknown())
const document = z.looseObject({
  servers: z.union([z.array(z.unknown()), named]).optional(),
  mcpServers: named.optional(),
  inputs: z
    .array(
      z.looseObject({ id: z.string(), description: z.string().optional(), default: z.string().optional() }),
    )
    .optional(),
})
type Inputs = NonNullable<z.output<typeof document>['inputs']>

/** What stands for the variables and inputs in a file. */
interface Values {
  env: Machine['env']
  inputs: ReadonlyMap<string, string>
}

/**
 * The servers of the archive's folder and of the folder somebody works in, which only counts where
 * `isAllowed`: what lies in a project may come from anybody, and its commands would be run.
 */
export function configuredServers(
  {
    folder,
    cwd,
    env,
    inputs = new Map(),
  }: { folder: string; cwd: string } & Partial<Values> & Pick<Values, 'env'>,
  isAllowed: (file: FolderFile) => boolean,
): ServerConfig[] {
  const values = { env, inputs }
  const own = serversIn(path.join(folder, SERVERS_FILE), values)
  const there = path.join(cwd, SERVERS_FILE)
  if (path.resolve(folder) === path.resolve(cwd) || !fs.existsSync(there)) return own
  const allowed = isAllowed(folderFile(cwd))
  const known = new Set(own.map(({ id }) => id))
  const more = serversIn(there, values).filter(({ id }) => !known.has(id))
  return [
    ...own,
    ...more.map((server) =>
      allowed || server.off
        ? server
        : {
            ...server,
            disabled: `${there} may come from anybody. Look into it, then run \`recollect mcp-servers allow\` in its folder.`,
          },
    ),
  ]
}

export function folderFile(cwd: string): FolderFile {
  const file = path.join(cwd, SERVERS_FILE)
  let bytes: Buffer
  try {
    bytes = fs.readFileSync(file)
  } catch {
    throw new RecollectError('FILE_NOT_FOUND', `There is no ${SERVERS_FILE} in ${cwd}.`)
  }
  return { file, hash: createHash('sha256').update(bytes).digest('hex') }
}

function serversIn(file: string, values: Values): ServerConfig[] {
  let text: string
  try {
    text = fs.readFileSync(file, 'utf8')
  } catch {
    return []
  }
  const ids = new Set<string>([OWN_SERVER])
  const { entries, inputs } = entriesIn(file, text)
  return entries.map(([key, value]) => {
    const parsed = entry.safeParse(value)
    const id = unique(idFrom(parsed.success ? (parsed.data.id ?? key ?? parsed.data.name) : key), ids)
    const cwd = path.dirname(file)
    if (parsed.success) return serverOf(id, parsed.data, { ...values, asked: inputs }, cwd)
    const problem = `Its entry in ${file} cannot be understood: ${z.prettifyError(parsed.error)}`
    return {
      id,
      name: id,
      transport: 'stdio',
      args: [],
      env: {},
      headers: {},
      cwd,
      written: { args: [] },
      disabled: problem,
    }
  })
}

/** Our own list, and the objects by name that other clients write. */
function entriesIn(
  file: string,
  text: string,
): { entries: [key: string | undefined, value: unknown][]; inputs: Inputs } {
  let value: unknown
  try {
    value = JSON.parse(text.replace(/^\uFEFF/, ''))
  } catch (error) {
    throw invalid(file, `is not valid JSON: ${error instanceof Error ? error.message : error}`)
  }
  const parsed = document.safeParse(value)
  if (!parsed.success) throw invalid(file, `cannot be understood: ${z.prettifyError(parsed.error)}`)
  const { servers, mcpServers = {}, inputs = [] } = parsed.data
  const listed = Array.isArray(servers)
    ? servers.map((each): [undefined, unknown] => [undefined, each])
    : Object.entries(servers ?? {})
  return { entries: [...listed, ...Object.entries(mcpServers)], inputs }
}

function serverOf(id: string, given: Entry, values: Values & { asked: Inputs }, cwd: string): ServerConfig {
  const missing: string[] = []
  const wants: ServerInput[] = []
  const filled = (text: string) => fillIn(withInputs(text, values, wants), values.env, missing)
  const each = (record: Record<string, unknown> = {}) =>
    Object.fromEntries(Object.entries(record).map(([key, value]) => [key, filled(String(value))]))
  const kind = given.transport ?? given.type
  const transport = kind === undefined ? (given.url && !given.command ? 'http' : 'stdio') : kind
  const server: ServerConfig = {
    id,
    name: given.name ?? id,
    description: given.description,
    transport: transport === 'stdio' || transport === 'sse' ? transport : 'http',
    command: given.command && filled(given.command),
    args: (given.args ?? []).map(filled),
    env: each(given.env),
    url: given.url && filled(given.url),
    headers: each(given.headers),
    cwd: given.cwd ? path.resolve(cwd, filled(given.cwd)) : cwd,
    written: { command: given.command, args: given.args ?? [], url: given.url },
  }
  if (given.enabled === false || given.disabled === true)
    return { ...server, off: true, disabled: 'It is switched off in its configuration.' }
  if (wants.length > 0) {
    const names = wants.map(({ name, description }) => (description ? `${name} (${description})` : name))
    const enter = `recollect mcp-servers input ${wants[0]!.name}`
    return {
      ...server,
      wants,
      disabled: `The server "${id}" wants ${names.join(', ')}. Enter it: \`${enter}\`.`,
    }
  }
  const problem =
    missing.length > 0
      ? `The server "${id}" needs the environment variable ${missing.join(', ')}, which is not set.`
      : problemOf(server, transport)
  return problem ? { ...server, disabled: problem } : server
}

function problemOf({ id, command, url }: ServerConfig, transport: string): string | undefined {
  if (transport === 'stdio') return command ? undefined : `The server "${id}" has no command.`
  if (!/^(?:(?:streamable-?)?http|sse)$/i.test(transport))
    return `The server "${id}" wants the transport "${transport}"; there are stdio, http and sse.`
  if (!url) return `The server "${id}" has no url.`
  return /^https?:$/.test(URL.parse(url)?.protocol ?? '')
    ? undefined
    : `"${id}": ${url} is not an http address.`
}

/** VS Code's `${input:name}`: what the person entered, or else what the file says that it usually is. */
function withInputs(
  text: string,
  { inputs, asked }: Values & { asked: Inputs },
  wants: ServerInput[],
): string {
  return text.replace(/\$\{input:([^}]+)\}/g, (_, name: string) => {
    const known = asked.find(({ id }) => id === name)
    const value = inputs.get(name) ?? known?.default
    if (value === undefined && !wants.some((each) => each.name === name))
      wants.push({ name, description: known?.description })
    return value ?? ''
  })
}

/** `${VAR}`, `${VAR:-otherwise}`, and VS Code's `${env:VAR}`. */
function fillIn(text: string, env: Machine['env'], missing: string[]): string {
  return text.replace(/\$\{(?:env:)?([^}:]+)(?::-([^}]*))?\}/g, (_, name: string, otherwise?: string) => {
    const value = env[name]
    // As in a shell, `:-` also stands in for what is set to nothing.
    if (otherwise !== undefined) return value || otherwise
    if (value === undefined && !missing.includes(name)) missing.push(name)
    return value ?? ''
  })
}

function idFrom(text: string | undefined): string {
  return (text ?? '').replace(/[^A-Za-z0-9_-]+/g, '-').slice(0, 40) || 'server'
}

function unique(id: string, ids: Set<string>): string {
  let free = id
  for (let n = 2; ids.has(free); n++) free = `${id}-${n}`
  ids.add(free)
  return free
}

function invalid(file: string, what: string): RecollectError {
  return new RecollectError('INVALID_CONFIG', `${file} ${what}`, 'docs/agent.md shows what it looks like.')
}
