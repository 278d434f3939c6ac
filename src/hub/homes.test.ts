import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { Archive } from '../archive/archive.ts'
import { type Address, parseUrl } from './address.ts'
import { invite, putOut, revoke } from './admin.ts'
import { connect, type Database } from './database.ts'
import { addHome, homeOf, homesOf, moveSpace, tellHome } from './homes-admin.ts'
import { exchangeOnce, keepExchanging, PACE } from './keep.ts'
import { joinedHub, spaceCalled } from './settings.ts'
import { addShare, stopShare } from './share.ts'
import { hubMembers, hubStatus } from './status.ts'
import { type TestHub, testHub } from './test-hub.ts'
import { adminOf, noServer, type TestServer, testServer } from './test-kit.ts'
import { say, type TestMachine, until } from './test-machine.ts'

/** Two servers: the hub, which is the directory, and another one in which a space has its home. */
describe('spaces in two databases', { skip: noServer() ?? false }, () => {
  let hub: TestHub
  let second: TestServer
  let home: Database
  let address: Address
  let name: string
  let ada: TestMachine
  let bob: TestMachine
  let said = 0

  before(async () => {
    hub = await testHub({ spaces: ['red', 'blue'] })
    second = await testServer()
    ;({ admin: home, address } = await adminOf(second, await second.database()))
    ada = await hub.machine('Ada', 'laptop', { spaces: ['red', 'blue'] })
    bob = await hub.machine('Bob', 'tower', { spaces: ['red', 'blue'] })
    for (const space of ['red', 'blue']) await ada.share(space, { workspace: `/work/${space}` })
    await bob.share('blue', { workspace: '/work/blue' })
    await bob.write({ id: 'bobs', workspace: '/work/blue' }, [say(1, 'said by Bob')])
    await bob.exchange()
    for (const space of ['red', 'blue']) await tell(space)
  })
  after(async () => {
    await home?.close()
    await hub?.end()
    await second?.end()
  })

  it('moves a space whole, with machines that exchange all the while; they follow by themselves', async () => {
    await settled()
    const stop = new AbortController()
    let exchanges = 0
    const running = keepExchanging({
      ...{ archive: ada.archive, folder: ada.folder, signal: stop.signal },
      onExchanged: () => exchanges++,
    })
    await until(() => exchanges > 0)
    await write('blue')
    name = await addHome(hub.admin, home, address)
    const moved = await moveSpace(hub.admin, 'blue', { database: hub.admin }, { name, database: home })
    assert.ok(moved.chats >= 2 && moved.messages >= 2)
    await write('blue')
    // One of hers is in the red space, and one of Bob's is in this one.
    await until(async () => (await rowsIn(home)) === said)
    stop.abort()
    await running
    assert.equal(await homeOf(hub.admin, 'blue'), name)
    await settled()
    assert.equal(await rowsIn(hub.admin), 1, 'only the red one is still there')
  })

  it('exchanges with both, and says where a space is and how far', async () => {
    for (const space of ['red', 'blue']) await tell(space)
    await settled()
    const { spaces } = await hubStatus(bob.archive, bob.folder)
    assert.deepEqual(
      spaces.map(({ space, home: at, lag, trouble }) => [space, at, lag, trouble]),
      [
        ['red', undefined, 0, undefined],
        ['blue', name, 0, undefined],
        ["Bob's own", undefined, 0, undefined],
      ],
    )
    const blue = (await hubMembers(bob.folder)).find(({ space }) => space === 'blue')
    assert.deepEqual(
      blue?.members.map((member) => [member.name, member.machines.map(({ behind }) => behind)]),
      [
        ['Ada', [0]],
        ['Bob', [0]],
      ],
    )
  })

  it('gives the first password of a machine away to nobody: it is replaced, and then gone', async () => {
    const left = await hub.admin.query('SELECT FROM hub.entry WHERE password IS NOT NULL')
    assert.equal(left.length, 0)
    const { login } = joinedHub(bob.folder).homes![name]!
    const database = await connect(address, login)
    await assert.rejects(database.query('SELECT * FROM hub.message'), { code: 'HUB_REFUSED' })
    await database.close()
  })

  it('lets a new machine come into both, and a forgotten chat go from both', async () => {
    const tablet = await hub.machine('Bob', 'tablet')
    await tellHome(hub.admin, home, name)
    await tablet.exchange()
    const others = (await bob.lines()).filter((line) => line.includes('@Ada'))
    assert.deepEqual(
      (await tablet.lines()).filter((line) => line.includes('@Ada')),
      others,
    )
    const [chat] = await ada.archive.listChats({ workspace: '/work/blue' })
    await ada.archive.forget([chat!])
    await settled()
    await tablet.exchange()
    assert.ok(!(await tablet.lines()).some((line) => line.startsWith(`${chat!.id}@`)))
    await revoke(hub.admin, 'Bob', 'tablet')
    await tellHome(hub.admin, home, name)
    const { login } = joinedHub(tablet.folder).homes![name]!
    await assert.rejects(connect(address, login), { code: /HUB_UNKNOWN_LOGIN|HUB_REVOKED/ })
  })

  it('goes on with the others while one database is down, and drains later', {
    skip: process.env.RECOLLECT_TEST_PG ? 'needs a server of its own' : false,
  }, async () => {
    await home.close()
    await second.stop!()
    await write('blue')
    await write('red')
    const done = await ada.exchange()
    assert.deepEqual(
      done.map(({ space, pushed, trouble }) => [space, pushed, trouble?.code]),
      [
        ['red', 1, undefined],
        ['blue', 0, 'HUB_DOWN'],
        ["Ada's own", 0, undefined],
      ],
    )
    const status = await hubStatus(ada.archive, ada.folder)
    const blue = status.spaces.find(({ space }) => space === 'blue')
    assert.deepEqual([status.reachable, blue?.trouble?.code, blue?.waiting], [true, 'HUB_DOWN', 2])
    await second.start!()
    home = (await adminOf(second, address.database)).admin
    await settled()
  })

  it('goes on with a space that is elsewhere while the hub itself is down, and drains the others later', {
    skip: process.env.RECOLLECT_TEST_PG ? 'needs a server of its own' : false,
  }, async () => {
    await hub.admin.close()
    await hub.server.stop!()
    await write('blue')
    await write('red')
    assert.deepEqual(
      (await ada.exchange()).map(({ space, pushed, trouble }) => [space, pushed, trouble?.code]),
      [
        ['red', 0, 'HUB_DOWN'],
        ['blue', 1, undefined],
        ["Ada's own", 0, 'HUB_DOWN'],
      ],
    )
    // Whoever exchanges all the time does so too, and hears of what comes.
    const stop = new AbortController()
    const running = keepExchanging({
      ...{ archive: bob.archive, folder: bob.folder, signal: stop.signal },
      pace: { ...PACE, waitMs: { first: 300, last: 300 } },
    })
    const has = async (text: string) => (await bob.lines()).some((line) => line.endsWith(text))
    try {
      await until(() => has(`said ${said - 1}`))
      await write('blue')
      await ada.exchange()
      await until(() => has(`said ${said}`))
      assert.equal(await has(`said ${said - 1}`), false, 'what is in the hub itself waits')
      const status = await hubStatus(bob.archive, bob.folder)
      assert.deepEqual(
        [status.reachable, status.spaces.map(({ lag, trouble }) => [lag, trouble?.code])],
        [
          false,
          [
            [undefined, 'HUB_DOWN'],
            [0, undefined],
            [undefined, 'HUB_DOWN'],
          ],
        ],
      )
      await hub.server.start!()
      hub.admin = (await adminOf(hub.server, hub.database)).admin
      await ada.exchange()
      await until(() => has(`said ${said - 1}`))
    } finally {
      stop.abort()
    }
    await running
    await settled()
  })

  it('takes back what was shared there, and shares it again', async () => {
    const of = () => {
      const settings = joinedHub(bob.folder)
      return [bob.folder, settings, spaceCalled(settings, 'blue')] as const
    }
    assert.equal(await stopShare(bob.archive, ...of(), { workspace: '/work/blue' }), 1)
    await ada.exchange()
    assert.ok(!(await ada.lines()).some((line) => line.includes('said by Bob')))
    await addShare(bob.archive, ...of(), { workspace: '/work/blue' })
    await settled()
    assert.ok((await ada.lines()).some((line) => line.includes('said by Bob')))
  })

  it('takes back what was shared there though an exchange is about to go there: it brings nothing', async () => {
    await bob.share('red', { workspace: '/work/blue' })
    const settings = joinedHub(bob.folder)
    const blue = spaceCalled(settings, 'blue')
    let removed: number | undefined
    const archive: Archive = {
      ...bob.archive,
      async changesSince(cursor, options) {
        // Of the red space, which is in the hub itself and comes first.
        const changes = await bob.archive.changesSince(cursor, options)
        removed ??= await stopShare(bob.archive, bob.folder, settings, blue, { workspace: '/work/blue' })
        return changes
      },
    }
    await bob.write({ id: 'late', workspace: '/work/blue' }, [say(1, 'said late by Bob')])
    await exchangeOnce({ archive, folder: bob.folder, signal: new AbortController().signal })
    assert.equal(removed, 1)
    const id = 'claude-code:late'
    assert.equal((await home.query('SELECT FROM hub.chat WHERE id = $1', [id])).length, 0)
    assert.equal((await hub.admin.query('SELECT FROM hub.chat WHERE id = $1', [id])).length, 1)
    await addShare(bob.archive, bob.folder, settings, blue, { workspace: '/work/blue' })
    await settled()
  })

  it('takes the space back, and a session of before is refused', async () => {
    const { login } = joinedHub(bob.folder).homes![name]!
    const before = await connect(address, login)
    await moveSpace(hub.admin, 'blue', { name, database: home }, { database: hub.admin })
    await assert.rejects(before.query('SELECT * FROM hub.pull_1($1, 0, 10)', [await idOf('blue')]), {
      code: 'HUB_MOVED',
    })
    await before.close()
    await tellHome(hub.admin, home, name)
    await tell('blue')
    await settled()
    assert.equal(await rowsIn(home), 0)
  })

  it('is put out of a space that is elsewhere as of any other', async () => {
    await moveSpace(hub.admin, 'blue', { database: hub.admin }, { name, database: home })
    await settled()
    await putOut(hub.admin, 'Bob', ['blue'])
    await tellHome(hub.admin, home, name)
    const database = await connect(address, joinedHub(bob.folder).homes![name]!.login)
    await assert.rejects(database.query('SELECT * FROM hub.pull_1($1, 0, 10)', [await idOf('blue')]), {
      code: 'HUB_REFUSED',
    })
    await database.close()
    await bob.exchange()
    assert.ok(!(await bob.lines()).some((line) => line.includes('by blue')))
    assert.ok((await bob.lines()).some((line) => line.includes('by red')))
  })

  it('takes no database that is in use by another hub, nor the hub itself', async () => {
    await assert.rejects(addHome(hub.admin, hub.admin, hub.address), { code: 'HUB_OTHER', message: /itself/ })
    const other = await testHubIn(second)
    await assert.rejects(addHome(hub.admin, other.admin, other.address), { code: 'HUB_OTHER' })
    // One that was set up before there were homes is asked for them at every invitation.
    await other.admin.query('DROP TABLE hub.entry, hub.home')
    assert.deepEqual(await homesOf(other.admin), [])
    await other.admin.close()
  })

  async function testHubIn(server: TestServer) {
    const { setUp } = await import('./admin.ts')
    const made = await adminOf(server, await server.database())
    await setUp(made.admin)
    await invite(made.admin, parseUrl(server.url()).address, 'Eve')
    return made
  }

  async function write(space: string): Promise<void> {
    said++
    await ada.write({ id: `c${said}`, workspace: `/work/${space}` }, [say(1, `said ${said}`)])
  }

  async function tell(space: string): Promise<void> {
    await write(space)
    await ada.exchange()
  }

  /** What Ada said is with Bob, and the other way around. */
  async function settled(): Promise<void> {
    for (const each of [ada, bob, ada]) await each.exchange()
    const own = (lines: string[]) =>
      lines
        .filter((line) => !line.includes('@'))
        .map(bare)
        .sort()
    const others = (lines: string[]) =>
      lines
        .filter((line) => line.includes('@'))
        .map(bare)
        .sort()
    const [adas, bobs] = [await ada.lines(), await bob.lines()]
    assert.deepEqual(others(bobs), own(adas))
    assert.deepEqual(others(adas), own(bobs))
  }

  async function idOf(space: string): Promise<number> {
    const [row] = await hub.admin.query<{ id: number }>('SELECT id FROM hub.space WHERE name = $1', [space])
    return row!.id
  }

  async function rowsIn(database: Database): Promise<number> {
    return (await database.query('SELECT FROM hub.message WHERE format <> 0')).length
  }
})

function bare(line: string): string {
  return line.replace(/^([^@ ]+)@\S+ from \S+ by \S+/, '$1')
}
