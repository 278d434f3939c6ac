import type { Archive } from '../archive/archive.ts'
import type { Machine } from '../platform/machine.ts'
import { sources } from '../sources/index.ts'
import { syncOnce } from '../sync/once.ts'

/** Reads the made-up chats that come with the package, in the assistants' own formats, into an archive of their own. */
export async function fillSampleArchive(archive: Archive, machine: Machine): Promise<void> {
  try {
    await syncOnce({ archive, sources, machine })
  } finally {
    await archive.close()
  }
}
