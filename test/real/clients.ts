import fs from 'node:fs'
import path from 'node:path'

const marketplace = path.join(import.meta.dirname, '..', '..', 'plugin', 'dist', 'marketplace')
const plugin = path.join(marketplace, 'recollect')

/** A way in which an assistant gets our server. */
export interface Client {
  /** The assistant: see tools.ts. */
  tool: string
  way: 'server' | 'server, tools searched for' | 'plugin'
  /** What it calls our tools. */
  name(capability: string): string
  /** Commands of the assistant itself that have to succeed first, and what they have to say. */
  prepared?: [args: string[], says: RegExp][]
  /** What is changed in what they installed below the home folder. */
  installed?(home: string): void
  /** Files below the home folder. */
  settings?(server: Server): Record<string, string>
  env?: Record<string, string>
  args?: string[]
  /** How its model has a sub-agent do something. */
  delegate?(prompt: string): { tool: string; args: unknown }
  /** The arguments that go on with a copy of the last dialog. */
  forked?(args: string[]): string[]
  /** It says nothing of the dialog that calls: of two at the same moment both may be named instead. */
  mayBeUnsure?: true
  /** How its model searches for tools that it is not shown. */
  search?(words: string): { tool: string; args: unknown }
  /** The arguments that go on with the last dialog. */
  resumed(args: string[]): string[]
}

export interface Server {
  command: string
  args: string[]
  env: Record<string, string>
}

const mcpServers = (server: Server, more = {}) =>
  JSON.stringify({ mcpServers: { recollect: { ...server, ...more } } })

const going = (flag: string) => (args: string[]) => [flag, ...args]

const copilot = {
  tool: 'copilot',
  name: (capability: string) => `recollect-${capability}`,
  resumed: going('--continue'),
  delegate: (prompt: string) => ({
    tool: 'task',
    args: { agent_type: 'general-purpose', name: 'recall', description: 'Recall', prompt, mode: 'sync' },
  }),
}

const claude = {
  tool: 'claude',
  name: (capability: string) => `mcp__recollect__${capability}`,
  settings: (server: Server) => ({ 'mcp.json': mcpServers(server) }),
  env: { ENABLE_TOOL_SEARCH: 'false' },
  args: ['--mcp-config', '../../mcp.json', '--strict-mcp-config', '--allowedTools', 'mcp__recollect'],
  resumed: going('--continue'),
  forked: (args: string[]) => ['--continue', '--fork-session', ...args],
  delegate: (prompt: string) => ({
    tool: 'Agent',
    args: { subagent_type: 'general-purpose', description: 'Recall', prompt, run_in_background: false },
  }),
}

/** Codex gives a server a second; only for one that is required does its first turn wait, however busy the machine is. */
const WAITED_FOR = { required: true, startup_timeout_sec: 60 }

const codex = {
  tool: 'codex',
  name: (capability: string) => capability,
  settings: ({ command, args, env }: Server) => ({
    '.codex/config.toml': `
      [mcp_servers.recollect]
      command = ${JSON.stringify(command)}
      args = ${JSON.stringify(args)}
      env = { ${Object.entries(env)
        .map(([key, value]) => `${key} = ${JSON.stringify(value)}`)
        .join(', ')} }
      ${Object.entries(WAITED_FOR)
        .map(([key, value]) => `${key} = ${value}`)
        .join('\n')}
    `,
  }),
  // For its newest models it hides tools until they are searched for; an unknown one sees them all.
  args: ['--model', 'scripted'],
  resumed: ([exec, ...args]: string[]) => [exec!, 'resume', '--last', ...args],
}

const gemini = {
  tool: 'gemini',
  mayBeUnsure: true as const,
  name: (capability: string) => `mcp_recollect_${capability}`,
  resumed: (args: string[]) => ['--resume', 'latest', ...args],
}

export const CLIENTS: Client[] = [
  {
    ...copilot,
    way: 'server',
    settings: (server) => ({
      '.copilot/mcp-config.json': mcpServers(server, { type: 'local', tools: ['*'] }),
    }),
  },
  { ...claude, way: 'server' },
  { ...codex, way: 'server' },
  {
    ...gemini,
    way: 'server',
    settings: (server) => ({ '.gemini/settings.json': mcpServers(server) }),
  },
  {
    tool: 'kimi',
    way: 'server',
    name: (capability) => `mcp__recollect__${capability}`,
    settings: (server) => ({ '.kimi-code/mcp.json': mcpServers(server) }),
    resumed: going('--continue'),
  },
  {
    ...claude,
    way: 'server, tools searched for',
    env: { ENABLE_TOOL_SEARCH: 'true' },
    search: (query) => ({ tool: 'ToolSearch', args: { query, max_results: 5 } }),
  },
  {
    ...codex,
    way: 'server, tools searched for',
    args: [],
    search: (query) => ({ tool: 'tool_search', args: { query } }),
  },
  {
    ...copilot,
    way: 'plugin',
    prepared: [
      [['plugin', 'marketplace', 'add', marketplace], /added/],
      [['plugin', 'install', 'recollect@recollect'], /installed[\s\S]*1 skill/],
      [['skill', 'list'], /recollect/],
    ],
  },
  {
    ...claude,
    way: 'plugin',
    prepared: [
      [['plugin', 'validate', marketplace, '--strict'], /passed/],
      [['plugin', 'validate', plugin, '--strict', '--profile', 'directory'], /passed/],
      [['plugin', 'marketplace', 'add', marketplace], /added/],
      [['plugin', 'install', 'recollect@recollect'], /installed/],
      [['mcp', 'list'], /recollect.*Connected/],
    ],
    name: (capability) => `mcp__plugin_recollect_recollect__${capability}`,
    settings: undefined,
    args: ['--allowedTools', 'mcp__plugin_recollect_recollect'],
  },
  {
    ...codex,
    way: 'plugin',
    prepared: [
      [['plugin', 'marketplace', 'add', marketplace], /Added/],
      [['plugin', 'add', 'recollect@recollect'], /Added plugin/],
      [['mcp', 'list'], /recollect .*enabled/],
    ],
    installed: (home) => {
      const folder = path.join(home, '.codex', 'plugins', 'cache', 'recollect', 'recollect')
      for (const version of fs.readdirSync(folder)) {
        const file = path.join(folder, version, 'mcp.codex.json')
        const servers = JSON.parse(fs.readFileSync(file, 'utf8'))
        Object.assign(servers.mcpServers.recollect, WAITED_FOR)
        fs.writeFileSync(file, JSON.stringify(servers))
      }
    },
    settings: undefined,
  },
  {
    ...gemini,
    way: 'plugin',
    prepared: [
      [['extensions', 'validate', plugin], /successfully validated/],
      [['extensions', 'install', plugin, '--consent'], /installed successfully/],
      [['skills', 'list'], /recollect \[Enabled\]/],
    ],
  },
]
