import path from 'node:path'
import { backupsFolder, KEPT } from '../../archive/backups.ts'
import { makeBackup } from '../../archive/sqlite/backup.ts'
import { RecollectError } from '../../model/errors.ts'
import { archiveFolder, type GlobalOptions, withArchive } from '../archive.ts'
import { EXIT } from '../errors.ts'
import { bytes, tilde } from '../format.ts'
import { onInterrupt } from '../interrupt.ts'
import { countingBar } from '../progress.ts'

/** Copies the archive as it is now, and checks the copy. */
export async function backup(folder: string | undefined, options: GlobalOptions): Promise<void> {
  if (folder === '')
    throw new RecollectError('INVALID_ARGUMENT', 'Which folder? Its name is empty.', 'Name one, or none.')
  await withArchive(options, async () => {
    const home = archiveFolder(options)
    const into = folder === undefined ? backupsFolder(home) : path.resolve(folder)
    const bar = countingBar()
    const { signal, done } = onInterrupt()
    try {
      const made = await makeBackup(home, {
        folder: into,
        signal,
        onProgress: ({ done, all }) => bar.show(done, all, 'pages'),
      })
      bar.clear()
      const { removed } = made
      if (options.json) console.log(JSON.stringify({ ...made, verified: true }))
      else {
        console.log(
          `Backed up ${bytes(made.bytes)} to ${tilde(made.file)}: ${bytes(made.addedBytes)} added, all of it read back.`,
        )
        if (removed.length > 0) console.log(`The last ${KEPT} are kept; removed ${removed.join(', ')}.`)
      }
    } catch (error) {
      if (!signal.aborted) throw error
      bar.clear()
      if (options.json) console.log(JSON.stringify({ interrupted: true }))
      else console.log('Stopped. Nothing of this backup was kept.')
      process.exitCode = EXIT.interrupted
    } finally {
      done()
    }
  })
}
