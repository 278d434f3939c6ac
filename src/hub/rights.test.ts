import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { Address } from './address.ts'
import { invite, letIn, putOut, revoke } from './admin.ts'
import { connect, type Database } from './database.ts'
import { type TestHub, testHub } from './test-hub.ts'
import { noServer } from './test-kit.ts'

/** Every role tries what it must not. What is refused is refused by the server, whatever a client is made to say. */
describe('what a login may do in a hub', { skip: noServer() ?? false }, () => {
  let hub: TestHub
  let admin: Database
  let address: Address
  let ada: Database
  let bob: Database
  let eve: Database
  const logins: Record<string, string> = {}

  before(async () => {
    // Their ids are 1 and 2; own spaces come after.
    hub = await testHub({ spaces: ['team', 'other'] })
    ;({ admin, address } = hub)
    const machine = async (name: string) => {
      const { login, password } = await invite(admin, address, name)
      logins[name] = login
      return await connect(address, { user: login, password })
    }
    ;[ada, bob, eve] = [await machine('Ada'), await machine('Bob'), await machine('Eve')]
    await letIn(admin, 'Ada', 'team', { push: true, admin: true })
    await letIn(admin, 'Bob', 'team')
    await letIn(admin, 'Eve', 'team', { push: false })
    await letIn(admin, 'Ada', 'other')
    for (const each of [ada, bob, eve]) await hello(each)
    await push(ada, 2, 1, 'ada-in-team')
    await push(ada, 2, 2, 'ada-in-other')
    await push(bob, 2, 1, 'bob-in-team')
  })
  after(async () => {
    for (const each of [ada, bob, eve]) await each?.close()
    await hub?.end()
  })

  it('reads the spaces it is in, and no other', async () => {
    assert.deepEqual(await idsIn(bob, 1), ['ada-in-team', 'bob-in-team'])
    assert.deepEqual(await idsIn(ada, 2), ['ada-in-other'])
    for (const space of [2, 3, 99, -1]) await refused(pull(bob, space), 'HUB_REFUSED')
  })

  it('pushes where it may push, with the batch that is next', async () => {
    await refused(push(bob, 2, 2, 'x'), 'HUB_REFUSED')
    await refused(push(eve, 2, 1, 'x'), 'HUB_REFUSED')
    await refused(push(bob, 2, 1, 'x'), 'HUB_FENCED')
    await refused(push(bob, 9, 1, 'x'), 'HUB_FENCED')
    assert.deepEqual(await idsIn(bob, 1), ['ada-in-team', 'bob-in-team'])
  })

  it('cannot speak as somebody else: a chat of the same id is a chat of its own', async () => {
    await push(bob, 3, 1, 'ada-in-team')
    const rows = (await pull(ada, 1)).filter(({ kind, id }) => kind === 'c' && id === 'ada-in-team')
    assert.equal(new Set(rows.map(({ owner }) => owner)).size, 2)
    assert.deepEqual((await forget(bob, 1, null, ['ada-in-team'])).length, 1)
    assert.deepEqual(await idsIn(ada, 1), ['ada-in-team', 'bob-in-team'])
  })

  it('removes what is its own, or as an admin of the space anything in it', async () => {
    const [{ owner: ofAda } = { owner: 0 }] = (await pull(bob, 1)).filter(
      ({ kind, id }) => kind === 'c' && id === 'ada-in-team',
    )
    await refused(forget(bob, 1, ofAda, ['ada-in-team']), 'HUB_REFUSED')
    await refused(forget(eve, 1, ofAda, ['ada-in-team']), 'HUB_REFUSED')
    await refused(forget(bob, 2, null, ['ada-in-other']), 'HUB_REFUSED')
    const [{ owner: ofBob } = { owner: 0 }] = (await pull(ada, 1)).filter(
      ({ kind, id }) => kind === 'c' && id === 'bob-in-team',
    )
    assert.deepEqual(await forget(ada, 1, ofBob, ['bob-in-team']), ['bob-in-team'])
    assert.deepEqual(await idsIn(bob, 1), ['ada-in-team'])
    // Nor does its owner bring it back: an admin removed it.
    assert.deepEqual(await forget(bob, 1, null, ['bob-in-team'], 'back'), [])
    await push(bob, 4, 1, 'bob-in-team')
    assert.deepEqual(await idsIn(bob, 1), ['ada-in-team'])
  })

  it('stops nobody from pushing, whatever it says of how far it is', async () => {
    const [{ id = 0 } = {}] = (await hello(eve)).spaces.filter(({ name }) => name === 'team')
    for (const pulled of ['9223372036854775807', 9_007_199_254_740_991, -1])
      for (let epoch = 1; epoch < 5; epoch++) await hello(eve, { [id]: { epoch, pushed: 0, pulled } })
    const { pushed = 0 } = (await hello(ada)).spaces.find(({ name }) => name === 'team')!
    await push(ada, pushed + 1, id, 'ada-goes-on')
    assert.ok((await idsIn(bob, id)).includes('ada-goes-on'))
    await forget(ada, id, null, ['ada-goes-on'])
  })

  it('sends nobody back to the start, whatever it says of how far it is: only itself', async () => {
    const team = async (database: Database, spaces?: Record<number, unknown>) =>
      (await hello(database, spaces)).spaces.find(({ name }) => name === 'team')!
    const { id, epoch } = await team(eve)
    for (const far of [
      { pushed: 0, pulled: 1_000_000 },
      { pushed: 1_000_000, pulled: 0 },
    ]) {
      const said = await team(eve, { [id]: { epoch, ...far } })
      assert.deepEqual([said.epoch, said.lost], [epoch, true])
    }
    const { epoch: others, lost } = await team(bob, { [id]: { epoch, pushed: 0, pulled: 0 } })
    assert.deepEqual([others, lost], [epoch, false])
  })

  it('has no way around the four functions', async () => {
    const tables = (
      await admin.query<{ name: string }>(
        `SELECT format('%I.%I', schemaname, tablename) AS name FROM pg_tables WHERE schemaname = 'hub'`,
      )
    ).map(({ name }) => name)
    assert.equal(tables.length, 11 + 3 * 16)
    for (const table of tables) {
      for (const attempt of [
        `SELECT * FROM ${table}`,
        `SELECT count(*) FROM ${table}`,
        `DELETE FROM ${table}`,
        `UPDATE ${table} SET space = 1`,
        `INSERT INTO ${table} DEFAULT VALUES`,
        `TRUNCATE ${table}`,
        `COPY ${table} TO STDOUT`,
        `DO 'BEGIN LOCK TABLE ${table}; END'`,
        `ALTER TABLE ${table} DISABLE ROW LEVEL SECURITY`,
        `DROP TABLE ${table}`,
        `CREATE POLICY mine ON ${table} USING (true)`,
        `CREATE VIEW pg_temp.all_of_it AS SELECT * FROM ${table}; SELECT * FROM pg_temp.all_of_it`,
      ])
        await refused(bob.query(attempt), 'HUB_REFUSED', attempt)
    }
    for (const attempt of [
      'SELECT hub.me()',
      'SET ROLE hub_owner',
      'SET ROLE postgres',
      `SET SESSION AUTHORIZATION ${logins.Ada}`,
      `ALTER ROLE ${logins.Ada} PASSWORD 'x'`,
      `ALTER ROLE ${logins.Bob} SUPERUSER`,
      `GRANT hub_owner TO ${logins.Bob}`,
      'CREATE ROLE more LOGIN',
      'CREATE SCHEMA more',
      'CREATE FUNCTION hub.more() RETURNS int LANGUAGE sql AS $$ SELECT 1 $$',
      'CREATE OR REPLACE FUNCTION hub.me() RETURNS int LANGUAGE sql AS $$ SELECT 1 $$',
      'ALTER FUNCTION hub.me() OWNER TO CURRENT_USER',
      `COPY (SELECT 1) TO PROGRAM 'id'`,
      `SELECT pg_read_file('postgresql.conf')`,
      `SELECT nextval('hub.space_id_seq')`,
      `SELECT setval('hub.space_id_seq', 1)`,
    ])
      await refused(bob.query(attempt), 'HUB_REFUSED', attempt)
  })

  it('is not fooled by names of its own in front of ours', async () => {
    await bob.query('CREATE TEMP TABLE access (person int, space int, push boolean, admin boolean)').then(
      () =>
        bob.query(
          'INSERT INTO access SELECT p, s, true, true FROM generate_series(1, 3) p, generate_series(1, 3) s',
        ),
      () => {},
    )
    await bob.query(`CREATE FUNCTION pg_temp.me() RETURNS int LANGUAGE sql AS 'SELECT 1'`).catch(() => {})
    await bob.query('SET search_path = pg_temp, hub, pg_catalog')
    await refused(pull(bob, 2), 'HUB_REFUSED')
  })

  it('runs as an owner who is no superuser, held to row security even by itself', async () => {
    const [owner] = await admin.query<{ rolsuper: boolean; rolbypassrls: boolean; rolcanlogin: boolean }>(
      `SELECT rolsuper, rolbypassrls, rolcanlogin FROM pg_roles WHERE rolname = 'hub_owner'`,
    )
    assert.deepEqual(owner, { rolsuper: false, rolbypassrls: false, rolcanlogin: false })
    await admin.query('SET ROLE hub_owner')
    for (const table of ['chat', 'message', 'gone', 'chat_0', 'message_3']) {
      const [count] = await admin.query<{ n: string }>(`SELECT count(*) AS n FROM hub.${table}`)
      assert.equal(count?.n, '0', table)
    }
    await admin.query('RESET ROLE')
    const open = await admin.query(
      `SELECT relname FROM pg_class WHERE relnamespace = 'hub'::regnamespace AND relkind IN ('r', 'p')
       AND relname ~ '^(chat|message|gone)' AND NOT (relrowsecurity AND relforcerowsecurity)`,
    )
    assert.deepEqual(open, [])
  })

  it('may execute four functions', async () => {
    const may = await bob.query<{ name: string }>(
      `SELECT proname AS name FROM pg_proc WHERE pronamespace = 'hub'::regnamespace
       AND has_function_privilege(oid, 'EXECUTE') ORDER BY 1`,
    )
    assert.deepEqual(
      may.map(({ name }) => name),
      ['forget_1', 'hello_1', 'pull_1', 'push_1'],
    )
  })

  it('sees nothing any more once put out of a space or locked out', async () => {
    await putOut(admin, 'Eve', ['team'])
    await assert.rejects(putOut(admin, 'Eve', ['team']), /Eve is not in "team"/)
    await refused(pull(eve, 1), 'HUB_REFUSED')
    assert.deepEqual(
      (await hello(eve)).spaces.map(({ name }) => name),
      ["Eve's own"],
    )
    const { login, password } = await invite(admin, address, 'Ada', 'lost laptop')
    const lost = await connect(address, { user: login, password })
    await hello(lost)
    assert.deepEqual(await revoke(admin, 'Ada', 'lost laptop'), ['lost laptop'])
    await assert.rejects(pull(lost, 1))
    await refused(connect(address, { user: login, password }), 'HUB_UNKNOWN_LOGIN')
    assert.ok((await hello(ada)).spaces.length > 0, 'the other machine of the same person goes on')
    await lost.close()
  })
})

async function refused(attempt: Promise<unknown>, code: string, what?: string): Promise<void> {
  await assert.rejects(attempt, (error: { code?: string; details?: { sql?: string } }) => {
    // Not there, or not a thing that can be done to it: as good as refused, and nothing was done.
    const isMoot = code === 'HUB_REFUSED' && ['42703', '42809', '42704'].includes(error.details?.sql ?? '')
    assert.ok(error.code === code || isMoot, `${what ?? ''}: ${JSON.stringify(error)} ${error}`)
    return true
  })
}

interface Told {
  spaces: { name: string; id: number; pushed: number; epoch: number; lost: boolean }[]
}

async function hello(database: Database, spaces?: Record<number, unknown>): Promise<Told> {
  const [row] = await database.query<{ told: Told }>('SELECT hub.hello_1($1) AS told', [
    { fence: true, ...(spaces && { spaces }) },
  ])
  return row!.told
}

async function push(database: Database, batch: number, space: number, chat: string): Promise<unknown> {
  return await database.query('SELECT * FROM hub.push_1($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)', [
    ...[batch, space, [chat], [batch], [1], [1]],
    ...[[0, 0], ['a', 'b'], [1, 2], [1, 1], [1, 1], Buffer.from('habc')],
  ])
}

interface Row {
  kind: string
  id: string
  owner: number
}

async function pull(database: Database, space: number): Promise<Row[]> {
  return await database.query('SELECT * FROM hub.pull_1($1, 0, 1000)', [space])
}

async function idsIn(database: Database, space: number): Promise<string[]> {
  const chats = (await pull(database, space)).filter(({ kind }) => kind === 'c')
  return [...new Set(chats.map(({ id }) => id))].sort()
}

async function forget(
  database: Database,
  space: number,
  owner: number | null,
  ids: string[],
  why = 'forgotten',
): Promise<string[]> {
  const rows = await database.query<{ id: string }>(
    'SELECT * FROM hub.forget_1($1, $2, $3, $4, $5, $6, $7)',
    [...[space, owner, why, ids, ids.map(() => 1), ids.map(() => 1), Buffer.from('n'.repeat(ids.length))]],
  )
  return rows.map(({ id }) => id)
}
