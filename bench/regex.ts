/**
 * How fast regular expressions are searched for, beside ripgrep over the same text.
 *
 *   node bench/regex.ts [--messages 30000] [--archive FOLDER] [--rg PATH]
 *
 * Writes what is searched of each chat to a file of its own for ripgrep. CPU time is of all threads; the threads
 * are warm from the second search on, as they are in a server.
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
const REPEATS = 3

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
      const { total } = await regexSearch(
        archive,
        { regex: pattern },
        { fields: FIELDS, most: 10, perChat: 3, clean: (value) => value },
      )
      const { user, system } = process.cpuUsage(before)
      return { cpu: (user + system) / 1000, total }
    })
    const theirs = hasRipgrep ? await best(async () => ripgrep(pattern)) : undefined
    rows.push({
      pattern,
      chats: ours.total,
      'CPU ms': Math.round(ours.cpu),
      ...(theirs && {
        'rg files': theirs.total,
        'rg CPU ms': Math.round(theirs.cpu),
        'ours / rg': Math.round((ours.cpu / theirs.cpu) * 10) / 10,
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
  total: number
}

async function best(run: () => Promise<Run>): Promise<Run> {
  let least = await run()
  for (let i = 1; i < REPEATS; i++) {
    const next = await run()
    if (next.cpu < least.cpu) least = next
  }
  return least
}

function ripgrep(pattern: string): Run {
  const isCased = /[A-Z]/.test(pattern.replace(/\\./g, ''))
  const timed = spawnSync(
    'bash',
    ['-c', 'TIMEFORMAT="%U %S"; time "$@"', '-', values.rg, '-l', isCased ? '-s' : '-i', '-e', pattern, temp],
    { encoding: 'utf8', maxBuffer: 1e9 },
  )
  const [user = 0, system = 0] = timed.stderr.trim().split(' ').map(Number)
  return { cpu: (user + system) * 1000, total: timed.stdout.split('\n').length - 1 }
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
