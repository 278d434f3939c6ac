import path from 'node:path'
import { RecollectError } from '../../model/errors.ts'
import { lasting, type Machine } from '../../platform/machine.ts'
import { lastingNode, lastingScript } from './lasting.ts'

/** What a client is told: which process to start, or whom to ask. */
export type Server =
  | { transport: 'stdio'; command: string; args: string[]; env: Record<string, string> }
  | { transport: 'http'; url: string; token: boolean }

/** How this very process was started. */
export interface Running {
  node: string
  /** As it was called, perhaps through a link. */
  script: string
  root: string
}

/** Where the chats and the archive lie: a client that passes on little must be told. */
export const PLACES = [
  'RECOLLECT_HOME',
  'AIDER_CHAT_HISTORY_FILE',
  'CHATWISE_DB_PATH',
  'CLAUDE_CONFIG_DIR',
  'CLINE_DATA_DIR',
  'CLINE_DIR',
  'CLINE_SESSION_DATA_DIR',
  'CODEX_HOME',
  'CONTINUE_GLOBAL_DIR',
  'COPILOT_HOME',
  'CRUSH_GLOBAL_DATA',
  'GEMINI_CLI_HOME',
  'GOOSE_PATH_ROOT',
  'GROK_HOME',
  'HERMES_HOME',
  'KIMI_CODE_HOME',
  'KIRO_HOME',
  'LETTA_LOCAL_BACKEND_DIR',
  'OPENCLAW_STATE_DIR',
  'OPENCODE_DB',
  'PI_CODING_AGENT_DIR',
  'QWEN_HOME',
  'QWEN_RUNTIME_DIR',
  'RECOLLECT_VSCODE_USER',
  'VIBE_HOME',
  'VSCODE_AGENT_FOLDER',
  'VSCODE_APPDATA',
  'VSCODE_PORTABLE',
  'XDG_CONFIG_HOME',
  'XDG_DATA_HOME',
  'XDG_STATE_HOME',
]

/** Over HTTP the token is named, never written into a file. */
export const TOKEN_VARIABLE = 'RECOLLECT_TOKEN'

/**
 * Node and our script by their full paths: applications that are not started from a shell do not
 * have the `PATH` that the `recollect` command, and the `node` in its first line, are found by.
 */
export function localServer(machine: Machine, running: Running, args: string[]): Server {
  if (/[\\/](?:_npx|dlx[^\\/]*|bunx-[^\\/]*)[\\/]/.test(running.root)) {
    throw new RecollectError(
      'NOT_INSTALLED',
      'Recollect runs from a cache of npx, from where it may vanish at any time.',
      'Install it first (docs/install.md), then run recollect setup.',
    )
  }
  const env: Record<string, string> = {}
  for (const name of PLACES) {
    const value = machine.env[name]
    // What a snap or Flatpak is given as its own is gone with its next revision.
    if (!value || (name.startsWith('XDG_') && !lasting(value))) continue
    env[name] = name === 'RECOLLECT_HOME' ? path.resolve(value) : value
  }
  const command = lastingNode(running.node, machine)
  return { transport: 'stdio', command, args: [lastingScript(running.script, running.root), ...args], env }
}

/** A project's file is shared with others, whose paths differ. */
export function portableServer(args: string[]): Server {
  return { transport: 'stdio', command: 'recollect', args, env: {} }
}

/** A port, or the address of a server, which may leave out `/mcp`. */
export function remoteServer(address: string, token: boolean): Server {
  const url = URL.parse(/^\d{1,5}$/.test(address) ? `http://127.0.0.1:${address}` : address)
  if (!url || !/^https?:$/.test(url.protocol)) {
    throw new RecollectError(
      'INVALID_ARGUMENT',
      `"${address}" is not a server address.`,
      'For example: --http http://127.0.0.1:3939/mcp',
    )
  }
  if (url.pathname === '/') url.pathname = '/mcp'
  return { transport: 'http', url: url.href, token }
}
