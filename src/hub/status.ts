import type { Archive } from '../archive/archive.ts'
import { RecollectError } from '../model/errors.ts'
import { shownAddress } from './address.ts'
import { welcomesOf } from './home.ts'
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
  /** In how many milliseconds it answered. */
  answeredMs?: number
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
  /** The database where its rows are, where it is not the hub's own. */
  home?: string
  shares: Share[]
  /** Messages that are to be looked at for pushing. */
  waiting: number
  /** How far the first push, or another look at everything, is: in messages of this machine. */
  sending?: Counted
  /** How far a pull is: in changes of the space. */
  receiving?: Counted
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

export interface Counted {
  done: number
  all: number
}

/** How this machine and its hub are. Asks the server, and is patient with it for a moment only. */
export async function hubStatus(archive: Archive, folder: string): Promise<HubStatus> {
  const settings = joinedHub(folder)
  const { welcome, homes, trouble, answeredMs } = await welcomed(folder, settings)
  const kept = await archive.spaces()
  const holder = await archive.leaseHolder('hub')
  const spaces: SpaceStatus[] = []
  for (const { id, name, kind, sealed, shares, home } of settings.spaces) {
    const memory = new SpaceMemory(archive, name)
    await memory.load()
    const there = home === undefined ? welcome : homes?.get(home)
    const told = there && 'spaces' in there ? there.spaces.find((each) => each.id === id) : undefined
    const wrong = there instanceof RecollectError ? { ...saidTrouble(there), since: Date.now() } : undefined
    const said = memory.trouble ?? wrong
    const here = kept.find(({ space }) => space === name)
    const waiting = shares.length > 0 && here ? await archive.changesWaiting(memory.pushCursor) : 0
    const all = waiting > 0 ? await archive.changesWaiting(undefined) : 0
    const lag = told && Math.max(0, told.head - memory.pulled)
    spaces.push({
      ...{ space: name, kind, sealed, shares, ...(home && { home }) },
      waiting,
      ...(waiting > 0 && { sending: { done: Math.max(0, all - waiting), all } }),
      ...(lag && { receiving: { done: told.head - lag, all: told.head } }),
      pulledChats: here?.chats ?? 0,
      pulledMessages: here?.messages ?? 0,
      ...(lag !== undefined && { lag }),
      ...(memory.pushedAt !== undefined && { pushedAt: memory.pushedAt }),
      ...(memory.pulledAt !== undefined && { pulledAt: memory.pulledAt }),
      unreadable: memory.unreadable,
      ...(said && { trouble: said }),
    })
  }
  return {
    hub: settings.hub,
    address: shownAddress(settings.address),
    person: settings.person,
    machine: settings.label,
    reachable: welcome !== undefined,
    ...(answeredMs !== undefined && { answeredMs }),
    ...(welcome?.readOnly && { readOnly: true }),
    ...(holder && { exchanging: { pid: holder.pid, since: holder.since } }),
    ...(trouble && { trouble: saidTrouble(trouble) }),
    spaces,
  }
}

function saidTrouble({ code, message, hint }: RecollectError): Omit<Trouble, 'since'> {
  return { code, message, hint }
}

const PATIENCE = { connectMs: 4_000, queryMs: 4_000 }

async function welcomed(
  folder: string,
  settings: HubSettings,
): Promise<{ welcome?: Welcome; homes?: Homes; trouble?: RecollectError; answeredMs?: number }> {
  const began = performance.now()
  try {
    const link = await openLink(settings, PATIENCE)
    const answeredMs = Math.round(performance.now() - began)
    try {
      return { welcome: link.welcome, answeredMs, homes: await welcomesOf(folder, link, PATIENCE) }
    } finally {
      await link.database.close()
    }
  } catch (error) {
    return { trouble: error as RecollectError, homes: await welcomesOf(folder, undefined, PATIENCE) }
  }
}

type Homes = Awaited<ReturnType<typeof welcomesOf>>

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
  const homes = await welcomesOf(folder, link).finally(() => link.database.close())
  const { spaces, people, person } = link.welcome
  return spaces.map((space) => {
    const there = space.home === null ? link.welcome : homes.get(space.home)
    const told = there && 'spaces' in there ? there : undefined
    const head = told?.spaces.find(({ id }) => id === space.id)?.head
    const machinesThere = told?.people.flatMap(({ machines }) => machines) ?? []
    const behind = (key: number) => {
      const upTo = machinesThere.find((machine) => machine.key === key)?.pulled?.[space.id]
      return upTo === undefined || head === undefined ? {} : { behind: Math.max(0, head - upTo) }
    }
    return {
      space: space.name,
      members: people
        .filter((each) => each.spaces?.includes(space.id))
        .map((each) => ({
          name: each.name,
          isYou: each.id === person,
          machines: each.machines
            .filter(({ revoked }) => !revoked)
            .map(({ pulled: _, ...machine }) => ({ ...machine, ...behind(machine.key) })),
        })),
    }
  })
}
