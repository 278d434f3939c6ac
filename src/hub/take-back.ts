import type { Archive, ArchivedChat } from '../archive/archive.ts'
import { openSpace } from './home.ts'
import { hello, writingOf } from './link.ts'
import { forgetAll, type Named } from './push.ts'
import { changeHub, type HubSettings, type HubSpace, joinedHub, type Share } from './settings.ts'

/**
 * Ends shares, then takes back what they brought to the hub: in this order, so that whoever pushes meanwhile is
 * refused, and finds that they have ended. Where it fails it is still there: so that it can be tried once more, it is
 * still shared.
 */
export async function withShares(
  archive: Archive,
  folder: string,
  sharesOf: (space: HubSpace) => Share[],
  takeBack: (settings: HubSettings) => Promise<number>,
): Promise<number> {
  const before = joinedHub(folder)
  changeShares(folder, sharesOf)
  try {
    return await takeBack(joinedHub(folder))
  } catch (error) {
    changeShares(folder, (space) => before.spaces.find(({ id }) => id === space.id)?.shares ?? space.shares)
    // What was passed over meanwhile is shared again.
    for (const { name, shares } of before.spaces) if (shares.length > 0) await archive.pushFromTheStart(name)
    throw error
  }
}

function changeShares(folder: string, sharesOf: (space: HubSpace) => Share[]): void {
  changeHub(folder, (settings) => ({
    ...settings,
    spaces: settings.spaces.map((space) => ({ ...space, shares: sharesOf(space) })),
  }))
}

/** The chats that were read on this machine. */
export async function ownChats(archive: Archive): Promise<ArchivedChat[]> {
  const all = await archive.listChats({ subagents: true }, { limit: Number.MAX_SAFE_INTEGER })
  return all.filter(({ origin }) => origin === undefined)
}

/** Removes own chats from a space that are no longer shared with it, and says how many were there. */
export async function takeBackFrom(
  folder: string,
  settings: HubSettings,
  space: HubSpace,
  meant: () => Promise<Named[]>,
): Promise<number> {
  // Without its phrase, or a phrase at all, nothing can have been sent there from here.
  if (space.sealed ? !space.key : space.kind === 'own') return 0
  const { database, welcome } = await openSpace(folder, settings, space)
  try {
    // Who may only read has nothing there.
    if (!welcome.spaces.some(({ id, push }) => id === space.id && push)) return 0
    // A batch of what was shared before is waited for, and removed with the rest; one that comes later is refused.
    await hello(database, { hub: '', label: settings.label }, { fence: true })
    // Asked for only now: of what was sent, each was archived before.
    const chats = await meant()
    return await forgetAll({ database, space, writing: writingOf(space) }, chats, 'forgotten')
  } finally {
    await database.close()
  }
}
