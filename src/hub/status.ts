import type { Archive } from '../archive/archive.ts'
import type { RecollectError } from '../model/errors.ts'
import { shownAddress } from './address.ts'
import { openLink, type ServerMachine, type Welcome } from './link.ts'
import { type HubSettings, joinedHub, type Share } from './settings.ts'
import { SpaceMemory, type Trouble } from './state.ts'

export interface HubStatus {
  hub: string
  address: string
  person: string
  machine: string
  /** Whether the server answers now. */
  reachable: boolean
  readOnly?: boolean
  /** Which process of this machine exchanges chats; none: nothing comes or goes until one does, or `hub sync`. */
  exchanging?: { pid: number; since: number }
  trouble?: Omit<Trouble, 'since'>
  spaces: SpaceStatus[]
}

export interface SpaceStatus {
  space: string
  kind: 'own' | 'team'
  sealed: boolean
  shares: Share[]
  /** Messages that are to be looked at for pushing. */
  waiting: number
  /** Chats and messages of others that are here through it. */
  pulledChats: number
  pulledMessages: number
  /** How many numbers of the space's order this machine is behind; missing where the server does not answer. */
  lag?: number
  pushedAt?: number
  pulledAt?: number
  unreadable: number
  trouble?: Trouble
}

/** How this machine and its hub are. Asks the server, and is patient with it for a moment only. */
export async function hubStatus(archive: Archive, folder: string): Promise<HubStatus> {
  const settings = joinedHub(folder)
  const { welcome, trouble } = await welcomed(settings)
  const kept = await archive.spaces()
  const holder = await archive.leaseHolder('hub')
  const spaces: SpaceStatus[] = []
  for (const { id, name, kind, sealed, shares } of settings.spaces) {
    const memory = new SpaceMemory(archive, name)
    await memory.load()
    const told = welcome?.spaces.find((each) => each.id === id)
    const here = kept.find(({ space }) => space === name)
    spaces.push({
      ...{ space: name, kind, sealed, shares },
      waiting: shares.length > 0 && here ? await archive.changesWaiting(memory.pushCursor) : 0,
      pulledChats: here?.chats ?? 0,
      pulledMessages: here?.messages ?? 0,
      ...(told && { lag: Math.max(0, told.head - memory.pulled) }),
      ...(memory.pushedAt !== undefined && { pushedAt: memory.pushedAt }),
      ...(memory.pulledAt !== undefined && { pulledAt: memory.pulledAt }),
      unreadable: memory.unreadable,
      ...(memory.trouble && { trouble: memory.trouble }),
    })
  }
  return {
    hub: settings.hub,
    address: shownAddress(settings.address),
    person: settings.person,
    machine: settings.label,
    reachable: welcome !== undefined,
    ...(welcome?.readOnly && { readOnly: true }),
    ...(holder && { exchanging: { pid: holder.pid, since: holder.since } }),
    ...(trouble && { trouble: { code: trouble.code, message: trouble.message, hint: trouble.hint } }),
    spaces,
  }
}

async function welcomed(settings: HubSettings): Promise<{ welcome?: Welcome; trouble?: RecollectError }> {
  try {
    const link = await openLink(settings, { connectMs: 4_000, queryMs: 4_000 })
    await link.database.close()
    return { welcome: link.welcome }
  } catch (error) {
    return { trouble: error as RecollectError }
  }
}

export interface MemberOf {
  space: string
  members: {
    name: string
    isYou: boolean
    machines: (Omit<ServerMachine, 'pulled'> & { behind?: number })[]
  }[]
}

/** Who is in which space, with which machines, and how far those are. */
export async function hubMembers(folder: string): Promise<MemberOf[]> {
  const link = await openLink(joinedHub(folder))
  await link.database.close()
  const { spaces, people, person } = link.welcome
  return spaces.map((space) => ({
    space: space.name,
    members: people
      .filter((each) => each.spaces?.includes(space.id))
      .map((each) => ({
        name: each.name,
        isYou: each.id === person,
        machines: each.machines
          .filter(({ revoked }) => !revoked)
          .map(({ pulled, ...machine }) => {
            const upTo = pulled?.[space.id]
            return { ...machine, ...(upTo !== undefined && { behind: Math.max(0, space.head - upTo) }) }
          }),
      })),
  }))
}
