import path from 'node:path'
import type { Archive } from '../archive/archive.ts'
import { archiveExists, isReadOnly, openSqliteArchive } from '../archive/sqlite/index.ts'
import { RecollectError } from '../model/errors.ts'
import { log } from '../platform/log.ts'
import { type Machine, recollectHome, thisMachine } from '../platform/machine.ts'
import { packageRoot } from '../platform/package-root.ts'

export interface GlobalOptions {
  sample?: boolean
  json?: boolean
}

/** The machine that is read: this one, or the made-up one of the sample archive. */
export function machineOf({ sample }: GlobalOptions): Machine {
  if (!sample) return thisMachine()
  const home = path.join(packageRoot(), 'sample')
  // Where the context file is has nothing to do with whose chats are read.
  const { WORKSPACE, CONTEXT_FILE_NAME } = thisMachine().env
  return {
    platform: 'linux',
    home,
    env: { RECOLLECT_HOME: archiveFolder({ sample }), WORKSPACE, CONTEXT_FILE_NAME },
  }
}

export function archiveFolder({ sample }: GlobalOptions): string {
  const home = recollectHome(thisMachine())
  return sample ? path.join(home, 'sample') : home
}

/** The archive to write to, made where there is none. */
export function openArchive(options: GlobalOptions): Archive {
  const folder = archiveFolder(options)
  const archive = openSqliteArchive(folder)
  if (isReadOnly(folder))
    log('warn', `the archive in ${folder} is read-only: it is searched and read, and no new chats are added`)
  return archive
}

/** Brings the sample archive up to date. */
export async function readSample(): Promise<void> {
  const { fillSampleArchive } = await import('./sample.ts')
  await fillSampleArchive(openArchive({ sample: true }), machineOf({ sample: true }))
}

/** Does `work` with the archive, which must be there already. */
export async function withArchive<T>(
  options: GlobalOptions,
  work: (archive: Archive) => Promise<T>,
): Promise<T> {
  if (options.sample) await readSample()
  else if (!archiveExists(archiveFolder(options))) {
    throw new RecollectError(
      'NO_SESSIONS',
      'Nothing has been synced yet.',
      'Run `recollect sync` first, or try the sample archive: `recollect --sample search deadlock`.',
    )
  }
  const archive = openArchive(options)
  try {
    return await work(archive)
  } finally {
    await archive.close()
  }
}
