import type { ServerStatus, ToolStatus } from '../../agent/agent.ts'
import { keepInput, keptInputs } from '../../agent/inputs.ts'
import { Remembered } from '../../agent/remembered.ts'
import { configuredServers, folderFile, SERVERS_FILE, type ServerConfig } from '../../agent/server-config.ts'
import { Signer } from '../../agent/signature.ts'
import { RecollectError } from '../../model/errors.ts'
import { withoutSecrets } from '../../service/outgoing.ts'
import { withAgent } from '../agent-turn.ts'
import { archiveFolder, type GlobalOptions } from '../archive.ts'
import { EXIT } from '../errors.ts'
import { count, tilde } from '../format.ts'
import { secretFrom } from '../hidden.ts'
import { onInterrupt } from '../interrupt.ts'
import { openInBrowser } from '../open-link.ts'
import { fit, oneLine, pad, paint } from '../paint.ts'

/** `recollect mcp-servers [list|test|tools|allow]` */
export async function mcpServers([action = 'list', id]: string[], options: GlobalOptions): Promise<void> {
  const isMeant = (server: string) => id === undefined || server === id
  const print = (value: object, text: () => string) =>
    console.log(options.json ? JSON.stringify(value) : text())
  switch (action) {
    case 'list': {
      const servers = await configured(options)
      print({ servers: servers.map(serverRow) }, () => list(servers, options))
      return
    }
    case 'test': {
      if (process.stdin.isTTY && !options.json) await enterInputs(options)
      const servers = known(await withAgent(options, (agent) => agent.servers()), isMeant, id)
      print({ servers }, () => servers.map(tested).join('\n'))
      if (servers.some(({ status }) => status === 'failed' || status === 'starting'))
        process.exitCode = EXIT.failed
      return
    }
    case 'tools': {
      const tools = await withAgent(options, async (agent) => {
        const all = await agent.tools()
        known(await agent.servers(), isMeant, id)
        return all.filter(({ server }) => isMeant(server))
      })
      print({ tools }, () => tools.map(toolLine).join('\n') || 'There are none.')
      return
    }
    case 'input': {
      if (id === undefined)
        throw new RecollectError(
          'INVALID_ARGUMENT',
          'Which input?',
          'For example: recollect mcp-servers input github-token',
        )
      const where = await keepInput(archiveFolder({}), id, await secretFrom(`${id} (not shown): `))
      print(
        { input: id, where },
        () => `${id} is kept in ${where === 'file' ? 'keys.json beside the archive' : 'the keychain'}.`,
      )
      return
    }
    case 'login': {
      const known = await configured(options)
      const server = known.find((each) => each.id === id)
      if (!server)
        throw notThere(
          id,
          known.map((each) => each.id),
        )
      const { login } = await import('../../agent/login.ts')
      const { signal, done } = onInterrupt()
      try {
        const outcome = await login(
          server,
          archiveFolder(options),
          (url) => {
            process.stderr.write(`Sign in to ${server.id} in your browser:\n${url}\n`)
            openInBrowser(String(url))
          },
          signal,
        )
        print({ server: server.id, outcome }, () =>
          outcome === 'signed in'
            ? `You are signed in to ${server.id}.`
            : `${server.id} wants no sign-in, or has one already.`,
        )
      } finally {
        done()
      }
      return
    }
    case 'allow': {
      const { file, hash } = folderFile(process.cwd())
      remembered(options).allowFolder({ file, hash })
      print(
        { allowed: file },
        () => `The servers in ${tilde(file)} may be started. A change to it is asked about again.`,
      )
      return
    }
    default:
      throw new RecollectError(
        'INVALID_ARGUMENT',
        `There is no "recollect mcp-servers ${action}".`,
        'Valid values: list, test [id], tools [id], login <id>, input <name>, allow.',
      )
  }
}

/** Asks for what servers want to be told before they start. */
export async function enterInputs(options: GlobalOptions): Promise<void> {
  const wanted = new Map(
    (await configured(options)).flatMap(({ wants = [] }) => wants.map((each) => [each.name, each])),
  )
  for (const { name, description } of wanted.values()) {
    const value = await secretFrom(`${oneLine(description ?? name)} (not shown; Enter skips it): `)
    if (value !== '') await keepInput(archiveFolder({}), name, value)
  }
}

function remembered(options: GlobalOptions): Remembered {
  const folder = archiveFolder(options)
  return new Remembered(folder, new Signer(folder))
}

async function configured(options: GlobalOptions): Promise<ServerConfig[]> {
  const inputs = await keptInputs(archiveFolder({}))
  const places = { folder: archiveFolder(options), cwd: process.cwd(), env: process.env, inputs }
  const decisions = remembered(options)
  return configuredServers(places, (file) => decisions.isAllowed(file))
}

/** Without what may be secret: variables, headers, and what the person entered. */
function serverRow({ id, name, description, transport, written, disabled }: ServerConfig) {
  const { command, args, url } = written
  const place = transport === 'stdio' ? { command, args } : { url }
  const row = { id, name, description, transport, ...place, enabled: disabled === undefined }
  return withoutSecrets({ ...row, problem: disabled })
}

function list(servers: ServerConfig[], options: GlobalOptions): string {
  if (servers.length === 0) {
    return `No MCP servers are set up. Put them into ${tilde(archiveFolder(options))}/${SERVERS_FILE}: docs/agent.md shows how.`
  }
  const { dim, green, yellow } = paint(process.stdout)
  return servers
    .map((server) => {
      const { command, args, url } = server.written
      const place = withoutSecrets(server.transport === 'stdio' ? [command, ...args].join(' ') : url)
      const mark = server.disabled ? yellow('○') : green('●')
      const line = `${mark} ${pad(server.id, 20)} ${dim(fit(oneLine(place ?? ''), 80))}`
      return server.disabled ? `${line}\n    ${withoutSecrets(server.disabled)}` : line
    })
    .join('\n')
}

function known(
  servers: ServerStatus[],
  isMeant: (id: string) => boolean,
  id: string | undefined,
): ServerStatus[] {
  const found = servers.filter((server) => isMeant(server.id))
  if (found.length > 0) return found
  throw notThere(
    id,
    servers.map((server) => server.id),
  )
}

function notThere(id: string | undefined, ids: string[]): RecollectError {
  return new RecollectError(
    'SERVER_NOT_FOUND',
    `There is no server "${id ?? ''}".`,
    ids.length > 0 ? `Valid values: ${ids.join(', ')}.` : 'None is set up: docs/agent.md shows how.',
  )
}

function tested({ id, status, problem, tools }: ServerStatus): string {
  const { green, red, yellow, dim } = paint(process.stdout)
  const mark = status === 'ready' ? green('✓') : status === 'failed' ? red('✗') : yellow('○')
  const why = problem ? `: ${oneLine(problem)}` : ''
  const rest = `${status === 'ready' ? dim(count(tools, 'tool')) : status}${why}`
  return `${mark} ${pad(id, 20)} ${rest}`
}

function toolLine({ name, server, approval, available, description }: ToolStatus): string {
  const { dim } = paint(process.stdout)
  const state = available ? approval : 'down'
  return `${pad(state, 7)} ${pad(fit(`${server}/${name}`, 44), 45)} ${dim(fit(oneLine(description), 60))}`
}
