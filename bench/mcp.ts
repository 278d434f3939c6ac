/**
 * How long agents wait for the MCP server: `node bench/mcp.ts [--starts] [messages | folder …]`. A folder with
 * `home` and `archive` in it is measured as it is, so that a large archive is made once. Runs the built
 * package, as installed; start-up is compared with a bare `node -e 0` in the same run. With `--starts` nothing else is
 * measured, and nothing is written to the chats.
 */
import { execFileSync } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { appendMessage, writeCorpus } from './corpus.ts'
import { type Running, started } from './mcp-process.ts'

const root = path.join(import.meta.dirname, '..')
const STARTS = 15
const CALLS = 10_000
const WARM_CALLS = 1_000
const CHANGES = 20
const IDLE_MS = 60_000

const SECOND_MS = 1_000

const onlyStarts = process.argv.includes('--starts')
const places = process.argv.slice(2).filter((place) => place !== '--starts')
const temp = fs.mkdtempSync(path.join(os.tmpdir(), 'recollect-bench-'))
const results: Record<string, Record<string, number>> = {}
try {
  const bin = installed(path.join(temp, 'package'))
  for (const place of places.length > 0 ? places : ['3000', '300000']) {
    const folder =
      Number(place) > 0 ? filled(path.join(temp, place), Number(place), bin) : path.resolve(place)
    results[place] = await measure(bin, environment(folder))
    console.table({ [place]: results[place] })
  }
} finally {
  fs.rmSync(temp, { recursive: true, force: true })
}
const machine = `${os.cpus().length} × ${os.cpus()[0]?.model}, Node ${process.version}`
const written = path.join(root, 'bench', 'results', 'mcp.json')
fs.mkdirSync(path.dirname(written), { recursive: true })
fs.writeFileSync(written, JSON.stringify({ at: new Date().toISOString(), machine, results }, null, 2))
console.log(machine)

async function measure(bin: string, env: Record<string, string>): Promise<Record<string, number>> {
  if (onlyStarts) return await starts(bin, env)
  const transcript = fs.globSync(path.join(env.HOME ?? '', '.claude', 'projects', '*', '*.jsonl'))[0]!
  const server = started(bin, env)
  await server.greet()
  const calls = await roundTrips(server, transcript)
  const idle = await idleShare(server)
  const news = await newsTimes(server, transcript)
  await server.end()
  return { ...(await starts(bin, env)), ...calls, 'idle CPU, %': idle, ...news }
}

async function starts(bin: string, env: Record<string, string>): Promise<Record<string, number>> {
  const times = {
    bare: [] as number[],
    greeted: [] as number[],
    listed: [] as number[],
    found: [] as number[],
    later: [] as number[],
  }
  for (let start = 0; start < STARTS; start++) {
    const began = performance.now()
    execFileSync(process.execPath, ['-e', '0'])
    times.bare.push(performance.now() - began)
    const server = started(bin, env)
    await server.greet()
    const greetedAt = server.age()
    times.greeted.push(greetedAt)
    await server.call('search_conversations', { query: 'deadlock' })
    times.found.push(server.age() - greetedAt)
    await server.end()
    const other = started(bin, env)
    await other.greet()
    await other.ask('tools/list')
    times.listed.push(other.age())
    await sleep(SECOND_MS)
    const askedAt = other.age()
    await other.call('search_conversations', { query: 'deadlock' })
    times.later.push(other.age() - askedAt)
    await other.end()
  }
  const bare = at(times.bare, 0.5)
  return {
    'bare node, ms': rounded(bare),
    'first answer, ms': rounded(at(times.greeted, 0.5)),
    'first answer / bare': rounded(at(times.greeted, 0.5) / bare, 10),
    'tools/list, ms': rounded(at(times.listed, 0.5)),
    'first search at once after it, ms': rounded(at(times.found, 0.5)),
    'first search a second after tools/list, ms': rounded(at(times.later, 0.5)),
  }
}

async function roundTrips(server: Running, transcript: string): Promise<Record<string, number>> {
  const trip = async (tool: string, args: object): Promise<number> => {
    const began = performance.now()
    await server.call(tool, args)
    return performance.now() - began
  }
  const trips: number[] = []
  const found: number[] = []
  const listed: number[] = []
  let warm = 0
  for (let call = 0; call < CALLS; call++) {
    trips.push(await trip('resolve_ids', { chatIdPrefix: chatOf(transcript) }))
    if (call % 100 === 0) found.push(await trip('search_conversations', { query: 'deadlock' }))
    if (call % 100 === 50) listed.push(await trip('list_chats', { limit: 20 }))
    if (call === WARM_CALLS) warm = server.rssMB()
  }
  return {
    'round trip, ms': rounded(at(trips, 0.5), 100),
    'p95, ms': rounded(at(trips, 0.95), 100),
    'search, ms': rounded(at(found, 0.5), 10),
    'list_chats, ms': rounded(at(listed, 0.5), 10),
    'MB after 1 k calls': rounded(warm),
    'MB after 10 k calls': rounded(server.rssMB()),
  }
}

async function idleShare(server: Running): Promise<number> {
  await sleep(3_000)
  const before = server.cpuMs()
  await sleep(IDLE_MS)
  return rounded(((server.cpuMs() - before) / IDLE_MS) * 100, 10)
}

/** From a line that an assistant writes to the notification of the chat's resource. */
async function newsTimes(server: Running, transcript: string): Promise<Record<string, number>> {
  const uri = `context://sessions/${chatOf(transcript)}`
  await server.ask('resources/subscribe', { uri })
  const times: number[] = []
  for (let change = 0; change < CHANGES; change++) {
    await sleep(500)
    const heard = server.heard(({ params }) => params?.uri === uri)
    const began = performance.now()
    appendMessage('/', transcript)
    await heard
    times.push(performance.now() - began)
  }
  return { 'news, ms': rounded(at(times, 0.5)), 'news p95, ms': rounded(at(times, 0.95)) }
}

function chatOf(transcript: string): string {
  return path.basename(transcript, '.jsonl')
}

/** The package as it is published; a checkout would run its sources. */
function installed(folder: string): string {
  execFileSync(process.execPath, [path.join(root, 'scripts', 'build.ts')], { stdio: 'ignore' })
  for (const name of ['bin', 'dist', 'package.json'])
    fs.cpSync(path.join(root, name), path.join(folder, name), { recursive: true })
  return path.join(folder, 'bin', 'recollect')
}

function filled(folder: string, messages: number, bin: string): string {
  const env = environment(folder)
  writeCorpus(env.HOME!, { messages })
  execFileSync(process.execPath, [bin, 'sync'], { env, stdio: 'ignore' })
  return folder
}

function environment(folder: string): Record<string, string> {
  // By the name under which it was read: chats of a linked home would all be read again.
  const real = (name: string) => {
    const place = path.join(folder, name)
    return fs.existsSync(place) ? fs.realpathSync(place) : place
  }
  return { PATH: process.env.PATH ?? '', HOME: real('home'), RECOLLECT_HOME: real('archive') }
}

function at(values: number[], share: number): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length * share)] ?? 0
}

function rounded(value: number, per = 1): number {
  return Math.round(value * per) / per
}
