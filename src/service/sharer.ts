import type { HubSettings, HubSpace, Share } from '../hub/settings.ts'
import type { SharePreview } from '../hub/share.ts'
import type { HubStatus } from '../hub/status.ts'
import type { Service } from './answering.ts'
import type { Caller } from './caller.ts'
import { passing } from './passing.ts'

/** What is shared with which space of the hub, which only the owner may see and decide. */
export type Sharer = ReturnType<typeof sharerFor>

/** `folder` is where the archive and the hub's settings lie. */
export function sharerFor(service: Service, caller: Caller, folder: string) {
  const does = <T>(work: () => Promise<T>) => passing(service, caller, ['configure'], work)
  const { archive } = service
  const inSpace = async <T>(
    name: string,
    work: (settings: HubSettings, space: HubSpace) => Promise<T>,
  ): Promise<T> => {
    const { joinedHub, spaceCalled } = await import('../hub/settings.ts')
    const settings = joinedHub(folder)
    return await work(settings, spaceCalled(settings, name))
  }
  return {
    /** Nothing where this machine is in no hub. */
    status: (): Promise<HubStatus | undefined> =>
      does(async () => {
        const { hasHub } = await import('../hub/settings.ts')
        if (!hasHub(folder)) return undefined
        const { hubStatus } = await import('../hub/status.ts')
        return await hubStatus(archive, folder)
      }),
    /** What would be shared; nothing is. */
    preview: (space: string, share: Share): Promise<SharePreview> =>
      does(async () => {
        const { previewShare } = await import('../hub/share.ts')
        return await inSpace(space, (settings, known) => previewShare(archive, settings, known, share))
      }),
    share: (space: string, share: Share): Promise<void> =>
      does(async () => {
        const { addShare } = await import('../hub/share.ts')
        await inSpace(space, (settings, known) => addShare(archive, folder, settings, known, share))
      }),
    /** Says how many chats are removed there. */
    unshare: (space: string, share: Share): Promise<number> =>
      does(async () => {
        const { stopShare } = await import('../hub/share.ts')
        return await inSpace(space, (settings, known) => stopShare(archive, folder, settings, known, share))
      }),
  }
}
