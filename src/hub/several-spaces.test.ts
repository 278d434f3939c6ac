import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { joinedHub, spaceCalled } from './settings.ts'
import { stopShare } from './share.ts'
import { type TestHub, testHub } from './test-hub.ts'
import { noServer } from './test-kit.ts'
import { say, type TestMachine } from './test-machine.ts'

describe('a chat in several spaces', { skip: noServer() ?? false }, () => {
  let hub: TestHub
  let laptop: TestMachine
  let desktop: TestMachine

  before(async () => {
    hub = await testHub()
    laptop = await hub.machine('Ada', 'laptop', { spaces: ['team'] })
    desktop = await hub.machine('Ada', 'desktop', { spaces: ['team'] })
  })
  after(() => hub?.end())

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
