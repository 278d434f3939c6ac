import type { Archive } from '../../archive/archive.ts'
import { archiveExists } from '../../archive/sqlite/index.ts'
import { type Machine, thisMachine } from '../../platform/machine.ts'
import { EVIDENCE } from '../../sources/source.ts'
import { type SourceReport, sourceReports } from '../../sync/source-report.ts'
import { archiveFolder, type GlobalOptions, withArchive } from '../archive.ts'
import { ago, count, tilde } from '../format.ts'
import { pad, paint } from '../paint.ts'
import { readable as readableOf } from '../readable.ts'

/** Every assistant: where it was looked for, what was found, which versions wrote it, what could not be read. */
export async function sources(options: GlobalOptions): Promise<void> {
  const readable = readableOf(options)
  const report = (archive?: Archive) => sourceReports(readable, archive)
  const isThere = options.sample || archiveExists(archiveFolder(options))
  const rows = isThere ? await withArchive(options, report) : await report()
  if (options.json) console.log(JSON.stringify({ sources: rows }))
  else show(rows, readable.machine)
}

function show(rows: SourceReport[], machine: Machine): void {
  const { bold, dim, green, yellow } = paint(process.stdout)
  const home = machine.home === thisMachine().home ? undefined : machine.home
  const width = Math.max(...rows.map((row) => row.name.length + row.source.length + 3))
  for (const row of rows) {
    const { chats = 0, problems = 0, newestAt } = row.overview ?? {}
    const sign = !row.on
      ? dim('off')
      : chats > 0
        ? green(count(chats, 'chat'))
        : row.found.length > 0
          ? 'no chats'
          : row.closed.length > 0
            ? yellow(row.closed[0]!.how)
            : dim(row.onlyOn ? `on ${row.onlyOn.join(' and ')} only` : 'not on this machine')
    console.log(
      `${pad(`${bold(row.name)} ${dim(`(${row.source})`)}`, width + bold('').length + dim('').length)}  ${sign}${chats > 0 ? dim(`, newest ${ago(newestAt)}`) : ''}`,
    )
    if (row.evidence !== 'seen') console.log(dim(`  ${EVIDENCE[row.evidence]}`))
    for (const path of row.found) console.log(`  ${tilde(path, home)}`)
    for (const path of row.unreadable) console.log(`  ${tilde(path, home)}  ${yellow('cannot be read')}`)
    for (const { path, files, how, next } of row.closed)
      console.log(`  ${tilde(path, home)}  ${yellow(`${how}, ${count(files, 'file')}`)}\n    ${dim(next)}`)
    if (row.found.length === 0 && row.closed.length === 0 && !row.onlyOn)
      console.log(dim(`  looked at ${count(row.looked, 'place')}`))
    if (row.formats.length > 0)
      console.log(
        dim(
          `  written by ${row.formats
            .slice(0, 8)
            .map(({ format, chats: n }) => `${format} (${n})`)
            .join(', ')}`,
        ),
      )
    if (problems > 0)
      console.log(
        yellow(`  ${count(problems, 'record')} could not be read: \`recollect doctor\` tells which`),
      )
  }
  console.log(
    dim('\n`recollect paths` lists every place. config.json switches assistants off and adds home folders.'),
  )
}
