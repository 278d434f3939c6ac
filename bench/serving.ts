/**
 * What the thread that serves does, over MCP, on an archive that is there:
 *
 *   node bench/serving.ts FOLDER [--home HOME] [--calls 2000] [--checkout]
 *
 * FOLDER holds an archive and `queries.json` as bench/search.ts makes them; it is copied. Searches asked once and again
 * (wall time, and CPU time of the thread), what each kind of call takes, the longest blocks, and the memory after mixed calls.
 * After the first search it waits until all chats are looked through for secrets, as they are a minute or two after a first sync:
 * until then a search does that for each chat that it shows.
 */
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { longestBlock, withBlocks } from './blocks.ts'
import { at, built } from './built.ts'
import { type Running, started } from './mcp-process.ts'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    home: { type: 'string' },
    calls: { type: 'string', default: '2000' },
    checkout: { type: 'boolean', default: false },
  },
})
const root = path.join(import.meta.dirname, '..')
const temp = fs.mkdtempSync(path.join(os.tmpdir(), 'recollect-serving-'))
try {
  const folder = path.resolve(positionals[0]!)
  const archive = path.join(temp, 'archive')
  fs.mkdirSync(archive, { mode: 0o700 })
  fs.copyFileSync(path.join(folder, 'archive.db'), path.join(archive, 'archive.db'))
  const home = values.home ?? path.join(temp, 'home')
  fs.mkdirSync(home, { recursive: true })
  const bin = values.checkout ? path.join(root, 'bin', 'recollect') : built(path.join(temp, 'package'))
  const blocks = path.join(temp, 'blocks')
  const env = {
    PATH: process.env.PATH ?? '',
    HOME: home,
    RECOLLECT_HOME: archive,
    ...withBlocks(blocks),
  }
  const queries = JSON.parse(fs.readFileSync(path.join(folder, 'queries.json'), 'utf8')) as Record<
    string,
    string[]
  >
  const server = started(bin, env)
  await server.greet()
  const greetedAt = server.age()
  const ordinary = queries.ordinary!
  await server.call('search_conversations', { query: ordinary[0] })
  console.log(
    `first answer ${greetedAt.toFixed(0)} ms after the start, first search ${(server.age() - greetedAt).toFixed(0)} ms later`,
  )
  await lookedThrough(archive)
  for (const query of ordinary.slice(0, 10)) await server.call('search_conversations', { query })
  console.log(`after ${10} searches ${memory(server)}`)
  const once: Took[] = []
  const again: Took[] = []
  for (const query of ordinary) {
    once.push(await timed(server, 'search_conversations', { query }))
    const second = await timed(server, 'search_conversations', { query })
    const third = await timed(server, 'search_conversations', { query })
    again.push({ wall: Math.min(second.wall, third.wall), work: Math.min(second.work, third.work) })
  }
  console.table({ 'asked once': row(once), 'asked again': row(again) })
  const found = /"chatId":"([^"]+)"/.exec(
    await server.call('search_conversations', { query: ordinary[1] }),
  )?.[1]
  const kinds: Record<string, [tool: string, args: object]> = {
    search: ['search_conversations', { query: 'deadlock in the pool' }],
    list: ['list_chats', { limit: 20 }],
    gather: ['gather_chats', { chatIds: [found] }],
    requests: ['list_requests', { sessionId: found }],
    resolve: ['resolve_ids', { chatIdPrefix: found }],
    metrics: ['usage_metrics', {}],
    'metrics by day': ['usage_metrics', { group_by: 'day' }],
    'metrics by tool': ['usage_metrics', { group_by: 'tool' }],
    'metrics by model': ['usage_metrics', { group_by: 'model' }],
    'metrics by source': ['usage_metrics', { group_by: 'source' }],
    'metrics by workspace': ['usage_metrics', { group_by: 'workspace' }],
    evidence: ['collect_evidence', { query: 'deadlock in the pool' }],
    regex: ['search_conversations', { regex: 'worker-\\d+ failed' }],
    export: ['export_chats', { query: 'deadlock pool', format: 'markdown', path: path.join(temp, 'x.md') }],
  }
  const rows: Record<string, object> = {}
  for (const [kind, [tool, args]] of Object.entries(kinds)) {
    const times: Took[] = []
    const began = Date.now()
    const first = await timed(server, tool, args)
    for (let i = 0; i < 5; i++) times.push(await timed(server, tool, args))
    rows[kind] = {
      'first, ms': Math.round(first.wall),
      ...row(times),
      'longest block': longestBlock(blocks, began),
    }
  }
  console.table(rows)
  console.log(`after all kinds of calls ${memory(server)}`)
  const began = Date.now()
  const calls = Number(values.calls)
  for (let turn = 0; turn < calls; turn++) {
    const kind = turn % 10
    if (kind < 4) await server.call('search_conversations', { query: ordinary[turn % ordinary.length] })
    else if (kind < 6) await server.call('list_chats', { limit: 20 })
    else if (kind < 8) await server.call('resolve_ids', { chatIdPrefix: found })
    else if (kind === 8) await server.call('gather_chats', { chatIds: [found] })
    else if (turn % 100 === 9) await server.call('usage_metrics', { group_by: 'day' })
    else await server.call('list_requests', { sessionId: found })
  }
  console.log(`load ${os.loadavg()[0]!.toFixed(1)}`)
  console.log(
    `after ${calls} mixed calls ${memory(server)}; longest block of the thread that serves ${longestBlock(blocks, began)} ms`,
  )
  await server.end()
} finally {
  fs.rmSync(temp, { recursive: true, force: true })
}

interface Took {
  wall: number
  work: number
}

/** Waits until no chat is left that was not looked through for secrets. */
async function lookedThrough(archive: string): Promise<void> {
  const began = performance.now()
  const db = new DatabaseSync(path.join(archive, 'archive.db'), { readOnly: true })
  const left = db.prepare('SELECT count(*) AS chats FROM secret_todo')
  const before = Number(left.get()!.chats)
  while (Number(left.get()!.chats) > 0) await sleep(500)
  db.close()
  const seconds = ((performance.now() - began) / 1000).toFixed(0)
  console.log(`${before} chats were looked through for secrets within ${seconds} s`)
}

function memory(server: Running): string {
  const { processes, rssMB, ownMB } = server.beside()
  const beside =
    processes > 0 ? `; ${processes} beside it ${rssMB.toFixed(0)} MB, ${ownMB.toFixed(0)} their own` : ''
  return `${server.rssMB().toFixed(0)} MB, ${server.ownMB().toFixed(0)} of them its own${beside}`
}

async function timed(server: Running, tool: string, args: object): Promise<Took> {
  const before = server.served().workMs
  const began = performance.now()
  await server.call(tool, args)
  return { wall: performance.now() - began, work: server.served().workMs - before }
}

function row(times: Took[]): object {
  const of = (name: keyof Took, share: number) =>
    Math.round(
      at(
        times.map((took) => took[name]),
        share,
      ) * 10,
    ) / 10
  return {
    'median, ms': of('wall', 0.5),
    'p95, ms': of('wall', 0.95),
    'work, median': of('work', 0.5),
    'work, p95': of('work', 0.95),
  }
}
