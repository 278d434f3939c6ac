import { Seen } from '../platform/secrets/seen.ts'
import type { Archive } from './archive.ts'

/** The archive, opened when it is first asked for something, and again where that failed. */
export function openedWhenNeeded(open: () => Promise<Archive>): Archive {
  let opening: Promise<Archive> | undefined
  let known: Archive | undefined
  const opened = (): Promise<Archive> => {
    opening ??= open().catch((error: unknown) => {
      opening = undefined
      throw error
    })
    return opening
  }
  const target: Pick<Archive, 'close' | 'secretsSeen'> = {
    async close() {
      await (await opening)?.close()
      opening = undefined
      known = undefined
    },
    // Answers at once: who has the key of a chat has opened the archive for it.
    secretsSeen: (chat) => known?.secretsSeen(chat) ?? new Seen(0),
  }
  return new Proxy(target as Archive, {
    get(own, name) {
      if (name === 'close' || name === 'secretsSeen') return own[name]
      // Not a promise, though everything in it gives one.
      if (name === 'then') return undefined
      return async (...given: unknown[]) => {
        const archive = await opened()
        known = archive
        return await Reflect.apply(Reflect.get(archive, name), archive, given)
      }
    },
  })
}
