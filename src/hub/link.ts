import { RecollectError } from '../model/errors.ts'
import { packageVersion } from '../platform/package-root.ts'
import type { Address } from './address.ts'
import { connect, type Database, type Patience } from './database.ts'
import { plainWriting, type SealOf, sealedWriting, type Writing } from './seal.ts'
import type { HubSettings, HubSpace } from './settings.ts'

/** A space as the server tells of it. */
export interface ServerSpace {
  id: number
  name: string
  kind: 'own' | 'team'
  head: number
  epoch: number
  answers: boolean
  seal: SealOf | null
  /** The database where its rows are, where it is not this one. */
  home: string | null
  push: boolean
  admin: boolean
  /** The number of this machine's last batch. */
  pushed: number
  /** It does not have what this machine said that it has. Older servers do not tell. */
  lost?: boolean
}

interface ServerPerson {
  id: number
  name: string
  spaces: number[] | null
  machines: ServerMachine[]
}

export interface ServerMachine {
  key: number
  label: string
  revoked: boolean
  seen: string | null
  version: string | null
  /** How far it is, by space. */
  pulled: Record<string, number> | null
}

/** What a server says to begin with. */
export interface Welcome {
  hub: string
  version: number
  readOnly: boolean
  functions: Record<string, number>
  person: number
  machine: number
  name: string
  spaces: ServerSpace[]
  people: ServerPerson[]
  /** Other databases in which spaces of this person are, by their names. */
  homes?: Record<string, ServerHome>
}

interface ServerHome {
  address: Address
  /** The id of the hub that answers there. */
  hub: string
  login: string
  /** For the first time: this machine replaces it. */
  password: string | null
}

/** How far this machine is, as it tells the server. */
export type SpaceProgress = Record<number, { pushed: number; pulled: number; epoch: number }>

/** A connection that the server has welcomed. */
export interface Link {
  database: Database
  welcome: Welcome
}

export interface HelloOptions extends Patience {
  /** Earlier sessions of this machine are refused from here on: for who pushes. */
  fence?: boolean
  told?: SpaceProgress
  /** How own spaces are sealed from now on, by their ids: of those that are not yet. */
  seals?: Record<number, SealOf>
  /** Databases of spaces in which this machine has a password of its own now. */
  entered?: string[]
}

/** Where a machine goes, and as whom. */
export type Place = Pick<HubSettings, 'hub' | 'address' | 'login' | 'label'>

export async function openLink(settings: Place, options: HelloOptions = {}): Promise<Link> {
  const database = await connect(settings.address, settings.login, options)
  try {
    return { database, welcome: await hello(database, settings, options) }
  } catch (error) {
    await database.close()
    throw error
  }
}

export async function hello(
  database: Database,
  { hub, label }: Pick<HubSettings, 'hub' | 'label'>,
  { fence = false, told = {}, seals, entered }: HelloOptions = {},
): Promise<Welcome> {
  const [row] = await database.query<{ told: Welcome }>('SELECT hub.hello_1($1) AS told', [
    {
      ...{ version: packageVersion(), label, fence, spaces: told },
      ...(seals && { seals }),
      ...(entered && { entered }),
    },
  ])
  const welcome = row!.told
  if (hub !== '' && welcome.hub !== hub) {
    throw new RecollectError(
      'HUB_OTHER',
      'Another hub answers at this address than the one that was joined.',
      'If it was set up again, leave it and join again: recollect hub leave, recollect hub join <invitation>.',
    )
  }
  const missing = ['push', 'pull', 'forget'].find((name) => !((welcome.functions[name] ?? 0) >= 1))
  if (missing) {
    throw new RecollectError(
      'HUB_NOT_SET_UP',
      `The hub there is of another version: it knows no ${missing} of this one.`,
      'Update Recollect on this machine, or the hub: recollect hub init <url>.',
    )
  }
  return welcome
}

/** How ids and bodies of a space are written. */
export function writingOf(space: HubSpace): Writing {
  // Never in the clear, though nobody else reads it: that is what was promised.
  if (!space.sealed && space.kind === 'own') throw notSealedYet(space)
  if (!space.sealed) return plainWriting
  if (space.key) return sealedWriting(Buffer.from(space.key, 'base64'), String(space.id))
  throw new RecollectError(
    'HUB_NO_PHRASE',
    `"${space.name}" is sealed, and this machine does not have its key phrase.`,
    `Tell it: recollect hub phrase --space "${space.name}".`,
  )
}

function notSealedYet({ name }: HubSpace): RecollectError {
  return new RecollectError(
    'HUB_NO_PHRASE',
    `"${name}" has no key phrase yet, and nothing is sent there without one.`,
    `Choose it: recollect hub phrase --space "${name}".`,
  )
}
