import path from 'node:path'
import type { Overview } from '../../archive/archive.ts'
import { listBackups } from '../../archive/backups.ts'
import { dayOf } from '../../model/day.ts'
import { sourceName } from '../../sources/names.ts'
import type { Vanishing } from '../../sync/vanishing.ts'
import { type GlobalOptions, withArchive } from '../archive.ts'
import { readerOf } from '../call.ts'
import { ago, bytes, count, tilde } from '../format.ts'
import { pad, paint } from '../paint.ts'
import { showUnknown, stillUnknown } from '../unknown.ts'

export async function status(options: GlobalOptions): Promise<void> {
  await withArchive(options, async (archive) => {
    const reader = readerOf(archive, options)
    const overview = await reader.overview()
    const holder = await archive.leaseHolder()
    const unknown = await stillUnknown(reader)
    const gone = await reader.vanishing()
    const [newest] = listBackups(path.dirname(overview.path))
    const backup = newest && { name: newest.name, createdAt: newest.createdAt, file: newest.file }
    if (options.json) {
      console.log(JSON.stringify({ ...overview, syncing: holder, unknown, backup, vanishing: gone }))
      return
    }
    console.log(table(overview))
    showUnknown(unknown)
    for (const line of saidOf(gone)) console.log(line)
    const { dim, red } = paint(process.stdout)
    console.log(
      dim(`${tilde(overview.path)}, ${bytes(overview.bytes)}. Last sync ${ago(overview.lastSyncAt)}.`),
    )
    console.log(
      dim(
        backup
          ? `Newest backup ${ago(backup.createdAt)}: ${tilde(backup.file)}.`
          : 'No backup yet: `recollect backup` makes one, and one is made each week.',
      ),
    )
    for (const what of overview.damage ?? []) console.log(red(`The archive is damaged: ${what}`))
    if (overview.damage) console.log('`recollect repair` saves all that can be read.')
    if (overview.readOnly) console.log('The archive is read-only here: no new chats are added.')
    if (holder) console.log(dim(`Process ${holder.pid} (${holder.purpose}) keeps it up to date.`))
    if (overview.forgotten > 0) console.log(dim(`${count(overview.forgotten, 'chat')} forgotten.`))
  })
}

/** What will be gone where it came from, and that it stays here. */
function saidOf(all: Vanishing[]): string[] {
  const lines = all.flatMap(({ name, retention, nextAt, soon, soonUnarchived }) => {
    if (!retention || nextAt === undefined) return []
    const days = Number.isInteger(retention.days) ? count(retention.days, 'day') : `${retention.days} days`
    const why = retention.isSet ? `${retention.setting} in ${tilde(retention.file)}` : 'by default'
    const when =
      soon > 0
        ? `${count(soon, 'file')} may go within a week, the first on ${dayOf(nextAt)}`
        : `the next may go on ${dayOf(nextAt)}`
    const kept =
      soonUnarchived > 0
        ? `${count(soonUnarchived, 'of them is', 'of them are')} not archived yet: recollect sync`
        : 'The chats stay here'
    return [`${name} deletes chats after ${days} (${why}): ${when}. ${kept}.`]
  })
  const onlyHere = all.reduce((sum, each) => sum + each.onlyHere, 0)
  if (onlyHere > 0)
    lines.push(
      `${count(onlyHere, 'chat')} ${onlyHere === 1 ? 'is' : 'are'} only here: the files are gone. \`recollect revive\` writes one back.`,
    )
  return lines
}

/** What was found per assistant. */
export function table(overview: Overview): string {
  const { bold, yellow } = paint(process.stdout)
  const rows = overview.sources
    .filter((source) => source.chats > 0 || source.problems > 0)
    .map((source) => [
      sourceName(source.source),
      source.chats.toLocaleString('en-US'),
      source.messages.toLocaleString('en-US'),
      ago(source.newestAt),
      ago(source.lastSyncAt),
      source.problems > 0 ? String(source.problems) : '',
    ])
  const all = [
    ['assistant', 'chats', 'messages', 'newest', 'last read', rows.some((row) => row[5]) ? 'problems' : ''],
    ...rows,
    [
      'together',
      overview.chats.toLocaleString('en-US'),
      overview.messages.toLocaleString('en-US'),
      '',
      '',
      '',
    ],
  ]
  const widths = all[0]!.map((_, column) => Math.max(...all.map((row) => row[column]!.length)))
  const lines = all.map((row) =>
    row
      .map((cell, column) =>
        column === 1 || column === 2 ? cell.padStart(widths[column]!) : pad(cell, widths[column]!),
      )
      .join('  ')
      .trimEnd(),
  )
  const problems = overview.sources.reduce((sum, source) => sum + source.problems, 0)
  return [
    bold(lines[0]!),
    ...lines.slice(1),
    ...(problems > 0
      ? [yellow(`${count(problems, 'record')} could not be read: \`recollect doctor\` tells which.`)]
      : []),
  ].join('\n')
}
