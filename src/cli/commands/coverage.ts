import { type CoverageRow, coverage } from '../../sync/coverage.ts'
import { readableBy } from '../../sync/readable.ts'
import { archiveFolder, type GlobalOptions, machineOf, withArchive } from '../archive.ts'
import { count } from '../format.ts'
import { onInterrupt } from '../interrupt.ts'
import { oneLine, paint } from '../paint.ts'
import { progressBar } from '../progress.ts'

const KINDS_SHOWN = 8

/** `doctor --coverage`: what is in the assistants' files, and what of it is archived. */
export async function showCoverage(options: GlobalOptions): Promise<void> {
  const bar = progressBar()
  const { signal, done } = onInterrupt()
  const rows = await withArchive(options, (archive) =>
    coverage(readableBy(archiveFolder(options), machineOf(options)), archive, {
      signal,
      onProgress: bar.show,
    }),
  ).finally(() => {
    bar.clear()
    done()
  })
  if (options.json) console.log(JSON.stringify({ coverage: rows }))
  else show(rows)
}

function show(rows: CoverageRow[]): void {
  const { bold, dim, green, yellow } = paint(process.stdout)
  for (const { name, version, files, chats, records, turns } of rows) {
    const read = version === undefined && chats === 0 ? 'files without a chat' : (version ?? '')
    console.log(
      `${bold(`${name} ${oneLine(read)}`.trim())}  ${dim(`${count(files, 'file')}, ${count(chats, 'chat')}`)}`,
    )
    const missing = turns.counted - turns.archived
    console.log(
      `  ${missing > 0 ? yellow('!') : green('✓')} said by you: ${turns.counted} counted, ${turns.archived} archived`,
    )
    for (const fate of ['used', 'ignored', 'unknown'] as const) {
      if (records[fate].length === 0) continue
      const line = `  ${fate.padEnd(7)}  ${listed(records[fate])}`
      console.log(fate === 'unknown' ? yellow(line) : dim(line))
    }
  }
  const unknown = rows.flatMap(({ records }) => records.unknown).length
  const missing = rows.filter(({ turns }) => turns.counted > turns.archived).length
  if (rows.length === 0)
    console.log('No assistant was found on this machine: `recollect paths` tells where it was looked.')
  else if (unknown + missing === 0)
    console.log(green('✓ Every kind of record is known, and nothing you said is missing.'))
  if (unknown > 0)
    console.log(
      yellow(
        `! ${count(unknown, 'kind')} of records ${unknown === 1 ? 'is' : 'are'} not known to this version. A newer one may read more.`,
      ),
    )
  if (missing > 0)
    console.log(
      yellow(
        '! More was counted than is archived: run `recollect sync`; what stays missing was forgotten, or is a defect to report.',
      ),
    )
}

function listed(kinds: { kind: string; records: number }[]): string {
  const shown = kinds.slice(0, KINDS_SHOWN).map(({ kind, records }) => `${oneLine(kind)} ${records}`)
  const more =
    kinds.length > KINDS_SHOWN ? `, … ${kinds.length - KINDS_SHOWN} more kinds (--json lists them)` : ''
  return shown.join(', ') + more
}
