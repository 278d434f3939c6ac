import type { Archive } from '../archive/archive.ts'
import type { Caller, Capability, Deps } from '../capabilities/capability.ts'
import type { Machine } from '../platform/machine.ts'
import type { Source } from '../sources/source.ts'
import type { BehindState } from '../sync/behind.ts'
import type { News } from './news.ts'

/** What all connections of one process share. Code is loaded when it is first needed: a client waits for the greeting only. */
export interface Shared {
  archive: Archive
  /** Of this process: says where the client works. */
  env: Machine['env']
  /** What is read, and of which machine: the sample archive has one of its own. */
  readable(): Promise<{ sources: Source[]; machine: Machine }>
  /** Those that are offered, sorted by name. */
  capabilities(): Promise<Capability[]>
  /** The most characters of an answer; without it, what the client is known to take. */
  maxChars?: number
  /** How the syncing behind stands; nothing where this process does not sync. Begins it where it has not begun. */
  syncing(): BehindState | undefined
  news: News
}

export async function depsOf({ archive, readable }: Shared, caller: Caller): Promise<Deps> {
  const { sources, machine } = await readable()
  return { archive, machine, sources, caller }
}

/** The archive, opened when it is first asked for something, and again where that failed. */
export function openedWhenNeeded(open: () => Promise<Archive>): Archive {
  let opening: Promise<Archive> | undefined
  const opened = (): Promise<Archive> => {
    opening ??= open().catch((error: unknown) => {
      opening = undefined
      throw error
    })
    return opening
  }
  const target: Pick<Archive, 'close'> = {
    async close() {
      await (await opening)?.close()
      opening = undefined
    },
  }
  return new Proxy(target as Archive, {
    get(known, name) {
      if (name === 'close') return known.close
      // Not a promise, though everything in it gives one.
      if (name === 'then') return undefined
      return async (...given: unknown[]) => {
        const archive = await opened()
        return await Reflect.apply(Reflect.get(archive, name), archive, given)
      }
    },
  })
}
