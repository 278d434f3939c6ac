import { openedWhenNeeded } from '../archive/opened.ts'
import { News } from '../server/change-feed.ts'
import type { Shared } from '../server/shared.ts'

/** What a server shares, with an archive that must not be opened: who does hears why. */
export function unopened(why: string): Shared {
  const archive = openedWhenNeeded(async () => {
    throw new Error(why)
  })
  return {
    archive,
    env: {},
    readable: async () => ({ sources: [], machine: { platform: 'linux', home: '/', env: {} } }),
    capabilities: async () => [],
    syncing: () => undefined,
    news: new News(archive),
  }
}
