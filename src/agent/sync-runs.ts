import { setTimeout as sleep } from 'node:timers/promises'
import type { Archive } from '../archive/archive.ts'
import type { Machine } from '../platform/machine.ts'
import { recollectAgent } from '../sources/recollect-agent/index.ts'
import { discover, existingRoots } from '../sync/discover.ts'
import { holding, WATCHING } from '../sync/once.ts'
import { Syncer } from '../sync/sync.ts'

const ASK_AGAIN_MS = 100
const PATIENCE_MS = 5_000

/**
 * Brings the agent's own dialogs into the archive at once. Where somebody watches, that happens
 * anyway; where somebody syncs at length, the next sync does it. Nothing is said about when all
 * assistants were last synced: the others are not looked at.
 */
export async function syncRuns(archive: Archive, machine: Machine): Promise<void> {
  const patience = Date.now() + PATIENCE_MS
  for (;;) {
    const lease = await archive.takeLease('sync')
    if ('holder' in lease) {
      const options = { archive, machine, sources: [recollectAgent] }
      await holding(lease, options, async () => {
        const syncer = new Syncer(options, lease)
        const units = existingRoots(recollectAgent, machine).flatMap((root) => discover(recollectAgent, root))
        await syncer.syncUnits(
          await syncer.changed(units.map((unit) => ({ source: recollectAgent, unit, machine }))),
        )
      })
      return
    }
    if (lease.purpose === WATCHING || Date.now() > patience) return
    await sleep(ASK_AGAIN_MS)
  }
}
