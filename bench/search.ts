/**
 * How fast and how large search is, beside plain FTS5 and ripgrep over the same text.
 *
 *   node bench/search.ts [--messages 30000,300000,1000000] [--keep FOLDER]
 *
 * Makes archives of generated chats (kept in FOLDER if given), then asks queries in a process that
 * does nothing else. Times are the best of three for each query, then median and 95th percentile.
 */
import { fork, spawnSync } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { parseArgs } from 'node:util'
import { rolldown } from 'rolldown'
import { openSqliteArchive } from '../src/archive/sqlite/index.ts'
import { sources } from '../src/sources/index.ts'
import { syncOnce } from '../src/sync/once.ts'
import { writeCorpus } from './corpus.ts'
import type { Outcome } from './search-task.ts'

const { values } = parseArgs({
  options: { messages: { type: 'string', default: '30000,300000' }, keep: { type: 'string' } },
})
const folder = values.keep ?? fs.mkdtempSync(path.join(os.tmpdir(), 'recollect-bench-'))

const task = await bundled()
const hasRipgrep = spawnSync('rg', ['--version']).status === 0

console.log(
  `node ${process.version}, ${os.cpus()[0]?.model}, ${os.cpus().length} cores, ${new Date().toISOString().slice(0, 10)}\n`,
)
for (const messages of values.messages.split(',').map(Number)) await measure(messages)
if (!values.keep) fs.rmSync(folder, { recursive: true, force: true })

async function measure(messages: number): Promise<void> {
  const home = path.join(folder, `home-${messages}`)
  const archiveFolder = path.join(folder, `archive-${messages}`)
  if (!fs.existsSync(home)) writeCorpus(home, { messages })
  if (!fs.existsSync(archiveFolder)) await sync(home, archiveFolder)
  const { bytes, index } = sizes(archiveFolder)
  const source = folderBytes(home)
  console.log(`${messages} messages, ${mb(source)} of files`)
  console.log(
    `  archive ${mb(bytes)}, of which index ${mb(index)} = ${(index / source).toFixed(3)} of the files`,
  )
  const ours = await asked(archiveFolder, 'search')
  const fts = await asked(archiveFolder, 'fts5')
  const rows = Object.keys(ours.times).map((kind) => ({
    query: kind,
    'p50 ms': ours.times[kind]![0],
    'p95 ms': ours.times[kind]![1],
    'fts5 p50': fts.times[kind]?.[0],
    'fts5 p95': fts.times[kind]?.[1],
    ...(hasRipgrep && { 'ripgrep ms': ripgrep(home, ours.examples[kind]!) }),
  }))
  console.table(rows)
  console.log(
    `  first answer ${ours.first} ms after start; memory ${ours.rss} MB, at most ${ours.mostRss} MB (fts5 ${fts.rss} MB)\n`,
  )
}

/** The task as JavaScript, as it is in the package: reading TypeScript takes memory of its own. */
async function bundled(): Promise<string> {
  const bundle = await rolldown({ input: path.join(import.meta.dirname, 'search-task.ts'), platform: 'node' })
  await bundle.write({ dir: path.join(folder, 'task'), format: 'esm', entryFileNames: 'task.mjs' })
  await bundle.close()
  const data = path.join(import.meta.dirname, '..', 'data')
  for (const name of fs.readdirSync(data))
    fs.copyFileSync(path.join(data, name), path.join(folder, 'task', name))
  return path.join(folder, 'task', 'task.mjs')
}

async function sync(home: string, archiveFolder: string): Promise<void> {
  const archive = openSqliteArchive(archiveFolder)
  const before = process.cpuUsage()
  await syncOnce({ archive, sources, machine: { platform: 'linux', home, env: {} } })
  const { user, system } = process.cpuUsage(before)
  console.log(`  synced in ${((user + system) / 1e6).toFixed(1)} CPU seconds`)
  await archive.close()
}

function asked(archiveFolder: string, engine: 'search' | 'fts5'): Promise<Outcome> {
  return new Promise((resolve, reject) => {
    const child = fork(task, [archiveFolder, engine])
    child.once('message', (outcome) => resolve(outcome as Outcome))
    child.once('error', reject)
    child.once('exit', (code) => reject(new Error(`the search ended with ${code}`)))
  })
}

function sizes(archiveFolder: string): { bytes: number; index: number } {
  const file = path.join(archiveFolder, 'archive.db')
  const db = new DatabaseSync(file, { readOnly: true })
  const index = db
    .prepare(`SELECT sum(pgsize) AS bytes FROM dbstat WHERE name LIKE 'word\\_%' ESCAPE '\\'`)
    .get()!
  db.close()
  return { bytes: fs.statSync(file).size, index: Number(index.bytes) }
}

function folderBytes(home: string): number {
  return fs
    .readdirSync(home, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, entry) => sum + fs.statSync(path.join(entry.parentPath, entry.name)).size, 0)
}

function ripgrep(home: string, query: string): number {
  const words = query.replace(/[*"]/g, '').split(' ')
  const start = performance.now()
  // Exit code 1 says that nothing was found.
  spawnSync('rg', ['-i', '-l', '--hidden', ...words.flatMap((word) => ['-e', word]), home], {
    maxBuffer: 1e9,
  })
  return Math.round(performance.now() - start)
}

function mb(bytes: number): string {
  return `${(bytes / 1e6).toFixed(0)} MB`
}
