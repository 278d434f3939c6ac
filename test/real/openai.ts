/**
 * Runs real programs that speak to OpenAI with `recollect serve` as the API and a scripted model behind it:
 * one that writes commit messages, and one that is an agent with tools of its own. Both are installed from npm
 * once, into the folder RECOLLECT_REAL_TOOLS; without a network they are skipped, and that is said.
 * `node test/real/openai.ts`
 */
import { execFileSync } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { site } from '../http-kit.ts'
import { type Alex, sampleMachine } from '../mcp-kit.ts'
import { allProviders } from '../openai-kit.ts'
import { spawned } from './process.ts'
import { type ScriptedModel, startScriptedModel } from './scripted-model.ts'

const LIMIT_MS = 120_000
const MESSAGE = 'Teach the heron to stand'
const PROGRAMS = { aicommits: '3.4.0', '@qwen-code/qwen-code': '0.24.4' }
const folder = path.join(
  process.env.RECOLLECT_REAL_TOOLS ?? path.join(os.tmpdir(), 'recollect-real'),
  'openai',
)

if (installed()) process.exitCode = await tried()
else console.log('skipped: the programs are not installed, and npm cannot be reached')

function installed(): boolean {
  const isThere = Object.keys(PROGRAMS).every((name) =>
    fs.existsSync(path.join(folder, 'node_modules', name)),
  )
  if (isThere) return true
  fs.mkdirSync(folder, { recursive: true })
  const wanted = Object.entries(PROGRAMS).map(([name, version]) => `${name}@${version}`)
  const args = ['install', '--prefix', folder, '--no-audit', '--no-fund', '--ignore-scripts', ...wanted]
  try {
    execFileSync(process.platform === 'win32' ? 'npm.cmd' : 'npm', args, {
      stdio: 'ignore',
      timeout: LIMIT_MS,
    })
    return true
  } catch {
    return false
  }
}

async function tried(): Promise<number> {
  const alex = sampleMachine()
  const note = path.join(alex.project, 'note.txt')
  const model = await startScriptedModel([
    {
      when: 'please note it',
      turns: [
        { text: 'I look first.', calls: [{ tool: 'list_chats', args: { limit: 1 } }] },
        {
          text: 'Now I write.',
          calls: [{ tool: 'write_file', args: { file_path: note, content: 'noted\n' } }],
        },
        { text: 'The note is written.' },
      ],
    },
    { when: 'diff', turns: [{ text: MESSAGE }] },
  ])
  const { env } = allProviders(alex, model.url)
  const served = await site(alex, { env })
  const openai = { OPENAI_BASE_URL: `${served.url.origin}/v1`, OPENAI_API_KEY: served.token }
  try {
    const outcomes = [await commits(alex, openai), await agent(alex, openai, note, model)]
    for (const [name, problems] of outcomes)
      console.log(problems.length === 0 ? `✓ ${name}` : `✗ ${name}: ${problems.join('; ')}`)
    return outcomes.every(([, problems]) => problems.length === 0) ? 0 : 1
  } finally {
    await served.close()
    await model.close()
    alex.remove()
  }
}

type Outcome = [name: string, problems: string[]]

/** Its message is what the model said, and nothing else. */
async function commits(alex: Alex, env: Record<string, string>): Promise<Outcome> {
  const git = (...args: string[]) => execFileSync('git', args, { cwd: alex.project })
  git('init', '-q')
  fs.writeFileSync(path.join(alex.project, 'heron.txt'), 'It stands on one leg.\n')
  git('add', '.')
  const settings = Object.entries({ ...env, OPENAI_MODEL: 'recollect' }).map(
    ([name, value]) => `${name}=${value}\n`,
  )
  fs.writeFileSync(path.join(alex.home, '.aicommits'), settings.join(''), { mode: 0o600 })
  const said = await run(alex, 'aicommits', ['--yes'], {})
  return ['aicommits', said.trim() === MESSAGE ? [] : [`it wrote "${said}"`]]
}

/** Its own tool is called by the model and run by it, ours are run here, and it is one dialog in the archive. */
async function agent(
  alex: Alex,
  env: Record<string, string>,
  note: string,
  model: ScriptedModel,
): Promise<Outcome> {
  const before = model.requests.length
  const said = await run(
    alex,
    'qwen',
    ['--yolo', '--prompt', 'please note it', '--auth-type', 'openai', '--model', 'recollect'],
    { ...env, OPENAI_MODEL: 'recollect' },
  )
  const problems: string[] = []
  if (!said.includes('The note is written.')) problems.push(`it said "${said.slice(-500)}"`)
  if (!fs.existsSync(note)) problems.push('its own tool did not run')
  const results = model.requests
    .slice(before)
    .findLast(({ said: all }) => all.some(({ by }) => by === 'tool'))
  const known = results?.said.filter(({ by }) => by === 'tool').length
  if (known !== 2) problems.push(`the model saw ${known} results, not 2`)
  const runs = fs
    .readdirSync(path.join(alex.archive, 'runs'))
    .filter((name) => name.endsWith('.jsonl'))
    .map((name) => fs.readFileSync(path.join(alex.archive, 'runs', name), 'utf8'))
    .filter((text) => text.includes('please note it'))
  if (runs.length !== 1) problems.push(`${runs.length} dialogs, not 1`)
  return ['qwen-code', problems]
}

async function run(alex: Alex, bin: string, args: string[], env: Record<string, string>): Promise<string> {
  const started = spawned(path.join(folder, 'node_modules', '.bin', bin), args, {
    cwd: alex.project,
    env: { PATH: process.env.PATH ?? '', HOME: alex.home, CI: '1', NO_COLOR: '1', ...env },
  })
  await started.ended(LIMIT_MS)
  return started.output()
}
