import type { Archive } from './archive.ts'

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
