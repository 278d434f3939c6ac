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
})
