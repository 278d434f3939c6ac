import path from 'node:path'
import type { Overview } from '../../archive/archive.ts'
import { listBackups } from '../../archive/backups.ts'
import { sourceName } from '../../sources/names.ts'
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
    const [newest] = listBackups(path.dirname(overview.path))
    const backup = newest && { name: newest.name, createdAt: newest.createdAt, file: newest.file }
    if (options.json) {
      console.log(JSON.stringify({ ...overview, syncing: holder, unknown, backup }))
      return
    }
    console.log(table(overview))
    showUnknown(unknown)
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
    if (overview.readOnly) console.log('The archive is read-only here: nothing new comes in.')
    if (holder) console.log(dim(`Process ${holder.pid} (${holder.purpose}) keeps it in step.`))
    if (overview.forgotten > 0) console.log(dim(`${count(overview.forgotten, 'chat')} forgotten.`))
  })
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
