import { setTimeout as sleep } from 'node:timers/promises'
import type { Lease, LeaseHolder } from '../archive/archive.ts'
import { Syncer, type SyncOptions, type SyncResult } from './sync.ts'

const RENEW_MS = 1_500
const ASK_AGAIN_MS = 200

/** What a process that watches calls its lease, so that others know not to wait for its end. */
export const WATCHING = 'watch'

/**
 * One whole sync. Where another process syncs once, waits for it first; where one watches, the
 * archive is in step already, and who watches is returned.
 */
export async function syncOnce(options: SyncOptions): Promise<SyncResult | { watchedBy: LeaseHolder }> {
  for (;;) {
    options.signal?.throwIfAborted()
    const lease = await options.archive.takeLease('sync')
    if ('holder' in lease) return await holding(lease, options, () => new Syncer(options, lease).syncAll())
    if (lease.purpose === WATCHING) return { watchedBy: lease }
    await sleep(ASK_AGAIN_MS, undefined, { signal: options.signal })
  }
}

/** Does `work` while the lease is kept alive, and gives it back at the end. */
export async function holding<T>(
  lease: Lease,
  { archive }: Pick<SyncOptions, 'archive'>,
  work: () => Promise<T>,
): Promise<T> {
  const renewing = setInterval(() => void archive.renewLease(lease).catch(() => {}), RENEW_MS)
  try {
    return await work()
  } finally {
    clearInterval(renewing)
    await archive.releaseLease(lease)
  }
}
