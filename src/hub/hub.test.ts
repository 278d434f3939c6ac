import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { GATHER_MS } from '../sync/watch.ts'
import { keepExchanging, PACE, type Pace } from './keep.ts'
import { joinedHub, spaceCalled } from './settings.ts'
import { stopShare } from './share.ts'
import { hubStatus } from './status.ts'
import { type TestHub, testHub } from './test-hub.ts'
import { noServer } from './test-kit.ts'
import { say, type TestMachine, until } from './test-machine.ts'

describe('chats of several machines', { skip: noServer() ?? false }, () => {
  let hub: TestHub
  let laptop: TestMachine
  let desktop: TestMachine
  let bob: TestMachine

  before(async () => {
    hub = await testHub()
    laptop = await hub.machine('Ada', 'laptop', { spaces: ['team'] })
    desktop = await hub.machine('Ada', 'desktop')
    bob = await hub.machine('Bob', 'tower', { spaces: ['team'] })
  })
  after(() => hub?.end())

  it('shares nothing until the owner says so', async () => {
    await laptop.write({ id: 'c1', workspace: '/work/shop', title: 'The cart' }, [
      say(1, 'why is the cart empty'),
    ])
    await laptop.write({ id: 'c2', workspace: '/work/diary' }, [say(1, 'my own thoughts')])
    for (const each of [laptop, desktop, bob]) await each.exchange()
    assert.deepEqual(await bob.lines(), [])
    assert.deepEqual(await desktop.lines(), [])
  })

  it('brings what is shared to the others, with whose it is and where it was said', async () => {
    await laptop.share('team', { workspace: '/work/shop' })
    await laptop.share("Ada's own", { all: true })
    await laptop.exchange()
    const team = async () =>
      (await hubStatus(bob.archive, bob.folder)).spaces.find(({ space }) => space === 'team')!
    const { lag, receiving } = await team()
    assert.ok(lag! > 0)
    assert.deepEqual(receiving, { done: 0, all: lag })
    await bob.exchange()
    assert.equal((await team()).receiving, undefined)
    await desktop.exchange()
    assert.deepEqual(await bob.lines(), ['c1@Ada from laptop by team c1-m1 why is the cart empty'])
    assert.deepEqual(await desktop.lines(), [
      "c1@Ada from laptop by Ada's own c1-m1 why is the cart empty",
      "c2@Ada from laptop by Ada's own c2-m1 my own thoughts",
    ])
    const [chat] = await bob.archive.listChats({})
    assert.equal(chat?.title, 'The cart')
  })

  it('tells a change once, and nothing that is known already', async () => {
    await laptop.write({ id: 'c1', workspace: '/work/shop', title: 'The cart' }, [
      say(1, 'why is the cart empty'),
      say(2, 'it was the cookie'),
    ])
    const head = await headOf('team')
    await laptop.exchange()
    // The header, whose time has changed, and the message.
    assert.equal((await headOf('team')) - head, 2)
    await laptop.exchange()
    await bob.exchange()
    assert.equal((await headOf('team')) - head, 2)
    assert.deepEqual(await bob.lines(), [
      'c1@Ada from laptop by team c1-m1 why is the cart empty',
      'c1@Ada from laptop by team c1-m2 it was the cookie',
    ])
  })

  it('leaves secrets and the answers of tools behind before a team sees them', async () => {
    const key = `ghp_${'a1B2'.repeat(9)}`
    await laptop.write({ id: 'c3', workspace: '/work/shop' }, [
      say(1, `the token is ${key}`),
      say(2, 'what the file says', {
        role: 'tool',
        kind: 'tool',
        toolResults: [{ callId: 'x', text: 'what the file says' }],
      }),
      say(3, 'a reminder', { kind: 'injected' }),
    ])
    await laptop.exchange()
    await bob.exchange()
    await desktop.exchange()
    const [there] = (await bob.archive.listChats({})).filter(({ id }) => id.startsWith('c3'))
    const messages = await bob.archive.messages(there!)
    assert.deepEqual(
      messages.map(({ id }) => id),
      ['c3-m1', 'c3-m2'],
    )
    assert.ok(!messages[0]!.text.includes(key))
    assert.equal(messages[1]!.text, '')
    assert.deepEqual(messages[1]!.toolResults, [{ callId: 'x' }])
    const own = (await desktop.lines()).filter((line) => line.startsWith('c3'))
    assert.ok(own[0]!.includes(key), 'an own space gets all of it')
    assert.equal(own.length, 2)
  })

  it('takes a forgotten chat away from every replica and from the server', async () => {
    const [chat] = (await laptop.archive.listChats({})).filter(({ id }) => id === 'c1')
    await laptop.archive.forget([chat!])
    for (const each of [laptop, bob, desktop]) await each.exchange()
    assert.deepEqual(
      (await bob.lines()).filter((line) => line.startsWith('c1')),
      [],
    )
    assert.deepEqual(
      (await desktop.lines()).filter((line) => line.startsWith('c1')),
      [],
    )
    const left = await hub.admin.query<{ n: string }>(
      `SELECT count(*) AS n FROM hub.chat c JOIN hub.space s ON s.id = c.space WHERE s.name = 'team'`,
    )
    assert.equal(left[0]?.n, '1')
  })

  it('lets the next machine read each row once, however often it changed', async () => {
    const tablet = await hub.machine('Bob', 'tablet')
    const [done] = (await tablet.exchange()).filter(({ space }) => space === 'team')
    assert.deepEqual(
      (await tablet.lines()).map((line) => line.replace('tablet', 'tower')),
      await bob.lines(),
    )
    assert.equal(done?.pulled, 2)
  })

  it('shows a chat of several spaces once, as the own one tells it, and as the other does when that lets it go', async () => {
    const spaces = async () =>
      new Set((await desktop.lines()).map((line) => line.replace(/^.* by (.*?) c\d-m.*$/, '$1')))
    assert.deepEqual(await spaces(), new Set(["Ada's own"]))
    const settings = joinedHub(laptop.folder)
    const own = spaceCalled(settings, "Ada's own")
    await stopShare(laptop.archive, laptop.folder, settings, own, { all: true })
    // What the team's space told was not kept: it is pulled again, at the latest by the next exchange.
    for (let turn = 0; turn < 2; turn++) await desktop.exchange()
    assert.deepEqual(await spaces(), new Set(['team']))
  })

  it('sends what is written by itself, and hears of it by LISTEN: nobody waits for their turn to ask', async () => {
    // What the promise of a second leaves to looking; the rest is reading, sending and writing.
    assert.ok(GATHER_MS + PACE.lookMs <= 500)
    const never = 3_600_000
    const stop = new AbortController()
    const ready = new Set<TestMachine>()
    const keep = (machine: TestMachine, pace: Pace) =>
      keepExchanging({
        ...{ archive: machine.archive, folder: machine.folder, signal: stop.signal, pace },
        onExchanged: () => ready.add(machine),
      })
    const running = [
      keep(laptop, { ...PACE, askMs: never }),
      keep(bob, { ...PACE, askMs: never, lookMs: never }),
    ]
    await until(() => ready.size === 2)
    for (const text of ['said just now', 'and something more']) {
      await laptop.write({ id: text, workspace: '/work/shop' }, [say(1, text)])
      await until(async () => (await bob.lines()).some((line) => line.endsWith(text)))
    }
    stop.abort()
    await Promise.all(running)
  })

  async function headOf(space: string): Promise<number> {
    const [row] = await hub.admin.query<{ head: string }>('SELECT head FROM hub.space WHERE name = $1', [
      space,
    ])
    return Number(row!.head)
  }
})
