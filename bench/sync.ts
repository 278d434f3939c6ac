/**
 * How fast chats get into the archive and out again: `node bench/sync.ts [messages …]`.
 * Each measurement runs in a process of its own, a full sync and a search by the built command, as people run it; ratios
 * compare with reading and parsing the same bytes in the same run, so that they hold on any machine.
 */
import { execFileSync } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { built } from './built.ts'
import { needles, writeCorpus } from './corpus.ts'

const root = path.join(import.meta.dirname, '..')
const sizes = process.argv.slice(2).map(Number)
const results: ReturnType<typeof measure>[] = []

for (const messages of sizes.length > 0 ? sizes : [30_000, 300_000]) {
  const temp = fs.mkdtempSync(path.join(os.tmpdir(), 'recollect-bench-'))
  try {
    results.push(measure(messages, temp))
  } finally {
    fs.rmSync(temp, { recursive: true, force: true })
  }
}

const folder = path.join(root, 'bench', 'results')
fs.mkdirSync(folder, { recursive: true })
fs.writeFileSync(
  path.join(folder, 'sync.json'),
  JSON.stringify({ at: new Date().toISOString(), machine: machineLine(), results }, null, 2),
)
console.log(machineLine())
const names = Object.keys(results[0]!) as (keyof (typeof results)[number])[]
const columns = (name: (typeof names)[number]) =>
  results.map((result) => [`${result.messages / 1000} k`, result[name]])
console.table(Object.fromEntries(names.map((name) => [name, Object.fromEntries(columns(name))])))

function measure(messages: number, temp: string) {
  const [home, archive] = [path.join(temp, 'home'), path.join(temp, 'archive')]
  const bin = built(path.join(temp, 'package'))
  const { bytes } = writeCorpus(home, { messages })
  const parse = best(() => task('parse', home, archive))
  const full = fullSync(bin, home, archive)
  const unchanged = best(() => task('unchanged', home, archive))
  const append = task('append', home, archive)
  const search = best(() => coldSearch(bin, home, archive))
  const size = fs
    .readdirSync(archive)
    .reduce((sum, name) => sum + fs.statSync(path.join(archive, name)).size, 0)
  return {
    messages,
    'source MB': round(bytes / 1e6),
    'parse only, CPU s': round(parse.cpuMs! / 1000),
    'full sync, CPU s': round(full.cpuMs! / 1000),
    'full sync, s': round(full.wallMs! / 1000),
    'full sync, MB/s': round(bytes / 1e3 / full.wallMs!),
    'sync / parse': round(full.cpuMs! / parse.cpuMs!),
    'peak MB': Math.round(full.peakMB!),
    'unchanged, ms': Math.round(unchanged.wallMs!),
    'one line, CPU ms': round(append.medianMs!),
    'worst line, CPU ms': round(append.worstMs!),
    'cold search, ms': Math.round(search.wallMs!),
    'archive / source': round(size / bytes),
  }
}

function task(name: string, home: string, archive: string): Record<string, number> {
  return JSON.parse(
    execFileSync(process.execPath, [path.join(root, 'bench', 'sync-task.ts'), name, home, archive], {
      encoding: 'utf8',
    }),
  )
}

function fullSync(bin: string, home: string, archive: string): Record<string, number> {
  const spent = path.join(home, '..', 'spent.json')
  const hook = path.join(root, 'bench', 'spent-hook.mjs')
  execFileSync(process.execPath, [bin, 'sync'], {
    stdio: 'ignore',
    env: { ...userOf(home, archive), SPENT_FILE: spent, NODE_OPTIONS: `--import ${hook}` },
  })
  return JSON.parse(fs.readFileSync(spent, 'utf8'))
}

/** From starting the command to its answer. */
function coldSearch(bin: string, home: string, archive: string): Record<string, number> {
  const [needle] = needles
  const began = performance.now()
  const out = execFileSync(process.execPath, [bin, 'search', needle!.query, '--json'], {
    encoding: 'utf8',
    env: userOf(home, archive),
  })
  if (JSON.parse(out).results.length === 0) throw new Error('nothing was found')
  return { wallMs: performance.now() - began }
}

function userOf(home: string, archive: string): Record<string, string> {
  return { PATH: process.env.PATH ?? '', HOME: home, RECOLLECT_HOME: archive }
}

function best(work: () => Record<string, number>): Record<string, number> {
  return [work(), work(), work()].reduce((a, b) => (b.wallMs! < a.wallMs! ? b : a))
}

function round(n: number): number {
  return Number(n.toPrecision(3))
}

function machineLine(): string {
  return `${os.cpus()[0]?.model.trim()}, ${os.cpus().length} cores, Node ${process.version}, load ${os.loadavg()[0]!.toFixed(1)}`
}
