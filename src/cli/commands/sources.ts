import type { Archive, SourceOverview } from '../../archive/archive.ts'
import { archiveExists } from '../../archive/sqlite/index.ts'
import { type Machine, thisMachine } from '../../platform/machine.ts'
import { sources as allSources } from '../../sources/index.ts'
import type { Source } from '../../sources/source.ts'
import { archiveFolder, type GlobalOptions, withArchive } from '../archive.ts'
import { ago, count, tilde } from '../format.ts'
import { pad, paint } from '../paint.ts'
import { readable } from '../readable.ts'
import { stateOf } from './paths.ts'

interface Row {
  source: string
  name: string
  on: boolean
  /** Places that are there, on this machine and in added home folders. */
  found: string[]
  /** How many places were looked at. */
  looked: number
  unreadable: string[]
  formats: { format: string; chats: number }[]
  overview?: SourceOverview
}

/** Every assistant: where it was looked for, what was found, which versions wrote it, what could not be read. */
export async function sources(options: GlobalOptions): Promise<void> {
  const { sources: on, machine, homes } = readable(options)
  const rows = allSources.map((source) => rowOf(source, on.includes(source), [machine, ...homes]))
  if (options.sample || archiveExists(archiveFolder(options)))
    await withArchive(options, (archive) => fill(rows, archive))
  if (options.json) console.log(JSON.stringify({ sources: rows }))
  else show(rows, machine)
}

function rowOf(source: Source, on: boolean, machines: Machine[]): Row {
  const places = machines
    .flatMap((machine) => source.roots(machine))
    .map(({ path }) => ({ path, state: stateOf(path) }))
  return {
    source: source.id,
    name: source.name,
    on,
    looked: places.length,
    found: places.filter(({ state }) => state === 'found').map(({ path }) => path),
    unreadable: places.filter(({ state }) => state === 'unreadable').map(({ path }) => path),
    formats: [],
  }
}

async function fill(rows: Row[], archive: Archive): Promise<void> {
  const { sources: overviews } = await archive.overview()
  const formats = await archive.formats()
  for (const row of rows) {
    row.overview = overviews.find(({ source }) => source === row.source)
    row.formats = formats
      .filter(({ source }) => source === row.source)
      .map(({ format, chats }) => ({ format, chats }))
  }
}

function show(rows: Row[], machine: Machine): void {
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
          : dim('not on this machine')
    console.log(
      `${pad(`${bold(row.name)} ${dim(`(${row.source})`)}`, width + bold('').length + dim('').length)}  ${sign}${chats > 0 ? dim(`, newest ${ago(newestAt)}`) : ''}`,
    )
    for (const path of row.found) console.log(`  ${tilde(path, home)}`)
    for (const path of row.unreadable) console.log(`  ${tilde(path, home)}  ${yellow('cannot be read')}`)
    if (row.found.length === 0) console.log(dim(`  looked at ${count(row.looked, 'place')}`))
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
