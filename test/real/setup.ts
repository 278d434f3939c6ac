/**
 * Sets up real assistants with `recollect setup` and asks them, by their own commands, which servers
 * they know: ours must be among them, beside those that were there, and gone after `--remove`.
 * `node test/real/setup.ts [--tools copilot,claude,codex,gemini,qwen,grok,opencode,kilo,openclaw]`; see run.ts for where they come from.
 */
import { execFileSync } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { spawned } from './process.ts'
import { binOf, cache, type Tool, tryAll } from './tools.ts'

const root = path.join(import.meta.dirname, '..', '..')
const LIMIT_MS = 120_000

interface Client {
  tool: string
  /** As `recollect setup` calls it. */
  id: string
  file: string
  /** What a user has in it before, with a server called `other`. */
  before: string
  list: string[]
  /** What the list says of a server that is known, and, where the client connects, answers. */
  known(name: string): RegExp
}

const CLIENTS: Client[] = [
  {
    tool: 'copilot',
    id: 'copilot-cli',
    file: '.copilot/mcp-config.json',
    before:
      '{\n  "mcpServers": {\n    // mine\n    "other": { "type": "local", "command": "true", "args": [], "tools": ["*"] }\n  }\n}\n',
    list: ['mcp', 'list', '--json'],
    known: (name) => new RegExp(`"${name}"`),
  },
  {
    tool: 'claude',
    id: 'claude-code',
    file: '.claude.json',
    before:
      '{\n  "numStartups": 3,\n  "mcpServers": {\n    "other": {\n      "command": "true",\n      "args": []\n    }\n  }\n}',
    list: ['mcp', 'list'],
    known: (name) => (name === 'recollect' ? /^recollect: .*Connected/m : new RegExp(`^${name}: `, 'm')),
  },
  {
    tool: 'codex',
    id: 'codex',
    file: '.codex/config.toml',
    before: '# mine\nmodel = "gpt-5.5" # the big one\n\n[mcp_servers.other]\ncommand = "true" # nothing\n',
    list: ['mcp', 'list', '--json'],
    known: (name) => new RegExp(`"name": ?"${name}"`),
  },
  {
    tool: 'gemini',
    id: 'gemini-cli',
    file: '.gemini/settings.json',
    before:
      '{\n\t// mine\n\t"privacy": { "usageStatisticsEnabled": false },\n\t"mcpServers": {\n\t\t"other": { "command": "true" }\n\t}\n}\n',
    list: ['mcp', 'list'],
    known: (name) => (name === 'recollect' ? /recollect: .*Connected/ : new RegExp(`${name}: `)),
  },
  {
    tool: 'qwen',
    id: 'qwen-code',
    file: '.qwen/settings.json',
    before: '{\n\t// mine\n\t"mcpServers": {\n\t\t"other": { "command": "true" }\n\t}\n}\n',
    list: ['mcp', 'list'],
    known: (name) => (name === 'recollect' ? /recollect: .*Connected/ : new RegExp(`${name}: `)),
  },
  {
    tool: 'grok',
    id: 'grok-build',
    file: '.grok/config.toml',
    before: '# mine\n[mcp_servers.other]\ncommand = "true" # nothing\n',
    list: ['mcp', 'list'],
    known: (name) => new RegExp(`\\b${name}\\b`),
  },
  {
    tool: 'opencode',
    id: 'opencode',
    file: '.config/opencode/opencode.json',
    before:
      '{\n  // mine\n  "autoupdate": false,\n  "mcp": { "other": { "type": "local", "command": ["true"] } }\n}\n',
    list: ['mcp', 'list'],
    known: (name) => (name === 'recollect' ? /recollect\S* .*connected/ : new RegExp(`\\b${name}\\b`)),
  },
  {
    tool: 'kilo',
    id: 'kilo',
    file: '.config/kilo/kilo.jsonc',
    before:
      '{\n  // mine\n  "autoupdate": false,\n  "mcp": { "other": { "type": "local", "command": ["true"] } }\n}\n',
    list: ['mcp', 'list'],
    known: (name) => (name === 'recollect' ? /recollect\S* .*connected/ : new RegExp(`\\b${name}\\b`)),
  },
  {
    tool: 'openclaw',
    id: 'openclaw',
    file: '.openclaw/openclaw.json',
    before: '{\n  // mine\n  "mcp": { "servers": { "other": { "command": "true" } } }\n}\n',
    list: ['mcp', 'list'],
    known: (name) => new RegExp(`^- ${name}\\b`, 'm'),
  },
]

process.exitCode = await tryAll(CLIENTS, outcomeOf)

async function outcomeOf(client: Client, tool: Tool): Promise<string[]> {
  const place = fs.mkdtempSync(path.join(os.tmpdir(), 'recollect-setup-'))
  const home = path.join(place, 'home')
  const project = path.join(home, 'project')
  const file = path.join(home, client.file)
  fs.mkdirSync(project, { recursive: true })
  fs.mkdirSync(path.dirname(file), { recursive: true })
  fs.writeFileSync(file, client.before)
  execFileSync('git', ['init'], { cwd: project, stdio: 'ignore' })
  const env = {
    PATH: [path.dirname(process.execPath), process.env.PATH].join(path.delimiter),
    HOME: home,
    USERPROFILE: home,
    TERM: 'dumb',
    NO_COLOR: '1',
  }
  const run = async (command: string, args: string[], more: Record<string, string> = {}) => {
    const child = spawned(command, args, { cwd: project, env: { ...env, ...more } })
    const code = await child.ended(LIMIT_MS)
    return { code, output: child.output() }
  }
  const setup = (...args: string[]) =>
    run(process.execPath, [path.join(root, 'bin', 'recollect'), 'setup', client.id, '--yes', ...args], {
      RECOLLECT_HOME: path.join(place, 'archive'),
    })
  const list = async () => (await run(binOf(tool, cache), client.list, tool.env('http://127.0.0.1:9'))).output
  const wrong: string[] = []
  const expect = (holds: boolean, what: string, output: string) => {
    if (!holds) wrong.push(`${what}:\n${output.slice(-1_500)}`)
  }
  try {
    const added = await setup()
    expect(added.code === 0 && added.output.includes('and answers.'), 'setup failed', added.output)
    const untouched = fs.readFileSync(file)
    const listed = await list()
    expect(client.known('recollect').test(listed), 'recollect is not listed', listed)
    expect(client.known('other').test(listed), 'the other server is not listed', listed)
    const rewritten = !untouched.equals(fs.readFileSync(file))
    const removed = await setup('--remove')
    expect(removed.code === 0, 'removing failed', removed.output)
    const after = fs.readFileSync(file, 'utf8')
    expect(rewritten || after === client.before, 'the file is not what it was', after)
    const without = await list()
    expect(!client.known('recollect').test(without), 'recollect is still listed', without)
    expect(client.known('other').test(without), 'the other server is gone', without)
    return wrong
  } finally {
    fs.rmSync(place, { recursive: true, force: true, maxRetries: 5 })
  }
}
