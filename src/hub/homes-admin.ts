import { RecollectError } from '../model/errors.ts'
import { type Address, shownAddress } from './address.ts'
import { asOwner, endLogin, inTransaction, makeLogin, setUp, spaceCalled } from './admin.ts'
import type { Database } from './database.ts'
import { moveRows } from './move.ts'
import { OWNER } from './schema.ts'

/**
 * What whoever runs a hub does with other databases in which some of its spaces are. The hub is the directory: people,
 * machines and rights are decided there, and told to each home, with the same numbers as in the directory.
 */

/** Sets a database up as a home for spaces of this hub, and makes it known to the directory. Says by which name. */
export async function addHome(directory: Database, home: Database, address: Address): Promise<string> {
  await setUp(home)
  const of = await metaOf(directory)
  const there = await metaOf(home)
  const name = shownAddress(address)
  const [own] = await home.query<{ there: boolean }>('SELECT EXISTS (SELECT FROM hub.person) AS there')
  if (there.id === of.id || (there.directory ? there.directory !== of.id : own!.there)) {
    throw new RecollectError(
      'HUB_OTHER',
      there.id === of.id ? `${name} is this hub itself.` : `${name} is in use by another hub.`,
      'Name a database of its own for the spaces of this hub: CREATE DATABASE recollect_2 OWNER recollect_admin.',
    )
  }
  await asOwner(home, () => home.query('UPDATE hub.meta SET directory = $1', [of.id]))
  await asOwner(directory, () =>
    directory.query(
      `INSERT INTO hub.home (name, address, hub) VALUES ($1, $2, $3)
       ON CONFLICT (name) DO UPDATE SET address = excluded.address, hub = excluded.hub`,
      [name, JSON.stringify(address), there.id],
    ),
  )
  return name
}

export interface HomeOf {
  name: string
  address: Address
}

/** The homes of a hub. None where it was set up before there were any. */
export async function homesOf(directory: Database): Promise<HomeOf[]> {
  const [found] = await directory.query<{ there: string | null }>(`SELECT to_regclass('hub.home') AS there`)
  if (!found?.there) return []
  return await asOwner(directory, () =>
    directory.query<HomeOf>('SELECT name, address FROM hub.home ORDER BY name'),
  )
}

/** Where the rows of a space are; nothing where that is the hub's own database. */
export async function homeOf(directory: Database, space: string): Promise<string | undefined> {
  return await asOwner(directory, async () => {
    const id = await spaceCalled(directory, space)
    const [row] = await directory.query<{ home: string | null }>('SELECT home FROM hub.space WHERE id = $1', [
      id,
    ])
    return row?.home ?? undefined
  })
}

/**
 * Tells a home who is in the spaces there, and with which machines, each of which gets a login. Can be said again at
 * any time: what is the same changes nothing. `arriving` is a space that is about to be moved there.
 */
export async function tellHome(
  directory: Database,
  home: Database,
  name: string,
  arriving?: number,
): Promise<void> {
  const told = await asOwner(directory, () => toldTo(directory, name, arriving))
  const made: { machine: number; login: string; password: string }[] = []
  await inTransaction(home, async () => {
    for (const { key, revoked, login } of told.machines)
      if (!revoked && !login) made.push({ machine: key, ...(await makeLogin(home)) })
    await home.query(`SET LOCAL ROLE ${OWNER}`)
    const rows = (given: object[]) => [JSON.stringify(given)]
    await home.query(
      `INSERT INTO hub.person (id, name) OVERRIDING SYSTEM VALUE
       SELECT id, name FROM jsonb_to_recordset($1) AS t(id int, name text) ON CONFLICT (id) DO NOTHING`,
      rows(told.people),
    )
    const machines = told.machines.flatMap(({ login, ...machine }) => {
      const known = login ?? made.find(({ machine: key }) => key === machine.key)?.login
      return known ? [{ ...machine, login: known }] : []
    })
    const ended = await home.query<{ login: string }>(
      `SELECT m.login FROM hub.machine m JOIN jsonb_to_recordset($1) AS t(key int, revoked boolean) ON t.key = m.key
       WHERE t.revoked AND NOT m.revoked`,
      rows(machines),
    )
    await home.query(
      `INSERT INTO hub.machine (key, person, label, login, revoked) OVERRIDING SYSTEM VALUE
       SELECT key, person, label, login, revoked
       FROM jsonb_to_recordset($1) AS t(key int, person int, label text, login name, revoked boolean)
       ON CONFLICT (key) DO UPDATE SET login = excluded.login, revoked = excluded.revoked`,
      rows(machines),
    )
    await home.query(
      `INSERT INTO hub.space (id, name, kind, owner, answers, seal)
       SELECT id, name, kind, owner, answers, nullif(seal, 'null')
       FROM jsonb_to_recordset($1) AS t(id int, name text, kind text, owner int, answers boolean, seal jsonb)
       ON CONFLICT (id) DO UPDATE SET name = excluded.name, answers = excluded.answers, seal = excluded.seal, home = NULL`,
      rows(told.spaces),
    )
    const ids = told.spaces.map(({ id }) => id)
    await home.query(`UPDATE hub.space SET home = 'elsewhere' WHERE id <> ALL ($1)`, [ids])
    await home.query('DELETE FROM hub.access')
    await home.query(
      `INSERT INTO hub.access (person, space, push, admin)
       SELECT person, space, push, admin FROM jsonb_to_recordset($1) AS t(person int, space int, push boolean, admin boolean)`,
      rows(told.access),
    )
    await home.query('RESET ROLE')
    for (const { login } of ended) await endLogin(home, login)
  })
  await asOwner(directory, async () => {
    for (const { machine, login, password } of made)
      await directory.query(
        `INSERT INTO hub.entry (machine, home, login, password) VALUES ($1, $2, $3, $4)
         ON CONFLICT (machine, home) DO UPDATE SET login = excluded.login, password = excluded.password`,
        [machine, name, login, password],
      )
  })
}

async function toldTo(directory: Database, name: string, arriving = 0) {
  const spaces = await directory.query<{ id: number; owner: number | null }>(
    'SELECT id, name, kind, owner, answers, seal FROM hub.space WHERE home = $1 OR id = $2',
    [name, arriving],
  )
  const access = await directory.query<{ person: number }>(
    'SELECT person, space, push, admin FROM hub.access WHERE space = ANY ($1)',
    [spaces.map(({ id }) => id)],
  )
  // Also those who were: what they have there is to end.
  const people = await directory.query<{ id: number }>(
    `SELECT id, name FROM hub.person WHERE id = ANY ($1)
       OR id IN (SELECT m.person FROM hub.machine m JOIN hub.entry e ON e.machine = m.key WHERE e.home = $2)`,
    [[...access.map(({ person }) => person), ...spaces.flatMap(({ owner }) => owner ?? [])], name],
  )
  const machines = await directory.query<{ key: number; revoked: boolean; login: string | null }>(
    `SELECT m.key, m.person, m.label, m.revoked, e.login FROM hub.machine m
     LEFT JOIN hub.entry e ON e.machine = m.key AND e.home = $2 WHERE m.person = ANY ($1)`,
    [people.map(({ id }) => id), name],
  )
  return { spaces, access, people, machines }
}

export interface Moved {
  chats: number
  messages: number
}

interface Place {
  /** None: the hub's own. */
  name?: string
  database: Database
}

/**
 * Brings all rows of a space from one database into another, and says so in the directory. Whoever pushes there
 * meanwhile waits, and then follows; a kill at any point leaves the space where it was, or where it should be.
 */
export async function moveSpace(
  directory: Database,
  space: string,
  from: Place,
  to: Place,
  onProgress?: (messages: number) => void,
): Promise<Moved> {
  const id = await asOwner(directory, () => spaceCalled(directory, space))
  if (to.name !== undefined) await tellHome(directory, to.database, to.name, id)
  const databases = [...new Set([to.database, directory, from.database])]
  for (const database of databases) await database.query('BEGIN')
  try {
    for (const database of databases) await database.query(`SET LOCAL ROLE ${OWNER}`)
    const moved = await moveRows(from.database, to.database, id, onProgress)
    if (from.database !== directory)
      await from.database.query(`UPDATE hub.space SET home = 'elsewhere' WHERE id = $1`, [id])
    await directory.query('UPDATE hub.space SET home = $2 WHERE id = $1', [id, to.name ?? null])
    // In this order: before the directory says so, nobody goes there; and where the last is lost, hello finds it out.
    for (const database of databases) await database.query('COMMIT')
    return moved
  } catch (error) {
    for (const database of databases) await database.query('ROLLBACK').catch(() => {})
    throw error
  }
}

async function metaOf(database: Database): Promise<{ id: string; directory: string | null }> {
  const [meta] = await asOwner(database, () =>
    database.query<{ id: string; directory: string | null }>('SELECT id, directory FROM hub.meta'),
  )
  return meta!
}
