import assert from 'node:assert/strict'
import fs from 'node:fs'
import path from 'node:path'
import { after, test } from 'node:test'
import type { AgentEvent } from '../src/agent/agent.ts'
import { syncRuns } from '../src/agent/sync-runs.ts'
import { searchConversations } from '../src/capabilities/search-conversations.ts'
import { RecollectError } from '../src/model/errors.ts'
import { redactJson } from '../src/platform/redact.ts'
import { sources } from '../src/sources/index.ts'
import { object } from '../src/sources/json.ts'
import { runFile } from '../src/sources/recollect-agent/place.ts'
import { machineAt } from '../src/sources/test-kit.ts'
import { watch } from '../src/sync/watch.ts'
import { APIS, type Api, agentBench, agentProcess, type Bench, testServer } from './agent-kit.ts'
import { until } from './mcp-kit.ts'
import type { Fault, Script } from './real/scripted-model.ts'

const LONG = 'A long answer that takes its time to be told. '.repeat(20)
const SCRIPTS: Script[] = [
  { when: 'for ever', turns: [{ text: 'Once more.', calls: [{ tool: 'list_chats', args: { limit: 1 } }] }] },
  {
    when: 'look everywhere',
    turns: [{ calls: [{ tool: 'list_chats', args: { limit: 1 } }] }],
    toolless: { text: 'This much I found.' },
  },
  { when: 'think only', turns: [{ thinking: 'Hm.' }] },
  { when: 'spend it all', turns: [{ thinking: 'Hm. Hm.', finish: 'length' }] },
  { when: 'be filtered', turns: [{ finish: 'filter' }] },
  { when: 'hello', turns: [{ text: 'Hello to you.', usage: { input: 100, cached: 40, output: 10 } }] },
  failing('busy for a moment', { status: 529, message: 'Overloaded', times: 1 }),
  failing('told to wait', { status: 429, message: 'slow down', times: 1, headers: { 'retry-after': '1' } }),
  failing('told so in the answer', {
    ...{ status: 429, message: 'You exceeded your current quota. Please retry in 1.9s.', times: 1 },
    details: [{ '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay: '1s' }],
  }),
  failing('much later', { status: 429, message: 'slow down', headers: { 'retry-after': '3600' } }),
  failing('wrong key', { status: 401, message: 'invalid x-api-key' }),
  failing('no such model', { status: 404, message: 'model: claude-9 not found' }),
  failing('very long', { status: 400, message: 'prompt is too long: 250000 tokens > 200000 maximum' }),
  failing('strange', { status: 418, message: `I am a teapot sk-ant-api03-${'a1b2c3d4'.repeat(5)}` }),
  failing('no tools', { status: 400, message: 'tiny does not support tools', times: 1 }),
  { when: 'cut off', turns: [{ text: LONG, fault: 'cut' }] },
  { when: 'ends early', turns: [{ text: LONG, fault: 'end' }] },
  { when: 'never ends', turns: [{ text: LONG, fault: 'hang' }] },
  {
    when: 'slow tool',
    turns: [{ text: 'Waiting.', calls: [{ tool: 'wait', args: { ms: 60_000 } }] }, { text: 'Never said.' }],
  },
  {
    when: 'recall the heron',
    turns: [
      { calls: [{ tool: 'search_conversations', args: { query: 'kingfisher' } }] },
      { text: 'The heron sleeps on one leg.' },
    ],
  },
]

function failing(when: string, fault: Fault): Script {
  return { when, turns: [{ text: `Now it works: ${when}.`, fault }] }
}

async function bench(setup: Partial<Parameters<typeof agentBench>[0]> = {}): Promise<Bench> {
  const made = await agentBench({ scripts: SCRIPTS, ...setup })
  after(() => made.close())
  return made
}

test('the limit of rounds ends a run, and what was done is kept', async () => {
  const { run, agent, model } = await bench({ config: { maxToolIterations: 3 } })
  const error = await run('for ever').catch((thrown: unknown) => thrown)
  assert.ok(error instanceof RecollectError)
  assert.equal(error.code, 'MAX_TOOL_ITERATIONS')
  assert.equal(error.message, 'Tool use loop exceeded maximum iterations')
  // Once more without tools, and it called one all the same.
  assert.equal(model.requests.length, 4)
  const { sessionId, partial } = error.details as {
    sessionId: string
    partial: { toolResults: unknown[]; message: string }
  }
  assert.equal(partial.toolResults.length, 3)
  assert.equal(partial.message, 'Once more.')
  const session = await agent.session(sessionId)
  assert.equal(session.status, 'failed')
  assert.equal(session.messages.filter(({ role }) => role === 'tool').length, 3)
  const asked = await run({ message: 'hello', sessionId, parameters: { maxToolIterations: 1 } })
  assert.equal(asked.message, 'Hello to you.')
})

for (const api of Object.keys(APIS) as Api[]) {
  test(`${api}: at the limit of rounds the model answers with what it has, without tools`, async () => {
    const { run, model } = await bench({ api, config: { maxToolIterations: 2 } })
    const { message, status, notices, toolResults } = await run('look everywhere')
    assert.deepEqual([status, message, toolResults.length], ['done', 'This much I found.', 2])
    assert.match(notices.join(' '), /used tools 2 times in a row/)
    assert.equal(model.requests.length, 3)
    assert.equal(model.requests.at(-1)?.noTools, true)
    assert.equal(model.requests.at(-1)?.said.filter(({ by }) => by === 'tool').length, 2)
  })
}

for (const api of Object.keys(APIS) as Api[]) {
  test(`${api}: an empty answer says why`, async () => {
    const { run } = await bench({ api })
    const thought = await run('think only')
    assert.equal(thought.message, '')
    assert.match(thought.notices[0]!, /ended without/)
    const spent = await run({ message: 'spend it all', parameters: { maxOutputTokens: 777 } })
    assert.equal(spent.finish, 'length')
    assert.match(spent.notices[0]!, /spent all its 777 tokens/)
    assert.match((await run('be filtered')).notices[0]!, /filter held back the answer/)
  })
}

test('five rounds where nothing else is said', async () => {
  const { run, model } = await bench()
  await assert.rejects(run('for ever'), { code: 'MAX_TOOL_ITERATIONS' })
  assert.equal(model.requests.length, 6)
})

test('a dialog goes on with all that was said, and usage and cost are added up', async () => {
  const { run, model, agent } = await bench()
  const first = await run('hello')
  assert.deepEqual(first.usage, {
    input: 100,
    output: 10,
    cached: 40,
    cacheWrite: 0,
    steps: 1,
    // 60 tokens at $2, 40 from the cache at $0.2, 10 at $10 a million.
    cost: (60 * 2 + 40 * 0.2 + 10 * 10) / 1e6,
  })
  const second = await run({ message: 'hello again', sessionId: first.sessionId.slice(0, 8) })
  assert.equal(second.sessionId, first.sessionId)
  assert.deepEqual(
    model.requests
      .at(-1)!
      .said.filter(({ by }) => by !== 'system')
      .map(({ by, text }) => [by, text]),
    [
      ['user', 'hello'],
      ['model', 'Hello to you.'],
      ['user', 'hello again'],
    ],
  )
  const sessions = await agent.sessions()
  assert.deepEqual(
    sessions.map(({ id, title, status, provider, model: name }) => ({ id, title, status, provider, name })),
    [{ id: first.sessionId, title: 'hello', status: 'done', provider: 'anthropic', name: 'claude-sonnet-5' }],
  )
  await assert.rejects(run({ message: 'hello', sessionId: 'ffffffff' }), { code: 'SESSION_NOT_FOUND' })
})

test('who is busy is asked again, after as long as it wants', async () => {
  const { run, model } = await bench()
  const overloaded = await run('busy for a moment')
  assert.equal(overloaded.message, 'Now it works: busy for a moment.')
  assert.match(overloaded.notices[0]!, /overloaded; asking again in 1 s/)
  const told = await run('told to wait')
  assert.equal(told.message, 'Now it works: told to wait.')
  assert.match(told.notices[0]!, /takes no more requests for now; asking again in 1 s/)
  assert.equal(model.requests.length, 4)
})

test('Gemini says in its answer how long to wait', async () => {
  const { run } = await bench({ api: 'gemini' })
  const { message, notices } = await run('told so in the answer')
  assert.equal(message, 'Now it works: told so in the answer.')
  assert.match(notices[0]!, /takes no more requests for now; asking again in 2 s/)
})

const PROBLEMS: [said: string, code: string, message: RegExp, hint: RegExp][] = [
  ['wrong key', 'WRONG_KEY', /Anthropic refuses the key: invalid x-api-key/, /Check ANTHROPIC_API_KEY/],
  ['no such model', 'UNKNOWN_MODEL', /does not know the model "claude-sonnet-5"/, /--model/],
  ['very long', 'CONTEXT_TOO_LONG', /tools that are offered take about/, /--no-tools/],
  ['much later', 'RATE_LIMITED', /takes no more requests/, /wait 3600 seconds/],
  ['strange', 'PROVIDER_ERROR', /answered 418: I am a teapot \[redacted/, /--model/],
  ['cut off', 'CONNECTION_LOST', /broke off in the middle of the answer/, /What came is kept/],
]

test('what goes wrong is said in a sentence, with what to do', async () => {
  const { run } = await bench()
  for (const [said, code, message, hint] of PROBLEMS) {
    const error = await run(said).catch((thrown: unknown) => thrown)
    assert.ok(error instanceof RecollectError, said)
    assert.equal(error.code, code, said)
    assert.match(error.message, message)
    assert.match(error.hint ?? '', hint)
  }
})

test('without a key or a known provider it says what to do', async () => {
  const { run, agent } = await bench()
  const errorOf = async (provider: string) =>
    (await run({ message: 'hello', provider, model: 'm' }).catch(
      (thrown: unknown) => thrown,
    )) as RecollectError
  assert.match((await errorOf('openai')).hint ?? '', /Set OPENAI_API_KEY/)
  assert.match((await errorOf('nobody')).hint ?? '', /Valid values: .*anthropic/)
  const providers = new Map((await agent.providers()).map((provider) => [provider.id, provider]))
  assert.equal(providers.get('anthropic')?.ready, true)
  assert.equal(providers.get('gemini')?.ready, false)
  assert.match(providers.get('gemini')?.problem ?? '', /GEMINI_API_KEY/)
})

test('a server of models that is not there is told from one that refuses', async () => {
  const { run } = await bench({
    config: { providers: { off: { url: 'http://127.0.0.1:9/v1', model: 'm' } } },
  })
  const controller = new AbortController()
  const heard: string[] = []
  const { agent } = await bench({
    config: { providers: { off: { url: 'http://127.0.0.1:9/v1', model: 'm' } } },
  })
  const tell = (event: AgentEvent) => {
    if (event.type === 'notice') heard.push(event.text)
    if (heard.length > 0) controller.abort()
  }
  await assert.rejects(agent.run({ message: 'hello', provider: 'off' }, tell, controller.signal), {
    name: 'AbortError',
  })
  assert.match(heard[0]!, /could not be reached; asking again/)
  assert.equal((await run('hello')).message, 'Hello to you.')
})

test('what came before the connection broke is kept, and the dialog goes on', async () => {
  const { run, agent, model } = await bench()
  const error = await run('cut off').catch((thrown: unknown) => thrown)
  assert.ok(error instanceof RecollectError)
  const { sessionId } = error.details as { sessionId: string }
  const said = (await agent.session(sessionId)).messages.find(({ role }) => role === 'assistant')
  assert.ok(said && said.text.length > 100 && LONG.startsWith(said.text))
  assert.equal((await run({ message: 'hello', sessionId })).message, 'Hello to you.')
  assert.ok(model.requests.at(-1)!.said.some(({ by, text }) => by === 'model' && text === said.text))
})

for (const api of Object.keys(APIS) as Api[])
  test(`${api}: half an answer is not taken for a whole one where the connection just ends`, async () => {
    const { run, agent } = await bench({ api })
    const error = await run('ends early').catch((thrown: unknown) => thrown)
    assert.ok(error instanceof RecollectError)
    assert.equal(error.code, 'CONNECTION_LOST')
    const { sessionId } = error.details as { sessionId: string }
    const { status, messages } = await agent.session(sessionId)
    assert.equal(status, 'failed')
    assert.ok(messages.at(-1)!.text.length > 100 && LONG.startsWith(messages.at(-1)!.text))
  })

test('a model without tools gets the message without them, and the answer says so', async () => {
  const { run, model, agent } = await bench({ api: 'openai-compatible' })
  const first = await run('no tools')
  assert.equal(first.message, 'Now it works: no tools.')
  assert.match(first.notices[0]!, /tiny takes no tools/)
  assert.ok(model.requests[0]!.tools.length > 0)
  assert.equal(model.requests[1]!.tools.length, 0)
  const next = await run('hello')
  assert.match(next.notices[0]!, /tiny takes no tools/)
  assert.equal(model.requests.length, 3, 'it is known by now')
  assert.ok((await agent.models()).every(({ provider, tools }) => provider !== 'local' || !tools))
})

test('a provider that is set to take no tools is offered none, and neither is one that was asked so', async () => {
  const { run, model, folder } = await bench({ api: 'openai-compatible' })
  assert.deepEqual((await run({ message: 'hello', parameters: { tools: false } })).notices, [])
  assert.equal(model.requests[0]!.tools.length, 0)
  const providers = { local: { url: `${model.url}/v1`, model: 'tiny', tools: false } }
  const other = await bench({ api: 'openai-compatible', config: { providers } })
  assert.match((await other.run('hello')).notices[0]!, /tiny takes no tools/)
  assert.equal(model.requests[1]!.tools.length, 0)
  assert.ok(folder !== other.folder)
})

test('to cancel stops the call of the model, and keeps what it had said', async () => {
  const { agent, model, folder } = await bench()
  const controller = new AbortController()
  let heard = ''
  const tell = (event: AgentEvent) => {
    if (event.type === 'text') heard += event.text
    if (heard.length > 200) controller.abort()
  }
  await assert.rejects(agent.run({ message: 'it never ends' }, tell, controller.signal), {
    name: 'AbortError',
  })
  await until('the provider sees that we left', () => model.requests[0]?.left === true)
  assert.equal(model.requests.length, 1)
  const [session] = await agent.sessions()
  assert.equal(session?.status, 'cancelled')
  assert.match(fs.readFileSync(runFile(folder, session!.id), 'utf8'), /"outcome":"cancelled"/)
})

test('to cancel stops a tool that runs; the model hears later that it is not known whether it was carried out', async () => {
  const { run, agent, model } = await bench({
    servers: [testServer()],
    config: { approvals: { test: 'always' } },
  })
  const controller = new AbortController()
  const tell = (event: AgentEvent) => {
    if (event.type === 'tool-call') controller.abort()
  }
  await assert.rejects(agent.run({ message: 'slow tool' }, tell, controller.signal), { name: 'AbortError' })
  assert.equal(model.requests.length, 1)
  const [session] = await agent.sessions()
  await run({ message: 'hello', sessionId: session!.id })
  const heard = model.requests.at(-1)!.said.find(({ by }) => by === 'tool')
  assert.equal(heard?.text, 'Error: It was cancelled. Whether wait was carried out is not known.')
})

test('a run is found by search once it was synced, but not what it recalled; to delete it erases it', async () => {
  const { run, agent, archive, folder } = await bench()
  const machine = machineAt(path.join(folder, 'home'), { RECOLLECT_HOME: folder })
  const { sessionId } = await run('recall the heron')
  await syncRuns(archive, machine)
  const found = async (query: string) => {
    const deps = { archive, sources, machine, caller: {}, clean: redactJson, room: 10_000 }
    const input = searchConversations.input.parse({ query })
    return (await searchConversations.handle(deps, input)).results.map((each) => object(each)?.chatId)
  }
  assert.deepEqual(await found('heron sleeps'), [sessionId])
  const chat = await archive.resolveChat(sessionId)
  assert.equal(chat.source, 'recollect-agent')
  const messages = await archive.messages(chat)
  assert.equal(messages.flatMap(({ toolResults }) => toolResults ?? [])[0]?.own, true)
  await agent.deleteSession(sessionId)
  await assert.rejects(found('heron sleeps'), { code: 'NO_SESSIONS' })
  assert.equal(fs.existsSync(runFile(folder, sessionId)), false)
  await assert.rejects(agent.session(sessionId), { code: 'SESSION_NOT_FOUND' })
})

test('while somebody watches, a run is in the archive within moments', async () => {
  const { run, archive, folder } = await bench()
  fs.mkdirSync(path.join(folder, 'runs'), { mode: 0o700 })
  const machine = machineAt(path.join(folder, 'home'), { RECOLLECT_HOME: folder })
  const ending = new AbortController()
  const watching = watch({ archive, sources, machine, signal: ending.signal })
  try {
    const { sessionId } = await run('hello')
    await until('it is there, and done', async () => {
      const chat = await archive.resolveChat(sessionId).catch(() => undefined)
      return chat?.status === 'done'
    })
  } finally {
    ending.abort()
    await watching
  }
})

test('what happened before a process was killed is there, and the dialog goes on', async () => {
  const { folder, model, agent, run } = await bench()
  const child = agentProcess(
    folder,
    `await agent.run({ message: 'it never ends' }, (event) => event.type === 'text' && console.log(event.text), new AbortController().signal)`,
    { ANTHROPIC_API_KEY: 'k', ANTHROPIC_BASE_URL: model.url },
  )
  let heard = ''
  child.stdout.on('data', (data) => {
    heard += data
  })
  await until('it speaks', () => heard.length > 100)
  const [id] = (await agent.sessions()).map((session) => session.id)
  assert.equal((await agent.sessions())[0]?.status, 'running')
  await assert.rejects(run({ message: 'hello', sessionId: id }), { code: 'SESSION_BUSY' })
  child.kill('SIGKILL')
  await until('it is dead', () => child.signalCode !== null)
  assert.equal((await agent.sessions())[0]?.status, 'failed')
  assert.equal((await run({ message: 'hello', sessionId: id })).message, 'Hello to you.')
  const { messages } = await agent.session(id!)
  assert.deepEqual(
    messages.filter(({ role }) => role === 'user').map(({ text }) => text),
    ['it never ends', 'hello'],
  )
})
