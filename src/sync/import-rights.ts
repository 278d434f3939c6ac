import fs from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Archive, Lease } from '../archive/archive.ts'
import type { Chat } from '../model/chat.ts'
import { RecollectError } from '../model/errors.ts'

const BUSY_MS = 10_000
const ASK_AGAIN_MS = 200
/** Below the rank of everything that is read where its assistant keeps it; exports below session files. */
const RANK_OF_EXPORTS = -100_000_000_000
export const RANK_OF_SESSIONS = -10_000_000_000

/** The right to import; waits a while for whoever has it. */
export async function takeLease(archive: Archive, signal: AbortSignal): Promise<Lease> {
  const since = performance.now()
  for (;;) {
    const lease = await archive.takeLease('import', 'import')
    if ('holder' in lease) return lease
    if (performance.now() - since > BUSY_MS) {
      throw new RecollectError(
        'ARCHIVE_BUSY',
        `Process ${lease.pid} (${lease.purpose}) is writing to the archive.`,
        'End it, or try again when it is done.',
      )
    }
    await sleep(ASK_AGAIN_MS, undefined, { signal })
  }
}

/** Of two exports that tell a message differently the one is right in which its chat is newer. */
export function rankOfExport({ updatedAt, createdAt }: Chat): number {
  const seconds = Math.floor((updatedAt ?? createdAt ?? 0) / 1000)
  return RANK_OF_EXPORTS + Math.min(Math.max(seconds, 0), -RANK_OF_EXPORTS - 1)
}

/** One name for a file, whichever links lead to it; it may not be there. */
export function realPath(file: string): string {
  try {
    return path.join(fs.realpathSync(path.dirname(file)), path.basename(file))
  } catch {
    return file
  }
}
