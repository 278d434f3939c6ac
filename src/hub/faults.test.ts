import assert from 'node:assert/strict'
import fs from 'node:fs'
import { after, afterEach, before, describe, it } from 'node:test'
import { setUp } from './admin.ts'
import { connect } from './database.ts'
import { exchangeOnce, keepExchanging, PACE } from './keep.ts'
import type { Welcome } from './link.ts'
import { leave } from './membership.ts'
import { forgetHub, hubFile, joinedHub, spaceCalled } from './settings.ts'
import { addShare, stopShare } from './share.ts'
import { hubStatus } from './status.ts'
import { type TestHub, testHub } from './test-hub.ts'
import { adminOf, type CuttingProxy, cuttingProxy, noServer, type TestServer } from './test-kit.ts'
import { say, type TestMachine, until } from './test-machine.ts'

const skip = noServer() ?? (process.env.RECOLLECT_TEST_PG ? 'needs a server of its own' : false)

/** Whatever is wrong with the server: local work is untouched, status says it, and what waits is sent later. */
describe('a hub in trouble', { skip }, () => {
  let hub: TestHub
  let server: TestServer
  let database: string
  let proxy: CuttingProxy
  let ada: TestMachine
  let bob: TestMachine
  let said = 0

  before(async () => {
    hub = await testHub()
    ;({ server, database } = hub)
    proxy = await cuttingProxy(hub.address)
    ada = await hub.machine('Ada', 'laptop', { spaces: ['team'], way: proxy.address(hub.address) })
    bob = await hub.machine('Bob', 'tower', { spaces: ['team'] })
    await ada.share('team', { workspace: '/work' })
    await tell()
    await settled()
  })
  after(async () => {
    await hub?.end()
    await proxy?.close()
  })
  // After each trouble all is as it should be.
  afterEach(async () => {
    proxy.hang(false)
    proxy.delay(0)
    await settled()
  })

  it('that is down', async () => {
    await server.stop!()
    await tell()
    await assert.rejects(ada.exchange(), { code: 'HUB_DOWN' })
    const status = await hubStatus(ada.archive, ada.folder)
    assert.equal(status.reachable, false)
    assert.equal(status.trouble?.code, 'HUB_DOWN')
    const team = status.spaces.find(({ space }) => space === 'team')
    assert.deepEqual([team?.waiting, team?.sending], [1, { done: said - 1, all: said }])
    await server.start!()
  })

  it('that no longer answers, though the connection is there', async () => {
    proxy.hang(true)
    await tell()
    const signal = new AbortController().signal
    const patience = { connectMs: 500, queryMs: 500 }
    await assert.rejects(exchangeOnce({ archive: ada.archive, folder: ada.folder, signal, patience }), {
      code: 'HUB_SLOW',
    })
    proxy.hang(false)
  })

  it('that goes silent in the midst: whoever exchanges gives the connection up, and comes back', async () => {
    const stop = new AbortController()
    const troubles: string[] = []
    let exchanges = 0
    const running = keepExchanging({
      archive: ada.archive,
      folder: ada.folder,
      signal: stop.signal,
      patience: { connectMs: 1_000, queryMs: 1_000 },
      onExchanged: () => exchanges++,
      onTrouble: ({ code }) => troubles.push(code),
    })
    await until(() => exchanges > 0)
    proxy.hang(true)
    await tell()
    await until(() => troubles.includes('HUB_SLOW'))
    const status = (await ada.archive.spaces()).find(({ space }) => space === 'team')
    assert.equal((status?.state as { trouble?: { code: string } } | undefined)?.trouble?.code, 'HUB_SLOW')
    proxy.hang(false)
    proxy.cut()
    const before = exchanges
    await until(() => exchanges > before)
    stop.abort()
    await running
  })

  it('that is slow: local work does not wait for it, and status says so', async () => {
    proxy.delay(150)
    const exchanging = ada.exchange()
    let isOver = false
    void exchanging.finally(() => {
      isOver = true
    })
    await tell()
    assert.ok((await ada.lines()).some((line) => line.endsWith(`said ${said}`)))
    assert.equal(isOver, false, 'it was written and read meanwhile')
    await exchanging
    const { reachable, answeredMs } = await hubStatus(ada.archive, ada.folder)
    assert.ok(reachable && answeredMs! >= 1_000, `${answeredMs}`)
    proxy.delay(0)
  })

  for (const [what, hinder] of [
    ['is down', () => server.stop!()],
    ['hangs', async () => proxy.hang(true)],
  ] as const)
    it(`that ${what} does not hold up who leaves, though another process waits for it`, async () => {
      const eve = await hub.machine('Eve', `of ${what}`, { way: proxy.address(hub.address) })
      const troubles: string[] = []
      const running = keepExchanging({
        ...{ archive: eve.archive, folder: eve.folder, signal: new AbortController().signal },
        patience: { connectMs: 60_000, queryMs: 60_000 },
        onTrouble: ({ code }) => troubles.push(code),
      })
      await until(async () => (await eve.archive.leaseHolder('hub')) !== undefined)
      await hinder()
      if (what === 'is down') await until(() => troubles.includes('HUB_DOWN'))
      await leave(eve.archive, eve.folder)
      await running
      assert.equal(fs.existsSync(hubFile(eve.folder)), false)
      proxy.hang(false)
      if (what === 'is down') await server.start!()
    })

  it('that answers after the machine has left: it stays out', async () => {
    const eve = await hub.machine('Eve', 'out', { way: proxy.address(hub.address) })
    proxy.cut()
    await until(() => proxy.open() === 0)
    proxy.delay(100)
    const { signal } = new AbortController()
    const running = keepExchanging({ archive: eve.archive, folder: eve.folder, signal })
    await until(() => proxy.open() > 0)
    await leave(eve.archive, eve.folder)
    await running
    await until(() => proxy.open() === 0)
    proxy.delay(0)
    assert.equal(fs.existsSync(hubFile(eve.folder)), false)
    assert.deepEqual(await eve.archive.spaces(), [])
  })

  it('that was left while others held the archive: leaving again does the rest', async () => {
    const eve = await hub.machine('Eve', 'half out', { spaces: ['team'] })
    await eve.exchange()
    forgetHub(eve.folder)
    assert.ok((await leave(eve.archive, eve.folder)).chats > 0)
    assert.deepEqual(await eve.archive.spaces(), [])
    await assert.rejects(leave(eve.archive, eve.folder), { code: 'HUB_NOT_JOINED' })
  })

  it('that is read-only: what others told still comes', async () => {
    await asAdmin(`ALTER DATABASE ${database} SET default_transaction_read_only = on`)
    await tell()
    const [team] = (await ada.exchange()).filter(({ space }) => space === 'team')
    assert.equal(team?.trouble?.code, 'HUB_READ_ONLY')
    assert.equal((await hubStatus(ada.archive, ada.folder)).readOnly, true)
    await bob.exchange()
    await asAdmin(`ALTER DATABASE ${database} RESET default_transaction_read_only`)
  })

  it('that has no room left', async () => {
    await asAdmin(
      `CREATE FUNCTION public.no_room() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RAISE EXCEPTION USING ERRCODE = ''53100'', MESSAGE = ''could not extend file: No space left on device''; END'`,
      'CREATE TRIGGER no_room BEFORE INSERT ON hub.message FOR EACH ROW EXECUTE FUNCTION public.no_room()',
    )
    await tell()
    await assert.rejects(ada.exchange(), { code: 'HUB_FULL' })
    await asAdmin('DROP TRIGGER no_room ON hub.message', 'DROP FUNCTION public.no_room()')
  })

  it('that is of another version, until it is brought up to date', async () => {
    await asAdmin('ALTER FUNCTION hub.push_1 RENAME TO push_0')
    await tell()
    await assert.rejects(ada.exchange(), { code: 'HUB_NOT_SET_UP' })
    const { admin } = await adminOf(server, database)
    await setUp(admin)
    await admin.close()
  })

  it('that was restored from an old copy: what it lost is told again, and what was forgotten stays so', async () => {
    await ada.write({ id: 'regretted', workspace: '/work' }, [say(1, 'I wish I had not said it')])
    await settled()
    const restore = await copied(server)
    await tell()
    const [chat] = (await ada.archive.listChats({})).filter(({ id }) => id === 'regretted')
    await ada.archive.forget([chat!])
    await settled()
    assert.ok(!(await bob.lines()).some((line) => line.includes('regretted')))

    await restore()
    // Whoever comes first, and though nothing is new.
    await bob.exchange()
    await settled()
    assert.ok(!(await bob.lines()).some((line) => line.includes('regretted')))
    await tell()
  })

  it('that was restored from an old copy: what is no longer shared is taken back again, unless it is shared anew', async () => {
    const shares = [{ workspace: '/elsewhere' }, { workspace: '/again' }]
    for (const [n, share] of shares.entries()) {
      await ada.write({ id: `lent${n}`, ...share }, [say(1, 'for a while')])
      await ada.share('team', share)
    }
    await ada.exchange()
    const lent = async () => {
      await bob.exchange()
      return [...new Set((await bob.lines()).flatMap((line) => line.match(/^lent./)?.[0] ?? []))]
    }
    const restore = await copied(server)
    const inTeam = () => {
      const settings = joinedHub(ada.folder)
      return [ada.archive, ada.folder, settings, spaceCalled(settings, 'team')] as const
    }
    for (const share of shares) assert.equal(await stopShare(...inTeam(), share), 1)
    await addShare(...inTeam(), shares[1]!)
    await ada.exchange()
    assert.deepEqual(await lent(), ['lent1'])

    await restore()
    // The connection is cut right after the server has said that it lost something.
    const halfway = { ...ada.archive, forgottenChats: () => Promise.reject(new Error('cut')) }
    await assert.rejects(exchangeOnce({ ...ada, archive: halfway, signal: new AbortController().signal }))
    await ada.exchange()
    assert.deepEqual(await lent(), ['lent1'])
    for (const chat of await ada.archive.listChats({}))
      if (chat.id.startsWith('lent')) await ada.archive.forget([chat])
  })

  it('that was only started again: whoever says that it lost something is believed once', async () => {
    await server.stop!()
    await server.start!()
    const { address, login, spaces } = joinedHub(bob.folder)
    const { id } = spaces.find(({ name }) => name === 'team')!
    const database = await connect(address, login)
    const epochAfter = async (pulled: number) => {
      const epochs = async (spaces: unknown) => {
        const [row] = await database.query<{ told: Welcome }>('SELECT hub.hello_1($1) AS told', [{ spaces }])
        return row!.told.spaces.find((space) => space.id === id)!.epoch
      }
      return await epochs({ [id]: { epoch: await epochs({}), pushed: 0, pulled } })
    }
    const before = await epochAfter(0)
    assert.equal(await epochAfter(1_000_000), before + 1)
    for (const zone of ['Asia/Tokyo', 'UTC']) {
      await database.query(`SET TimeZone = '${zone}'`)
      assert.equal(await epochAfter(1_000_000), before + 1)
    }
    await database.close()
  })

  it('that lost something as it ran: who had told it tells it again', async () => {
    await tell()
    await ada.exchange()
    await asAdmin(
      `DELETE FROM hub.message WHERE chat IN (SELECT key FROM hub.chat WHERE id LIKE '%:c${said}')`,
      `DELETE FROM hub.chat WHERE id LIKE '%:c${said}'`,
      'UPDATE hub.progress SET pushed = pushed - 3 WHERE pushed > 3',
    )
    await bob.exchange()
    assert.ok(!(await bob.lines()).some((line) => line.endsWith(`said ${said}`)), 'it was lost')
  })

  it('that turned out to have lost something: who is connected compares from the start too', async () => {
    await tell()
    await ada.exchange()
    // As after a loss, when others have the numbers that Bob had come to.
    for (const table of ['chat', 'message'])
      await asAdmin(
        `UPDATE hub.${table} SET seq = 1 WHERE seq = (SELECT max(seq) FROM hub.${table} JOIN hub.space s ON s.id = space WHERE s.name = 'team')`,
      )
    const stop = new AbortController()
    let exchanges = 0
    const running = keepExchanging({
      ...{ archive: bob.archive, folder: bob.folder, signal: stop.signal },
      pace: { ...PACE, askMs: 100 },
      onExchanged: () => exchanges++,
    })
    const has = async () => (await bob.lines()).some((line) => line.endsWith(`said ${said}`))
    await until(() => exchanges > 1)
    assert.equal(await has(), false)
    await asAdmin(`UPDATE hub.space SET epoch = epoch + 1 WHERE name = 'team'`)
    await until(has)
    stop.abort()
    await running
  })

  async function tell(): Promise<void> {
    said++
    await ada.write({ id: `c${said}`, workspace: '/work' }, [say(1, `said ${said}`)])
  }

  async function settled(): Promise<void> {
    await ada.exchange()
    await bob.exchange()
    const own = (await ada.lines()).map((line) => line.replace(/^(\S+)/, '$1@Ada from laptop by team'))
    assert.deepEqual(await bob.lines(), own.sort())
    assert.ok(own.length >= said)
    const { spaces } = await hubStatus(ada.archive, ada.folder)
    assert.deepEqual(
      spaces.map(({ waiting, trouble, lag }) => ({ waiting, trouble, lag })),
      spaces.map(() => ({ waiting: 0, trouble: undefined, lag: 0 })),
    )
  }

  async function asAdmin(...statements: string[]): Promise<void> {
    const { admin } = await adminOf(server, database)
    await admin.query('SET default_transaction_read_only = off')
    for (const statement of statements) await admin.query(statement)
    await admin.close()
  }
})

/** Keeps a copy of a server's files; what comes back puts it in their place. */
async function copied(server: TestServer): Promise<() => Promise<void>> {
  await server.stop!()
  const copy = `${server.folder}.copy`
  fs.cpSync(server.folder!, copy, { recursive: true, preserveTimestamps: true })
  chownLike(server.folder!, copy)
  await server.start!()
  return async () => {
    await server.stop!()
    fs.rmSync(server.folder!, { recursive: true })
    fs.renameSync(copy, server.folder!)
    await server.start!()
  }
}

function chownLike(folder: string, copy: string): void {
  const { uid, gid, mode } = fs.statSync(folder)
  fs.chmodSync(copy, mode)
  if (process.getuid?.() !== 0) return
  fs.chownSync(copy, uid, gid)
  for (const each of fs.readdirSync(copy, { recursive: true })) fs.lchownSync(`${copy}/${each}`, uid, gid)
}
