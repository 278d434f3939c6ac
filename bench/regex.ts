/**
 * How fast regular expressions are searched for, beside ripgrep over the same text.
 *
 *   node bench/regex.ts [--messages 30000] [--archive FOLDER] [--rg PATH]
 *
 * Writes what is searched of each chat to a file of its own for ripgrep. The least of some searches: CPU time of all threads,
 * and from beginning to end. Ours are warm from the second search on, as they are in a server. Ripgrep is asked
 * for the names of the files (\`-l\`), with as many threads as it likes, and with one (\`-j1\`).
 */
import { spawnSync } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { parseArgs } from 'node:util'
import type { Archive, WordField } from '../src/archive/archive.ts'
import { openSqliteArchive } from '../src/archive/sqlite/index.ts'
import { toolText } from '../src/model/tool-text.ts'
import { regexSearch } from '../src/search/regex.ts'
import { sources } from '../src/sources/index.ts'
import { syncOnce } from '../src/sync/once.ts'
import { writeCorpus } from './corpus.ts'

const { values } = parseArgs({
  options: {
    messages: { type: 'string', default: '30000' },
    archive: { type: 'string' },
    rg: { type: 'string', default: 'rg' },
  },
})
const FIELDS: WordField[] = ['said', 'thought', 'tools']
/** A word that is nowhere, one that is in many chats, one in any case, no letters at all, and many matches. */
const PATTERNS = [
  'zzzqqqxyz',
  'worker-\\d+ failed',
  '[a-z]+Error: [a-z ]+timeout',
  'E[A-Z]+_\\d{4}',
  '\\d{4}-\\d\\d-\\d\\d',
]
const REPEATS = 5

const temp = fs.mkdtempSync(path.join(os.tmpdir(), 'recollect-bench-'))
try {
  const archive = values.archive ? openSqliteArchive(values.archive) : await filled()
  const megabytes = await writeTexts(archive)
  console.log(`${megabytes.toFixed(1)} MB of text`)
  const hasRipgrep = spawnSync(values.rg, ['--version']).status === 0
  const rows: Record<string, unknown>[] = []
  for (const pattern of PATTERNS) {
    const ours = await best(async () => {
      const before = process.cpuUsage()
      const started = performance.now()
      const { total } = await regexSearch(
        archive,
        { regex: pattern },
        { fields: FIELDS, most: 10, perChat: 3, clean: (value) => value },
      )
      const { user, system } = process.cpuUsage(before)
      return { cpu: (user + system) / 1000, wall: performance.now() - started, total }
    })
    const theirs = hasRipgrep ? await best(async () => ripgrep(pattern)) : undefined
    const byOne = hasRipgrep ? await best(async () => ripgrep(pattern, '-j1')) : undefined
    rows.push({
      pattern,
      chats: ours.total,
      'CPU ms': Math.round(ours.cpu),
      ms: Math.round(ours.wall),
      ...(theirs &&
        byOne && {
          'rg files': theirs.total,
          'rg CPU': Math.round(theirs.cpu),
          'rg ms': Math.round(theirs.wall),
          '-j1 CPU': Math.round(byOne.cpu),
          '-j1 ms': Math.round(byOne.wall),
          'CPU ours / -j1': ratio(ours.cpu, byOne.cpu),
          'ms ours / -j1': ratio(ours.wall, byOne.wall),
          'ms ours / rg': ratio(ours.wall, theirs.wall),
        }),
    })
  }
  console.table(rows)
  await archive.close()
} finally {
  fs.rmSync(temp, { recursive: true, force: true })
}
// Threads wait a while for the next search.
process.exit()

interface Run {
  cpu: number
  wall: number
  total: number
}

function ratio(ours: number, theirs: number): number {
  return Math.round((ours / theirs) * 10) / 10
}

/** The least of each. */
async function best(run: () => Promise<Run>): Promise<Run> {
  let least = await run()
  for (let i = 1; i < REPEATS; i++) {
    const next = await run()
    least = {
      cpu: Math.min(least.cpu, next.cpu),
      wall: Math.min(least.wall, next.wall),
      total: next.total,
    }
  }
  return least
}

function ripgrep(pattern: string, ...options: string[]): Run {
  const isCased = /[A-Z]/.test(pattern.replace(/\\./g, ''))
  const wanted = ['-l', isCased ? '-s' : '-i', ...options, '-e', pattern, temp]
  const timed = spawnSync('bash', ['-c', 'TIMEFORMAT="%U %S %R"; time "$@"', '-', values.rg, ...wanted], {
    encoding: 'utf8',
    maxBuffer: 1e9,
  })
  const [user = 0, system = 0, real = 0] = timed.stderr.trim().split(' ').map(Number)
  return { cpu: (user + system) * 1000, wall: real * 1000, total: timed.stdout.split('\n').length - 1 }
}

async function filled(): Promise<Archive> {
  const home = path.join(temp, '.home')
  writeCorpus(home, { messages: Number(values.messages) })
  const archive = openSqliteArchive(path.join(temp, '.archive'))
  await syncOnce({ archive, sources, machine: { platform: 'linux', home, env: {} } })
  return archive
}

/** Hidden folders, as the archive's, are not searched by ripgrep. */
async function writeTexts(archive: Archive): Promise<number> {
  let characters = 0
  for (const chat of await archive.listChats({ subagents: true }, { limit: 1e9 })) {
    const text = (await archive.messages(chat))
      .map((message) =>
        [message.text, message.thinking ?? '', toolText(message, Number.POSITIVE_INFINITY)].join('\n'),
      )
      .join('\n')
    characters += text.length
    fs.writeFileSync(path.join(temp, `${chat.key}.txt`), text)
  }
  return characters / 1e6
}
