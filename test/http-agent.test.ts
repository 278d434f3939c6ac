import assert from 'node:assert/strict'
import fs from 'node:fs'
import path from 'node:path'
import { after, before, describe, test } from 'node:test'
import OpenAI from 'openai'
import { capabilities } from '../src/capabilities/index.ts'
import { agentEvents } from '../src/http/agent-events.ts'
import { agentRoutes } from '../src/http/agent-routes.ts'
import { openAiRoutes } from '../src/http/openai-routes.ts'
import { allRoutes } from '../src/http/routes.ts'
import { testServer } from './agent-kit.ts'
import { type Asked, type Site, site } from './http-kit.ts'
import { type Answer, sampleMachine, until } from './mcp-kit.ts'
import { type ScriptedModel, startScriptedModel } from './real/scripted-model.ts'

const alex = sampleMachine()
const note = path.join(alex.home, 'note.txt')
const write = { tool: 'write_note', args: { path: note, note: 'hello' } }
let model: ScriptedModel
let served: Site
let openai: OpenAI

before(async () => {
  model = await startScriptedModel([
    { when: 'say hello', turns: [{ thinking: 'How nice.', text: 'Hello there.' }] },
    { when: 'and goodbye', turns: [{ text: 'Goodbye.' }] },
    {
      when: 'search my chats',
      turns: [
        { calls: [{ tool: 'search_conversations', args: { query: 'deadlock' } }] },
        { text: 'It was about ShareLock.' },
      ],
    },
    { when: 'write a note', turns: [{ calls: [write] }, { text: 'Noted.' }] },
    { when: 'never end', turns: [{ text: 'This goes on and on', fault: 'hang' }] },
    { when: 'fail', turns: [{ fault: { status: 401, message: 'invalid api key' } }] },
    { when: 'break off', turns: [{ text: 'Half of a sentence that is long enough', fault: 'cut' }] },
    { when: 'loop', turns: [{ calls: [{ tool: 'list_chats', args: {} }] }] },
  ])
  fs.mkdirSync(alex.archive, { recursive: true, mode: 0o700 })
  fs.writeFileSync(
    path.join(alex.archive, 'config.json'),
    JSON.stringify({ agent: { provider: 'anthropic', maxToolIterations: 3 } }),
  )
  fs.writeFileSync(path.join(alex.archive, 'mcp-servers.json'), JSON.stringify({ servers: [testServer()] }))
  assert.equal((await alex.run(['sync'])).code, 0)
  served = await site(alex, { env: { ANTHROPIC_API_KEY: 'test-key', ANTHROPIC_BASE_URL: model.url } })
  openai = new OpenAI({ apiKey: served.token, baseURL: `${served.url.origin}/v1` })
})
after(async () => {
  await served?.close()
  await model?.close()
  alex.remove()
})

const routes = [...agentRoutes, ...openAiRoutes]

/** What it answers, checked against what the document says. */
async function ask(at: string, how: Asked = {}, status = 200): Promise<Answer> {
  const answer = await served.ask(at, { as: 'program', ...how })
  assert.equal(answer.status, status, answer.text.slice(0, 1_000))
  const method = (how.method ?? (how.body === undefined ? 'GET' : 'POST')).toLowerCase()
  const route = routes.find(
    (each) => each.method === method && new RegExp(`^${each.path.replaceAll(/\{\w+\}/g, '[^/]+')}$`).test(at),
  )
  if (status === 200) route?.answer?.parse(answer.json)
  return answer.json
}

const chat = async (body: object, status = 200) => await ask('/api/v1/chat', { body }, status)

describe('the agent over REST', () => {
  test('answers, goes on with a dialog, and keeps it', async () => {
    const first = await chat({ message: 'say hello' })
    assert.deepEqual([first.status, first.message], ['done', 'Hello there.'])
    assert.ok(first.usage.output > 0)
    const second = await chat({ message: 'and goodbye', sessionId: first.sessionId })
    assert.equal(second.sessionId, first.sessionId)
    assert.equal(second.message, 'Goodbye.')
    const { sessions } = await ask('/api/v1/sessions')
    assert.ok(sessions.some((each: { id: string }) => each.id === first.sessionId))
    const session = await ask(`/api/v1/sessions/${first.sessionId}`)
    assert.deepEqual(
      session.messages.map((each: { text: string }) => each.text),
      ['say hello', 'Hello there.', 'and goodbye', 'Goodbye.'],
    )
    await until('it is an archived chat', async () => {
      const { json } = await served.ask(`/api/v1/chats/recollect-agent:${first.sessionId}`)
      return json.chat?.messageCount === 4
    })
    // Erasing is the owner's own act.
    await ask(`/api/v1/sessions/${first.sessionId}`, { method: 'DELETE' }, 403)
    await ask(`/api/v1/sessions/${first.sessionId}`, { method: 'DELETE', as: 'page' })
    await ask(`/api/v1/sessions/${first.sessionId}`, {}, 404)
  })

  test('tells what it does as it happens', async () => {
    for (const [at, headers] of [
      ['/api/v1/chat/stream', {}],
      ['/api/v1/chat', { accept: 'text/event-stream' }],
    ] as const) {
      const events = await served.events(at, { body: { message: 'search my chats' }, headers })
      await until('it is done', events.ended)
      const names = events.all.map(({ event }) => event)
      assert.equal(names[0], 'start')
      for (const name of ['tool-call', 'tool-result', 'text', 'step']) assert.ok(names.includes(name), name)
      assert.equal(names.at(-1), 'done')
      for (const { event, data } of events.all) agentEvents[event as keyof typeof agentEvents].parse(data)
      const { data } = events.all.at(-1)!
      assert.equal(data.message, 'It was about ShareLock.')
      assert.equal(data.toolResults[0].toolName, 'search_conversations')
      assert.equal(data.toolResults[0].success, true)
    }
  })

  test('waits for a tool to be allowed, and goes on', async () => {
    const paused = await chat({ message: 'write a note' })
    assert.equal(paused.status, 'paused')
    const [approval] = paused.approvals
    const { approvals } = await ask('/api/v1/approvals')
    assert.ok(approvals.some((each: { id: string }) => each.id === approval.id))
    assert.ok(!fs.existsSync(note))
    const resume = `/api/v1/chat/${paused.sessionId}/resume`
    assert.equal((await ask(resume, { method: 'POST' }, 409)).error.code, 'APPROVALS_PENDING')
    const at = `/api/v1/approvals/${encodeURIComponent(approval.id)}`
    await ask(at, { body: { decision: 'maybe' }, as: 'page' }, 400)
    // A token decides only where its owner said so, and never for good.
    const body = { decision: 'allow' }
    const plain = await served.ask(at, { body, as: 'program' })
    assert.deepEqual([plain.status, plain.json.error.code], [403, 'FORBIDDEN'], plain.text)
    assert.match(plain.json.error.message, /scope `approve`/)
    const trusted = (await alex.run(['token', 'create', 'trusted', '--scope', 'ask', 'approve'])).out.trim()
    const headers = { authorization: `Bearer ${trusted}` }
    for (const remember of ['tool', 'server']) {
      const forGood = await served.ask(at, { body: { ...body, remember }, as: 'nobody', headers })
      assert.equal(forGood.status, 403, forGood.text)
    }
    assert.ok(!fs.existsSync(path.join(alex.archive, 'agent-approvals.json')))
    const decided = await served.ask(at, { body: { ...body, remember: 'once' }, as: 'nobody', headers })
    assert.equal(decided.json.decision, 'allow', decided.text)
    await ask(at, { body: { decision: 'allow' }, as: 'page' }, 404)
    const done = await ask(resume, { method: 'POST' })
    assert.deepEqual([done.status, done.message], ['done', 'Noted.'])
    assert.equal(fs.readFileSync(note, 'utf8'), 'hello\n')
    fs.rmSync(note)
  })

  test('says what is wrong, and keeps what was done', async () => {
    const wrong = await chat({ message: 'fail' }, 502)
    assert.equal(wrong.error.code, 'WRONG_KEY')
    const looped = await chat({ message: 'loop' }, 500)
    assert.equal(looped.error.message, 'Tool use loop exceeded maximum iterations')
    assert.equal(looped.error.partial.toolResults.length, 3)
    const events = await served.events('/api/v1/chat/stream', { body: { message: 'fail' } })
    await until('it failed', events.ended)
    assert.deepEqual([events.all.at(-1)?.event, events.all.at(-1)?.data.code], ['error', 'WRONG_KEY'])
    await chat({ message: '' }, 400)
    await chat({ message: 'x', model: 3 }, 400)
    await chat({ message: 'x', unattended: true }, 400)
    const unknown = await chat({ message: 'x', sessionId: 'nothing' }, 404)
    assert.equal(unknown.error.hint, '`GET /api/v1/sessions` shows the chats with the agent.')
    await chat({ message: 'x', provider: 'nobody' }, 400)
  })

  test('whoever goes away ends what was done for them', async () => {
    const began = model.requests.length
    const events = await served.events('/api/v1/chat/stream', { body: { message: 'never end' } })
    await until('it speaks', () => events.all.some(({ event }) => event === 'text'))
    events.close()
    await until('the model was left', () => model.requests.slice(began).some(({ left }) => left === true))
  })

  test('lists providers, models, servers and tools', async () => {
    const { providers } = await ask('/api/v2/providers')
    assert.ok(providers.some((each: { id: string; ready: boolean }) => each.id === 'anthropic' && each.ready))
    const { models } = await ask('/api/v2/models')
    assert.deepEqual(
      models.map(({ provider, tools }: { provider: string; tools: boolean }) => [provider, tools]),
      [['anthropic', true]],
    )
    const { servers } = await ask('/api/v2/mcp/servers')
    assert.ok(
      servers.some((each: { id: string; status: string }) => each.id === 'test' && each.status === 'ready'),
    )
    const { tools } = await ask('/api/v2/mcp/tools')
    assert.ok(tools.some((each: { name: string }) => each.name === 'write_note'))
    await until(
      'it is known to be ready',
      async () => (await served.ask('/api/v1/overview')).json.agent.ready,
    )
  })
})

describe('the agent as a model, asked by the official client', () => {
  const said = (content: string) => [{ role: 'user' as const, content }]

  test('answers, with usage', async () => {
    const { data, response } = await openai.chat.completions
      .create({ model: 'recollect', messages: said('say hello') })
      .withResponse()
    assert.equal(data.choices[0]?.message.content, 'Hello there.')
    assert.equal(data.choices[0]?.finish_reason, 'stop')
    assert.ok(data.usage!.total_tokens > 0)
    assert.match(String(response.headers.get('x-session-id')), /^[\w-]{8,}$/)
  })

  test('streams', async () => {
    const stream = await openai.chat.completions.create({
      model: 'recollect',
      messages: said('search my chats'),
      stream: true,
      stream_options: { include_usage: true },
    })
    let text = ''
    let last: OpenAI.ChatCompletionChunk | undefined
    for await (const chunk of stream) {
      text += chunk.choices[0]?.delta.content ?? ''
      last = chunk
    }
    assert.equal(text, 'It was about ShareLock.')
    assert.ok(last?.usage?.prompt_tokens)
  })

  test('goes on with the dialog that the client sends again, and knows of one it has never seen', async () => {
    const messages: OpenAI.ChatCompletionMessageParam[] = [...said('say hello')]
    const first = await openai.chat.completions.create({ model: 'recollect', messages }).withResponse()
    messages.push(first.data.choices[0]!.message, ...said('and goodbye'))
    const second = await openai.chat.completions.create({ model: 'recollect', messages }).withResponse()
    assert.equal(second.response.headers.get('x-session-id'), first.response.headers.get('x-session-id'))
    assert.equal(model.requests.at(-1)?.said.filter(({ by }) => by === 'user').length, 2)

    await openai.chat.completions.create({
      model: 'recollect',
      messages: [
        { role: 'system', content: 'Be brief.' },
        ...said('What is a zebra?'),
        { role: 'assistant', content: 'An animal.' },
        ...said('say hello'),
      ],
    })
    assert.deepEqual(
      model.requests
        .at(-1)!
        .said.filter(({ by }) => by !== 'system')
        .map(({ by, text }) => [by, text]),
      [
        ['user', 'What is a zebra?'],
        ['model', 'An animal.'],
        ['user', 'say hello'],
      ],
    )
  })

  test('nobody can be asked, so what needs to be allowed is not done', async () => {
    const { choices } = await openai.chat.completions.create({
      model: 'anthropic/claude-test',
      messages: said('write a note'),
    })
    assert.equal(choices[0]?.message.content, 'Noted.')
    assert.ok(!fs.existsSync(note))
    assert.equal(model.requests.at(-1)?.model, 'claude-test')
  })

  test('errors are what the client knows, and it does not run the agent again', async () => {
    const before = model.requests.length
    for (const stream of [false, true]) {
      await assert.rejects(
        async () =>
          await openai.chat.completions.create({ model: 'recollect', messages: said('fail'), stream }),
        (error) => error instanceof OpenAI.APIError && error.status === 502 && error.code === 'WRONG_KEY',
      )
    }
    assert.equal(model.requests.length - before, 2)
    await assert.rejects(async () => {
      const stream = await openai.chat.completions.create({
        model: 'recollect',
        messages: said('break off'),
        stream: true,
      })
      for await (const _ of stream);
    }, OpenAI.APIError)
    await assert.rejects(
      new OpenAI({ apiKey: 'wrong', baseURL: openai.baseURL }).models.list(),
      OpenAI.AuthenticationError,
    )
  })

  test('names its models', async () => {
    const { data } = await openai.models.list()
    assert.equal(data[0]?.id, 'recollect')
  })
})

test('the routes of the agent are among all routes', () => {
  const all = allRoutes(capabilities, alex.archive)
  for (const route of routes) assert.ok(all.includes(route), route.path)
})
