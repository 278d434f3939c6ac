import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { addSpace, invite, letIn, setUp } from '../src/hub/admin.ts'
import type { Database } from '../src/hub/database.ts'
import { join } from '../src/hub/membership.ts'
import { adminOf, noServer, type TestServer, testServer } from '../src/hub/test-kit.ts'
import { say, type TestMachine, testMachine } from '../src/hub/test-machine.ts'
import { createToken, revokeToken } from '../src/platform/tokens.ts'
import { type Events, type Site, site } from './http-kit.ts'
import { sampleMachine, until } from './mcp-kit.ts'

/** A search node that pulls two spaces from a real hub, and somebody who may see one of them and listens. */
const skip = noServer() ?? false
const alex = sampleMachine()
let server: TestServer
let admin: Database
let node: Site
let [anna, bob]: TestMachine[] = []
const streams: Events[] = []
let guest: ReturnType<typeof createToken>

before(async () => {
  if (skip) return
  server = await testServer()
  const { admin: made, address } = await adminOf(server, await server.database())
  admin = made
  await setUp(admin)
  for (const name of ['red', 'blue']) await addSpace(admin, { name, kind: 'team' })
  ;[anna, bob] = [
    await testMachine(admin, address, 'anna', 'annas-desk'),
    await testMachine(admin, address, 'bob', 'bobs-desk'),
  ]
  const invitation = await invite(admin, address, 'node')
  for (const [person, space] of [
    ['anna', 'red'],
    ['bob', 'blue'],
    ['node', 'red'],
    ['node', 'blue'],
  ] as const)
    await letIn(admin, person, space)
  await join(invitation, { folder: alex.archive, label: 'node' })
  for (const [machine, space] of [
    [anna, 'red'],
    [bob, 'blue'],
  ] as const) {
    await machine!.exchange()
    await machine!.share(space, { workspace: '/work' })
    await machine!.write({ id: `first-${space}`, workspace: '/work' }, [say(1, `about ${space}`)])
    await machine!.exchange()
  }
  guest = createToken(alex.archive, 'guest', { spaces: ['red'] })
  node = await site(alex, { args: ['--hub'] })
  await until('both are pulled', async () => {
    const { json } = await node.ask('/api/v1/list_chats?author=bob')
    const red = await node.ask('/api/v1/list_chats', as(guest.token))
    return json.chats?.length === 1 && red.json.chats?.length === 1
  })
})
after(async () => {
  for (const stream of streams) stream.close()
  await node?.close()
  for (const machine of [anna, bob]) {
    await machine?.archive.close()
    await machine?.close()
  }
  await admin?.close()
  await server?.end()
  alex.remove()
})

function as(token: string) {
  return { as: 'nobody' as const, headers: { authorization: `Bearer ${token}` } }
}

async function listening(at: string, token?: string): Promise<Events> {
  const events = await node.events(at, token ? as(token) : {})
  assert.equal(events.status, 200, at)
  streams.push(events)
  await until('it begins', () => events.all.length > 0)
  return events
}

const named = ({ all }: Events, id: string) => all.some(({ data }) => JSON.stringify(data).includes(id))
const changes = ({ all }: Events) => all.filter(({ event }) => event === 'changed')

test('who may see one space hears of that one, not even when something else changes', { skip }, async () => {
  const all = await listening('/api/v1/live')
  const theirs = await listening('/api/v1/live', guest.token)
  const one = await listening('/api/v1/chats/first-red@anna/live', guest.token)
  assert.equal((await node.events('/api/v1/chats/first-blue@bob/live', as(guest.token))).status, 404)

  await bob!.write({ id: 'second-blue', workspace: '/work' }, [say(1, 'bluecheese')])
  await bob!.exchange()
  await until('whoever runs the node hears of it', () => named(all, 'second-blue@bob'))
  await anna!.write({ id: 'second-red', workspace: '/work' }, [say(1, 'redwine')])
  await anna!.write({ id: 'first-red', workspace: '/work' }, [say(1, 'about red'), say(2, 'it goes on')])
  await anna!.exchange()
  await until('so does the guest, of theirs', () => named(theirs, 'second-red@anna'))
  await until('and of the chat', () => changes(one).at(-1)?.data.messageCount === 2)

  for (const { event, data } of [...theirs.all, ...one.all])
    assert.doesNotMatch(JSON.stringify({ event, data }), /blue|bob|alex|127\.0\.0\.1/)
  for (const { data } of changes(theirs)) assert.ok(data.chats.length > 0, 'nothing is told of nothing')
})

test('a stream ends when its token is revoked', { skip }, async () => {
  const theirs = await listening('/api/v1/live', guest.token)
  revokeToken(alex.archive, guest.entry.id)
  await anna!.write({ id: 'third-red', workspace: '/work' }, [say(1, 'after that')])
  await anna!.exchange()
  await until('it ends', theirs.ended)
  assert.equal(named(theirs, 'third-red'), false)
})
