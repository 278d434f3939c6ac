import { randomBytes } from 'node:crypto'
import { RecollectError } from '../model/errors.ts'
import type { Address } from './address.ts'
import type { Database } from './database.ts'
import type { Invitation } from './invitation.ts'
import { CLIENT, EVERY_TIME, OWNER, STEPS } from './schema.ts'
import { scramOf } from './scram.ts'
import type { SealOf } from './seal.ts'

/**
 * What whoever runs a hub does, with a login of their own. That login must be able to make roles and a schema in the
 * database; it does not have to be a superuser, and it does not get to read chats by this.
 */

export const LEAST_RIGHTS =
  'CREATE ROLE recollect_admin LOGIN CREATEROLE PASSWORD …; CREATE DATABASE recollect OWNER recollect_admin;'

/** Two that set up at once come one after the other. */
const SETTING_UP = 7_265_636_113

/** Sets the hub up, or brings it up to date. Does nothing where it is. With `only`, which is the id of a hub, no other one. */
export async function setUp(
  database: Database,
  only?: string,
): Promise<{ version: number; applied: number }> {
  return await inTransaction(database, async () => {
    await database.query('SELECT pg_advisory_xact_lock($1)', [SETTING_UP])
    await mayMakeRoles(database)
    for (const role of [OWNER, CLIENT]) await makeRole(database, role)
    await database.query(`GRANT ${OWNER} TO CURRENT_USER`)
    await database.query(`CREATE SCHEMA IF NOT EXISTS hub AUTHORIZATION ${OWNER}`)
    await database.query(`SET LOCAL ROLE ${OWNER}`)
    const [found] = await database.query<{ there: string | null }>(`SELECT to_regclass('hub.meta') AS there`)
    const [meta] = found?.there
      ? await database.query<{ version: number; id: string }>('SELECT version, id FROM hub.meta')
      : []
    if (only !== undefined && meta?.id !== only) {
      throw new RecollectError(
        'HUB_JOINED',
        'This machine is in another hub already.',
        'Leave that first: recollect hub leave. What you shared stays there until you take it back.',
      )
    }
    const version = meta?.version ?? 0
    if (version > STEPS.length) {
      throw new RecollectError(
        'HUB_NEWER',
        `The hub there was set up by a newer version of Recollect (${version}, this one knows ${STEPS.length}).`,
        'Update Recollect on this machine.',
      )
    }
    for (const step of STEPS.slice(version)) await database.query(step)
    if (version === 0) await database.query('INSERT INTO hub.meta (version) VALUES ($1)', [STEPS.length])
    else await database.query('UPDATE hub.meta SET version = $1', [STEPS.length])
    await database.query(EVERY_TIME)
    return { version: STEPS.length, applied: STEPS.length - version }
  })
}

export interface HubThere {
  people: string[]
  /** The team's: everybody has one of their own besides. */
  spaces: string[]
}

/** Who and what is in a hub that is set up. */
export async function hubThere(database: Database): Promise<HubThere> {
  const [there] = await asOwner(database, () =>
    database.query<HubThere>(
      `SELECT ARRAY (SELECT name FROM hub.person ORDER BY id) AS people,
         ARRAY (SELECT name FROM hub.space WHERE kind = 'team' ORDER BY id) AS spaces`,
    ),
  )
  return there!
}

async function mayMakeRoles(database: Database): Promise<void> {
  const [rights] = await database.query<{ may: boolean; name: string }>(
    `SELECT (r.rolsuper OR r.rolcreaterole) AND has_database_privilege(current_database(), 'CREATE') AS may, r.rolname AS name
     FROM pg_roles r WHERE r.rolname = current_user`,
  )
  if (rights?.may) return
  throw new RecollectError(
    'HUB_REFUSED',
    `The login ${rights?.name ?? ''} may not set up a hub: it needs CREATEROLE, and CREATE in this database.`,
    `As a superuser: ${LEAST_RIGHTS}`,
  )
}

async function makeRole(database: Database, role: string): Promise<void> {
  const [there] = await database.query(`SELECT 1 FROM pg_roles WHERE rolname = $1`, [role])
  if (!there) await database.query(`CREATE ROLE ${role} NOLOGIN`)
}

export interface NewSpace {
  name: string
  kind: 'own' | 'team'
  /** Whose own it is. */
  owner?: string
  answers?: boolean
  seal?: SealOf
}

/** Makes a space where there is none of that name; otherwise says which it is. */
export async function addSpace(database: Database, space: NewSpace): Promise<{ id: number; isNew: boolean }> {
  return await asOwner(database, async () => {
    const [known] = await database.query<{ id: number }>('SELECT id FROM hub.space WHERE name = $1', [
      space.name,
    ])
    if (known) return { id: known.id, isNew: false }
    const owner = space.owner === undefined ? null : await personCalled(database, space.owner)
    const [made] = await database.query<{ id: number }>(
      'INSERT INTO hub.space (name, kind, owner, answers, seal) VALUES ($1, $2, $3, $4, $5) RETURNING id',
      [space.name, space.kind, owner, space.answers ?? false, space.seal ? JSON.stringify(space.seal) : null],
    )
    if (owner !== null) await grant(database, owner, made!.id, { push: true, admin: true })
    return { id: made!.id, isNew: true }
  })
}

export interface Rights {
  push: boolean
  admin?: boolean
}

/** Lets a person read a space, and push to it unless said otherwise. */
export async function letIn(
  database: Database,
  person: string,
  space: string,
  rights: Rights = { push: true },
): Promise<void> {
  await asOwner(database, async () => {
    const id = await spaceCalled(database, space)
    await grant(database, await personCalled(database, person), id, rights)
  })
}

/** Takes a person's access to spaces away: to all of these or none. What they shared stays until they or an admin removes it. */
export async function putOut(database: Database, person: string, spaces: string[]): Promise<void> {
  await asOwner(database, async () => {
    const who = await personCalled(database, person)
    for (const space of spaces) {
      const gone = await database.query(
        'DELETE FROM hub.access WHERE person = $1 AND space = $2 RETURNING 1',
        [who, await spaceCalled(database, space)],
      )
      if (gone.length === 0)
        throw new RecollectError(
          'INVALID_ARGUMENT',
          `${person} is not in "${space}".`,
          'recollect hub members shows who is in which space.',
        )
    }
  })
}

/**
 * A login for one more machine of a person, known or new, who has a space of their own from then on. What is in the invitation can be used once: joining
 * replaces the password.
 */
export async function invite(
  database: Database,
  address: Address,
  person: string,
  label = 'invited',
): Promise<Invitation> {
  const { login, password } = await inTransaction(database, async () => {
    const made = await makeLogin(database)
    await database.query(`SET LOCAL ROLE ${OWNER}`)
    const id = await personCalled(database, person, true)
    const [own] = await database.query<{ id: number }>(
      `INSERT INTO hub.space (name, kind, owner) SELECT $1, 'own', $2::int
       WHERE NOT EXISTS (SELECT FROM hub.space WHERE kind = 'own' AND owner = $2::int) RETURNING id`,
      [`${person}'s own`, id],
    )
    if (own) await grant(database, id, own.id, { push: true, admin: true })
    await database.query('INSERT INTO hub.machine (person, label, login) VALUES ($1, $2, $3)', [
      id,
      label,
      made.login,
    ])
    return made
  })
  return { ...address, login, password }
}

/** For one machine: it may call the functions, and nothing else. */
export async function makeLogin(database: Database): Promise<{ login: string; password: string }> {
  const login = `hub_m_${randomBytes(8).toString('hex')}`
  const password = randomBytes(24).toString('base64url')
  await database.query(
    `CREATE ROLE ${login} LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE CONNECTION LIMIT 8 PASSWORD '${scramOf(password)}' IN ROLE ${CLIENT}`,
  )
  await database.query(`ALTER ROLE ${login} SET statement_timeout = '60s'`)
  await database.query(`ALTER ROLE ${login} SET idle_in_transaction_session_timeout = '30s'`)
  return { login, password }
}

/** Locks machines out: all of a person's, or those of one label. Their rows stay; their logins go. */
export async function revoke(database: Database, person: string, label?: string): Promise<string[]> {
  return await inTransaction(database, async () => {
    await database.query(`SET LOCAL ROLE ${OWNER}`)
    const gone = await database.query<{ login: string; label: string }>(
      `UPDATE hub.machine m SET revoked = true FROM hub.person p WHERE p.id = m.person AND p.name = $1
       AND ($2::text IS NULL OR m.label = $2) AND NOT m.revoked RETURNING m.login, m.label`,
      [person, label ?? null],
    )
    await database.query('RESET ROLE')
    for (const { login } of gone) await endLogin(database, login)
    return gone.map((each) => each.label)
  })
}

/** In a transaction. */
export async function endLogin(database: Database, login: string): Promise<void> {
  await database.query(`ALTER ROLE ${login} NOLOGIN PASSWORD NULL`)
  // Where one may: sessions that are open end too. Their calls are refused either way.
  await database.query('SAVEPOINT ending')
  await database
    .query('SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = $1', [login])
    .catch(() => database.query('ROLLBACK TO ending'))
}

async function grant(
  database: Database,
  person: number,
  space: number,
  { push, admin = false }: Rights,
): Promise<void> {
  await database.query(
    `INSERT INTO hub.access (person, space, push, admin) VALUES ($1, $2, $3, $4)
     ON CONFLICT (person, space) DO UPDATE SET push = excluded.push, admin = excluded.admin OR hub.access.admin`,
    [person, space, push, admin],
  )
}

async function personCalled(database: Database, name: string, make = false): Promise<number> {
  if (make) await database.query('INSERT INTO hub.person (name) VALUES ($1) ON CONFLICT DO NOTHING', [name])
  const [person] = await database.query<{ id: number }>('SELECT id FROM hub.person WHERE name = $1', [name])
  if (person) return person.id
  const all = await database.query<{ name: string }>('SELECT name FROM hub.person ORDER BY name')
  throw new RecollectError(
    'INVALID_ARGUMENT',
    `Nobody called "${name}" is in this hub.`,
    `There are: ${all.map((each) => each.name).join(', ') || 'nobody yet'}.`,
  )
}

export async function spaceCalled(database: Database, name: string): Promise<number> {
  const [space] = await database.query<{ id: number }>('SELECT id FROM hub.space WHERE name = $1', [name])
  if (space) return space.id
  const all = await database.query<{ name: string }>('SELECT name FROM hub.space ORDER BY name')
  throw new RecollectError(
    'INVALID_ARGUMENT',
    `There is no space called "${name}".`,
    `There are: ${all.map((each) => each.name).join(', ') || 'none yet'}. Make one: recollect hub spaces --add <name>.`,
  )
}

export function asOwner<T>(database: Database, work: () => Promise<T>): Promise<T> {
  return inTransaction(database, async () => {
    await database.query(`SET LOCAL ROLE ${OWNER}`)
    return await work()
  })
}

export async function inTransaction<T>(database: Database, work: () => Promise<T>): Promise<T> {
  await database.query('BEGIN')
  try {
    const done = await work()
    await database.query('COMMIT')
    return done
  } catch (error) {
    await database.query('ROLLBACK').catch(() => {})
    throw error
  }
}
