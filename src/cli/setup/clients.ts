import fs from 'node:fs'
import { configFolder, type Machine } from '../../platform/machine.ts'
import type { Client, ClientFile } from './client-file.ts'
import type { Shape } from './entry.ts'
import { json, jsonc } from './json.ts'
import { moreClients } from './more-clients.ts'
import { type Server, TOKEN_VARIABLE } from './server.ts'
import { BRACED_VARIABLE, inFolder, pathsOf, shape } from './shapes.ts'
import { toml } from './toml.ts'
import { vscodeFiles } from './vscode-files.ts'
import { yaml } from './yaml.ts'

export type { Client } from './client-file.ts'

export function isFound({ file, signs }: ClientFile): boolean {
  return [file, ...signs].some((each) => fs.existsSync(each))
}

const ENV_VARIABLE = `\${env:${TOKEN_VARIABLE}}`

export const clients: Client[] = [
  {
    id: 'vscode',
    name: 'VS Code',
    format: jsonc,
    list: 'servers',
    files: vscodeFiles,
    project: '.vscode/mcp.json',
    shape: (server) => shape(server, { type: 'stdio' }, { type: 'http', token: ENV_VARIABLE }),
    next: 'Run “MCP: List Servers” in VS Code, choose it and start it; you are asked once whether you trust it.',
    check: 'The tools picker of the chat, in agent mode, lists its tools.',
  },
  {
    id: 'copilot-cli',
    name: 'Copilot CLI',
    format: jsonc,
    list: 'mcpServers',
    files: (machine) => inFolder(machine, machine.env.COPILOT_HOME, '.copilot', 'mcp-config.json'),
    project: '.github/mcp.json',
    shape: (server) => ({
      ...shape(server, { type: 'local' }, { type: 'http', token: BRACED_VARIABLE }),
      firstKeys: { tools: ['*'] },
    }),
    next: 'Start a new session of copilot.',
    check: 'copilot mcp list',
  },
  {
    id: 'claude-code',
    name: 'Claude Code',
    format: json,
    list: 'mcpServers',
    files({ platform, home, env }) {
      const { join } = pathsOf(platform)
      const folder = env.CLAUDE_CONFIG_DIR
      return [{ file: join(folder || home, '.claude.json'), signs: [folder || join(home, '.claude')] }]
    },
    project: '.mcp.json',
    shape: (server) => shape(server, { type: 'stdio' }, { type: 'http', token: BRACED_VARIABLE }),
    next: 'Start a new session of claude.',
    check: 'claude mcp list',
  },
  {
    id: 'claude-desktop',
    name: 'Claude Desktop',
    format: json,
    list: 'mcpServers',
    files: claudeDesktopFiles,
    shape: (server) => (server.transport === 'stdio' ? shape(server) : undefined),
    next: 'Quit Claude Desktop entirely and start it again.',
    check: 'Settings → Developer shows it as running.',
  },
  {
    id: 'cursor',
    name: 'Cursor',
    format: jsonc,
    list: 'mcpServers',
    files: (machine) => inFolder(machine, undefined, '.cursor', 'mcp.json'),
    project: '.cursor/mcp.json',
    shape: (server) => shape(server, {}, { token: ENV_VARIABLE }),
    next: 'Switch it on under Cursor Settings → MCP, if it is not.',
    check: 'It has a green dot there.',
  },
  {
    id: 'codex',
    name: 'Codex',
    format: toml,
    list: 'mcp_servers',
    files: (machine) => inFolder(machine, machine.env.CODEX_HOME, '.codex', 'config.toml'),
    project: '.codex/config.toml',
    shape: (server) =>
      server.transport === 'stdio'
        ? shape(server)
        : { keys: { url: server.url, ...(server.token && { bearer_token_env_var: TOKEN_VARIABLE }) } },
    next: 'Start a new session of codex.',
    check: 'codex mcp list',
  },
  {
    id: 'gemini-cli',
    name: 'Gemini CLI',
    format: jsonc,
    list: 'mcpServers',
    files: (machine) =>
      inFolder(
        { ...machine, home: machine.env.GEMINI_CLI_HOME || machine.home },
        undefined,
        '.gemini',
        'settings.json',
      ),
    project: '.gemini/settings.json',
    shape: (server) => shape(server, {}, { address: 'httpUrl', token: `$${TOKEN_VARIABLE}` }),
    next: 'Start a new session of gemini, or type /mcp reload.',
    check: 'gemini mcp list',
  },
  {
    id: 'windsurf',
    name: 'Windsurf',
    format: jsonc,
    list: 'mcpServers',
    files: (machine) => inFolder(machine, undefined, '.codeium/windsurf', 'mcp_config.json'),
    shape: (server) => shape(server, {}, { address: 'serverUrl', token: ENV_VARIABLE }),
    next: 'Press refresh in the MCP panel of Cascade.',
    check: 'It is listed there with its tools.',
  },
  {
    id: 'zed',
    name: 'Zed',
    format: jsonc,
    list: 'context_servers',
    files: zedFiles,
    project: '.zed/settings.json',
    shape: (server) => shape(server),
    next: 'Zed notices by itself.',
    check: 'Settings → AI → MCP Servers shows a green dot beside it.',
  },
  {
    id: 'goose',
    name: 'Goose',
    format: yaml,
    list: 'extensions',
    files: gooseFiles,
    shape: gooseShape,
    next: 'Start a new session of goose.',
    check: 'goose configure → Toggle Extensions lists it.',
  },
  {
    id: 'qwen-code',
    name: 'Qwen Code',
    format: jsonc,
    list: 'mcpServers',
    files: (machine) => inFolder(machine, machine.env.QWEN_HOME, '.qwen', 'settings.json'),
    project: '.qwen/settings.json',
    shape: (server) => shape(server, {}, { address: 'httpUrl', token: `$${TOKEN_VARIABLE}` }),
    next: 'Start a new session of qwen.',
    check: 'qwen mcp list',
  },
  {
    id: 'kimi-code',
    name: 'Kimi Code',
    format: jsonc,
    list: 'mcpServers',
    files: (machine) => inFolder(machine, machine.env.KIMI_CODE_HOME, '.kimi-code', 'mcp.json'),
    project: '.kimi-code/mcp.json',
    shape: (server) =>
      server.transport === 'stdio'
        ? shape(server)
        : { keys: { url: server.url, ...(server.token && { bearerTokenEnvVar: TOKEN_VARIABLE }) } },
    next: 'Start a new session of kimi.',
    check: 'Type /mcp in a session: it is listed there.',
  },
  {
    id: 'kiro',
    name: 'Kiro',
    format: jsonc,
    list: 'mcpServers',
    files({ platform, home }) {
      const { join } = pathsOf(platform)
      const folder = join(home, '.kiro')
      return [{ file: join(folder, 'settings', 'mcp.json'), signs: [folder] }]
    },
    project: '.kiro/settings/mcp.json',
    shape: (server) => shape(server, {}, { token: BRACED_VARIABLE }),
    next: 'Kiro notices by itself; start a new session of kiro-cli.',
    check: 'The MCP panel of Kiro, or /mcp in kiro-cli, lists it.',
  },
  ...moreClients,
]

function gooseShape(server: Server, name: string): Shape {
  const firstKeys = { enabled: true, name, description: 'Your past chats with AI assistants', timeout: 300 }
  if (server.transport === 'http') return { firstKeys, keys: { type: 'streamable_http', uri: server.url } }
  const { command, args, env } = server
  return { firstKeys, keys: { type: 'stdio', cmd: command, args }, env: { key: 'envs', variables: env } }
}

function claudeDesktopFiles(machine: Machine): ClientFile[] {
  const { platform, home, env } = machine
  const { join } = pathsOf(platform)
  const folder = join(configFolder(machine), 'Claude')
  const files = [{ file: join(folder, 'claude_desktop_config.json'), signs: [folder] }]
  if (platform !== 'win32') return files
  // The Store's edition has its own view of AppData.
  const local = env.LOCALAPPDATA ?? join(home, 'AppData', 'Local')
  const store = join(local, 'Packages', 'Claude_pzs8sxrjxfjjc', 'LocalCache', 'Roaming', 'Claude')
  return [
    ...files,
    { label: 'from the Store', file: join(store, 'claude_desktop_config.json'), signs: [store] },
  ]
}

function zedFiles(machine: Machine): ClientFile[] {
  const { platform, home } = machine
  const { join } = pathsOf(platform)
  const folder =
    platform === 'win32'
      ? join(configFolder(machine), 'Zed')
      : platform === 'darwin'
        ? join(home, '.config', 'zed')
        : join(configFolder(machine), 'zed')
  const files: ClientFile[] = [{ file: join(folder, 'settings.json'), signs: [folder] }]
  const flatpak = join(home, '.var/app/dev.zed.Zed/config/zed')
  if (platform === 'linux')
    files.push({ label: 'Flatpak', file: join(flatpak, 'settings.json'), signs: [flatpak] })
  return files
}

function gooseFiles(machine: Machine): ClientFile[] {
  const { platform, home, env } = machine
  const { join } = pathsOf(platform)
  const folder = env.GOOSE_PATH_ROOT
    ? join(env.GOOSE_PATH_ROOT, 'config')
    : platform === 'win32'
      ? join(configFolder(machine), 'Block', 'goose', 'config')
      : join(platform === 'darwin' ? join(home, '.config') : configFolder(machine), 'goose')
  return [{ file: join(folder, 'config.yaml'), signs: [folder] }]
}
