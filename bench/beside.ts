/**
 * Whether searches wait for other work: over MCP, how long they take while a sync runs, an export is written and the
 * dashboard is asked for again and again, and how long with nothing else going on.
 *
 *   node bench/beside.ts [--messages 30000] [--more 30000] [--keep FOLDER]
 *
 * FOLDER holds `home-N` and `archive-N`, as bench/search.ts makes them, and is not changed. `more` messages are synced
 * meanwhile. On a busy machine both figures grow; their ratio tells, and the CPU time of the thread that serves.
 */
import { execFileSync } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { longestBlock, withBlocks } from './blocks.ts'
import { at, built } from './built.ts'
import { writeCorpus } from './corpus.ts'
import { type Running, started } from './mcp-process.ts'

const { values } = parseArgs({
  options: {
    messages: { type: 'string', default: '30000' },
    more: { type: 'string', default: '30000' },
    keep: { type: 'string' },
  },
})
const QUERIES = [
  'deadlock in the pool',
  'connection timeout',
  'cache header',
  'retry invoice refund',
  'why does the worker fail',
  'price cluster config',
  'parse the response',
  'lease expired',
]
const DASHBOARD = [undefined, 'day', 'model', 'source', 'workspace', 'tool']
const LEAST = 60
const CALM = 120

const temp = fs.mkdtempSync(path.join(os.tmpdir(), 'recollect-beside-'))
try {
  const bin = built(path.join(temp, 'package'))
  const home = path.join(values.keep ?? temp, `home-${values.messages}`)
  const archive = path.join(temp, 'archive')
  if (!fs.existsSync(home)) writeCorpus(home, { messages: Number(values.messages) })
  const env = { PATH: process.env.PATH ?? '', HOME: home, RECOLLECT_HOME: archive }
  const kept = values.keep && path.join(values.keep, `archive-${values.messages}`)
  if (kept && fs.existsSync(kept)) fs.cpSync(kept, archive, { recursive: true })
  execFileSync(process.execPath, [bin, 'sync'], { env, stdio: 'ignore' })
  const more = path.join(temp, 'more')
  writeCorpus(more, { messages: Number(values.more), seed: 7 })
  fs.writeFileSync(path.join(archive, 'config.json'), JSON.stringify({ homes: [more] }))

  const blocks = path.join(temp, 'blocks')
  const server = started(bin, { ...env, ...withBlocks(blocks) })
  await server.greet()
  await server.call('search_conversations', { query: QUERIES[0] })
  // What the first one took is a block of its own, which is noted after its answer.
  await sleep(100)
  const began = Date.now()
  const loaded = await underLoad(server)
  const longest = longestBlock(blocks, began)
  const calmFrom = Date.now()
  let left = CALM
  const calm = await searched(server, () => --left <= 0)
  const longestCalm = longestBlock(blocks, calmFrom)
  await server.end()
  const row = (times: Took[]) => ({
    searches: times.length,
    'median, ms': round(p(times, 'wall', 0.5)),
    'p95, ms': round(p(times, 'wall', 0.95)),
    'work, median': round(p(times, 'work', 0.5)),
    'work, p95': round(p(times, 'work', 0.95)),
    'wait for a core, median': round(p(times, 'wait', 0.5)),
    'wait, p95': round(p(times, 'wait', 0.95)),
  })
  console.table({ calm: row(calm), 'sync, export and dashboard beside': row(loaded) })
  console.log(`longest block of the thread that serves, CPU ms: ${longest} beside, ${longestCalm} calm`)
  console.log(`p95 beside / calm: ${round(p(loaded, 'wall', 0.95) / p(calm, 'wall', 0.95))}`)
} finally {
  fs.rmSync(temp, { recursive: true, force: true })
}

interface Took {
  wall: number
  /** Of the thread that answers, whatever it did meanwhile. */
  work: number
  wait: number
}

function p(times: Took[], of: keyof Took, share: number): number {
  return at(
    times.map((took) => took[of]),
    share,
  )
}

/** Searches while everything else goes on, until the sync is done. */
async function underLoad(server: Running): Promise<Took[]> {
  let isOver = false
  const exporting = loop(async (turn) => {
    const file = path.join(temp, `export-${turn}.md`)
    await server.call('export_chats', { query: 'the worker and the pool', format: 'markdown', path: file })
  })
  const dashboard = loop(async () => {
    await Promise.all(DASHBOARD.map((group_by) => server.call('usage_metrics', { group_by })))
  })
  let turn = 0
  const times = await searched(server, (answer) => ++turn >= LEAST && !answer.includes('sync is running'))
  isOver = true
  console.log(`beside ${times.length} searches: ${await exporting} exports, ${await dashboard} dashboards`)
  return times

  async function loop(work: (turn: number) => Promise<void>): Promise<number> {
    let turns = 0
    while (!isOver) await work(turns++)
    return turns
  }
}

async function searched(server: Running, isDone: (answer: string) => boolean): Promise<Took[]> {
  const times: Took[] = []
  for (let turn = 0; ; turn++) {
    const query = `${QUERIES[turn % QUERIES.length]} ${turn % 5 === 0 ? 'today' : ''}`.trim()
    const before = server.served()
    const began = performance.now()
    const answer = await server.call('search_conversations', { query })
    const wall = performance.now() - began
    const { workMs, waitMs } = server.served()
    times.push({ wall, work: workMs - before.workMs, wait: waitMs - before.waitMs })
    if (isDone(answer)) return times
  }
}

function round(value: number): number {
  return Math.round(value * 10) / 10
}
