import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { Address } from './address.ts'
import { addSpace, letIn, setUp } from './admin.ts'
import type { Database } from './database.ts'
import { joinedHub, spaceCalled } from './settings.ts'
import { stopShare } from './share.ts'
import { adminOf, noServer, type TestServer, testServer } from './test-kit.ts'
import { say, type TestMachine, testMachine } from './test-machine.ts'

describe('a chat in several spaces', { skip: noServer() ?? false }, () => {
  let server: TestServer
  let admin: Database
  let address: Address
  let laptop: TestMachine
  let desktop: TestMachine

  before(async () => {
    server = await testServer()
    ;({ admin, address } = await adminOf(server, await server.database()))
    await setUp(admin)
    await addSpace(admin, { name: 'team', kind: 'team' })
    laptop = await testMachine(admin, address, 'Ada', 'laptop')
    desktop = await testMachine(admin, address, 'Ada', 'desktop')
    await letIn(admin, 'Ada', 'team')
    for (const machine of [laptop, desktop]) await machine.exchange()
  })
  after(async () => {
    for (const machine of [laptop, desktop]) {
      await machine?.archive.close()
      await machine?.close()
    }
    await admin?.close()
    await server?.end()
  })

  it('is shown once, as the own space tells it, and as the other does when that one lets it go', async () => {
    const all = { all: true }
    await laptop.write({ id: 'c1', workspace: '/work/shop' }, [say(1, 'why is the cart empty')])
    await laptop.share('team', { workspace: '/work/shop' })
    await laptop.share("Ada's own", all)
    await laptop.exchange()
    await desktop.exchange()
    assert.deepEqual(await desktop.lines(), ["c1@Ada from laptop by Ada's own c1-m1 why is the cart empty"])
    const settings = joinedHub(laptop.folder)
    await stopShare(laptop.archive, laptop.folder, settings, spaceCalled(settings, "Ada's own"), all)
    // What the team's space told was not kept: it is pulled again, at the latest by the next exchange.
    for (let turn = 0; turn < 2; turn++) await desktop.exchange()
    assert.deepEqual(await desktop.lines(), ['c1@Ada from laptop by team c1-m1 why is the cart empty'])
  })

  it('leaves a space alone that was moved to another database, and exchanges the others', async () => {
    await desktop.share('team', { workspace: '/work/shop' })
    await admin.query(`UPDATE hub.space SET home = 'postgres://elsewhere/hub' WHERE name = 'team'`)
    await desktop.write({ id: 'c2', workspace: '/work/shop' }, [say(1, 'said after the move')])
    await desktop.share("Ada's own", { all: true })
    const done = await desktop.exchange()
    assert.equal(await inTeam(), 1)
    assert.deepEqual(
      done.map(({ space, pushed, trouble }) => [space, pushed, trouble?.code]),
      [
        ['team', 0, 'HUB_NEWER'],
        ["Ada's own", 1, undefined],
      ],
    )
    const settings = joinedHub(desktop.folder)
    const shop = { workspace: '/work/shop' }
    await assert.rejects(
      stopShare(desktop.archive, desktop.folder, settings, spaceCalled(settings, 'team'), shop),
      { code: 'HUB_NEWER', message: /"team" was moved to another database/ },
    )
    // What could not be taken back is still shared; where the space comes back, what waited goes.
    assert.deepEqual(spaceCalled(joinedHub(desktop.folder), 'team').shares, [shop])
    await admin.query(`UPDATE hub.space SET home = NULL WHERE name = 'team'`)
    await desktop.exchange()
    assert.equal(await inTeam(), 2)
  })

  async function inTeam(): Promise<number> {
    const rows = await admin.query(
      `SELECT FROM hub.message WHERE space = (SELECT id FROM hub.space WHERE name = 'team')`,
    )
    return rows.length
  }
})
