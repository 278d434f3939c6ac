import path from 'node:path'
import { RecollectError } from '../../model/errors.ts'
import { Importer } from '../../sync/import.ts'
import type { ImportResult } from '../../sync/import-result.ts'
import { type GlobalOptions, openArchive } from '../archive.ts'
import { EXIT } from '../errors.ts'
import { count, tilde } from '../format.ts'
import { onInterrupt } from '../interrupt.ts'
import { paint } from '../paint.ts'
import { progressBar } from '../progress.ts'

interface Options extends GlobalOptions {
  dryRun?: boolean
}

export async function importFile(target: string, options: Options): Promise<void> {
  if (target === '')
    throw new RecollectError('INVALID_ARGUMENT', 'Which file? Its name is empty.', 'Name a file or a folder.')
  const bar = progressBar()
  const { signal, done } = onInterrupt()
  const started = performance.now()
  const importer = new Importer({
    openArchive: () => openArchive(options),
    dryRun: options.dryRun,
    signal,
    onProgress: bar.show,
  })
  const result = await importer.import(target).finally(() => {
    bar.clear()
    done()
  })
  if (options.json) console.log(JSON.stringify({ ...result, seconds: (performance.now() - started) / 1000 }))
  else say(result, Boolean(options.dryRun))
  if (result.interrupted) process.exitCode = EXIT.interrupted
}

function say(result: ImportResult, dryRun: boolean): void {
  const { sources: rows, problems, interrupted } = result
  const { dim } = paint(process.stdout)
  const n = (value = 0) => value.toLocaleString('en-US')
  for (const row of rows) {
    const chats = count(row.chats, 'chat')
    const messages = count(row.messages, 'message')
    console.log(
      dryRun
        ? `${row.name}: ${chats}, ${messages}.`
        : `${row.name}: ${chats} (${n(row.chatsAdded)} new), ${messages} (${n(row.messagesAdded)} new, ${n(row.messagesChanged)} changed).`,
    )
  }
  for (const line of takenLines(result)) console.log(dim(`  ${line}`))
  const all = Math.max(
    problems.length,
    rows.reduce((sum, row) => sum + row.problems, 0),
  )
  if (all > 0) console.log(`${count(all, 'problem')}:`)
  for (const { path, offset, reason } of problems.slice(0, 5))
    console.log(dim(`  ${path}${offset === undefined ? '' : ` at byte ${offset}`}: ${reason}`))
  if (all > 5) console.log(dim('  … and so on: `recollect import --json` tells more.'))
  if (dryRun) console.log('Nothing was written.')
  if (interrupted) console.log('Stopped. What was imported so far is kept; import it again for the rest.')
}

const SHOWN = 12

/** What each file was taken for, where there are several; of many, folder by folder. */
function takenLines({ taken, files, passedOver }: ImportResult): string[] {
  if (files < 2) return []
  const passed = passedOver > 0 ? [`${count(passedOver, 'file')} of no known kind`] : []
  if (taken.length <= SHOWN)
    return [
      ...taken.map(({ path: file, name, chats }) => `${tilde(file)}: ${name}, ${count(chats, 'chat')}`),
      ...passed,
    ]
  const groups = Map.groupBy(taken, ({ path: file, name }) => `${tilde(path.dirname(file))}: ${name}`)
  const lines = [...groups].map(([group, list]) => `${group}, ${count(list.length, 'file')}`)
  const more =
    lines.length > SHOWN
      ? [`… and ${count(lines.length - SHOWN, 'more folder')} (--json lists the files)`]
      : []
  return [...lines.slice(0, SHOWN), ...more, ...passed]
}
