/**
 * What the agent adds to the bare call of a model: `node bench/agent.ts [rounds]`. The model runs in a
 * process of its own, follows a script and answers at once, so that what is left is ours. In each
 * round the cases are measured one after the other; wall time and CPU time of this process.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { createAgent } from '../src/agent/index.ts'
import { openSqliteArchive } from '../src/archive/sqlite/index.ts'
import { readConfig } from '../src/platform/config.ts'
import { startScriptedModel, type Turn } from '../test/real/scripted-model.ts'

const ROUNDS = Number(process.argv[2]) || 200
const WARM_ROUNDS = 20
const MANY = 8
const root = path.join(import.meta.dirname, '..')

if (process.argv[2] === 'model') await serveModel()
else await measure()

async function serveModel(): Promise<void> {
  const call = { tool: 'wait', args: { ms: 0 } }
  const after = (calls: Turn['calls']): Turn[] => [{ calls }, { text: 'Done.' }]
  const { url } = await startScriptedModel([
    { when: 'no tool', turns: [{ text: 'Done.' }] },
    { when: 'one tool', turns: after([call]) },
    { when: 'many tools', turns: after(Array.from({ length: MANY }, () => call)) },
  ])
  process.send?.(url)
}

async function measure(): Promise<void> {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'recollect-bench-agent-'))
  const model = spawn(process.execPath, [import.meta.filename, 'model'], {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  })
  const archive = openSqliteArchive(folder)
  try {
    const url = await addressOf(model)
    fs.writeFileSync(
      path.join(folder, 'config.json'),
      JSON.stringify({ agent: { approvals: { test: 'always' } } }),
    )
    const args = [path.join(root, 'test', 'agent-server.ts')]
    const servers = [{ id: 'test', transport: 'stdio', command: process.execPath, args }]
    fs.writeFileSync(path.join(folder, 'mcp-servers.json'), JSON.stringify({ servers }))
    const agent = createAgent({
      archive,
      sources: [],
      machine: { platform: process.platform, home: folder, env: {} },
      folder,
      config: readConfig(folder),
      env: { ANTHROPIC_API_KEY: 'k', ANTHROPIC_BASE_URL: url },
      cwd: folder,
    })
    const run = async (message: string) => {
      await agent.run({ message }, () => {}, new AbortController().signal)
    }
    const cases = {
      'bare call': () => bareCall(url),
      'no tool': () => run('no tool'),
      'one tool': () => run('one tool'),
      [`${MANY} tools at once`]: () => run('many tools'),
    }
    report(await inTurns(cases))
    await agent.close()
  } finally {
    model.kill()
    await archive.close()
    fs.rmSync(folder, { recursive: true, force: true })
  }
}

function addressOf(model: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    model.once('message', (url) => resolve(String(url))).once('exit', () => reject(new Error('no model')))
  })
}

/** The same question, asked with nothing but `fetch`, and its answer read to the end. */
async function bareCall(url: string): Promise<void> {
  const body = { model: 'm', max_tokens: 100, stream: true, messages: [{ role: 'user', content: 'no tool' }] }
  const response = await fetch(`${url}/v1/messages`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-api-key': 'k' },
    body: JSON.stringify(body),
  })
  await response.text()
}

interface Taken {
  wall: number[]
  cpu: number[]
}

async function inTurns(cases: Record<string, () => Promise<void>>): Promise<Record<string, Taken>> {
  const taken = Object.fromEntries(
    Object.keys(cases).map((name): [string, Taken] => [name, { wall: [], cpu: [] }]),
  )
  for (let round = -WARM_ROUNDS; round < ROUNDS; round++) {
    for (const [name, work] of Object.entries(cases)) {
      const cpu = process.cpuUsage()
      const began = performance.now()
      await work()
      const wall = performance.now() - began
      const { user, system } = process.cpuUsage(cpu)
      if (round < 0) continue
      taken[name]!.wall.push(wall)
      taken[name]!.cpu.push((user + system) / 1000)
    }
  }
  return taken
}

function report(taken: Record<string, Taken>): void {
  const middle = (values: number[]) => values.toSorted((a, b) => a - b)[values.length >> 1]!
  const of = Object.fromEntries(
    Object.entries(taken).map(([name, { wall, cpu }]) => [name, { wall: middle(wall), cpu: middle(cpu) }]),
  )
  const many = of[`${MANY} tools at once`]!
  const [bare, none, one] = [of['bare call']!, of['no tool']!, of['one tool']!]
  const less = (a: typeof bare, b: typeof bare, by = 1) => ({
    wall: (a.wall - b.wall) / by,
    cpu: (a.cpu - b.cpu) / by,
  })
  const results = {
    ...of,
    'a run, over the bare call': less(none, bare),
    'a round of one tool, over the run': less(one, none),
    'each further tool of a round': less(many, one, MANY - 1),
  }
  const rounded = Object.fromEntries(
    Object.entries(results).map(([name, { wall, cpu }]) => [
      name,
      { 'wall ms': Number(wall.toFixed(2)), 'CPU ms': Number(cpu.toFixed(2)) },
    ]),
  )
  console.table(rounded)
  const machine = `${os.cpus().length} × ${os.cpus()[0]?.model}, Node ${process.version}`
  const written = path.join(root, 'bench', 'results', 'agent.json')
  fs.mkdirSync(path.dirname(written), { recursive: true })
  const at = new Date().toISOString()
  fs.writeFileSync(written, JSON.stringify({ at, machine, rounds: ROUNDS, results: rounded }, null, 2))
  console.log(machine)
}
