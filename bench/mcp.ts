/**
 * How long agents wait for the MCP server: `node bench/mcp.ts [messages …]`. Runs the built package,
 * as installed; start-up is compared with a bare `node -e 0` in the same run.
 */
import { execFileSync, spawn } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { writeCorpus } from './corpus.ts'

const root = path.join(import.meta.dirname, '..')
const STARTS = 15
const CALLS = 10_000
const IDLE_MS = 10_000
const sizes = process.argv.slice(2).map(Number)
const results = []

for (const messages of sizes.length > 0 ? sizes : [3_000, 300_000]) {
  const temp = fs.mkdtempSync(path.join(os.tmpdir(), 'recollect-bench-'))
  try {
    results.push(await measure(messages, temp))
  } finally {
    fs.rmSync(temp, { recursive: true, force: true })
  }
}
const folder = path.join(root, 'bench', 'results')
fs.mkdirSync(folder, { recursive: true })
const machine = `${os.cpus().length} × ${os.cpus()[0]?.model}, Node ${process.version}`
fs.writeFileSync(
  path.join(folder, 'mcp.json'),
  JSON.stringify({ at: new Date().toISOString(), machine, results }, null, 2),
)
console.log(machine)
console.table(
  Object.fromEntries(results.map(({ messages, ...figures }) => [`${messages / 1000} k messages`, figures])),
)

async function measure(messages: number, temp: string) {
  const bin = installed(path.join(temp, 'package'))
  const env = {
    PATH: process.env.PATH,
    HOME: path.join(temp, 'home'),
    RECOLLECT_HOME: path.join(temp, 'archive'),
  }
  writeCorpus(env.HOME, { messages })
  execFileSync(process.execPath, [bin, 'sync'], { env })
  const bare: number[] = []
  const greeted: number[] = []
  const listed: number[] = []
  const searched: number[] = []
  for (let start = 0; start < STARTS; start++) {
    const began = performance.now()
    execFileSync(process.execPath, ['-e', '0'])
    bare.push(performance.now() - began)
    const server = started(bin, env)
    await server.greet()
    greeted.push(server.age())
    await server.ask('tools/list')
    listed.push(server.age())
    await server.call('search_conversations', { query: 'deadlock' })
    searched.push(server.age())
    await server.end()
  }
  const server = started(bin, env)
  await server.greet()
  const trips: number[] = []
  for (let call = 0; call < CALLS; call++) {
    const began = performance.now()
    await server.call('list_chats', { limit: 5 })
    trips.push(performance.now() - began)
  }
  const rss = server.rssMB()
  await sleep(3_000)
  const before = server.cpuMs()
  await sleep(IDLE_MS)
  const idle = server.cpuMs() - before
  await server.end()
  return {
    messages,
    'bare node, ms': middle(bare),
    'greeting, ms': middle(greeted),
    'greeting / bare': Math.round((middle(greeted) / middle(bare)) * 10) / 10,
    'tools/list, ms': middle(listed),
    'first search, ms': middle(searched),
    'round trip, ms': Math.round(at(trips, 0.5) * 100) / 100,
    'p95, ms': Math.round(at(trips, 0.95) * 100) / 100,
    'MB after 10 k calls': Math.round(rss),
    'idle CPU, %': Math.round((idle / IDLE_MS) * 1_000) / 10,
  }
}

/** The package as it is published; a checkout would run its sources. */
function installed(folder: string): string {
  execFileSync(process.execPath, [path.join(root, 'scripts', 'build.ts')], { stdio: 'ignore' })
  for (const name of ['bin', 'dist', 'package.json'])
    fs.cpSync(path.join(root, name), path.join(folder, name), { recursive: true })
  return path.join(folder, 'bin', 'recollect')
}

function started(bin: string, env: NodeJS.ProcessEnv) {
  const began = performance.now()
  const child = spawn(process.execPath, [bin, 'mcp'], { env, stdio: ['pipe', 'pipe', 'ignore'] })
  const waiting = new Map<number, () => void>()
  let [rest, id] = ['', 0]
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    const lines = (rest + text).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) waiting.get(JSON.parse(line).id)?.()
  })
  const send = (message: object) => child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
  const ask = (method: string, params: object = {}) =>
    new Promise<void>((resolve) => {
      waiting.set(++id, resolve)
      send({ id, method, params })
    })
  const stat = (file: string) => fs.readFileSync(`/proc/${child.pid}/${file}`, 'utf8')
  return {
    ask,
    age: () => performance.now() - began,
    call: (name: string, args: object) => ask('tools/call', { name, arguments: args }),
    async greet() {
      const clientInfo = { name: 'bench', version: '1' }
      await ask('initialize', { protocolVersion: '2025-11-25', capabilities: {}, clientInfo })
      send({ method: 'notifications/initialized' })
    },
    /** Both as Linux tells them. */
    rssMB: () => Number(/VmRSS:\s+(\d+)/.exec(stat('status'))?.[1]) / 1_000,
    cpuMs: () => {
      const fields = stat('stat').split(') ')[1]!.split(' ')
      return (Number(fields[11]) + Number(fields[12])) * 10
    },
    end: () =>
      new Promise<void>((resolve) => {
        child.once('exit', () => resolve())
        child.stdin.end()
      }),
  }
}

function at(values: number[], share: number): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length * share)] ?? 0
}

function middle(values: number[]): number {
  return Math.round(at(values, 0.5))
}
