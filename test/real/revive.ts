/**
 * Whether real assistants go on with a revived chat: each has a session, its files are deleted, `recollect revive`
 * writes it back, the assistant resumes it, and its model must be given what was said before:
 * `node test/real/revive.ts [--tools claude,codex,copilot]`.
 */
import { execFileSync } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { spawned } from './process.ts'
import { startScriptedModel } from './scripted-model.ts'
import { binOf, isInstalled, type Tool, tools } from './tools.ts'

const root = path.join(import.meta.dirname, '..', '..')
const cache = process.env.RECOLLECT_REAL_TOOLS ?? path.join(os.tmpdir(), 'recollect-real-tools')
const TOOL_LIMIT_MS = 120_000

/** How each goes on with a chat of this id. */
const RESUMED: Record<string, (id: string, args: string[]) => string[]> = {
  claude: (id, args) => ['--resume', id, ...args],
  copilot: (id, args) => [`--resume=${id}`, ...args],
  codex: (id, args) => ['exec', 'resume', ...args.slice(1, -1), id, args.at(-1)!],
}
/** Where each keeps its sessions, below the home folder. */
const KEPT: Record<string, string[]> = {
  claude: ['.claude/projects'],
  copilot: ['.copilot/session-state', '.copilot/session-store.db'],
  codex: ['.codex/sessions'],
}

const { values } = parseArgs({ options: { tools: { type: 'string', default: 'claude,codex,copilot' } } })
const wrong: string[] = []
for (const name of values.tools.split(',')) {
  const tool = tools.find((each) => each.name === name)
  if (!tool || !isInstalled(tool, cache))
    throw new Error(`${name} is not installed: run test/real/run.ts first`)
  const found = await revived(tool)
  console.log(
    `${name} ${tool.version}: ${found.length === 0 ? 'goes on with a revived chat' : found.join('; ')}`,
  )
  wrong.push(...found)
}
process.exitCode = wrong.length > 0 ? 1 : 0

async function revived(tool: Tool): Promise<string[]> {
  const place = fs.mkdtempSync(path.join(os.tmpdir(), 'recollect-revive-'))
  const home = path.join(place, 'home')
  const project = path.join(home, 'projects', tool.name)
  fs.mkdirSync(project, { recursive: true })
  fs.writeFileSync(path.join(project, 'notes.txt'), 'Remember the wombat.\n')
  const env = {
    PATH: [path.dirname(process.execPath), process.env.PATH].join(path.delimiter),
    ...{ HOME: home, TERM: 'dumb', NO_COLOR: '1', RECOLLECT_HOME: path.join(place, 'recollect') },
  }
  execFileSync('git', ['init', '--quiet', '--initial-branch=main'], { cwd: project, env })
  const model = await startScriptedModel([
    {
      when: 'the zebra in notes.txt',
      turns: [{ text: 'Looking.', calls: [tool.shell('cat notes.txt')] }, { text: 'It is a quokka.' }],
    },
    { when: 'the okapi', turns: [{ text: 'As I said, a quokka.' }] },
  ])
  const recollect = (...args: string[]) =>
    execFileSync(process.execPath, [path.join(root, 'bin', 'recollect'), ...args], {
      env,
      cwd: place,
      encoding: 'utf8',
    })
  try {
    for (const [file, text] of Object.entries(tool.settings?.(model.url) ?? {})) {
      fs.mkdirSync(path.dirname(path.join(home, file)), { recursive: true })
      fs.writeFileSync(path.join(home, file), text)
    }
    const run = async (args: string[]) => {
      const assistant = spawned(binOf(tool, cache), args, {
        cwd: project,
        env: { ...env, ...tool.env(model.url) },
      })
      const exit = await assistant.ended(TOOL_LIMIT_MS)
      return exit === 0 ? [] : [`ended with ${exit}: ${assistant.output().slice(-1500)}`]
    }
    const first = await run(tool.args('Please look for the zebra in notes.txt'))
    recollect('sync')
    const [chat] = JSON.parse(recollect('list', '--json')).chats
    if (!chat) return [...first, 'its session was not archived']
    for (const kept of KEPT[tool.name]!) fs.rmSync(path.join(home, kept), { recursive: true, force: true })
    const before = JSON.parse(recollect('show', chat.chatId, '--json')).messages.length
    recollect('revive', chat.chatId, '--json')
    const asked = model.requests.length
    const args = tool.args('And now the okapi?')
    const second = await run(RESUMED[tool.name]!(chat.chatId, args))
    const given = JSON.stringify(model.requests.slice(asked).map(({ body }) => body))
    recollect('sync')
    const { chats } = JSON.parse(recollect('list', '--json'))
    const after = JSON.parse(recollect('show', chat.chatId, '--json')).messages
    const texts = after.map((message: { text: string }) => message.text)
    return [
      ...first,
      ...second,
      ...['zebra in notes.txt', 'Looking.', 'Remember the wombat.', 'It is a quokka.', 'okapi']
        .filter((words) => !given.includes(words))
        .map((words) => `its model was not given "${words}"`),
      ...(chats.length === 1 ? [] : [`${chats.length} chats`]),
      ...(chats[0]?.chatId === chat.chatId ? [] : ['another chat']),
      ...(chats[0]?.requestCount === 2 ? [] : [`${chats[0]?.requestCount} requests`]),
      ...(after.length > before ? [] : [`${after.length} messages after ${before}`]),
      ...(texts.indexOf('And now the okapi?') > texts.indexOf('It is a quokka.') ? [] : ['out of order']),
      ...(texts.at(-1) === 'As I said, a quokka.' ? [] : [`ends with ${texts.at(-1)}`]),
      ...(after.some((message: { undone?: boolean }) => message.undone) ? ['something is undone'] : []),
    ]
  } finally {
    await model.close()
    fs.rmSync(place, { recursive: true, force: true, maxRetries: 5 })
  }
}
