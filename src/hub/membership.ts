import { randomBytes } from 'node:crypto'
import os from 'node:os'
import type { Archive } from '../archive/archive.ts'
import { RecollectError } from '../model/errors.ts'
import { connect } from './database.ts'
import { type Invitation, readInvitation } from './invitation.ts'
import { hello, openLink, type ServerSpace, type Welcome } from './link.ts'
import type { Named } from './push.ts'
import { scramOf } from './scram.ts'
import { newPhrase, newSeal, openSeal } from './seal.ts'
import {
  changeSpace,
  changingShares,
  forgetHub,
  type HubSettings,
  type HubSpace,
  hasHub,
  joinedHub,
  keepHub,
  readHub,
} from './settings.ts'
import { ownChats, takeBackFrom, withShares } from './take-back.ts'

export interface JoinOptions {
  folder: string
  /** What this machine is called; its own name otherwise. */
  label?: string
  admin?: HubSettings['admin']
}

/** Joins a hub. What was in the invitation is of no use to anybody after that. */
export async function join(
  given: string | Invitation,
  { folder, label, admin }: JoinOptions,
): Promise<Welcome> {
  const before = readHub(folder)
  if (before) {
    throw new RecollectError(
      'HUB_JOINED',
      'This machine is in a hub already.',
      'Leave it first: recollect hub leave. What you shared stays there until you take it back.',
    )
  }
  const invitation = typeof given === 'string' ? readInvitation(given) : given
  const { login, password, ...address } = invitation
  const database = await connect(address, { user: login, password })
  const settings: HubSettings = {
    hub: '',
    address,
    login: { user: login, password: randomBytes(24).toString('base64url') },
    ...(admin && { admin }),
    person: '',
    label: label ?? os.hostname(),
    spaces: [],
  }
  try {
    const welcome = await hello(database, settings)
    const joined = {
      ...settings,
      hub: welcome.hub,
      person: welcome.name,
      spaces: welcome.spaces.map(newSpace),
    }
    // First kept, then changed: a kill in between leaves an invitation that can be used again.
    keepHub(folder, joined)
    await database.query(`ALTER ROLE CURRENT_USER PASSWORD '${scramOf(joined.login.password!)}'`)
    return welcome
  } catch (error) {
    forgetHub(folder)
    throw error
  } finally {
    await database.close()
  }
}

function newSpace({ id, name, kind, seal, answers }: ServerSpace): HubSpace {
  return { id, name, kind, sealed: seal !== null, answers, shares: [] }
}

/**
 * Tells this machine the phrase of a sealed space. Of an own space that has none yet, it becomes its phrase; where
 * none is given, one is made and returned, to be shown this once.
 */
export async function setPhrase(folder: string, name: string, phrase?: string): Promise<{ made?: string }> {
  const settings = joinedHub(folder)
  const link = await openLink(settings)
  try {
    const told = link.welcome.spaces.find((space) => space.name === name)
    if (!told) throw new RecollectError('INVALID_ARGUMENT', `This machine is in no space called "${name}".`)
    if (told.seal) {
      if (phrase === undefined) throw phraseNeeded(name)
      keep(folder, name, openSeal(phrase, told.seal, name))
      return {}
    }
    if (told.kind !== 'own') {
      throw new RecollectError('INVALID_ARGUMENT', `"${name}" is not sealed: it has no phrase.`)
    }
    const chosen = phrase ?? newPhrase()
    const { seal, key } = newSeal(chosen)
    const after = await hello(link.database, settings, { seals: { [told.id]: seal } })
    const kept = after.spaces.find(({ id }) => id === told.id)?.seal
    // Another machine was quicker: then its phrase counts.
    if (kept?.check !== seal.check) throw phraseNeeded(name)
    keep(folder, name, key)
    return phrase === undefined ? { made: chosen } : {}
  } finally {
    await link.database.close()
  }
}

function keep(folder: string, name: string, key: Buffer): void {
  changeSpace(folder, name, (space) => ({ ...space, sealed: true, key: key.toString('base64') }))
}

function phraseNeeded(name: string): RecollectError {
  return new RecollectError(
    'HUB_NO_PHRASE',
    `"${name}" is sealed: its key phrase is needed.`,
    'It was shown when the space was made. Give it with --phrase-file <file>, in $RECOLLECT_HUB_PHRASE, or when asked.',
  )
}

export interface LeaveResult {
  /** Pulled chats that are no longer here. */
  chats: number
  messages: number
  /** Own chats that were taken back from the hub. */
  takenBack: number
}

/** Leaves the hub: what was pulled goes. With `takeBack`, so does what was shared. */
export async function leave(
  archive: Archive,
  folder: string,
  { takeBack = false }: { takeBack?: boolean } = {},
): Promise<LeaveResult> {
  const settings = await hubToLeave(archive, folder)
  const result: LeaveResult = { chats: 0, messages: 0, takenBack: 0 }
  if (takeBack && settings) result.takenBack = await leaveNothingThere(archive, folder)
  else forgetHub(folder)
  // Whoever exchanges sees that there is no hub any more, and lets go.
  const right = await waitForRight(archive)
  for (const { space } of await archive.spaces()) {
    const { chats, messages } = await archive.removeRemote({ space }, right)
    result.chats += chats
    result.messages += messages
  }
  await archive.releaseLease(right)
  return result
}

/** Takes back all that was shared, and forgets the hub before anything can be shared anew. */
async function leaveNothingThere(archive: Archive, folder: string): Promise<number> {
  return await changingShares(folder, async () => {
    const nothing = () => []
    const takenBack = await withShares(archive, folder, nothing, async (settings) => {
      let count = 0
      for (const space of settings.spaces)
        count += await takeBackFrom(folder, settings, space, () => everSent(archive))
      return count
    })
    forgetHub(folder)
    return takenBack
  })
}

/** What may be on the hub: what is here, and what was forgotten here, of which the hub may not know yet. */
async function everSent(archive: Archive): Promise<Named[]> {
  const all = [...(await ownChats(archive)), ...(await archive.forgottenChats())]
  return [...new Map(all.map(({ source, id }) => [JSON.stringify([source, id]), { source, id }])).values()]
}

/** The hub to leave; nothing where that was done before and only what was pulled has still to go. */
export async function hubToLeave(archive: Archive, folder: string): Promise<HubSettings | undefined> {
  const isHalfLeft = !hasHub(folder) && (await archive.spaces()).length > 0
  return isHalfLeft ? undefined : joinedHub(folder)
}

async function waitForRight(archive: Archive) {
  for (let tries = 0; ; tries++) {
    const lease = await archive.takeLease('hub leave', 'hub')
    if ('holder' in lease) return lease
    if (tries === 100)
      throw new RecollectError(
        'ARCHIVE_BUSY',
        `Process ${lease.pid} still exchanges chats with the hub.`,
        'End it, and leave again.',
      )
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
}
