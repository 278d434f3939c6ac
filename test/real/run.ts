/**
 * Runs real assistants against a scripted model and asks whether their sessions are in the archive a
 * second after they end: `node test/real/run.ts [--tools copilot,claude,codex,gemini,opencode]`.
 * The assistants are installed from npm once, into the folder RECOLLECT_REAL_TOOLS.
 */
import { execFileSync } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import type { Archive } from '../../src/archive/archive.ts'
import { openSqliteArchive } from '../../src/archive/sqlite/index.ts'
import { RecollectError } from '../../src/model/errors.ts'
import { searchConversations } from '../../src/search/search.ts'
import { type Process, spawned } from './process.ts'
import { type Script, startScriptedModel } from './scripted-model.ts'
import { binOf, folderOf, isInstalled, type Tool, tools } from './tools.ts'

const TOOL_LIMIT_MS = 120_000
/** A session must be found so soon after its assistant ended; looking every few milliseconds costs the rest. */
const FOUND_LIMIT_MS = 1_000
const LOOK_EVERY_MS = 10
const GIVE_UP_MS = 15_000

const root = path.join(import.meta.dirname, '..', '..')
const cache = process.env.RECOLLECT_REAL_TOOLS ?? path.join(os.tmpdir(), 'recollect-real-tools')

/** Words that are nowhere else, one in each part of a session. */
interface Session {
  tool: Tool
  asked: string
  printed: string
  answered: string
}

interface Outcome {
  tool: string
  version: string
  exit: string
  found: string
  requests: string
  'tool calls': string
  wrong: string[]
}

process.exitCode = await main()

async function main(): Promise<number> {
  const { values } = parseArgs({ options: { tools: { type: 'string' } } })
  const sessions = toolsNamed(values.tools).map(
    (tool): Session => ({ tool, asked: madeUpWord(), printed: madeUpWord(), answered: madeUpWord() }),
  )
  for (const { tool } of sessions) install(tool)
  const place = fs.mkdtempSync(path.join(os.tmpdir(), 'recollect-real-'))
  const home = path.join(place, 'home')
  const archiveFolder = path.join(place, 'recollect')
  const model = await startScriptedModel(sessions.map(scriptOf))
  const running: Process[] = []
  const tidyUp = async () => {
    await Promise.all(running.map((each) => each.end()))
    await model.close()
    fs.rmSync(place, { recursive: true, force: true, maxRetries: 5 })
  }
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.once(signal, () => tidyUp().finally(() => process.exit(130)))
  try {
    for (const { tool } of sessions) writeSettings(home, tool.settings?.(model.url) ?? {})
    const watching = spawned(
      process.execPath,
      [path.join(root, 'bin', 'recollect'), 'sync', '--watch', '--json'],
      {
        cwd: place,
        env: { ...bareEnv(home), RECOLLECT_HOME: archiveFolder },
      },
    )
    running.push(watching)
    await watching.said('\n')
    const archive = openSqliteArchive(archiveFolder)
    const outcomes: Outcome[] = []
    try {
      for (const session of sessions) {
        const project = makeProject(home, session)
        const assistant = spawned(binOf(session.tool, cache), session.tool.args(promptOf(session)), {
          cwd: project,
          env: { ...bareEnv(home), ...session.tool.env(model.url) },
        })
        running.push(assistant)
        outcomes.push(await outcomeOf(session, assistant, archive))
      }
    } finally {
      await archive.close()
    }
    return report(outcomes)
  } finally {
    await tidyUp()
  }
}

function toolsNamed(names: string | undefined): Tool[] {
  if (!names) return tools
  return names.split(',').map((name) => {
    const tool = tools.find((each) => each.name === name)
    if (!tool) throw new Error(`no tool ${name}; there are ${tools.map((each) => each.name).join(', ')}`)
    return tool
  })
}

function install(tool: Tool): void {
  if (isInstalled(tool, cache)) return
  console.log(`installing ${tool.package}@${tool.version}`)
  const folder = folderOf(tool, cache)
  fs.mkdirSync(folder, { recursive: true })
  execFileSync(
    process.platform === 'win32' ? 'npm.cmd' : 'npm',
    [
      ...['install', '--prefix', folder, '--no-audit', '--no-fund', '--loglevel=error'],
      `${tool.package}@${tool.version}`,
    ],
    { stdio: ['ignore', 'ignore', 'inherit'], shell: process.platform === 'win32' },
  )
}

function promptOf({ asked }: Session): string {
  return `Please look into notes.txt for the ${asked} and tell me what it says.`
}

function scriptOf(session: Session): Script {
  const { tool, asked, answered } = session
  return {
    when: asked,
    turns: [
      { thinking: 'The notes will tell.', text: 'Looking.', calls: [tool.shell('cat notes.txt')] },
      { text: `The notes are about a ${answered}.` },
    ],
  }
}

function makeProject(home: string, { tool, printed }: Session): string {
  const project = path.join(home, 'projects', tool.name)
  fs.mkdirSync(project, { recursive: true })
  fs.writeFileSync(path.join(project, 'notes.txt'), `Remember the ${printed}.\n`)
  const git = (...args: string[]) =>
    execFileSync('git', args, { cwd: project, env: bareEnv(home), stdio: 'ignore' })
  git('init', '--initial-branch=main')
  git('add', '.')
  git('-c', 'user.name=Me', '-c', 'user.email=me@example.org', 'commit', '--message=Begin')
  return project
}

function writeSettings(home: string, files: Record<string, string>): void {
  fs.mkdirSync(home, { recursive: true })
  for (const [name, text] of Object.entries(files)) {
    fs.mkdirSync(path.dirname(path.join(home, name)), { recursive: true })
    fs.writeFileSync(path.join(home, name), text)
  }
}

/** Nothing of the environment that would lead an assistant, or us, to the real home folder. */
function bareEnv(home: string): Record<string, string> {
  const kept = ['LANG', 'SystemRoot', 'ComSpec', 'PATHEXT', 'TMPDIR', 'TEMP', 'TMP']
  return {
    ...Object.fromEntries(kept.flatMap((name) => (process.env[name] ? [[name, process.env[name]]] : []))),
    PATH: [path.dirname(process.execPath), process.env.PATH].join(path.delimiter),
    HOME: home,
    USERPROFILE: home,
    APPDATA: path.join(home, 'AppData', 'Roaming'),
    LOCALAPPDATA: path.join(home, 'AppData', 'Local'),
    TERM: 'dumb',
    NO_COLOR: '1',
  }
}

async function outcomeOf(session: Session, assistant: Process, archive: Archive): Promise<Outcome> {
  const { tool, asked, printed, answered } = session
  const exit = await assistant.ended(TOOL_LIMIT_MS)
  const endedAt = performance.now()
  let foundAfter: number | undefined
  let missing: string[] = []
  while (foundAfter === undefined && performance.now() - endedAt < GIVE_UP_MS) {
    missing = []
    for (const [part, word] of Object.entries({ request: asked, 'tool result': printed, answer: answered }))
      if (!(await isFound(archive, word))) missing.push(part)
    if (missing.length === 0) foundAfter = performance.now() - endedAt
    else await sleep(LOOK_EVERY_MS)
  }
  // What an assistant writes at the very end may still change what was found.
  await sleep(500)
  const chats = await archive.listChats({ source: tool.source, subagents: true })
  const messages = (await Promise.all(chats.map((chat) => archive.messages(chat)))).flat()
  const requests = messages.filter((each) => each.kind === 'request')
  const calls = messages.flatMap((each) => each.toolCalls ?? [])
  const results = messages.flatMap((each) => each.toolResults ?? [])
  const problems = (await archive.problems()).filter((each) => each.source === tool.source)
  const wrong = [
    exit !== 0 && `ended with ${exit}:\n${assistant.output().slice(-2000)}`,
    foundAfter === undefined && `not found: ${missing.join(', ')}\n${assistant.output().slice(-2000)}`,
    foundAfter !== undefined && foundAfter > FOUND_LIMIT_MS && 'found too late',
    chats.length !== 1 && `${chats.length} chats`,
    requests.length !== 1 && `${requests.length} requests`,
    requests.length === 1 && requests[0]!.text !== promptOf(session) && `request is "${requests[0]!.text}"`,
    calls.length !== 1 && `${calls.length} tool calls`,
    results.length !== 1 && `${results.length} tool results`,
    calls[0]?.id !== results[0]?.callId && 'the result is not that of the call',
    ...problems.map(({ path: file, reason }) => `${file}: ${reason}`),
  ]
  return {
    tool: tool.name,
    version: tool.version,
    exit: String(exit),
    found: foundAfter === undefined ? 'never' : `${(foundAfter / 1000).toFixed(2)} s`,
    requests: `${requests.length} of 1`,
    'tool calls': `${calls.length} of 1`,
    wrong: wrong.filter((each) => typeof each === 'string'),
  }
}

async function isFound(archive: Archive, word: string): Promise<boolean> {
  try {
    const { results } = await searchConversations(archive, { intent_query: word })
    return results.some(({ snippets }) => snippets.some(({ text }) => text.includes(word)))
  } catch (error) {
    if (error instanceof RecollectError && error.code === 'NO_SESSIONS') return false
    throw error
  }
}

function report(outcomes: Outcome[]): number {
  const columns = ['tool', 'version', 'exit', 'found', 'requests', 'tool calls'] as const
  const rows = [columns, ...outcomes.map((outcome) => columns.map((column) => outcome[column]))]
  const widths = columns.map((_, at) => Math.max(...rows.map((row) => row[at]!.length)))
  for (const row of rows)
    console.log(
      row
        .map((cell, at) => cell.padEnd(widths[at]!))
        .join('  ')
        .trimEnd(),
    )
  const failed = outcomes.filter(({ wrong }) => wrong.length > 0)
  for (const { tool, wrong } of failed) console.log(`\n${tool}: ${wrong.join('; ')}`)
  console.log(`\n${outcomes.length - failed.length} passed, ${failed.length} failed`)
  return failed.length > 0 ? 1 : 0
}

function madeUpWord(): string {
  const pick = (letters: string) => letters[Math.floor(Math.random() * letters.length)]
  return Array.from({ length: 5 }, () => `${pick('bdfgklmnprtvz')}${pick('aeiou')}`).join('')
}
