import fs from 'node:fs'
import { lasting, type Machine } from '../../platform/machine.ts'
import type { Client, ClientFile } from './client-file.ts'
import type { Shape } from './entry.ts'
import { jsonc } from './json.ts'
import { type Server, TOKEN_VARIABLE } from './server.ts'
import { BRACED_VARIABLE, inFolder, pathsOf, shape } from './shapes.ts'
import { toml } from './toml.ts'
import { tomlList } from './toml-list.ts'
import { yaml } from './yaml.ts'

/** Those that came later. How sure each is: docs/clients/README.md. */
export const moreClients: Client[] = [
  {
    id: 'droid',
    name: 'Factory Droid',
    format: jsonc,
    list: 'mcpServers',
    files: (machine) => inFolder(machine, undefined, '.factory', 'mcp.json'),
    project: '.factory/mcp.json',
    shape: (server) => shape(server, { type: 'stdio' }, { type: 'http' }),
    next: 'Start a new session of droid.',
    check: 'Type /mcp in a session: it is listed there.',
  },
  {
    id: 'grok-build',
    name: 'Grok Build',
    format: toml,
    list: 'mcp_servers',
    files: (machine) => inFolder(machine, machine.env.GROK_HOME, '.grok', 'config.toml'),
    project: '.grok/config.toml',
    shape: (server) => shape(server, {}, { token: BRACED_VARIABLE }),
    next: 'Start a new session of grok.',
    check: 'grok mcp list',
  },
  {
    id: 'opencode',
    name: 'opencode',
    format: jsonc,
    list: 'mcp',
    files: (machine) => inXdg(machine, 'opencode', ['opencode.json', 'opencode.jsonc']),
    project: 'opencode.json',
    shape: opencodeShape,
    next: 'Start a new session of opencode.',
    check: 'opencode mcp list',
  },
  {
    id: 'kilo',
    name: 'Kilo Code',
    format: jsonc,
    list: 'mcp',
    files: (machine) => inXdg(machine, 'kilo', ['kilo.jsonc', 'kilo.json']),
    project: '.kilo/kilo.jsonc',
    shape: opencodeShape,
    next: 'Start a new session of kilo, or reload the window of the editor.',
    check: 'kilo mcp list',
  },
  {
    id: 'amp',
    name: 'Amp',
    format: jsonc,
    list: 'amp.mcpServers',
    files: ({ platform, home }) => {
      const { join } = pathsOf(platform)
      const folder = join(home, '.config', 'amp')
      return [{ file: join(folder, 'settings.json'), signs: [folder] }]
    },
    project: '.amp/settings.json',
    shape: (server) => shape(server),
    next: 'Start a new session of amp.',
    check: 'amp mcp list',
  },
  {
    id: 'antigravity',
    name: 'Antigravity',
    format: jsonc,
    list: 'mcpServers',
    files: ({ platform, home }) => {
      const { join } = pathsOf(platform)
      const gemini = join(home, '.gemini')
      const signs = ['antigravity', 'antigravity-cli', 'config'].map((name) => join(gemini, name))
      return [{ file: join(gemini, 'config', 'mcp_config.json'), signs }]
    },
    shape: (server) => shape(server, {}, { address: 'serverUrl' }),
    next: 'Press refresh under Manage MCP Servers, or start a new session of agy.',
    check: 'agy mcp list, or Manage MCP Servers in the editor, lists it.',
  },
  {
    id: 'auggie',
    name: 'Auggie',
    format: jsonc,
    list: 'mcpServers',
    files: (machine) => inFolder(machine, undefined, '.augment', 'settings.json'),
    shape: (server) => shape(server, {}, { type: 'http' }),
    next: 'Start a new session of auggie.',
    check: 'auggie mcp list',
  },
  {
    id: 'junie',
    name: 'Junie',
    format: jsonc,
    list: 'mcpServers',
    files: ({ platform, home }) => {
      const { join } = pathsOf(platform)
      const folder = join(home, '.junie')
      return [{ file: join(folder, 'mcp', 'mcp.json'), signs: [folder] }]
    },
    project: '.junie/mcp/mcp.json',
    shape: (server) => shape(server),
    next: 'Start a new task in Junie.',
    check: 'Settings → Tools → Junie → MCP Settings lists it.',
  },
  {
    id: 'hermes',
    name: 'Hermes',
    format: yaml,
    list: 'mcp_servers',
    files: (machine) => inFolder(machine, machine.env.HERMES_HOME, '.hermes', 'config.yaml'),
    shape: (server) => shape(server),
    next: 'Start hermes again.',
    check: 'Its tools are listed when hermes starts.',
  },
  {
    id: 'amazon-q',
    name: 'Amazon Q',
    format: jsonc,
    list: 'mcpServers',
    files: ({ platform, home }) => {
      const { join } = pathsOf(platform)
      const folder = join(home, '.aws', 'amazonq')
      return [{ file: join(folder, 'mcp.json'), signs: [folder] }]
    },
    project: '.amazonq/mcp.json',
    shape: (server) => (server.transport === 'stdio' ? shape(server) : undefined),
    next: 'Start a new q chat. An agent of your own sees it with "useLegacyMcpJson": true.',
    check: 'Type /tools in a chat: its tools are listed.',
  },
  {
    id: 'crush',
    name: 'Crush',
    format: jsonc,
    list: 'mcp',
    files: crushFiles,
    project: 'crush.json',
    shape: (server) => shape(server, { type: 'stdio' }, { type: 'http', token: `$${TOKEN_VARIABLE}` }),
    next: 'Start crush again.',
    check: 'The sidebar of a session lists it under MCPs.',
  },
  {
    id: 'mistral-vibe',
    name: 'Mistral Vibe',
    format: tomlList('mcp_servers'),
    list: 'mcp_servers',
    files: (machine) => inFolder(machine, machine.env.VIBE_HOME, '.vibe', 'config.toml'),
    project: '.vibe/config.toml',
    shape: vibeShape,
    next: 'Start a new session of vibe.',
    check: 'Type /mcp in a session: it is listed there.',
  },
  {
    id: 'iflow',
    name: 'iFlow CLI',
    format: jsonc,
    list: 'mcpServers',
    files: (machine) => inFolder(machine, undefined, '.iflow', 'settings.json'),
    project: '.iflow/settings.json',
    shape: (server) => (server.transport === 'stdio' ? shape(server, { type: 'stdio' }) : undefined),
    addsHttp: 'iflow mcp add --transport http --scope user',
    next: 'Start a new session of iflow, or type /mcp refresh.',
    check: 'iflow mcp list',
  },
  {
    id: 'openclaw',
    name: 'OpenClaw',
    format: jsonc,
    list: ['mcp', 'servers'],
    files: openclawFiles,
    shape: (server) =>
      server.transport === 'stdio'
        ? shape(server)
        : { keys: { url: server.url, transport: 'streamable-http' } },
    next: 'Run openclaw mcp reload, and restart the gateway if it runs.',
    check: 'openclaw mcp probe recollect',
  },
]

function crushFiles(machine: Machine): ClientFile[] {
  const named = machine.env.CRUSH_GLOBAL_CONFIG
  return named ? inFolder(machine, named, '', 'crush.json') : inXdg(machine, 'crush', ['crush.json'])
}

function openclawFiles(machine: Machine): ClientFile[] {
  const named = machine.env.OPENCLAW_CONFIG_PATH
  if (named) return [{ file: named, signs: [named] }]
  return inFolder(machine, machine.env.OPENCLAW_STATE_DIR, '.openclaw', 'openclaw.json')
}

function vibeShape(server: Server): Shape {
  if (server.transport === 'stdio') return shape(server, { transport: 'stdio' })
  const token = {
    api_key_env: TOKEN_VARIABLE,
    api_key_header: 'Authorization',
    api_key_format: 'Bearer {token}',
  }
  return { keys: { transport: 'streamable-http', url: server.url, ...(server.token && token) } }
}

/** Of opencode and of Kilo, which is made of it: the command is one list, and variables are written {env:NAME}. */
function opencodeShape(server: Server): Shape {
  if (server.transport === 'stdio') {
    const { command, args, env } = server
    return {
      keys: { type: 'local', command: [command, ...args] },
      firstKeys: { enabled: true },
      env: { key: 'environment', variables: env },
    }
  }
  const { keys } = shape(server, {}, { type: 'remote', token: `{env:${TOKEN_VARIABLE}}` })
  return { keys, firstKeys: { enabled: true } }
}

/** The first of the names that is there, in a folder that is below `.config` on every system. */
function inXdg({ platform, home, env }: Machine, name: string, files: string[]): ClientFile[] {
  const { join } = pathsOf(platform)
  const folder = join(lasting(env.XDG_CONFIG_HOME) ?? join(home, '.config'), name)
  const [usual = ''] = files
  const there = files.find((each) => fs.existsSync(join(folder, each)))
  return [{ file: join(folder, there ?? usual), signs: [folder] }]
}
