import assert from 'node:assert/strict'
import fs from 'node:fs'
import { after, before, test } from 'node:test'
import { type Events, type Site, site } from './http-kit.ts'
import { claudeFile, claudeLine, sampleMachine, until } from './mcp-kit.ts'

const alex = sampleMachine()
const SESSION = '70000000-0000-4000-8000-000000000001'
let served: Site
const streams: Events[] = []

before(async () => {
  fs.writeFileSync(
    claudeFile(alex, SESSION),
    claudeLine(SESSION, 'begun', alex.project, new Date(1_780_000_000_000)),
  )
  served = await site(alex)
  await until('in step', async () => (await served.ask('/api/v1/overview')).json.sync.state === 'in step')
})
after(async () => {
  for (const stream of streams) stream.close()
  await served?.close()
  alex.remove()
})

async function listening(at: string): Promise<Events> {
  const events = await served.events(at)
  assert.equal(events.status, 200)
  assert.match(String(events.headers['content-type']), /^text\/event-stream/)
  streams.push(events)
  return events
}

const changed = ({ all }: Events) => all.filter(({ event }) => event === 'changed').map(({ data }) => data)

test('a line that is added to a file is told within a second', async () => {
  const all = await listening('/api/v1/live')
  const one = await listening(`/api/v1/chats/claude-code:${SESSION}/live`)
  await until('how it stands', () => changed(one).length > 0 && all.all.length > 0)
  assert.equal(changed(one)[0].messageCount, 1)
  assert.deepEqual(all.all[0], { event: 'sync', data: { state: 'in step' } })

  fs.appendFileSync(claudeFile(alex, SESSION), claudeLine(SESSION, 'goes on', alex.project))
  await until('told', () => changed(one).length > 1 && changed(all).length > 0)
  assert.equal(changed(one).at(-1).messageCount, 2)
  assert.deepEqual(changed(all).at(-1), { chats: [{ id: SESSION, source: 'claude-code' }] })
  const { messages } = (await served.ask(`/api/v1/chats/${SESSION}/messages`)).json
  assert.equal(messages.at(-1).text, 'goes on')
})

test('other chats do not wake who listens to one', async () => {
  const one = await listening(`/api/v1/chats/${SESSION}/live`)
  await until('how it stands', () => changed(one).length > 0)
  const other = await listening('/api/v1/live')
  const id = '70000000-0000-4000-8000-000000000002'
  await until('it listens', () => other.all.length > 0)
  fs.writeFileSync(claudeFile(alex, id), claudeLine(id, 'another', alex.project))
  await until('the other is told', () =>
    changed(other).some(({ chats }) => chats?.some((each: { id: string }) => each.id === id)),
  )
  assert.equal(changed(one).length, 1)
})

test('when another archive is shown, that is told as a change of everything', async () => {
  const all = await listening('/api/v1/live')
  await until('it listens', () => all.all.length > 0)
  await served.ask('/api/v1/sample', { body: { on: true } })
  await until('told', () => changed(all).some(({ chats }) => chats === null))
  await served.ask('/api/v1/sample', { body: { on: false } })
  await until('told again', () => changed(all).filter(({ chats }) => chats === null).length > 1)
})

test('a chat that is forgotten ends its stream', async () => {
  const one = await listening(`/api/v1/chats/${SESSION}/live`)
  await until('how it stands', () => changed(one).length > 0)
  await served.ask(`/api/v1/chats/${SESSION}`, { method: 'DELETE' })
  await until('ended', one.ended)
  assert.equal((await served.events(`/api/v1/chats/${SESSION}/live`)).status, 404)
})

test('who listens does not keep the server from ending', async () => {
  await listening('/api/v1/live')
  await served.close()
  assert.equal(served.child.exitCode, 0)
})
