import assert from 'node:assert/strict'
import fs from 'node:fs'
import path from 'node:path'
import { after, before, test } from 'node:test'
import { openSqliteArchive } from '../src/archive/sqlite/index.ts'
import { exchangeOnce } from '../src/hub/keep.ts'
import { join } from '../src/hub/membership.ts'
import { noServer, type TestServer, testServer } from '../src/hub/test-kit.ts'
import { machine, type Outcome, root } from './run-cli.ts'

/** What ends something that was shared, and what needs the phrase, run as commands on four machines and a real server. */
const skip = noServer() ?? false
const SHOP = '/home/alex/shop'
const [ada, desk, bob, carl] = [machine(), machine(), machine(), machine()]
let server: TestServer
let phrase = ''

type Machine = typeof ada

async function hub(who: Machine, ...args: string[]): Promise<Outcome> {
  return await who.run(['hub', ...args])
}

// biome-ignore lint/suspicious/noExplicitAny: what a command prints, of which each test names what it looks at
async function told(who: Machine, ...args: string[]): Promise<any> {
  const { code, out, err } = await who.run([...args, '--json'])
  assert.equal(code, 0, `${args.join(' ')}: ${out}${err}`)
  return JSON.parse(out)
}

async function refused(who: Machine, code: string, ...args: string[]): Promise<string> {
  const outcome = await who.run([...args, '--json'])
  assert.notEqual(outcome.code, 0, outcome.out)
  assert.equal(JSON.parse(outcome.out).error.code, code, outcome.out)
  return outcome.out
}

/** As `hub sync` does, without a process of its own. */
async function exchange(who: Machine): Promise<void> {
  const archive = openSqliteArchive(who.archive)
  await exchangeOnce({ archive, folder: who.archive, signal: new AbortController().signal })
  await archive.close()
}

/** How many chats there are of whom, sub-agents apart. */
async function authors(who: Machine): Promise<Record<string, number>> {
  const archive = openSqliteArchive(who.archive)
  const counts: Record<string, number> = {}
  for (const { origin } of await archive.listChats({}, { limit: 1_000 })) {
    const author = origin?.author ?? 'read here'
    counts[author] = (counts[author] ?? 0) + 1
  }
  await archive.close()
  return counts
}

function file(who: Machine, text: string): string {
  const name = path.join(who.home, 'phrase.txt')
  fs.writeFileSync(name, text)
  return name
}

before(async () => {
  if (skip) return
  server = await testServer()
  for (const who of [ada, bob]) fs.cpSync(path.join(root, 'sample'), who.home, { recursive: true })
  await told(ada, 'sync')
  // Who mistypes a password hears of the address, not of invitations.
  const mistyped = server.url(await server.database()).replace('postgres@', 'nobody:wrong@')
  if (!process.env.RECOLLECT_TEST_PG)
    assert.match(
      await refused(ada, 'HUB_UNKNOWN_LOGIN', 'hub', 'init', mistyped, '--name', 'Ada'),
      /refused the user .*Look at the address/,
    )
  const made = await told(
    ada,
    ...['hub', 'init', server.url(await server.database()), '--name', 'Ada', '--machine', 'laptop'],
  )
  phrase = made.phrase
  for (const [who, name, label] of [
    [desk, 'Ada', 'desk'],
    [bob, 'Bob', 'tower'],
    [carl, 'Carl', 'box'],
  ] as const) {
    const spaces = name === 'Ada' ? [] : ['--space', 'team']
    const { invitation } = await told(ada, 'hub', 'invite', name, ...spaces)
    await join(invitation, { folder: who.archive, label })
  }
})
after(async () => {
  await server?.end()
  for (const who of [ada, desk, bob, carl]) who.remove()
})

test('hub phrase: another machine of a person reads their own space once it is told the phrase', {
  skip,
}, async () => {
  await told(ada, 'hub', 'share', '--all', '--space', 'own', '--yes')
  await exchange(ada)
  const { spaces } = await told(desk, 'hub', 'spaces')
  const own = spaces.find(({ kind }: { kind: string }) => kind === 'own')
  assert.deepEqual([own.kind, own.sealed, own.hasKey], ['own', true, false])
  const without = await desk.run(['hub', 'sync'])
  assert.equal(without.code, 3)
  assert.match(without.out + without.err, /does not have its key phrase/)
  assert.match(await refused(desk, 'HUB_NO_PHRASE', 'hub', 'phrase'), /--phrase-file/)
  await refused(desk, 'HUB_WRONG_PHRASE', 'hub', 'phrase', '--phrase-file', file(desk, 'another one'))
  assert.match(
    await refused(desk, 'INVALID_ARGUMENT', 'hub', 'phrase', '--phrase-file', file(desk, ' \n')),
    /is empty/,
  )
  assert.match(
    await refused(desk, 'INVALID_ARGUMENT', 'hub', 'phrase', '--phrase-file', path.join(desk.home, 'none')),
    /could not be read/,
  )
  assert.deepEqual(await authors(desk), {})
  const { code, out, err } = await hub(desk, 'phrase', '--phrase-file', file(desk, `${phrase}\n`))
  assert.deepEqual([code, out, err], [0, `This machine can read "Ada's own" now.\n`, ''])
  await exchange(desk)
  const here = await authors(desk)
  assert.deepEqual(Object.keys(here), ['Ada'])
  assert.equal(here.Ada, (await authors(ada))['read here'])
})

test('hub share --stop: what was shared goes from the others, and can be shared again', {
  skip,
}, async () => {
  await refused(ada, 'INVALID_ARGUMENT', 'hub', 'share', SHOP, '--space', 'team', '--stop')
  await told(ada, 'hub', 'share', SHOP, '--space', 'team', '--yes')
  await exchange(ada)
  await exchange(carl)
  assert.deepEqual(await authors(carl), { Ada: 7 })
  const { code, out } = await hub(ada, 'share', SHOP, '--space', 'team', '--stop')
  assert.equal(code, 0)
  assert.match(out, /^No longer shared with "team"\. 8 chats removed there;/)
  assert.match(out, /write-ahead log/)
  await exchange(ada)
  await exchange(carl)
  assert.deepEqual(await authors(carl), {})
  // Only from there: the chats are where they were read, and in the own space.
  assert.equal((await authors(ada))['read here'], (await authors(desk)).Ada)
  await told(ada, 'hub', 'share', SHOP, '--space', 'team', '--yes')
  await exchange(ada)
  await exchange(carl)
  assert.deepEqual(await authors(carl), { Ada: 7 })
})

test('hub move: a space goes to another database and back, and whoever is in it follows', {
  skip,
}, async () => {
  const url = server.url(await server.database())
  await refused(carl, 'HUB_REFUSED', 'hub', 'move', 'team', '--to', url)
  assert.match(await refused(ada, 'INVALID_ARGUMENT', 'hub', 'move', 'nowhere', '--to', url), /nowhere/)
  const moved = await told(ada, 'hub', 'move', 'team', '--to', url)
  assert.deepEqual([moved.space, moved.chats, typeof moved.home], ['team', 8, 'string'])
  await refused(ada, 'INVALID_ARGUMENT', 'hub', 'move', 'team', '--to', url)
  await exchange(carl)
  assert.deepEqual(await authors(carl), { Ada: 7 })
  const status = await hub(carl, 'status')
  assert.ok(status.out.includes(`team  team, in ${moved.home}\n`), status.out)
  // A machine that is invited now comes into both.
  const dora = machine()
  try {
    const { invitation } = await told(ada, 'hub', 'invite', 'Dora', '--space', 'team')
    await join(invitation, { folder: dora.archive, label: 'dora' })
    await exchange(dora)
    assert.deepEqual(await authors(dora), { Ada: 7 })
    const { code, out } = await hub(ada, 'move', 'team', '--to', 'hub')
    assert.equal(code, 0)
    assert.match(
      out,
      /^Moved "team": \d+ messages in 8 chats\. Machines follow with their next exchange\.\n$/,
    )
    await exchange(dora)
    assert.deepEqual(await authors(dora), { Ada: 7 })
    assert.deepEqual((await told(ada, 'hub', 'invite', 'Dora', '--remove')).revoked, ['dora'])
  } finally {
    dora.remove()
  }
})

test('hub leave --take-back: what a colleague shared goes with them, and theirs stays here', {
  skip,
}, async () => {
  await told(bob, 'sync')
  await told(bob, 'hub', 'share', SHOP, '--space', 'team', '--yes')
  await exchange(bob)
  await exchange(carl)
  assert.deepEqual(await authors(carl), { Ada: 7, Bob: 7 })
  assert.match(await refused(bob, 'INVALID_ARGUMENT', 'hub', 'leave', '--take-back'), /--yes/)
  const left = await told(bob, 'hub', 'leave', '--take-back', '--yes')
  // Ada's are the same chats, which are shown as they were read here: none of hers has to go.
  assert.deepEqual([left.takenBack, left.chats], [8, 0])
  assert.equal(fs.existsSync(path.join(bob.archive, 'hub.json')), false)
  assert.deepEqual(Object.keys(await authors(bob)), ['read here'])
  await refused(bob, 'HUB_NOT_JOINED', 'hub', 'sync')
  await exchange(carl)
  assert.deepEqual(await authors(carl), { Ada: 7 })
})

test('hub leave --take-back: from a machine that only reads, or was not told the phrase', {
  skip,
}, async () => {
  const [reader, second] = [machine(), machine()]
  try {
    const { invitation } = await told(ada, 'hub', 'invite', 'Dora', '--space', 'team', '--read-only')
    assert.ok((await told(reader, 'hub', 'join', invitation)).phrase)
    const { invitation: next } = await told(ada, 'hub', 'invite', 'Dora')
    const joined = await hub(second, 'join', next)
    assert.match(joined.out, /Tell this machine its phrase: recollect hub phrase/)
    for (const who of [reader, second]) {
      await exchange(who)
      const { takenBack, chats } = await told(who, 'hub', 'leave', '--take-back', '--yes')
      assert.deepEqual([takenBack, chats], [0, 8])
    }
  } finally {
    reader.remove()
    second.remove()
  }
})

test('hub invite --remove: from a space, one machine, or all of somebody', { skip }, async () => {
  await refused(carl, 'HUB_REFUSED', 'hub', 'invite', 'Ada', '--remove', '--space', 'team')
  await refused(ada, 'INVALID_ARGUMENT', 'hub', 'invite', 'Nobody', '--remove', '--space', 'team')
  await refused(ada, 'INVALID_ARGUMENT', 'hub', 'invite', 'Carl', '--remove', '--space', 'nowhere')
  await refused(ada, 'INVALID_ARGUMENT', 'hub', 'invite', 'Carl', '--remove', '--machine', 'nothing')
  // Who names nobody does not lock themselves out.
  assert.match(await refused(ada, 'INVALID_ARGUMENT', 'hub', 'invite', '--remove'), /--machine/)
  const { code, out } = await hub(ada, 'invite', 'Carl', '--remove', '--space', 'team')
  assert.equal(code, 0)
  assert.match(out, /^Carl is out of team\. /)
  assert.match(
    await refused(ada, 'INVALID_ARGUMENT', 'hub', 'invite', 'Carl', '--remove', '--space', 'team'),
    /Carl is not in/,
  )
  await exchange(carl)
  assert.deepEqual(await authors(carl), {})
  assert.deepEqual(
    (await told(carl, 'hub', 'spaces')).spaces.map(({ name }: { name: string }) => name),
    ["Carl's own"],
  )
  const lost = await told(ada, 'hub', 'invite', 'Ada', '--remove', '--machine', 'desk')
  assert.deepEqual(lost, { person: 'Ada', revoked: ['desk'] })
  // The login is gone on the server, so that it cannot even be said why.
  assert.match((await hub(desk, 'sync')).err, /locked out|does not know this machine's login/)
  await exchange(ada)
  assert.deepEqual((await told(ada, 'hub', 'invite', 'Carl', '--remove')).revoked, ['box'])
  assert.notEqual((await hub(carl, 'sync')).code, 0)
  // Who was locked out can still leave: it is their archive.
  const { code: gone } = await hub(desk, 'leave', '--yes')
  assert.equal(gone, 0)
  assert.deepEqual(await authors(desk), {})
})

test('hub init: again on a hub that is there, it adds no space, and says what there is', {
  skip,
}, async () => {
  const url = server.url(await server.database())
  const [eve, again] = [machine(), machine()]
  try {
    const made = await told(eve, 'hub', 'init', url, '--name', 'Eve', '--space', 'shop')
    assert.deepEqual([made.space, made.spaceIsNew], ['shop', true])
    for (const _ of [1, 2]) {
      const known = await told(eve, 'hub', 'init', url)
      assert.deepEqual([known.joined, known.spaceIsNew, known.spaces], [false, false, ['shop']])
    }
    const { out } = await hub(eve, 'init', url)
    assert.equal(out, 'The hub is up to date.\nIn it: Eve. Spaces of the team: shop.\n')
    // From a machine that is new there, too.
    const second = await hub(again, 'init', url, '--name', 'Finn')
    assert.equal(second.code, 0, second.err)
    assert.match(
      second.out,
      /There is a hub already .*You are Finn.*\n.*\nIn it: Eve, Finn\. Spaces of the team: shop\./,
    )
    assert.match(second.out, /You are in none of its spaces yet/)
    // Where a space is named, whoever runs the hub is let in.
    await told(again, 'hub', 'init', url, '--space', 'shop')
    await exchange(again)
    const { spaces } = await told(again, 'hub', 'spaces')
    assert.deepEqual(spaces.map(({ name }: { name: string }) => name).sort(), ["Finn's own", 'shop'])
    // Another database is not made a hub by the way, and the login there does not replace that of the hub.
    const settings = fs.readFileSync(path.join(eve.archive, 'hub.json'), 'utf8')
    await refused(eve, 'HUB_JOINED', 'hub', 'init', server.url(await server.database()))
    assert.equal(fs.readFileSync(path.join(eve.archive, 'hub.json'), 'utf8'), settings)
  } finally {
    eve.remove()
    again.remove()
  }
})
