import { sources } from '../sources/index.ts'
import { syncOnce } from '../sync/once.ts'
import { machineOf, openArchive } from './archive.ts'

/** Reads the made-up chats that come with the package, in the assistants' own formats, into an archive of their own. */
export async function fillSampleArchive(): Promise<void> {
  const archive = openArchive({ sample: true })
  try {
    await syncOnce({ archive, sources, machine: machineOf({ sample: true }) })
  } finally {
    await archive.close()
  }
}
