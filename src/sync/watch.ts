import { setTimeout as sleep } from 'node:timers/promises'
import type { Machine } from '../platform/machine.ts'
import type { Root, Source, Unit } from '../sources/source.ts'
import { discover, existingRoots, type FoundUnit } from './discover.ts'
import { looked, statOf } from './look.ts'
import { holding, WATCHING } from './once.ts'
import { type Job, MuchToDo, machinesOf, nameOf, Syncer, type SyncOptions, type SyncResult } from './sync.ts'
import { type Listing, watchRoot } from './watch-root.ts'

/** Changes are gathered for so long before they are read: an assistant writes many lines in a burst. */
export const GATHER_MS = 80
/** How often a missing root, or a lease that another process holds, is asked for again. */
const ASK_AGAIN_MS = 500
/** From when on it is asked for less often: its first chat is found two seconds after it came, at the latest. */
const LATER_MS = 60_000
/** While chats are left to be looked through for secrets, which whoever searches waits for: a quarter of a core until that is done. */
const BETWEEN_LOOKS_MS = 150
/** A root that cannot be watched is looked at so often. */
const UNHEARD_MS = 60_000
/** File systems lose events now and then: everything is looked at again after so many times what a look takes. */
const LOOK_AT_ALL = { times: 2_000, least: 60_000, most: 600_000 }
/** The same where the system gave no more watches. */
const LOOK_BLIND = { times: 50, least: 2_000, most: 60_000 }

/** While nothing changes, a little of the archive is checked so often. */
const CHECK_MS = 60_000
/** Who leaves much to others looks through chats for secrets so many times, a twentieth of a second each; what is left then is much. */
const FEW_LOOKS = 10

export interface WatchOptions extends SyncOptions {
  signal: AbortSignal
  onSynced?: (result: SyncResult) => void
  /** How often a little of the archive is checked while nothing changes. */
  checkMs?: number
  /** How often a root that cannot be watched is looked at. */
  unheardMs?: number
  /** Another process has the lease: it syncs, this one waits to take over. */
  onWaiting?: (pid: number) => void
  /** Ends as soon as nothing is left to do. */
  endsWhenCalm?: boolean
}

/** Why watching ended before its signal: there is much to do for who takes that over, or nothing is left. */
export type Left = 'much' | 'nothing'

/**
 * Keeps the archive in step until the signal: a change on disk is in the archive within a second.
 * One process does this at a time; the others wait, and one of them takes over when it dies.
 */
export async function watch(options: WatchOptions): Promise<Left | undefined> {
  const { archive, signal, onWaiting } = options
  let toldPid: number | undefined
  while (!signal.aborted) {
    const lease = await archive.takeLease(WATCHING)
    if ('holder' in lease) {
      try {
        await holding(lease, options, () => keepInStep(new Syncer(options, lease), options))
        if (!signal.aborted) return 'nothing'
      } catch (error) {
        if (error instanceof MuchToDo) return 'much'
        // Asleep for too long, the lease went to another process: line up again.
        if ((error as { code?: string }).code !== 'LEASE_LOST') throw error
      }
      continue
    }
    if (toldPid !== lease.pid) onWaiting?.(lease.pid)
    toldPid = lease.pid
    await sleep(ASK_AGAIN_MS, undefined, { signal }).catch(() => {})
  }
  return undefined
}

/** Until the signal, or where that is wanted until nothing is left to do. */
async function keepInStep(syncer: Syncer, options: WatchOptions): Promise<void> {
  const { sources, signal, onSynced, archive, checkMs = CHECK_MS, unheardMs = UNHEARD_MS } = options
  let looks = 0
  let checkedAt = Date.now()
  const dirty = new Map<string, Touched>()
  const watched = new Map<string, { folder?: string; close(): void }>()
  const beganAt = Date.now()
  const unheard = new Map<string, () => void>()
  let lookedAt = 0
  let lookedAtUnheard = beganAt
  let often = LOOK_AT_ALL
  let pause = new AbortController()
  signal.addEventListener('abort', () => pause.abort(), { once: true })

  const takeDirty = (waits: (name: string) => boolean = () => false): Job[] => {
    const taken = [...dirty].filter(([name]) => !waits(name))
    for (const [name] of taken) dirty.delete(name)
    return taken.flatMap(([, touched]) => asNow(touched))
  }
  syncer.urgent = takeDirty
  /** The roots that were not watched before, with what is below them. */
  const watchNewRoots = (): Map<string, Listing | undefined> => {
    const listings = new Map<string, Listing | undefined>()
    for (const machine of machinesOf(options)) {
      for (const source of sources) {
        for (const root of looked(machine.home, () => existingRoots(source, machine)) ?? []) {
          const name = nameOf({ source, unit: root })
          const folder = folderAt(root.path)
          if (watched.get(name)?.folder === folder) continue
          watched.get(name)?.close()
          const listener = hear(source, root, machine)
          const watching =
            root.watched === false ? undefined : looked(root.path, () => watchRoot(source, root, listener))
          watched.set(name, { folder, close: watching?.close ?? (() => {}) })
          listings.set(name, watching?.listing)
          if (watching) unheard.delete(name)
          else
            unheard.set(name, () => listener.onUnits(looked(root.path, () => discover(source, root)) ?? []))
        }
      }
    }
    return listings
  }
  const hear = (source: Source, root: Root, machine: Machine) => ({
    onUnits(units: FoundUnit[]) {
      for (const unit of units.flatMap((each): Unit[] => [each, ...(source.standIns?.(each) ?? [])]))
        dirty.set(nameOf({ source, unit }), { source, unit, machine })
      if (units.length > 0) pause.abort()
    },
    onLost() {
      watched.get(nameOf({ source, unit: root }))?.close()
      watched.delete(nameOf({ source, unit: root }))
    },
    onBlind() {
      often = LOOK_BLIND
    },
  })

  try {
    while (!signal.aborted) {
      // First watch, then look: nothing falls between.
      const began = performance.now()
      const listings = watchNewRoots()
      if (listings.size > 0) syncer.lookMs = Math.max(syncer.lookMs, performance.now() - began)
      const lookAgain = Math.min(often.most, Math.max(often.least, often.times * syncer.lookMs))
      if (Date.now() - lookedAtUnheard > unheardMs) {
        for (const look of unheard.values()) look()
        lookedAtUnheard = Date.now()
      }
      if (listings.size > 0 || Date.now() - lookedAt > lookAgain || (await syncer.isBehind())) {
        lookedAt = Date.now()
        const result = await syncer.syncAll(listings)
        onSynced?.(result)
      } else if (dirty.size > 0) {
        await sleep(GATHER_MS)
        const result = await syncer.syncUnits(await syncer.changed(takeDirty()))
        if (result.read > 0) onSynced?.(result)
      } else {
        if (Date.now() - checkedAt >= checkMs) {
          await archive.checkSome(syncer.lease)
          checkedAt = Date.now()
        }
        await archive.finishForgetting(syncer.lease)
        const isLooking = await archive.lookForSecrets(syncer.lease)
        looks = isLooking ? looks + 1 : 0
        if (options.leavesMuch && looks > FEW_LOOKS) throw new MuchToDo()
        if (options.endsWhenCalm && !isLooking && dirty.size === 0) return
        pause = new AbortController()
        if (signal.aborted) break
        const askAgain = Date.now() - beganAt < LATER_MS ? ASK_AGAIN_MS : 4 * ASK_AGAIN_MS
        await sleep(isLooking ? BETWEEN_LOOKS_MS : askAgain, undefined, { signal: pause.signal }).catch(
          () => {},
        )
      }
    }
  } finally {
    for (const each of watched.values()) each.close()
  }
}

/** Tells a folder from another one that came in its place: a watch stays with the one that it began with. */
function folderAt(path: string): string | undefined {
  const stat = statOf(path)
  return stat && (stat.isDirectory() ? `${stat.dev} ${stat.ino}` : '')
}

type Touched = Omit<Job, 'unit'> & { unit: Unit }

function asNow({ source, unit, machine }: Touched): Job[] {
  const stat = statOf(unit.path)
  return stat ? [{ source, unit: { ...unit, stat }, machine }] : []
}
