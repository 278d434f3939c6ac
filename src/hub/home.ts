import { randomBytes } from 'node:crypto'
import { RecollectError } from '../model/errors.ts'
import { connect, type Patience } from './database.ts'
import { type HelloOptions, hello, type Link, openLink, type Place, type Welcome } from './link.ts'
import { scramOf } from './scram.ts'
import { changeHub, type HubSettings, type HubSpace, joinedHub } from './settings.ts'

/**
 * The rows of a space may be in another database than the hub's own, its home. The hub is the directory: it says where
 * that is, and with which login this machine comes in. There the same functions answer.
 */

/**
 * A connection to the home of that name. `directory` is the one to the hub itself: without it, which is down then, by the
 * login that is kept here.
 */
export async function openHome(
  folder: string,
  directory: Link | undefined,
  name: string,
  options: HelloOptions = {},
): Promise<Link> {
  const settings = joinedHub(folder)
  const kept = settings.homes?.[name]
  if (!directory && kept) return await openLink({ ...kept, label: settings.label }, options)
  const told = directory?.welcome.homes?.[name]
  if (!directory || !told) throw noLogin(name)
  const { hub, address, password } = told
  const login = kept?.login.user === told.login ? kept.login : { user: told.login, password: newPassword() }
  const place: Place = { hub, address, login, label: settings.label }
  if (JSON.stringify(kept) !== JSON.stringify({ hub, address, login }))
    changeHub(folder, (now) => ({ ...now, homes: { ...now.homes, [name]: { hub, address, login } } }))
  const link = password === null ? await openLink(place, options) : await enter(place, password, options)
  if (password !== null) {
    directory.welcome = await hello(directory.database, settings, { entered: [name] })
  }
  return link
}

/** Comes in with the first password, unless that was done before, and puts its own in its place. */
async function enter(place: Place, password: string, options: HelloOptions): Promise<Link> {
  const { address, login } = place
  try {
    const first = await connect(address, { user: login.user, password }, options)
    try {
      await first.query(`ALTER ROLE CURRENT_USER PASSWORD '${scramOf(login.password!)}'`)
    } finally {
      await first.close()
    }
  } catch (error) {
    if ((error as RecollectError).code !== 'HUB_UNKNOWN_LOGIN') throw error
  }
  return await openLink(place, options)
}

/** A connection to where the rows of a space are. */
export async function openSpace(
  folder: string,
  settings: HubSettings,
  space: Pick<HubSpace, 'id'>,
): Promise<Link> {
  const link = await openLink(settings)
  const home = link.welcome.spaces.find(({ id }) => id === space.id)?.home
  if (!home) return link
  try {
    return await openHome(folder, link, home)
  } finally {
    await link.database.close()
  }
}

/** What each home says, or what is wrong with it. Without the hub itself, of those that were known. */
export async function welcomesOf(
  folder: string,
  directory: Link | undefined,
  patience?: Patience,
): Promise<Map<string, Welcome | RecollectError>> {
  const { spaces } = directory?.welcome ?? joinedHub(folder)
  const homes = new Set(spaces.flatMap(({ home }) => home ?? []))
  const welcomes = new Map<string, Welcome | RecollectError>()
  for (const name of homes) {
    try {
      const link = await openHome(folder, directory, name, patience)
      await link.database.close()
      welcomes.set(name, link.welcome)
    } catch (error) {
      welcomes.set(name, error as RecollectError)
    }
  }
  return welcomes
}

function newPassword(): string {
  return randomBytes(24).toString('base64url')
}

function noLogin(name: string): RecollectError {
  return new RecollectError(
    'HUB_REFUSED',
    `The space is in ${name}, and this machine has no login there yet.`,
    'Whoever runs the hub gives it one: recollect hub init <url>, on the machine where that was run first.',
  )
}
