/**
 * Runs real assistants with Recollect as their MCP server or as their plugin, and a scripted model on
 * loopback: each finds a planted chat, gathers it, and recalls the second request of its own dialog.
 * So does a fork, and a sub-agent recalls the request of its user. Then two dialogs at once in the same
 * folder make the same call: each has to get its own words.
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

/** In the third request of a fork; in a request that a sub-agent works for; in that one's prompt. */
const [FORKED, DELEGATED, AGENT] = ['larkspur', 'foxglove', 'hollyhock'] as const

/** First requests of dialogs that are going on at the same time. */
const AT_ONCE = ['marigold', 'tanglewort']
const OWN: (typeof CALLS)[number] = [
  'exact words of what the user asked earlier',
  'get_request',
  { index: 1 },
]

/** What an answer says of how the dialog was found. */
const MATCHED = /"matched": ?"((?:exact|high|medium): [^"]+)"/

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
  const bothAtOnce = () => Promise.all(AT_ONCE.map((word) => run(ask(`What did I ask first? ${word}`))))
  try {
    const steps = [
      ...(client.prepared ?? []).map(
        ([args, says]) =>
          async () =>
            await run(args, says),
      ),
      async () => void client.installed?.(home),
      async () => await run(ask(FIRST)),
      async () => await run(client.resumed(ask(SECOND))),
      async () => client.forked && (await run(client.forked(ask(`What did I ask third? ${FORKED}`)))),
      async () => client.delegate && (await run(ask(`Let an agent look what I asked first. ${DELEGATED}`))),
    ]
    for (const step of steps) {
      const wrong = await step()
      if (wrong) return [wrong]
    }
    const failed = await bothAtOnce()
    return [
      ...failed.filter((wrong) => wrong !== undefined),
      ...wrongIn(client, model),
      ...mixedUp(client, model),
      ...(client.forked ? notOf(FORKED, FORKED, model) : []),
      ...(client.delegate ? notOf(DELEGATED, AGENT, model) : []),
    ]
  } finally {
    await model.close()
    fs.rmSync(place, { recursive: true, force: true, maxRetries: 5 })
  }
}

function scriptsOf({ name, search, delegate }: Client): Script[] {
  const turnsOf = ([words, capability, args]: (typeof CALLS)[number]): Turn[] => [
    ...(search ? [{ calls: [search(words)] }] : []),
    { calls: [{ tool: name(capability), args }] },
  ]
  const turns = CALLS.flatMap(turnsOf)
  return [
    ...[...AT_ONCE, AGENT].map((when) => ({ when, turns: [...turnsOf(OWN), { text: 'That.' }] })),
    { when: FORKED, turns: [...turnsOf([OWN[0], OWN[1], { index: 3 }]), { text: 'That.' }] },
    {
      when: DELEGATED,
      turns: [{ calls: delegate ? [delegate(`Recall the first request: ${AGENT}`)] : [] }, { text: 'Done.' }],
    },
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
  // A search names chats by as much of their ids as is needed.
  if (!found.includes(PLANTED.id.slice(0, 8))) wrong.push(`the chat was not found: ${found.slice(0, 300)}`)
  if (!/retryOnDeadlock|deadlock detected/.test(gathered))
    wrong.push(`it was not gathered: ${gathered.slice(0, 300)}`)
  if (!(recalled.includes('zephyrlock') && /"index": ?2/.test(recalled) && MATCHED.test(recalled)))
    wrong.push(`request 2 was not recalled: ${recalled.slice(0, 300)}`)
  else console.log(`  ${MATCHED.exec(recalled)?.[1]}`)
  return wrong
}

/** What a script's last call gave, where it is not the request with this word. */
function notOf(word: string, script: string, { requests }: ScriptedModel): string[] {
  const last = requests.findLast(({ played }) => played?.script.when === script)
  const answer = last?.said.findLast(({ by }) => by === 'tool')?.text.replaceAll('\\', '') ?? 'no call'
  console.log(`  ${script}: ${MATCHED.exec(answer)?.[1] ?? 'not sure'}`)
  return MATCHED.test(answer) && answer.includes(word) ? [] : [`${script}: ${answer.slice(0, 400)}`]
}

/** Of dialogs at the same time: who got another's words, or was left in doubt although the client tells enough. */
function mixedUp({ mayBeUnsure }: Client, { requests }: ScriptedModel): string[] {
  return AT_ONCE.flatMap((word) => {
    const last = requests.findLast(({ played }) => played?.script.when === word)
    const answer = last?.said.findLast(({ by }) => by === 'tool')?.text.replaceAll('\\', '') ?? ''
    const named = AT_ONCE.filter((each) => answer.includes(each))
    const isOwn = MATCHED.test(answer) && named.length === 1 && named[0] === word
    const isHonest = mayBeUnsure && /No active dialog found/.test(answer) && named.includes(word)
    console.log(`  at once: ${MATCHED.exec(answer)?.[1] ?? 'not sure'}`)
    return isOwn || isHonest ? [] : [`at once, ${word}: ${answer.slice(0, 400)}`]
  })
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
