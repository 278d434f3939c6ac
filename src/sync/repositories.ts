import type { Archive, Lease } from '../archive/archive.ts'
import { gitRemote } from './git-remote.ts'

/** A folder that chats go on in is asked again after so long: remotes are renamed. */
const ASK_AGAIN_MS = 10 * 60_000

/**
 * Finds out which repository the folders of these chats are checkouts of, each once in a while; without any, of all
 * chats whose folder was never asked.
 */
export async function noteRepositories(
  archive: Archive,
  lease: Lease,
  chats?: Iterable<number>,
): Promise<void> {
  const folders = await archive.unaskedFolders(Date.now() - ASK_AGAIN_MS, chats)
  if (folders.length === 0) return
  await archive.noteRemotes(
    folders.map((folder) => ({ folder, remote: gitRemote(folder) })),
    lease,
  )
}
