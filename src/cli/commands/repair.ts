import fs from 'node:fs'
import path from 'node:path'
import { openSqliteArchive } from '../../archive/sqlite/index.ts'
import { type DamagedChat, type Repaired, repair as repairArchive } from '../../archive/sqlite/repair.ts'
import { type MendedChat, settle } from '../../archive/sqlite/repair-after.ts'
import { RecollectError } from '../../model/errors.ts'
import { syncOnce } from '../../sync/once.ts'
import { archiveFolder, type GlobalOptions, openArchive } from '../archive.ts'
import { bytes, count, tilde } from '../format.ts'
import { oneLine, paint } from '../paint.ts'
import { countingBar, progressBar } from '../progress.ts'
import { readable } from '../readable.ts'

interface Options extends GlobalOptions {
  dryRun?: boolean
}

/** Makes a sound archive of a damaged one, its backups and the assistants' files, and says what is lost. */
export async function repair(options: Options): Promise<void> {
  const home = archiveFolder(options)
  if (!fs.existsSync(path.join(home, 'archive.db')))
    throw new RecollectError(
      'NO_SESSIONS',
      `There is no archive in ${home}.`,
      '`recollect restore` brings a backup back; `recollect sync` makes a new archive.',
    )
  const bar = countingBar()
  if (await isSound(home, bar)) {
    if (options.json) console.log(JSON.stringify({ damaged: false }))
    else console.log('The archive is sound: nothing to repair.')
    return
  }
  const made = repairArchive(home, {
    dryRun: options.dryRun,
    onProgress: ({ done, all, what }) => bar.show(done, all, what),
  })
  bar.clear()
  const { damaged, ...saved } = made
  const chats = options.dryRun ? damaged : await readAgain(home, damaged, options)
  if (options.json)
    console.log(JSON.stringify({ damaged: true, dryRun: options.dryRun === true, ...saved, chats }))
  else report(made, chats, options)
}

/** All of it is checked first: a sound archive is left alone. */
async function isSound(home: string, bar: ReturnType<typeof countingBar>): Promise<boolean> {
  if (fs.statSync(path.join(home, 'archive.db')).size === 0) return false
  try {
    const archive = openSqliteArchive(home)
    try {
      const findings = await archive.check({
        deep: true,
        onProgress: ({ done, all, what }) => bar.show(done, all, `checks, now ${what}`),
      })
      return findings.length === 0
    } finally {
      await archive.close()
    }
  } catch (error) {
    if ((error as RecollectError).code === 'ARCHIVE_DAMAGED') return false
    throw error
  } finally {
    bar.clear()
  }
}

/** What the assistants' files still have. */
async function readAgain(home: string, damaged: DamagedChat[], options: Options): Promise<MendedChat[]> {
  const bar = progressBar()
  const archive = openArchive(options)
  try {
    await syncOnce({ ...readable(options), archive, onProgress: bar.show })
  } finally {
    bar.clear()
    await archive.close()
  }
  return settle(home, damaged)
}

function report(made: Repaired, chats: (DamagedChat | MendedChat)[], { dryRun }: Options): void {
  const { dim, green, yellow } = paint(process.stdout)
  const fromFiles = chats.reduce((sum, chat) => sum + ('fromFiles' in chat ? chat.fromFiles : 0), 0)
  const came = [
    `${count(made.messages, 'message')} of ${count(made.chats, 'chat')}`,
    ...(made.fromBackups > 0 ? [`${made.fromBackups} of them from ${made.backups.join(', ')}`] : []),
    ...(fromFiles > 0 ? [`${count(fromFiles, 'more message')} from your assistants’ files`] : []),
  ].join(', ')
  console.log(dryRun ? `Could be saved: ${came}.` : `${green('✓')} Repaired: ${came}.`)
  const incomplete = chats.filter(isIncomplete)
  const unknown = unknownIn(made)
  if (unknown) console.log(yellow(`! ${unknown}`))
  else if (incomplete.length === 0) console.log(dryRun ? 'Nothing would be lost.' : 'Nothing is lost.')
  if (incomplete.length > 0) {
    console.log(
      yellow(
        `! ${count(incomplete.length, 'chat')} ${dryRun ? 'would be' : incomplete.length === 1 ? 'is' : 'are'} incomplete:`,
      ),
    )
    for (const chat of incomplete) console.log(lossOf(chat, dryRun === true))
  }
  if (dryRun)
    console.log(
      dim('Nothing was changed. `recollect repair` does it, and reads your assistants’ files again.'),
    )
  else if (made.setAside) console.log(dim(`The damaged archive is kept as ${tilde(made.setAside)}.`))
}

/** What cannot be told chat by chat. */
function unknownIn({ cut, unread }: Repaired): string | undefined {
  if (cut)
    return `The archive ends after ${bytes(cut.bytes)} of ${bytes(cut.of)}: chats that only the rest held cannot be named.`
  return unread ? 'Nothing of the archive could be read: what it held cannot be said.' : undefined
}

function isIncomplete({ missing, unnamed, withoutDetails, withoutHeader }: DamagedChat): boolean {
  return missing.length + unnamed + withoutDetails.length > 0 || withoutHeader
}

function lossOf(chat: DamagedChat, isPlan: boolean): string {
  const { source, id, title, kept, missing, unnamed, withoutDetails, withoutHeader, files } = chat
  const lost = missing.length + unnamed
  const parts = [
    ...(lost > 0 ? [`${lost} of ${count(kept + lost, 'message')} could not be saved`] : []),
    ...(withoutDetails.length > 0
      ? [`${count(withoutDetails.length, 'message')} without what tools were asked and answered`]
      : []),
    ...(withoutHeader ? ['its title and folder are lost'] : []),
  ]
  const hope = isPlan && files.length > 0 ? '; its file is still there, and will be read again' : ''
  return `  ${source}:${id}${title ? `  ${oneLine(title).slice(0, 60)}` : ''}\n    ${parts.join('; ')}${hope}`
}
