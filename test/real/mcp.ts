/**
 * Runs real assistants with Recollect as their MCP server or as their plugin, and a scripted model on
 * loopback: each finds a planted chat, gathers it, and recalls the second request of its own dialog.
 * `node test/real/mcp.ts [--tools copilot,claude,codex,gemini]`; see run.ts for where they come from.
 */
import { execFileSync } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { CLIENTS, type Client, type Server } from './clients.ts'
import { spawned } from './process.ts'
import { type Script, type ScriptedModel, startScriptedModel, type Turn } from './scripted-model.ts'
import { binOf, cache, type Tool, tryAll } from './tools.ts'

const root = path.join(import.meta.dirname, '..', '..')
const LIMIT_MS = 120_000
/** In the sample archive. */
const PLANTED = { words: 'deadlock ShareLock stock', id: 'b6fb68b8-36d3-4357-8b35-71944dd9ba8f' }

const FIRST = 'Remember the word quillonberry please.'
const SECOND = 'What did we say about the zephyrlock deadlock earlier?'

/** What the model calls, and in which words it would look for a tool to do so. */
const CALLS: [words: string, capability: string, args: object][] = [
  ['search past chats', 'search_conversations', { query: PLANTED.words }],
  ['read past chats', 'gather_chats', { chatIds: [PLANTED.id] }],
  ['exact words of what the user asked earlier', 'get_request', { index: 2 }],
]

execFileSync(process.execPath, [path.join(root, 'scripts', 'build-plugin.ts')], { stdio: 'ignore' })
process.exitCode = await tryAll(CLIENTS, outcomeOf)

async function outcomeOf(client: Client, tool: Tool): Promise<string[]> {
  const place = fs.mkdtempSync(path.join(os.tmpdir(), 'recollect-client-'))
  const home = path.join(place, 'home')
  const project = path.join(home, 'projects', tool.name)
  fs.cpSync(path.join(root, 'sample'), home, { recursive: true })
  fs.mkdirSync(project, { recursive: true })
  execFileSync('git', ['init'], { cwd: project, stdio: 'ignore' })
  const model = await startScriptedModel(scriptsOf(client))
  const archive = { RECOLLECT_HOME: path.join(place, 'archive') }
  const server: Server = {
    command: process.execPath,
    args: [path.join(root, 'bin', 'recollect'), 'mcp'],
    env: { ...archive, HOME: home },
  }
  write(home, tool.settings?.(model.url) ?? {}, client.settings?.(server) ?? {})
  const env = { ...environment(home), PWD: project, ...archive, ...client.env, ...tool.env(model.url) }
  const run = async (args: string[], says = /(?:)/): Promise<string | undefined> => {
    const assistant = spawned(binOf(tool, cache), args, { cwd: project, env })
    const code = await assistant.ended(LIMIT_MS)
    if (code === 0 && says.test(assistant.output())) return undefined
    return `${args.slice(0, 3).join(' ')} ended with ${code}: ${assistant.output().slice(-1_000)}`
  }
  const ask = (prompt: string) => [...tool.args(prompt), ...(client.args ?? [])]
  try {
    const steps = [
      ...(client.prepared ?? []).map(
        ([args, says]) =>
          async () =>
            await run(args, says),
      ),
      async () => await run(ask(FIRST)),
      async () => await run(client.resumed(ask(SECOND))),
    ]
    for (const step of steps) {
      const wrong = await step()
      if (wrong) return [wrong]
    }
    return wrongIn(client, model)
  } finally {
    await model.close()
    fs.rmSync(place, { recursive: true, force: true, maxRetries: 5 })
  }
}

function scriptsOf({ name, search }: Client): Script[] {
  const turns = CALLS.flatMap(([words, capability, args]): Turn[] => [
    ...(search ? [{ calls: [search(words)] }] : []),
    { calls: [{ tool: name(capability), args }] },
  ])
  return [
    {
      when: 'zephyrlock',
      turns: [...turns, { text: 'The stock rows were locked in a fixed order.' }],
    },
    { when: 'quillonberry', turns: [{ text: 'I will.' }] },
  ]
}

/** What the model should have been offered, and have seen come back. */
function wrongIn({ name, search }: Client, { requests }: ScriptedModel): string[] {
  const last = requests.findLast(({ played }) => played?.script.when === 'zephyrlock')
  const missing = CALLS.map(([, capability]) => name(capability)).filter(
    (tool) => !last?.tools.some((offered) => offered.name === tool),
  )
  if (missing.length > 0) return [`not offered: ${missing.join(', ')}`]
  const told = (last?.said ?? [])
    .filter(({ by }) => by === 'tool')
    .map(({ text }) => text.replaceAll('\\', ''))
  const results = search ? told.slice(-6).filter((_, i) => i % 2 === 1) : told.slice(-3)
  const [found = '', gathered = '', recalled = ''] = results
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
  }
}
