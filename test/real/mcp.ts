/**
 * Runs real assistants with Recollect as their MCP server and a scripted model on loopback: each
 * finds a planted chat, gathers it, and recalls the second request of its own dialog.
 * `node test/real/mcp.ts [--tools copilot,claude,codex,gemini]`; see run.ts for where they come from.
 */
import { execFileSync } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { spawned } from './process.ts'
import { type Script, type ScriptedModel, startScriptedModel } from './scripted-model.ts'
import { binOf, isInstalled, type Tool, tools } from './tools.ts'

const root = path.join(import.meta.dirname, '..', '..')
const cache = process.env.RECOLLECT_REAL_TOOLS ?? path.join(os.tmpdir(), 'recollect-real-tools')
const LIMIT_MS = 120_000
/** In the sample archive. */
const PLANTED = { words: 'deadlock ShareLock stock', id: 'b6fb68b8-36d3-4357-8b35-71944dd9ba8f' }

const FIRST = 'Remember the word quillonberry please.'
const SECOND = 'What did we say about the zephyrlock deadlock earlier?'

/** How an assistant is given the server, how it names its tools, and how it goes on with a dialog. */
interface Client {
  tool: string
  name(capability: string): string
  settings(server: Server): Record<string, string>
  args?(server: Server): string[]
  resumed(args: string[]): string[]
}

interface Server {
  command: string
  args: string[]
  env: Record<string, string>
}

const mcpServers = (server: Server, more = {}) =>
  JSON.stringify({ mcpServers: { recollect: { ...server, ...more } } })

const CLIENTS: Client[] = [
  {
    tool: 'copilot',
    name: (capability) => `recollect-${capability}`,
    settings: (server) => ({
      '.copilot/mcp-config.json': mcpServers(server, { type: 'local', tools: ['*'] }),
    }),
    resumed: (args) => ['--continue', ...args],
  },
  {
    tool: 'claude',
    name: (capability) => `mcp__recollect__${capability}`,
    settings: (server) => ({ 'mcp.json': mcpServers(server) }),
    args: () => ['--mcp-config', '../../mcp.json', '--strict-mcp-config', '--allowedTools', 'mcp__recollect'],
    resumed: (args) => ['--continue', ...args],
  },
  {
    tool: 'codex',
    name: (capability) => capability,
    settings: ({ command, args, env }) => ({
      '.codex/config.toml': `
        [mcp_servers.recollect]
        command = ${JSON.stringify(command)}
        args = ${JSON.stringify(args)}
        env = { ${Object.entries(env)
          .map(([key, value]) => `${key} = ${JSON.stringify(value)}`)
          .join(', ')} }
      `,
    }),
    // For its newest models it hides tools until they are searched for; an unknown one sees them all.
    args: () => ['--model', 'scripted'],
    resumed: ([exec, ...args]) => [exec!, 'resume', '--last', ...args],
  },
  {
    tool: 'gemini',
    name: (capability) => `mcp_recollect_${capability}`,
    settings: (server) => ({ '.gemini/settings.json': mcpServers(server) }),
    resumed: (args) => ['--resume', 'latest', ...args],
  },
]

process.exitCode = await main()

async function main(): Promise<number> {
  const { values } = parseArgs({ options: { tools: { type: 'string' } } })
  const named = values.tools?.split(',') ?? CLIENTS.map(({ tool }) => tool)
  let failed = 0
  for (const client of CLIENTS.filter(({ tool }) => named.includes(tool))) {
    const tool = tools.find(({ name }) => name === client.tool)!
    if (!isInstalled(tool, cache)) {
      console.log(`${tool.name}: not installed; \`node test/real/run.ts --tools ${tool.name}\` does that`)
      failed++
      continue
    }
    const wrong = await outcomeOf(client, tool)
    console.log(`${tool.name} ${tool.version}: ${wrong.length === 0 ? 'ok' : wrong.join('; ')}`)
    if (wrong.length > 0) failed++
  }
  return failed === 0 ? 0 : 1
}

async function outcomeOf(client: Client, tool: Tool): Promise<string[]> {
  const place = fs.mkdtempSync(path.join(os.tmpdir(), 'recollect-client-'))
  const home = path.join(place, 'home')
  const project = path.join(home, 'projects', tool.name)
  fs.cpSync(path.join(root, 'sample'), home, { recursive: true })
  fs.mkdirSync(project, { recursive: true })
  execFileSync('git', ['init'], { cwd: project, stdio: 'ignore' })
  const model = await startScriptedModel(scriptsOf(client))
  const server: Server = {
    command: process.execPath,
    args: [path.join(root, 'bin', 'recollect'), 'mcp'],
    env: { RECOLLECT_HOME: path.join(place, 'archive'), HOME: home },
  }
  write(home, tool.settings?.(model.url) ?? {}, client.settings(server))
  const run = async (prompt: string, resumed: boolean): Promise<string | undefined> => {
    const args = [...tool.args(prompt), ...(client.args?.(server) ?? [])]
    const assistant = spawned(binOf(tool, cache), resumed ? client.resumed(args) : args, {
      cwd: project,
      env: { ...environment(home), ...tool.env(model.url) },
    })
    const code = await assistant.ended(LIMIT_MS)
    return code === 0 ? undefined : `ended with ${code}: ${assistant.output().slice(-1_000)}`
  }
  try {
    const ended = [await run(FIRST, false), await run(SECOND, true)]
    return [...ended.filter((each) => each !== undefined), ...wrongIn(model)]
  } finally {
    await model.close()
    fs.rmSync(place, { recursive: true, force: true, maxRetries: 5 })
  }
}

function scriptsOf({ name }: Client): Script[] {
  const calling = (capability: string, args: object) => ({ calls: [{ tool: name(capability), args }] })
  return [
    {
      when: 'zephyrlock',
      turns: [
        calling('search_conversations', { query: PLANTED.words }),
        calling('gather_chats', { chatIds: [PLANTED.id] }),
        calling('get_request', { index: 2 }),
        { text: 'The stock rows were locked in a fixed order.' },
      ],
    },
    { when: 'quillonberry', turns: [{ text: 'I will.' }] },
  ]
}

/** What the model should have seen come back from the tools. */
function wrongIn({ requests }: ScriptedModel): string[] {
  const last = requests.findLast(({ played }) => played?.script.when === 'zephyrlock')
  const results = (last?.said ?? [])
    .filter(({ by }) => by === 'tool')
    .map(({ text }) => text.replaceAll('\\', ''))
  const [found = '', gathered = '', recalled = ''] = results.slice(-3)
  const wrong: string[] = []
  if (!found.includes(PLANTED.id)) wrong.push(`the chat was not found: ${found.slice(0, 300)}`)
  if (!/retryOnDeadlock|deadlock detected/.test(gathered))
    wrong.push(`it was not gathered: ${gathered.slice(0, 300)}`)
  if (!(recalled.includes('zephyrlock') && /"index": ?2/.test(recalled)))
    wrong.push(`request 2 was not recalled: ${recalled.slice(0, 300)}`)
  return wrong
}

/** Settings of the assistant and of its server may share a file. */
function write(home: string, ...all: Record<string, string>[]): void {
  for (const [name, text] of all.flatMap(Object.entries<string>)) {
    const file = path.join(home, name)
    fs.mkdirSync(path.dirname(file), { recursive: true })
    const before = fs.existsSync(file) ? fs.readFileSync(file, 'utf8') : ''
    const isJson = name.endsWith('.json') && before !== ''
    fs.writeFileSync(
      file,
      isJson ? JSON.stringify({ ...JSON.parse(before), ...JSON.parse(text) }) : `${before}\n${text}`,
    )
  }
}

function environment(home: string): Record<string, string> {
  return {
    PATH: [path.dirname(process.execPath), process.env.PATH].join(path.delimiter),
    HOME: home,
    USERPROFILE: home,
    TERM: 'dumb',
    NO_COLOR: '1',
    ENABLE_TOOL_SEARCH: 'false',
  }
}
