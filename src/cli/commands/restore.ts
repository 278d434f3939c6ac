import fs from 'node:fs'
import path from 'node:path'
import { type Backup, backupsIn, listBackups } from '../../archive/backups.ts'
import { restore } from '../../archive/sqlite/restore.ts'
import { RecollectError } from '../../model/errors.ts'
import { archiveFolder, type GlobalOptions } from '../archive.ts'
import { ago, count, dateTime, tilde } from '../format.ts'

interface Options extends GlobalOptions {
  list?: boolean
}

/** Brings a backup back; the present archive is set aside. */
export async function restoreBackup(which: string | undefined, options: Options): Promise<void> {
  const home = archiveFolder(options)
  const known = listBackups(home)
  if (options.list) {
    if (options.json) console.log(JSON.stringify({ backups: known }))
    else if (known.length === 0) console.log('There is no backup yet. `recollect backup` makes one.')
    else
      for (const { name, createdAt, file } of known)
        console.log(`${name}  ${dateTime(createdAt)}  ${tilde(file)}`)
    return
  }
  const chosen = which === undefined ? known[0] : (named(known, which) ?? backupAt(which))
  if (!chosen)
    throw new RecollectError(
      'NO_BACKUP',
      which === undefined ? 'There is no backup yet.' : `There is no backup ${which}.`,
      which === undefined
        ? '`recollect backup` makes one.'
        : '`recollect restore --list` shows those there are.',
    )
  const { setAside, forgotten, redacted } = restore(home, chosen)
  if (options.json) console.log(JSON.stringify({ restored: chosen, setAside, forgotten, redacted }))
  else {
    console.log(`Restored ${chosen.name}, made ${ago(chosen.createdAt)}.`)
    if (setAside) console.log(`The archive that was there is kept as ${tilde(setAside)}.`)
    if (forgotten)
      console.log(
        `${count(forgotten, 'chat')} of it that you forgot since stayed out; the backup still has the words (\`recollect forget --copies rewrite\`).`,
      )
    if (redacted)
      console.log(
        `Secrets that you took out since were taken out of ${count(redacted, 'chat')} of it again; the backup still has them (\`recollect redact --at-rest\`).`,
      )
    console.log('`recollect sync` reads what your assistants wrote since.')
  }
}

function named(known: Backup[], which: string): Backup | undefined {
  return known.find(({ name, file }) => name === which || file === path.resolve(which))
}

/** A folder of backups, a backup's file, or a plain copy of an archive. */
function backupAt(which: string): Backup | undefined {
  const file = path.resolve(which)
  const stat = fs.statSync(file, { throwIfNoEntry: false })
  if (!stat) return undefined
  if (stat.isDirectory()) return backupsIn(file)[0]
  const listed = backupsIn(path.dirname(file)).find((each) => each.file === file)
  if (listed) return listed
  const folder = path.dirname(file)
  return { name: path.basename(file), kind: 'before-update', file, folder, createdAt: stat.mtimeMs }
}
