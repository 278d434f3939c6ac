/** Asks queries of one archive and tells how long the answers took. Run by search.ts in a process of its own. */
import fs from 'node:fs'
import path from 'node:path'
import { openSqliteArchive } from '../src/archive/sqlite/index.ts'
import { LITTLE_MEMORY, setFlags } from '../src/platform/little-memory.ts'
import { searchConversations } from '../src/search/search.ts'
import { fts5, makeQueries } from './search-queries.ts'

export interface Outcome {
  /** Median and 95th percentile by kind of query, in milliseconds. */
  times: Record<string, [number, number]>
  examples: Record<string, string>
  first: number
  rss: number
  mostRss: number
}

setFlags(LITTLE_MEMORY)
const [folder, engine] = process.argv.slice(2) as [string, 'search' | 'fts5']
const QUERIES = path.join(folder, 'queries.json')
const REPEATS = 3
const started = performance.now()
const run = engine === 'search' ? await ours() : await fts5(folder)
const queries = JSON.parse(fs.readFileSync(QUERIES, 'utf8')) as Record<string, string[]>
await run(Object.values(queries)[0]![0]!)
const first = Math.round(performance.now() - started)
for (const list of Object.values(queries)) for (const query of list.slice(0, 5)) await run(query)
const times: Outcome['times'] = {}
const examples: Outcome['examples'] = {}
for (const [kind, list] of Object.entries(queries)) {
  const taken: number[] = []
  for (const query of list) {
    let best = Number.POSITIVE_INFINITY
    for (let i = 0; i < REPEATS; i++) {
      const start = performance.now()
      await run(query)
      best = Math.min(best, performance.now() - start)
    }
    taken.push(best)
  }
  taken.sort((a, b) => a - b)
  times[kind] = [
    rounded(taken[Math.floor(taken.length / 2)]!),
    rounded(taken[Math.floor(taken.length * 0.95)]!),
  ]
  examples[kind] = list[0]!
}
const rss = Math.round(process.memoryUsage.rss() / 1e6)
const mostRss = Math.round(process.resourceUsage().maxRSS / 1000)
process.send?.({ times, examples, first, rss, mostRss } satisfies Outcome)
process.disconnect?.()

async function ours(): Promise<(query: string) => Promise<unknown>> {
  const archive = openSqliteArchive(folder)
  if (!fs.existsSync(QUERIES)) fs.writeFileSync(QUERIES, JSON.stringify(await makeQueries(archive)))
  return (query) =>
    searchConversations(archive, {
      intent_query: query.replace(/~$/, ''),
      ...(query.endsWith('~') && { precision_mode: 'fuzzy' }),
    })
}

function rounded(ms: number): number {
  return Math.round(ms * 10) / 10
}
