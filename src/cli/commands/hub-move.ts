import { parseUrl } from '../../hub/address.ts'
import type { Database } from '../../hub/database.ts'
import { addHome, homeOf, moveSpace, tellHome } from '../../hub/homes-admin.ts'
import { changeHub, type HubSettings, joinedHub } from '../../hub/settings.ts'
import { RecollectError } from '../../model/errors.ts'
import { archiveFolder, type GlobalOptions } from '../archive.ts'
import { count } from '../format.ts'
import { asAdmin, connectAsAdmin, openHomeAdmin } from '../hub-admin.ts'
import { countingBar } from '../progress.ts'

interface MoveOptions extends GlobalOptions {
  to: string
  ca?: string
  insecure?: boolean
}

/** Moves all of a space to another database, or back into the hub's own. */
export async function move(space: string, options: MoveOptions): Promise<void> {
  const folder = archiveFolder(options)
  const settings = joinedHub(folder)
  const bar = countingBar()
  await asAdmin(settings, async (directory) => {
    const was = await homeOf(directory, space)
    const opened: Database[] = []
    try {
      const to = options.to === 'hub' ? { database: directory } : await homeAt(directory, folder, options)
      if (to.database !== directory) opened.push(to.database)
      if (('name' in to ? to.name : undefined) === was)
        throw new RecollectError('INVALID_ARGUMENT', `"${space}" is there already.`)
      const from = { name: was, database: directory }
      if (was !== undefined) {
        from.database = await openHomeAdmin(directory, joinedHub(folder), was)
        opened.push(from.database)
      }
      const moved = await moveSpace(directory, space, from, to, (done) =>
        bar.show(done, done, 'messages moved'),
      )
      bar.clear()
      if (was !== undefined) await tellHome(directory, from.database, was)
      if (options.json) console.log(JSON.stringify({ space, home: 'name' in to ? to.name : null, ...moved }))
      else
        console.log(
          `Moved "${space}": ${count(moved.messages, 'message')} in ${count(moved.chats, 'chat')}. Machines follow with their next exchange.`,
        )
    } finally {
      bar.clear()
      for (const database of opened) await database.close()
    }
  })
}

/** The database that was named, made ready; whoever runs it is remembered, to tell it of later changes. */
async function homeAt(
  directory: Database,
  folder: string,
  { to, ca, insecure }: MoveOptions,
): Promise<{ name: string; database: Database }> {
  const { address, login } = parseUrl(to, { ca, insecure })
  const database = await connectAsAdmin(address, login, { queryMs: 600_000 })
  try {
    const name = await addHome(directory, database, address)
    changeHub(folder, (now) => keptAdmin(now, name, login))
    return { name, database }
  } catch (error) {
    await database.close()
    throw error
  }
}

function keptAdmin(
  settings: HubSettings,
  name: string,
  login: { user: string; password?: string },
): HubSettings {
  return { ...settings, homeAdmins: { ...settings.homeAdmins, [name]: login } }
}
