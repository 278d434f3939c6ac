import type { Argument, Command, Option } from 'commander'

/** What a value is: something the archive knows, a name of a file, or one of a few words. */
export type Kind =
  | 'chat'
  | 'source'
  | 'workspace'
  | 'repository'
  | 'author'
  | 'machine'
  | 'backup'
  | 'client'
  | 'files'
  | 'folders'
  | readonly string[]

export const SHELLS = ['bash', 'zsh', 'fish', 'powershell'] as const

const AGES = ['1d', '7d', '30d', '90d', '365d'] as const
const MEMORIES = ['agents-md', 'copilot-instructions', 'claude-md', 'memory-dir'] as const
const SETS = ['recall', 'search', 'context', 'export', 'all'] as const
const ROLES = ['user', 'assistant', 'tool'] as const

/** By command and option where a name means several things, else by the option alone. */
const OPTIONS: Record<string, Kind | undefined> = {
  '--source': 'source',
  '--workspace': 'workspace',
  '--repository': 'repository',
  '--author': 'author',
  '--machine': 'machine',
  '--since': AGES,
  '--until': AGES,
  '--role': ROLES,
  '--scope': ['content', 'title', 'both'],
  'token --scope': ['read', 'context', 'export', 'ask', 'approve'],
  '--by': ['day', 'hour', 'model', 'source', 'workspace', 'repository', 'tool', 'chat', 'subagent'],
  '--kind': ['citation', 'web', 'link', 'attachment', 'file', 'command', 'code'],
  '--format': ['markdown', 'json', 'jsonl', 'finetune-openai', 'finetune-anthropic', 'html'],
  '--examples': ['chat', 'turn'],
  '--copies': ['rewrite', 'delete'],
  '--tools': SETS,
  '--session': 'chat',
  '--provider': ['anthropic', 'openai', 'gemini', 'ollama'],
  '--out': 'files',
  'from-memory --from': MEMORIES,
  '--target': MEMORIES,
  '--key': ['ctrl-r', 'alt-r'],
  // A name that is made up.
  'init --machine': undefined,
  'join --machine': undefined,
}

const ARGUMENTS: Record<string, Kind | undefined> = {
  chat: 'chat',
  chats: 'chat',
  file: 'files',
  folder: 'folders',
  backup: 'backup',
  clients: 'client',
  shell: SHELLS,
  'init shell': ['zsh', 'bash', 'fish'],
  what: 'folders',
}

/** What follows the first word of a command that is told what to do by words. */
const ACTIONS: Record<string, readonly string[]> = {
  token: ['create', 'list', 'revoke'],
  'mcp-servers': ['list', 'test', 'tools', 'allow'],
}

export function kindOfOption(command: Command, { long, flags }: Option): Kind | undefined {
  const own = `${command.name()} ${long}`
  if (own in OPTIONS) return OPTIONS[own]
  if (long && long in OPTIONS) return OPTIONS[long]
  return /[<[]file[.\]>]/.test(flags) ? 'files' : undefined
}

export function kindOfArgument(
  command: Command,
  argument: Argument,
  first: string | undefined,
): Kind | undefined {
  const name = argument.name()
  if (name === 'action') return first === undefined ? ACTIONS[command.name()] : undefined
  const own = `${command.name()} ${name}`
  return own in ARGUMENTS ? ARGUMENTS[own] : ARGUMENTS[name]
}
