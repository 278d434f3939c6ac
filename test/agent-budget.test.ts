import assert from 'node:assert/strict'
import { once } from 'node:events'
import fs from 'node:fs'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { after, test } from 'node:test'
import type { AgentEvent } from '../src/agent/agent.ts'
import { RecollectError } from '../src/model/errors.ts'
import { type Json, list, object, objects } from '../src/sources/json.ts'
import { APIS, type Api, agentBench, agentProcess, type Bench } from './agent-kit.ts'
import { until } from './mcp-kit.ts'
import type { Script } from './real/scripted-model.ts'

const look = {
  calls: [{ tool: 'list_chats', args: { limit: 1 } }],
  usage: { input: 900, output: 100, cached: 0 },
}
const SCRIPTS: Script[] = [
  { when: 'look twice', turns: [look, look, { text: 'Looked twice.', usage: look.usage }] },
  { when: 'hello', turns: [{ text: 'Hello.', usage: look.usage }] },
  { when: 'cut off', turns: [{ text: 'word '.repeat(400), fault: 'cut' }] },
  { when: 'never ends', turns: [{ text: 'word '.repeat(400), fault: 'hang' }] },
  { when: 'fail', turns: [{ fault: { status: 401, message: 'invalid key' } }] },
]

async function bench(setup: Partial<Parameters<typeof agentBench>[0]>): Promise<Bench> {
  const made = await agentBench({ scripts: SCRIPTS, ...setup })
  after(() => made.close())
  return made
}

for (const api of Object.keys(APIS) as Api[]) {
  test(`${api}: an answer that costs more than it may stops with a question`, async () => {
    const { run, agent, model } = await bench({ api, config: { budget: { run: { tokens: 1_500 } } } })
    const paused = await run('look twice')
    assert.equal(paused.status, 'paused')
    assert.equal(model.requests.length, 2)
    const [question] = paused.approvals
    assert.equal(question?.tool, 'spend_more')
    assert.match(
      String(object(question?.args)?.why),
      /The budget for this answer is 1,500 tokens, and 2,000 tokens are spent/,
    )
    assert.deepEqual(
      (await agent.approvals()).map(({ id }) => id),
      [question!.id],
    )
    const signal = new AbortController().signal
    await assert.rejects(
      agent.resume(paused.sessionId, () => {}, signal),
      { code: 'APPROVALS_PENDING' },
    )
    await agent.decide(question!.id, { decision: 'allow', remember: 'tool' })
    const done = await agent.resume(paused.sessionId, () => {}, signal)
    assert.deepEqual([done.status, done.message], ['done', 'Looked twice.'])
    const spent = await agent.spent()
    assert.deepEqual(
      spent.providers.map(({ provider, tokens }) => [provider, tokens]),
      [[APIS[api]('').provider, 3_000]],
    )
  })
}

for (const api of Object.keys(APIS) as Api[])
  test(`${api}: an answer that breaks off, or is stopped, counts for the budget of the day`, async () => {
    const { run, agent, model } = await bench({ api, config: { budget: { day: { tokens: 100 } } } })
    const control = new AbortController()
    const stop = ({ type }: AgentEvent) => type === 'text' && control.abort()
    await assert.rejects(agent.run({ message: 'never ends', unattended: true }, stop, control.signal), {
      name: 'AbortError',
    })
    const afterwards = (await agent.spent()).providers[0]!
    // Our instructions and tools, and what had come of the answer.
    assert.ok(afterwards.tokens > 1_000, `${afterwards.tokens} tokens`)
    await assert.rejects(run({ message: 'hello', unattended: true }), { code: 'BUDGET_EXCEEDED' })
    assert.equal(model.requests.length, 1)
    const { run: another, agent: other } = await bench({ api })
    await assert.rejects(another('cut off'), { code: 'CONNECTION_LOST' })
    assert.ok((await other.spent()).providers[0]!.tokens > 100)
  })

test('the last turn, at the limit of rounds, is asked about too', async () => {
  const config = { budget: { run: { tokens: 900 } }, maxToolIterations: 1 }
  const { run, agent, model } = await bench({ config })
  const paused = await run('look twice')
  assert.deepEqual([paused.status, paused.approvals[0]?.tool], ['paused', 'spend_more'])
  assert.equal(model.requests.length, 1)
  await agent.decide(paused.approvals[0]!.id, { decision: 'allow' })
  // It calls a tool all the same.
  const resumed = agent.resume(paused.sessionId, () => {}, new AbortController().signal)
  await assert.rejects(resumed, { code: 'MAX_TOOL_ITERATIONS' })
  assert.equal(model.requests.length, 2)
})

test('who says no ends it with what was done; a program is told; a day and a provider have limits too', async () => {
  const { run, agent } = await bench({ config: { budget: { run: { cost: 0.0001 } } } })
  const paused = await run('look twice')
  assert.match(String(object(paused.approvals[0]?.args)?.why), /budget for this answer is \$0\.00/)
  await agent.decide(paused.approvals[0]!.id, { decision: 'deny' })
  const denied = await agent.resume(paused.sessionId, () => {}, new AbortController().signal)
  assert.deepEqual([denied.status, denied.toolResults.length], ['done', 1])
  assert.match(denied.notices.join(), /ended at the budget, as you decided/)

  for (const budget of [
    { day: { tokens: 900 } },
    { providers: { anthropic: { tokens: 900 } } },
    { providers: { openai: { tokens: 1 } } },
  ]) {
    const daily = await bench({ config: { budget } })
    assert.equal((await daily.run('hello')).status, 'done')
    const second = await daily.run('hello')
    if (budget.providers && 'openai' in budget.providers) assert.equal(second.status, 'done')
    else {
      assert.equal(second.status, 'paused')
      const asked = daily.run({ message: 'hello', unattended: true })
      await assert.rejects(
        asked,
        (error) => error instanceof RecollectError && error.code === 'BUDGET_EXCEEDED',
      )
      // The same after a restart: it is written down.
      await daily.restart()
      assert.equal((await daily.run('hello')).status, 'paused')
    }
  }
})

/** A collector that keeps what it is sent. */
async function collector() {
  const got: { headers: http.IncomingHttpHeaders; body: Json; url: string }[] = []
  const server = http.createServer(async (incoming, outgoing) => {
    const chunks: Buffer[] = []
    for await (const chunk of incoming) chunks.push(chunk)
    got.push({
      headers: incoming.headers,
      url: incoming.url ?? '',
      body: JSON.parse(Buffer.concat(chunks).toString()),
    })
    outgoing.writeHead(200, { 'content-type': 'application/json' }).end('{}')
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  after(() => server.close())
  return { got, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }
}

const spansIn = (body: Json) =>
  objects(body.resourceSpans).flatMap((each) =>
    objects(each.scopeSpans).flatMap((scope) => objects(scope.spans)),
  )
const attribute = (span: Json | undefined, key: string) => {
  const value = object(objects(span?.attributes).find((each) => each.key === key)?.value)
  return value?.stringValue ?? value?.intValue ?? list(object(value?.arrayValue)?.values)
}

for (const api of Object.keys(APIS) as Api[]) {
  test(`${api}: a run is a trace where an endpoint is set, without a word that was said`, async () => {
    const { got, url } = await collector()
    const secret = 'Bearer s3cr3t-of-the-collector'
    const { run, agent } = await bench({
      api,
      env: {
        OTEL_EXPORTER_OTLP_ENDPOINT: `${url}/`,
        OTEL_EXPORTER_OTLP_HEADERS: `authorization=${encodeURIComponent(secret)}`,
        OTEL_SERVICE_NAME: 'my-recollect',
      },
    })
    const { sessionId } = await run('look twice')
    await until('it is sent', () => got.length === 1)
    const [{ headers, body, url: at } = { headers: {}, body: {}, url: '' }] = got
    assert.deepEqual([at, headers.authorization], ['/v1/traces', secret])
    const spans = spansIn(body)
    const kinds = (name: string) => spans.filter((span) => attribute(span, 'gen_ai.operation.name') === name)
    const [root] = kinds('invoke_agent')
    assert.equal(root?.name, 'invoke_agent recollect')
    assert.equal(attribute(root, 'gen_ai.conversation.id'), sessionId)
    assert.equal(attribute(root, 'gen_ai.usage.input_tokens'), '2700')
    assert.deepEqual([kinds('chat').length, kinds('execute_tool').length], [3, 2])
    for (const span of [...kinds('chat'), ...kinds('execute_tool')]) {
      assert.equal(span.parentSpanId, root?.spanId)
      assert.equal(span.traceId, root?.traceId)
      assert.ok(BigInt(String(span.endTimeUnixNano)) >= BigInt(String(span.startTimeUnixNano)))
    }
    assert.equal(attribute(kinds('execute_tool')[0], 'gen_ai.tool.name'), 'list_chats')
    assert.match(String(kinds('chat')[0]?.name), /^chat \S+$/)
    assert.doesNotMatch(JSON.stringify(body), /look twice|Looked twice|test-key/)
    await run('fail').catch(() => {})
    await until('it is sent too', () => got.length === 2)
    const [failed] = spansIn(got[1]!.body)
    assert.deepEqual([object(failed?.status)?.code, attribute(failed, 'error.type')], [2, 'WRONG_KEY'])
    await agent.close()
  })
}

test('without an endpoint nothing of it is loaded, and one that is down disturbs nothing', async () => {
  const { run, model, folder } = await bench({ env: { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:1' } })
  assert.equal((await run('hello')).message, 'Hello.')
  const child = agentProcess(
    folder,
    `const { registerHooks } = await import('node:module')
     const loaded = []
     registerHooks({ load(url, context, next) { loaded.push(url); return next(url, context) } })
     await agent.run({ message: 'hello' }, () => {}, new AbortController().signal)
     console.log(loaded.some((url) => /conversation/.test(url)), loaded.some((url) => /telemetry\\.ts|opentelemetry\\/sdk/.test(url)))
     process.exit(0)`,
    { ANTHROPIC_API_KEY: 'k', ANTHROPIC_BASE_URL: model.url },
  )
  let said = ''
  child.stdout.on('data', (data) => {
    said += data
  })
  // Not its exit: what it said may come after that.
  await once(child, 'close')
  assert.equal(said.trim(), 'true false')
  assert.equal(fs.existsSync(path.join(folder, 'spending')), true)
})
