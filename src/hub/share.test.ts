import assert from 'node:assert/strict'
import { once } from 'node:events'
import net from 'node:net'
import { after, before, describe, it } from 'node:test'
import type { Archive, Lease } from '../archive/archive.ts'
import { addSpace } from './admin.ts'
import { Exchange, type Exchanged } from './exchange.ts'
import { exchangeOnce } from './keep.ts'
import { leave } from './membership.ts'
import { changeSpace, hasHub, joinedHub, type Share, spaceCalled } from './settings.ts'
import { addShare, stopShare } from './share.ts'
import { type TestHub, testHub } from './test-hub.ts'
import { noServer } from './test-kit.ts'
import { say, type TestMachine, until } from './test-machine.ts'

const A = { workspace: '/work/a' }
const B = { workspace: '/work/b' }
const ALL = ['a1', 'a2', 'a3', 'b1', 'b2']

describe('what is shared changes', { skip: noServer() ?? false }, () => {
  let hub: TestHub

  before(async () => {
    hub = await testHub()
  })
  after(() => hub?.end())

  it('while it is sent: of what is no longer shared nothing is there or comes, and the rest goes on', async () => {
    const ada = await withPages('Ada')
    await share(ada, B)
    let removed: number | undefined
    const [team] = await exchangedWhile(ada, 1, async () => {
      removed = await stop(ada, A)
      assert.deepEqual(await there('Ada'), ['b1'])
    })
    assert.equal(removed, 2, 'those that the first page had brought there')
    assert.deepEqual(await there('Ada'), ['b1', 'b2'])
    assert.deepEqual([team?.pushed, team?.trouble], [1_001, undefined])
    await ada.exchange()
    assert.deepEqual(await there('Ada'), ['b1', 'b2'])
    await share(ada, A)
    await ada.exchange()
    assert.deepEqual(await there('Ada'), ALL)
  })

  it('while a process sends that slept meanwhile: it is refused', async () => {
    const bob = await withPages('Bob')
    const lease = (await bob.archive.takeLease('test', 'hub')) as Lease
    const archive = pausing(bob.archive, 1, async () => {
      await bob.archive.releaseLease(lease)
      await stop(bob, A)
    })
    const exchange = await Exchange.begin({ archive, folder: bob.folder, lease }, joinedHub(bob.folder))
    const [outcome] = await Promise.allSettled([exchange.exchange()])
    await exchange.close()
    assert.deepEqual(await there('Bob'), [])
    assert.equal(outcome.status === 'rejected' && outcome.reason.code, 'HUB_FENCED')
  })

  it('by leaving while it is sent: what is taken back stays so', async () => {
    const cleo = await withPages('Cleo')
    let leaving: ReturnType<typeof leave> | undefined
    await exchangedWhile(cleo, 1, async () => {
      leaving = leave(cleo.archive, cleo.folder, { takeBack: true })
      // It waits for whoever exchanges.
      await until(() => !hasHub(cleo.folder))
      assert.deepEqual(await there('Cleo'), [])
    }).catch(({ code }) => assert.equal(code, 'HUB_NOT_JOINED'))
    assert.equal((await leaving)?.takenBack, 2)
    assert.deepEqual(await there('Cleo'), [])
  })

  it('by leaving: what was forgotten here and not told yet is taken back too', async () => {
    const hal = await withPages('Hal')
    await hal.exchange()
    await hal.archive.forget(await hal.archive.listChats({}, { limit: 2 }))
    assert.equal((await leave(hal.archive, hal.folder, { takeBack: true })).takenBack, 3)
    assert.deepEqual(await there('Hal'), [])
  })

  it('to more while it is sent: that is sent too, what was passed over included', async () => {
    const dan = await withPages('Dan')
    const [team] = await exchangedWhile(dan, 0, () => share(dan, B))
    assert.equal(team?.trouble, undefined)
    assert.deepEqual(await there('Dan'), ALL)
  })

  it('to more while the very first of a space is sent', async () => {
    const eve = await hub.machine('Eve', 'laptop')
    await eve.write({ id: 'b', ...B }, [say(1, 'beta')])
    await eve.write({ id: 'a', ...A }, [say(1, 'alpha')])
    changeSpace(eve.folder, "Eve's own", (own) => ({ ...own, shares: [A] }))
    await exchangedWhile(eve, 0, () => share(eve, B, "Eve's own"))
    assert.equal((await there('Eve', "Eve's own")).length, 2)
  })

  it('by two commands at once: what either of them shared is there no more', async () => {
    const finn = await withPages('Finn', { workspace: '/work' })
    await share(finn, A)
    await finn.exchange()
    assert.deepEqual(await there('Finn'), ALL)
    // Each of them has looked before the other did anything.
    const settings = joinedHub(finn.folder)
    const removed = await Promise.all([stop(finn, A, settings), stop(finn, { workspace: '/work' }, settings)])
    assert.deepEqual(removed, [0, 5])
    assert.deepEqual(await there('Finn'), [])
  })

  it('and does not where the hub cannot be reached: then it is all sent, though it was passed over meanwhile', async () => {
    const gina = await withPages('Gina')
    await gina.exchange()
    await gina.write({ id: 'late', ...A }, [say(1, 'said late')])
    const broken = net.createServer((socket) => void gina.exchange().finally(() => socket.destroy()))
    broken.listen(0, '127.0.0.1')
    await once(broken, 'listening')
    const { port } = broken.address() as net.AddressInfo
    const settings = joinedHub(gina.folder)
    const away = { ...settings, address: { ...settings.address, host: '127.0.0.1', port } }
    await assert.rejects(stopShare(gina.archive, gina.folder, away, spaceCalled(settings, 'team'), A), {
      code: 'HUB_DOWN',
    })
    broken.close()
    assert.deepEqual(spaceCalled(joinedHub(gina.folder), 'team').shares, [A])
    await gina.exchange()
    assert.ok((await there('Gina')).includes('late'))
  })

  it('with nobody else: not with a space that has its number, or its name, on a server that was set up anew', async () => {
    for (const name of ['alpha', 'beta']) await addSpace(hub.admin, { name, kind: 'team' })
    const ivy = await hub.machine('Ivy', 'laptop', { spaces: ['alpha', 'beta'] })
    const jan = await hub.machine('Jan', 'laptop', { spaces: ['alpha'] })
    await ivy.write({ id: 'a1', ...A }, [say(1, 'for alpha')])
    await jan.write({ id: 'j1', ...A }, [say(1, 'of Jan')])
    for (const each of [jan, ivy]) {
      await share(each, A, 'alpha')
      await each.exchange()
    }
    const lines = ['a1 a1-m1 for alpha', 'j1@Jan from laptop by alpha j1-m1 of Jan']
    assert.deepEqual(await ivy.lines(), lines)
    // What was said is lost, and the two were made again in another order.
    await hub.admin.query(`DELETE FROM hub.chat; DELETE FROM hub.message; UPDATE hub.space SET head = 0;
      UPDATE hub.space SET name = CASE name WHEN 'alpha' THEN '-' ELSE 'alpha' END WHERE name IN ('alpha', 'beta');
      UPDATE hub.space SET name = 'beta' WHERE name = '-'`)
    await ivy.exchange()
    await ivy.exchange()
    for (const space of ['alpha', 'beta']) assert.deepEqual(await there('Ivy', space), [])
    assert.deepEqual(await ivy.lines(), lines.slice(0, 1))
    await share(ivy, A, 'alpha')
    await ivy.exchange()
    assert.deepEqual([await there('Ivy', 'alpha'), await there('Ivy', 'beta')], [['a1'], []])
  })

  /** A machine with two pages of messages in one folder, and a little before and after that in another. Nothing was sent yet. */
  async function withPages(person: string, shared: Share = A): Promise<TestMachine> {
    const machine = await hub.machine(person, 'laptop', { spaces: ['team'] })
    await machine.write({ id: 'b1', ...B }, [say(1, 'beta')])
    for (const id of ['a1', 'a2', 'a3']) {
      const messages = Array.from({ length: 600 }, (_, n) => say(n + 1, `${id} ${n}`))
      await machine.write({ id, ...A }, messages)
    }
    await machine.write({ id: 'b2', ...B }, [say(1, 'more')])
    await share(machine, shared)
    return machine
  }

  /** The ids of somebody's chats on the server. */
  async function there(person: string, space = 'team'): Promise<string[]> {
    const rows = await hub.admin.query<{ id: string }>(
      `SELECT c.id FROM hub.chat c JOIN hub.space s ON s.id = c.space JOIN hub.person p ON p.id = c.owner
       WHERE p.name = $1 AND s.name = $2 ORDER BY c.id`,
      [person, space],
    )
    return rows.map(({ id }) => id.replace('claude-code:', ''))
  }
})

/** Exchanges once; between reading a page of changes and sending it, something else happens. */
async function exchangedWhile(
  { archive, folder }: TestMachine,
  page: number,
  meanwhile: () => Promise<unknown>,
): Promise<Exchanged[]> {
  const { signal } = new AbortController()
  return await exchangeOnce({ archive: pausing(archive, page, meanwhile), folder, signal })
}

function pausing(archive: Archive, page: number, meanwhile: () => Promise<unknown>): Archive {
  let pages = 0
  return {
    ...archive,
    async changesSince(cursor, options) {
      const changes = await archive.changesSince(cursor, options)
      if (pages++ === page) await meanwhile()
      return changes
    },
  }
}

async function share({ archive, folder }: TestMachine, what: Share, space = 'team'): Promise<void> {
  const settings = joinedHub(folder)
  await addShare(archive, folder, settings, spaceCalled(settings, space), what)
}

async function stop(
  { archive, folder }: TestMachine,
  what: Share,
  settings = joinedHub(folder),
): Promise<number> {
  return await stopShare(archive, folder, settings, spaceCalled(settings, 'team'), what)
}
