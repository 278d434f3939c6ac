import assert from 'node:assert/strict'
import { once } from 'node:events'
import fs from 'node:fs'
import path from 'node:path'
import { after, before, describe, test } from 'node:test'
import { followedEvents } from '../src/http/agent-events.ts'
import { type Events, type Site, site } from './http-kit.ts'
import { type Answer, sampleMachine, until } from './mcp-kit.ts'
import { ALL_APIS, allProviders } from './openai-kit.ts'
import { type ScriptedModel, startScriptedModel } from './real/scripted-model.ts'

const alex = sampleMachine()
let model: ScriptedModel
let served: Site
let env: Record<string, string>
const STORY = Array.from({ length: 60 }, (_, n) => `Sentence number ${n} of a story.`).join(' ')
/** `RUNS_AT_ONCE=100` is the whole of it; fewer are as good a sign each time. */
const AT_ONCE = Number(process.env.RUNS_AT_ONCE ?? 30)
const KILLS = Number(process.env.KILLS ?? 2)

before(async () => {
  model = await startScriptedModel([
    { when: 'tell a story', turns: [{ text: STORY, paceMs: 15 }] },
    { when: 'never end', turns: [{ text: STORY, fault: 'hang' }] },
    {
      when: 'look it up',
      turns: [
        { thinking: 'Hm.', text: 'Wait.', calls: [{ tool: 'list_chats', args: { limit: 1 } }] },
        { thinking: 'Ah.', text: 'Looked up.' },
      ],
    },
    { when: 'say nothing', turns: [{ thinking: 'Hm.' }] },
    { when: 'be wrong', turns: [{ fault: { status: 401, message: 'invalid api key' } }] },
    { when: 'and now', turns: [{ text: 'Now this.' }] },
  ])
  ;({ env } = allProviders(alex, model.url))
  served = await site(alex, { env })
})
after(async () => {
  await served?.close()
  await model?.close()
  alex.remove()
})

const start = async (body: object): Promise<string> => {
  const { status, json, text } = await served.ask('/api/v1/runs', { body, as: 'program' })
  assert.equal(status, 200, text)
  return json.sessionId
}
const follow = async (id: string, headers: Record<string, string> = {}): Promise<Events> =>
  await served.events(`/api/v1/sessions/${id}/events`, { as: 'program', headers })
const textIn = ({ all }: Pick<Events, 'all'>) =>
  all.map(({ event, data }) => (event === 'text' ? data.text : '')).join('')
const names = ({ all }: Events) => all.map(({ event }) => event)

describe('a run lives on the server', () => {
  for (const [api, name] of Object.entries(ALL_APIS)) {
    test(`${api}: it goes on when nobody listens, and is heard again from where it was left`, async () => {
      const [provider, model] = name.split('/')
      const id = await start({ message: 'tell a story', provider, model })
      const first = await follow(id)
      await until('it speaks', () => textIn(first).length > 100)
      first.close()
      const heard = textIn(first)
      const last = first.all.findLast((each) => each.id !== undefined)?.id
      assert.ok(last)
      const { json } = await served.ask(`/api/v1/sessions/${id}`)
      assert.equal(json.status, 'running')
      assert.ok(json.messages.at(-1).text.startsWith(heard), 'what was heard is written down')
      const second = await follow(id, { 'last-event-id': last })
      await until('it has ended', second.ended)
      assert.equal(heard + textIn(second), STORY, 'every word once')
      assert.equal(names(second).at(-1), 'done')
      assert.equal(second.all.at(-1)?.data.result.message, STORY)
      // From the beginning it is the same once more, with what was asked.
      const whole = await follow(id)
      await until('all is told', whole.ended)
      assert.deepEqual(names(whole).slice(0, 2), ['request', 'start'])
      assert.equal(textIn(whole), STORY)
    })
  }

  test('from each event on, exactly the rest is told', async () => {
    const id = await start({ message: 'look it up' })
    const whole = await follow(id)
    await until('it has ended', whole.ended)
    const again = await follow(id)
    await until('all is told', again.ended)
    assert.deepEqual(
      names(again).filter((each) => each !== 'text'),
      names(whole).filter((each) => each !== 'text'),
    )
    for (const { event, data } of whole.all)
      followedEvents[event as keyof typeof followedEvents].parse(data, { error: () => event })
    for (const [at, { id: place }] of again.all.entries()) {
      if (place === undefined) continue
      const rest = await served.events(`/api/v1/sessions/${id}/events?after=${place}`, { as: 'program' })
      await until('the rest is told', rest.ended)
      assert.deepEqual(
        rest.all.map(({ event, data }) => [event, data]),
        again.all.slice(at + 1).map(({ event, data }) => [event, data]),
      )
    }
  })

  test('it is stopped by anybody, and the dialog goes on', async () => {
    const began = model.requests.length
    const id = await start({ message: 'never end' })
    const events = await follow(id)
    await until('it speaks', () => textIn(events).length > 100)
    const stopped = await served.ask(`/api/v1/sessions/${id}/stop`, { method: 'POST', as: 'program' })
    assert.equal(stopped.json.status, 'cancelled')
    await until('it is told', events.ended)
    assert.equal(names(events).at(-1), 'stopped')
    await until('the model was left', () => model.requests[began]?.left === true)
    const again = await served.ask(`/api/v1/sessions/${id}/stop`, { method: 'POST', as: 'program' })
    assert.deepEqual([again.status, again.json.status], [200, 'cancelled'])
    await start({ message: 'and now', sessionId: id })
    const next = await follow(id, { 'last-event-id': events.all.at(-1)?.id ?? '' })
    await until('it answers', next.ended)
    assert.deepEqual([names(next)[0], textIn(next)], ['request', 'Now this.'])
    // One that runs for a client that waits can be stopped as well.
    const waiting = served.ask('/api/v1/chat', { body: { message: 'never end' }, as: 'program' })
    await until('it runs', async () => {
      const { sessions } = (await served.ask('/api/v1/sessions?status=running')).json
      return sessions.length === 1
    })
    const [running] = (await served.ask('/api/v1/sessions?status=running')).json.sessions
    await served.ask(`/api/v1/sessions/${running.id}/stop`, { method: 'POST' })
    const left = await waiting
    assert.deepEqual([left.status, left.json.error.code], [409, 'CANCELLED'])
  })

  test('what goes wrong at once has a status, what goes wrong later is told, and an empty answer says why', async () => {
    for (const [body, status] of [
      [{ message: ' ' }, 400],
      [{ message: 'x', sessionId: 'ffffffff' }, 404],
      [{ message: 'x', provider: 'nobody' }, 400],
      [{ message: 'x', sessionId: 'ffffffff', instead: 'r1' }, 404],
    ] as const)
      assert.equal((await served.ask('/api/v1/runs', { body })).status, status, JSON.stringify(body))
    for (const at of ['events', 'stop', 'resume']) {
      const method = at === 'events' ? 'GET' : 'POST'
      assert.equal((await served.ask(`/api/v1/sessions/ffffffff/${at}`, { method })).status, 404, at)
    }
    const wrong = await follow(await start({ message: 'be wrong' }))
    await until('it failed', wrong.ended)
    const { event, data } = wrong.all.at(-1)!
    assert.deepEqual([event, data.code], ['error', 'WRONG_KEY'])
    assert.match(data.hint, /ANTHROPIC_API_KEY/)
    const empty = await follow(await start({ message: 'say nothing' }))
    await until('it ended', empty.ended)
    assert.match(empty.all.find((each) => each.event === 'notice')?.data.text, /ended without an answer/)
  })

  test('one is asked again in other words: a copy goes on, and the first one stays', async () => {
    const id = await start({ message: 'and now' })
    await ended(id)
    await start({ message: 'look it up', sessionId: id })
    await ended(id)
    const { messages } = (await served.ask(`/api/v1/sessions/${id}`)).json
    const request = messages.findLast(({ role }: Answer) => role === 'user')
    const other = await start({ message: 'and now, please', sessionId: id, instead: request.id })
    assert.notEqual(other, id)
    await ended(other)
    const texts = async (session: string) =>
      (await served.ask(`/api/v1/sessions/${session}`)).json.messages
        .filter(({ role }: Answer) => role === 'user')
        .map(({ text }: Answer) => text)
    assert.deepEqual(await texts(other), ['and now', 'and now, please'])
    assert.deepEqual(await texts(id), ['and now', 'look it up'])
    assert.deepEqual(
      model.requests
        .at(-1)!
        .said.filter(({ by }) => by !== 'system')
        .map(({ text }) => text),
      ['and now', 'Now this.', 'and now, please'],
    )
    await until('the archive knows it as a fork', async () => {
      const { json } = await served.ask(`/api/v1/chats/recollect-agent:${other}`)
      return json?.relatives?.original?.id === id
    })
  })

  test('a page at a time, newest first', async () => {
    const all = (await served.ask('/api/v1/sessions?limit=200')).json.sessions.map(({ id }: Answer) => id)
    assert.ok(all.length > 6)
    const found: string[] = []
    let cursor = ''
    do {
      const { json } = await served.ask(`/api/v1/sessions?limit=3${cursor && `&cursor=${cursor}`}`)
      assert.ok(json.sessions.length <= 3)
      found.push(...json.sessions.map(({ id }: Answer) => id))
      cursor = json.next ?? ''
    } while (cursor !== '')
    assert.deepEqual(found, all)
    const failed = (await served.ask('/api/v1/sessions?status=failed')).json.sessions
    assert.ok(failed.length > 0 && failed.every(({ status }: Answer) => status === 'failed'))
    assert.equal((await served.ask('/api/v1/sessions?limit=0')).status, 400)
  })
})

test(`${AT_ONCE} at once, and the server killed at random: nothing is lost, nothing is there twice`, async () => {
  const apis = Object.values(ALL_APIS).map((name) => name.split('/'))
  for (let kill = 0; kill < KILLS; kill++) {
    const ids = await Promise.all(
      Array.from({ length: AT_ONCE }, (_, n) => {
        const [provider, name] = apis[n % apis.length]!
        return start({ message: `tell a story ${n}`, provider, model: name })
      }),
    )
    assert.equal(new Set(ids).size, AT_ONCE)
    const heard = await Promise.all(ids.map((id) => follow(id)))
    const enough = AT_ONCE * 20 + Math.random() * AT_ONCE * 600
    const told = () => heard.reduce((sum, events) => sum + textIn(events).length, 0)
    await until('much is said', () => told() > enough || heard.every((each) => each.ended()))
    served.child.kill('SIGKILL')
    await once(served.child, 'exit')
    await until('all are cut off', () => heard.every((each) => each.ended()))
    served = await site(alex, { env })
    for (const [at, id] of ids.entries()) {
      const { json } = await served.ask(`/api/v1/sessions/${id}`)
      const said = json.messages.find(({ role }: Answer) => role === 'assistant')?.text ?? ''
      assert.ok(said.startsWith(textIn(heard[at]!)), `${id} said more than is kept`)
      assert.ok(STORY.startsWith(said))
      assert.match(json.status, /^(failed|done)$/)
      assert.deepEqual(
        json.messages.map(({ role, text }: Answer) => (role === 'user' ? text : role)),
        [`tell a story ${at}`, ...(said ? ['assistant'] : [])],
      )
    }
    await until('each is one chat of the archive, with each message once', async () => {
      const found = await Promise.all(
        ids.map(
          async (id) => (await served.ask(`/api/v1/chats/recollect-agent:${id}`)).json.chat?.messageCount,
        ),
      )
      return found.every((messages) => messages === 1 || messages === 2)
    })
    const [broken = ''] = ids
    const shown = await follow(broken)
    await until('it is told', shown.ended)
    const { event, data } = shown.all.at(-1)!
    if (event === 'error') assert.equal(data.code, 'INTERRUPTED')
    assert.ok(textIn(shown).startsWith(textIn(heard[0]!)))
    await start({ message: 'and now', sessionId: broken })
    await ended(broken)
    assert.equal((await served.ask(`/api/v1/sessions/${broken}`)).json.messages.at(-1).text, 'Now this.')
  }
})

test('nothing of a key in any file or in what was logged', () => {
  const files = [alex.home, alex.archive].flatMap((folder) =>
    fs.readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile()),
  )
  assert.ok(files.some(({ name, parentPath }) => parentPath.endsWith('runs') && name.endsWith('.jsonl')))
  assert.ok(files.some(({ name }) => name === 'archive.db' || name.endsWith('.sqlite')))
  const found = files.filter((entry) =>
    fs.readFileSync(path.join(entry.parentPath, entry.name)).includes('test-key'),
  )
  assert.deepEqual(
    found.map(({ name }) => name),
    [],
  )
  assert.ok(!served.err().includes('test-key'))
})

async function ended(id: string): Promise<void> {
  await until('it ended', async () => (await served.ask(`/api/v1/sessions/${id}`)).json.status !== 'running')
}
