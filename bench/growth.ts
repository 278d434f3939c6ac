/**
 * The lines of the growth table in docs/benchmarks.md, for one size: `node bench/growth.ts MESSAGES --keep FOLDER`.
 * Makes `home-N` and `archive-N` in FOLDER where they are not there, then runs each bench in a process of its own.
 * On a quiet machine; a million messages take an hour.
 */
import { spawnSync } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { parseArgs } from 'node:util'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { keep: { type: 'string' }, only: { type: 'string' } },
})
const messages = positionals[0] ?? '30000'
const folder = path.resolve(values.keep ?? fs.mkdtempSync(path.join(os.tmpdir(), 'recollect-growth-')))
const kept = ['--messages', messages, '--keep', folder]
const LINES: [name: string, args: string[]][] = [
  ['sync', [messages]],
  ['fresh', kept],
  ['search', kept],
  ['serving', [path.join(folder, `archive-${messages}`), '--calls', '10000']],
  ['mcp', [asPlace()]],
  ['beside', kept],
  ['idle', kept],
  ['page', ['--messages', messages]],
]

let failed = 0
for (const [name, args] of LINES) {
  if (values.only && values.only !== name) continue
  console.log(`\n== ${name}: node bench/${name}.ts ${args.join(' ')} (load ${os.loadavg()[0]!.toFixed(1)})`)
  const { status } = spawnSync(process.execPath, [path.join(import.meta.dirname, `${name}.ts`), ...args], {
    stdio: 'inherit',
  })
  if (status !== 0) failed++
}
process.exitCode = failed > 0 ? 1 : 0

/** As bench/mcp.ts wants it. It writes to chats and archive: the server keeps them in step. */
function asPlace(): string {
  const place = path.join(folder, `place-${messages}`)
  fs.mkdirSync(place, { recursive: true })
  for (const name of ['home', 'archive']) {
    const link = path.join(place, name)
    // Also where it leads nowhere yet, since they are made later.
    if (!fs.lstatSync(link, { throwIfNoEntry: false }))
      fs.symlinkSync(path.join(folder, `${name}-${messages}`), link)
  }
  return place
}
