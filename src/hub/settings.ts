import fs from 'node:fs'
import path from 'node:path'
import { z } from 'zod'
import { RecollectError } from '../model/errors.ts'
import { changeSmallFile, removeSmallFile, textOf } from '../platform/change-file.ts'
import { lockFile } from '../platform/lock.ts'

const share = z.object({
  /** A folder; what is in it counts too. */
  workspace: z.string().optional(),
  /** A git remote, so that two checkouts are one. */
  repository: z.string().optional(),
  /** Everything: of an own space only. */
  all: z.boolean().optional(),
})
export type Share = z.output<typeof share>

const spaceSchema = z.object({
  id: z.int(),
  name: z.string(),
  kind: z.enum(['own', 'team']),
  /** Of a sealed space, in base64; made of its phrase. None: the phrase was not told yet. */
  key: z.string().optional(),
  sealed: z.boolean(),
  /** What tools answered goes along, not only their names. */
  answers: z.boolean(),
  shares: z.array(share).default([]),
  /** What is no longer shared, and was taken back: where the server lost that, it is taken back again. */
  stopped: z.array(share).optional(),
  /** The database where its rows are, where it is not the hub's own. */
  home: z.string().optional(),
})
export type HubSpace = z.output<typeof spaceSchema>

const address = z.object({
  host: z.string(),
  port: z.int(),
  database: z.string(),
  ca: z.string().optional(),
  tls: z.boolean().optional(),
  insecure: z.boolean().optional(),
})
const login = z.object({ user: z.string(), password: z.string().optional() })

const schema = z.object({
  /** The hub's own id: another one behind the same address is another hub. */
  hub: z.string(),
  address,
  login,
  /** Of whoever runs the hub: to invite and to make spaces. */
  admin: login.optional(),
  person: z.string(),
  /** What this machine is called. */
  label: z.string(),
  spaces: z.array(spaceSchema),
  /** This machine's logins in other databases of the hub. */
  homes: z.record(z.string(), z.object({ hub: z.string(), address, login })).optional(),
  /** Those of whoever runs the hub there. */
  homeAdmins: z.record(z.string(), login).optional(),
})
/** All that this machine knows of its hub, passwords and keys included: a file that is readable for its owner alone. */
export type HubSettings = z.output<typeof schema>

export function hubFile(folder: string): string {
  return path.join(folder, 'hub.json')
}

export function hasHub(folder: string): boolean {
  return fs.existsSync(hubFile(folder))
}

/** Nothing where no hub was joined. */
export function readHub(folder: string): HubSettings | undefined {
  const text = textOf(hubFile(folder))
  return text === undefined ? undefined : parsed(text, hubFile(folder))
}

export function joinedHub(folder: string): HubSettings {
  const settings = readHub(folder)
  if (settings) return settings
  throw notJoined()
}

function notJoined(): RecollectError {
  return new RecollectError(
    'HUB_NOT_JOINED',
    'This machine is in no hub.',
    'Join one with an invitation: recollect hub join <invitation>. Or set one up: recollect hub init <url>.',
  )
}

/** From here on this machine is in that hub. */
export function keepHub(folder: string, settings: HubSettings): void {
  changeSmallFile(hubFile(folder), () => written(settings))
}

/** Two changes at once come one after the other. Of a hub that was left meanwhile nothing is written. */
export function changeHub(folder: string, change: (before: HubSettings) => HubSettings): void {
  const file = hubFile(folder)
  changeSmallFile(file, (text) => {
    if (text === undefined) throw notJoined()
    return written(change(parsed(text, file)))
  })
}

export function changeSpace(folder: string, name: string, change: (space: HubSpace) => HubSpace): void {
  changeHub(folder, (settings) => ({
    ...settings,
    spaces: settings.spaces.map((space) => (space.name === name ? change(space) : space)),
  }))
}

/** What is shared is changed by one command at a time, here and on the hub: the next one finds both in step. */
export async function changingShares<T>(folder: string, work: () => Promise<T>): Promise<T> {
  const lock = await lockFile(path.join(folder, 'hub-shares'), { sparesSilent: true })
  try {
    return await work()
  } finally {
    lock.release()
  }
}

export function spaceCalled(settings: HubSettings, name: string | undefined): HubSpace {
  const space = settings.spaces.find((each) => each.name === name)
  if (space) return space
  if (name === undefined && settings.spaces.length === 1) return settings.spaces[0]!
  throw new RecollectError(
    'INVALID_ARGUMENT',
    name === undefined ? 'Say which space: --space <name>.' : `This machine is in no space called "${name}".`,
    `There are: ${settings.spaces.map((each) => each.name).join(', ') || 'none yet'}.`,
  )
}

export function forgetHub(folder: string): void {
  removeSmallFile(hubFile(folder))
}

function written(settings: HubSettings): string {
  return `${JSON.stringify(settings, null, 2)}\n`
}

function parsed(text: string, file: string): HubSettings {
  try {
    return schema.parse(JSON.parse(text))
  } catch (error) {
    throw new RecollectError(
      'INVALID_CONFIG',
      `${file} cannot be understood: ${(error as Error).message}`,
      'Nothing is shared meanwhile. Correct it, or remove it and join the hub again.',
    )
  }
}
