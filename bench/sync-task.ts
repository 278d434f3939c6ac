/** One measurement of bench/sync.ts, in a process of its own: prints its figures as JSON. */
import fs from 'node:fs'
import path from 'node:path'
import type { Lease } from '../src/archive/archive.ts'
import { openSqliteArchive } from '../src/archive/sqlite/index.ts'
import { LESS_MEMORY, setFlags } from '../src/platform/little-memory.ts'
import type { Machine } from '../src/platform/machine.ts'
import { sources } from '../src/sources/index.ts'
import { discover, existingRoots } from '../src/sync/discover.ts'
import { Syncer } from '../src/sync/sync.ts'
import { appendMessage } from './corpus.ts'
import { cpuOf } from './small/measured.ts'

const [task, home = '', folder = ''] = process.argv.slice(2)
const machine: Machine = { platform: 'linux', home, env: {} }

const tasks: Record<string, () => Promise<Record<string, number>>> = {
  /** The raw limit: every byte read and every line parsed, and nothing else done. */
  async parse() {
    return { bytes: parseAll() }
  },

  /** The same by code that is compiled: the median of many turns, which varies little. */
  async 'parse, warm'() {
    return { medianMs: await medianOfMany(parseAll) }
  },

  async full() {
    // As `recollect sync` does.
    setFlags(LESS_MEMORY)
    const { syncer, close } = await open()
    const { bytes, added } = await syncer.syncAll()
    await close()
    return { bytes, messages: added }
  },

  async unchanged() {
    return { files: await syncUnchanged() }
  },

  async 'unchanged, warm'() {
    return { medianMs: await medianOfMany(syncUnchanged) }
  },

  /** What one more line costs a process that watches: from the event to the commit. */
  async append() {
    const { syncer, close } = await open()
    await syncer.syncAll()
    const claude = sources.find((source) => source.id === 'claude-code')!
    const [root] = existingRoots(claude, machine)
    const units = discover(claude, root!)
    const times: number[] = []
    for (let n = 0; n < 20; n++) {
      const unit = units[Math.floor((n / 20) * units.length)]!
      appendMessage(home, unit.path)
      const cpuMs = await cpuOf(async () => {
        const changed = await syncer.changed([
          { source: claude, machine, unit: { ...unit, stat: fs.statSync(unit.path) } },
        ])
        const { added } = await syncer.syncUnits(changed)
        if (added !== 1) throw new Error(`${added} messages were added, not one`)
      })
      times.push(cpuMs)
    }
    await close()
    times.sort((a, b) => a - b)
    return { medianMs: times[10]!, worstMs: times[19]! }
  },
}

/** CPU milliseconds of one turn of many: the code is compiled after the first few. */
async function medianOfMany(work: () => unknown): Promise<number> {
  const times: number[] = []
  for (let turn = 0; turn < 15; turn++) times.push(await cpuOf(work))
  return times.sort((a, b) => a - b)[7]!
}

/** A sync by a process that has just opened the archive, when there is nothing new; the files that were looked at. */
async function syncUnchanged(): Promise<number> {
  const { syncer, close } = await open()
  const { unchanged, read } = await syncer.syncAll()
  await close()
  if (read > 0) throw new Error(`${read} files were read again`)
  return unchanged
}

function parseAll(): number {
  let bytes = 0
  for (const file of fs
    .globSync('**/*.jsonl', { cwd: home })
    .concat(fs.globSync('.*/**/*.jsonl', { cwd: home }))) {
    const text = fs.readFileSync(path.join(home, file), 'utf8')
    bytes += Buffer.byteLength(text)
    for (const line of text.split('\n')) if (line) JSON.parse(line)
  }
  return bytes
}

async function open() {
  const archive = openSqliteArchive(folder)
  const lease = (await archive.takeLease('bench')) as Lease
  const syncer = new Syncer({ archive, sources, machine }, lease)
  return {
    syncer,
    async close() {
      await archive.releaseLease(lease)
      await archive.close()
    },
  }
}

const began = performance.now()
const start = process.cpuUsage()
const figures = await tasks[task!]!()
const { user, system } = process.cpuUsage(start)
const wallMs = performance.now() - began
console.log(
  JSON.stringify({
    ...figures,
    wallMs,
    cpuMs: (user + system) / 1000,
    peakMB: process.resourceUsage().maxRSS / 1024,
  }),
)
