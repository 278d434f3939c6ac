import { type Address, type Login, parseUrl, shownAddress } from '../hub/address.ts'
import { setUp } from '../hub/admin.ts'
import { connect, type Database, type Patience } from '../hub/database.ts'
import { homesOf, tellHome } from '../hub/homes-admin.ts'
import type { HubSettings } from '../hub/settings.ts'
import { RecollectError } from '../model/errors.ts'

/** Works with the login of whoever runs the hub. */
export async function asAdmin<T>(
  settings: HubSettings,
  work: (database: Database) => Promise<T>,
): Promise<T> {
  const url = process.env.RECOLLECT_HUB_ADMIN
  const login = url ? parseUrl(url).login : settings.admin
  if (!login) {
    throw new RecollectError(
      'HUB_REFUSED',
      'Only whoever runs the hub can do this, and this machine has no login for it.',
      'On the machine where `recollect hub init` was run, or with its address in $RECOLLECT_HUB_ADMIN.',
    )
  }
  const database = await connectAsAdmin(settings.address, login)
  try {
    return await work(database)
  } finally {
    await database.close()
  }
}

/** With a login that somebody wrote into an address: where it is refused, that is what to look at. */
export async function connectAsAdmin(address: Address, login: Login, patience?: Patience): Promise<Database> {
  try {
    return await connect(address, login, patience)
  } catch (error) {
    if ((error as RecollectError).code !== 'HUB_UNKNOWN_LOGIN') throw error
    throw new RecollectError(
      'HUB_UNKNOWN_LOGIN',
      `The server at ${shownAddress(address)} refused the user "${login.user}", or its password.`,
      'Look at the address: postgres://user:password@host/database. In a password, @ is written %40, : %3A and / %2F.',
    )
  }
}

/** Tells every other database of the hub who is in its spaces now; with `upToDate`, its schema is brought up to date. */
export async function tellHomes(directory: Database, settings: HubSettings, upToDate = false): Promise<void> {
  for (const { name } of await homesOf(directory)) {
    const home = await openHomeAdmin(directory, settings, name)
    try {
      if (upToDate) await setUp(home)
      await tellHome(directory, home, name)
    } finally {
      await home.close()
    }
  }
}

/** To move a million rows takes longer than a question may. */
const PATIENCE = { queryMs: 600_000 }

export async function openHomeAdmin(
  directory: Database,
  { homeAdmins }: HubSettings,
  name: string,
): Promise<Database> {
  const home = (await homesOf(directory)).find((each) => each.name === name)
  const login = homeAdmins?.[name]
  try {
    if (home && login) return await connect(home.address, login, PATIENCE)
  } catch (error) {
    const { code, message } = error as RecollectError
    throw new RecollectError(code, `${message} It was not told of the change.`, TELL_LATER)
  }
  throw new RecollectError(
    'HUB_REFUSED',
    `Spaces of the hub are in ${name}, and this machine has no login of whoever runs that.`,
    'Run it on the machine where the spaces were moved there (recollect hub move).',
  )
}

const TELL_LATER = 'When it is back, tell it: recollect hub init <url of the hub>.'
