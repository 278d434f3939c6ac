import assert from 'node:assert/strict'
import type { ChildProcess } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { after, test } from 'node:test'
import {
  agentBench,
  agentProcess,
  type Bench,
  everything,
  filesystem,
  isAlive,
  testServer,
  variable,
} from './agent-kit.ts'
import { until } from './mcp-kit.ts'
import type { Script } from './real/scripted-model.ts'

const SCRIPTS: Script[] = [
  {
    when: 'two at once',
    turns: [
      {
        calls: [
          { tool: 'trigger-long-running-operation', args: { duration: 1, steps: 1 } },
          { tool: 'trigger-long-running-operation', args: { duration: 1, steps: 2 } },
        ],
      },
      { text: 'Both are done.' },
    ],
  },
  {
    when: 'kill it',
    turns: [
      { calls: [{ tool: 'die', args: {} }] },
      { calls: [{ tool: 'wait', args: { ms: 1, say: 'alive again' } }] },
      { text: 'Recovered.' },
    ],
  },
  { when: 'grow', turns: [{ calls: [{ tool: 'grow', args: {} }] }, { text: 'Grown.' }] },
  { when: 'much', turns: [{ calls: [{ tool: 'big', args: { chars: 300_000 } }] }, { text: 'Read.' }] },
  {
    when: 'heavy and odd',
    turns: [
      {
        calls: [
          { tool: 'wait', args: { ms: 500, say: 'still here' } },
          { tool: 'big', args: { chars: 12_000_000 } },
          { tool: 'odd', args: {} },
          { tool: 'late', args: {} },
        ],
      },
      { text: 'Read.' },
    ],
  },
  { when: 'too slow', turns: [{ calls: [{ tool: 'wait', args: { ms: 60_000 } }] }, { text: 'Gave up.' }] },
  {
    when: 'twice the same',
    turns: [
      { calls: [{ tool: 'count', args: {} }] },
      { calls: [{ tool: 'count', args: {} }] },
      { calls: [{ tool: 'wait', args: { ms: 1 } }] },
      { text: 'Counted.' },
    ],
  },
  {
    when: 'outside',
    turns: [
      { calls: [{ tool: 'read_text_file', args: { path: '/etc/hostname' } }] },
      { text: 'It may not.' },
    ],
  },
]

async function bench(setup: Omit<Parameters<typeof agentBench>[0], 'scripts'>): Promise<Bench> {
  const made = await agentBench({ scripts: SCRIPTS, ...setup })
  after(() => made.close())
  return made
}

test('two calls of a second each run at the same time', async () => {
  const { run } = await bench({ servers: [everything()], config: { approvals: { everything: 'always' } } })
  const { events, toolResults } = await run('two at once')
  assert.deepEqual(
    toolResults.map(({ success }) => success),
    [true, true],
  )
  const taken = events.flatMap((event) => (event.type === 'tool-result' ? event.durationMs : []))
  const kinds = events.flatMap((event) => (/^tool-/.test(event.type) ? event.type : []))
  assert.deepEqual(
    kinds,
    ['tool-call', 'tool-call', 'tool-result', 'tool-result'],
    'both began before one ended',
  )
  assert.ok(taken.every((ms) => ms > 900))
})

test('a server that is killed in mid-call is started again, and the run goes on', async () => {
  const { run, agent } = await bench({ servers: [testServer()], config: { approvals: { test: 'always' } } })
  const { message, toolResults } = await run('kill it')
  assert.equal(message, 'Recovered.')
  assert.match(toolResults[0]!.result, /^Error: The server "test" was lost while die ran/)
  assert.deepEqual(toolResults[1], { toolName: 'wait', success: true, result: 'alive again' })
  assert.equal((await agent.servers()).find(({ id }) => id === 'test')?.status, 'ready')
})

test('one that fails is reported, and the others work', async () => {
  const { run, agent } = await bench({
    servers: [
      { id: 'missing', command: 'no-such-command-anywhere' },
      { id: 'mute', command: process.execPath, args: ['-e', 'console.error("no licence"); process.exit(3)'] },
      { id: 'secret', command: process.execPath, env: { TOKEN: variable('NOT_SET_ANYWHERE') } },
      { id: 'off', command: 'x', enabled: false },
      { id: 'gone', transport: 'http', url: 'http://127.0.0.1:9/mcp' },
      testServer(),
    ],
    config: { approvals: { test: 'always' } },
  })
  const servers = new Map((await agent.servers()).map((server) => [server.id, server]))
  assert.equal(servers.get('test')?.status, 'ready')
  assert.equal(servers.get('recollect')?.status, 'ready')
  assert.match(servers.get('missing')?.problem ?? '', /no command "no-such-command-anywhere"/)
  assert.match(servers.get('mute')?.problem ?? '', /no licence/)
  assert.equal(servers.get('secret')?.status, 'disabled')
  assert.match(
    servers.get('secret')?.problem ?? '',
    /"secret" needs the environment variable NOT_SET_ANYWHERE/,
  )
  assert.match(servers.get('gone')?.problem ?? '', /127\.0\.0\.1:9/)
  const { notices } = await run('much')
  assert.deepEqual(
    ['missing', 'mute', 'secret', 'gone', 'off'].map((id) =>
      notices.some((each) => each.includes(`"${id}"`)),
    ),
    [true, true, true, true, false],
  )
  // One that rests before it is tried again holds nobody up, and still says what is wrong.
  const later = (await agent.servers()).find(({ id }) => id === 'missing')
  assert.deepEqual([later?.status, later?.problem], ['failed', servers.get('missing')?.problem])
})

test('a long answer is cut, and says so; one that takes too long is given up', async () => {
  const { run } = await bench({
    servers: [testServer()],
    config: { approvals: { test: 'always' }, maxResultChars: 5_000, toolTimeoutSeconds: 1 },
  })
  const [big] = (await run('much')).toolResults
  assert.match(big!.result, /\[cut: 295000 of 300000 characters are left out/)
  assert.ok(big!.result.length < 5_200)
  const slow = await run('too slow')
  // It may have done something by then: the model is not to take it for not done.
  const result = 'Error: wait took longer than 1 seconds. Whether wait was carried out is not known.'
  assert.deepEqual(slow.toolResults, [{ toolName: 'wait', success: false, result }])
  assert.equal(slow.message, 'Gave up.')
})

/** Speaks by hand: the library would not let it answer so. */
const ODD = `
  const inputSchema = { type: 'object' }
  const tools = [{ name: 'odd', inputSchema }, { name: 'bare' }, { name: 'late', inputSchema }, { name: 'listed', inputSchema: { type: 'array' } }, {}]
  const answers = {
    initialize: ({ protocolVersion }) => ({ protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 'o', version: '1' } }),
    'tools/list': () => ({ tools }),
    'tools/call': ({ name }) => ({ content: [name === 'odd' ? { type: 'hologram' } : { type: 'text', text: 'still here' }] }),
  }
  require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
    const { id, method, params } = JSON.parse(line)
    if (id === undefined) return
    const say = () => console.log(JSON.stringify({ jsonrpc: '2.0', id, result: answers[method]?.(params) ?? {} }))
    setTimeout(say, params?.name === 'late' ? 500 : 0)
  })`

test('an answer of many megabytes, one that is not understood or a tool that is not one takes nothing else with it', async () => {
  const odd = { id: 'odd', transport: 'stdio', command: process.execPath, args: ['-e', ODD] }
  const config = { approvals: { test: 'always', odd: 'always' } }
  const { run, agent } = await bench({ servers: [testServer(), odd], config })
  const [waited, big, wrong, late] = (await run('heavy and odd')).toolResults.map(({ result }) => result)
  assert.equal(waited, 'still here')
  assert.match(big!, /of 12000000 characters are left out/)
  assert.equal(wrong, 'Error: odd ran, but its answer is not as the protocol has it (content.0).')
  assert.equal(late, 'still here')
  for (const { status } of await agent.servers()) assert.equal(status, 'ready')
  const { tools, problem } = (await agent.servers()).find(({ id }) => id === 'odd')!
  assert.deepEqual(
    { tools, problem },
    {
      tools: 2,
      problem: 'Left out, as they are not as the protocol has tools: bare, listed, one without a name.',
    },
  )
})

test('the same question to a tool that is named in the configuration is asked once', async () => {
  const { run } = await bench({
    servers: [testServer()],
    config: { approvals: { test: 'always' }, cache: { 'test/count': 60 } },
  })
  const { toolResults } = await run('twice the same')
  assert.deepEqual(
    toolResults.map(({ result }) => result),
    ['called 1', 'called 1', 'waited 1'],
  )
})

test('tools that come later are offered, and two of one name are told apart by their server', async () => {
  const { run, agent } = await bench({
    servers: [testServer('one'), testServer('two'), everything()],
    config: { approvals: { '*': 'always' } },
  })
  const names = async () => (await agent.tools()).map(({ name }) => name)
  const before = await names()
  assert.ok(before.includes('one__wait') && before.includes('two__wait') && !before.includes('wait'))
  assert.ok(before.includes('get-sum') && before.includes('search_conversations'))
  assert.ok(before.every((name) => /^[A-Za-z0-9_-]{1,64}$/.test(name)))
  assert.equal(new Set(before).size, before.length)
  assert.ok((await run('grow')).toolResults[0]?.result.includes('not found'), 'its bare name is no name')
})

test('a change in what a server offers is heard of', async () => {
  const { run, agent } = await bench({ servers: [testServer()], config: { approvals: { test: 'always' } } })
  assert.equal((await run('grow')).message, 'Grown.')
  await until('the new tool is listed', async () =>
    (await agent.tools()).some(({ name, available }) => name === 'grown' && available),
  )
})

test("a server's own refusal reaches the model as an error", async () => {
  const place = await bench({})
  fs.writeFileSync(
    path.join(place.folder, 'mcp-servers.json'),
    JSON.stringify({ mcpServers: { files: { ...filesystem(place.project), id: undefined } } }),
  )
  const { toolResults } = await place.run({ message: 'outside', unattended: true })
  assert.match(toolResults[0]!.result, /^Error: Not executed: it needs the approval of a person/)
  const { notices } = await place.run('outside')
  assert.deepEqual(notices, [])
  const [approval] = await place.agent.approvals()
  await place.agent.decide(approval!.id, { decision: 'allow', remember: 'server' })
  const resumed = await place.agent.resume(approval!.sessionId, () => {}, new AbortController().signal)
  assert.match(resumed.toolResults[0]!.result, /^Error.*Access denied/)
})

test('servers of a project wait until its owner allowed them, and again when they change', async () => {
  const place = await bench({})
  const file = path.join(place.project, 'mcp-servers.json')
  fs.writeFileSync(file, JSON.stringify({ servers: { test: { ...testServer(), id: undefined } } }))
  const status = async () => (await place.agent.servers()).find(({ id }) => id === 'test')
  assert.equal((await status())?.status, 'disabled')
  assert.match((await status())?.problem ?? '', /recollect mcp-servers allow/)
  const { Remembered } = await import('../src/agent/remembered.ts')
  const { Signer } = await import('../src/agent/signature.ts')
  const { folderFile } = await import('../src/agent/server-config.ts')
  new Remembered(place.folder, new Signer(place.folder)).allowFolder(folderFile(place.project))
  assert.equal((await status())?.status, 'ready')
  fs.appendFileSync(file, '\n')
  assert.equal((await status())?.status, 'disabled')
})

test('a server that speaks HTTP is used like any other', async () => {
  const { startHttpServer } = await import('./agent-http-server.ts')
  const server = await startHttpServer('let-me-in')
  after(() => server.close())
  const { run, agent } = await bench({
    servers: [
      {
        id: 'web',
        transport: 'http',
        url: server.url,
        headers: { authorization: `Bearer ${variable('WEB_TOKEN')}` },
      },
      { id: 'closed', transport: 'http', url: server.url },
    ],
    env: { WEB_TOKEN: 'let-me-in' },
    config: { approvals: { web: 'always' } },
  })
  const servers = new Map((await agent.servers()).map((each) => [each.id, each]))
  assert.equal(servers.get('web')?.status, 'ready', servers.get('web')?.problem)
  assert.equal(servers.get('closed')?.status, 'failed')
  const { toolResults } = await run('twice the same')
  assert.deepEqual(toolResults[0], { toolName: 'count', success: true, result: 'called 1' })
})

for (const kind of ['polite', 'deaf'] as const) {
  test(`no process stays behind when we are killed: ${kind} server`, {
    skip: process.platform === 'win32',
  }, async () => {
    const place = await bench({})
    const pids = path.join(place.folder, 'pids')
    const env = { PID_FILE: pids, WITH_HELPER: '1', ...(kind === 'deaf' && { DEAF: '1' }) }
    fs.writeFileSync(
      path.join(place.folder, 'mcp-servers.json'),
      JSON.stringify({ servers: [testServer('test', env)] }),
    )
    const parent = start(place)
    after(() => parent.kill('SIGKILL'))
    await until('the server runs', () => fs.existsSync(pids) && fs.readFileSync(pids, 'utf8').includes(' '))
    const [server = 0, helper = 0] = fs.readFileSync(pids, 'utf8').split(' ').map(Number)
    await until('it is answered', () => parent.ready)
    assert.ok(isAlive(server) && isAlive(helper))
    parent.kill('SIGKILL')
    await until('both are gone', () => !isAlive(server) && !isAlive(helper))
  })
}

/** A process of its own with an agent in it, whose servers are running. */
function start({ folder }: Bench): ChildProcess & { ready: boolean } {
  const child = agentProcess(
    folder,
    `await agent.servers()
    console.log('ready')
    setInterval(() => {}, 1000)`,
  )
  const watched = Object.assign(child, { ready: false })
  child.stdout?.on('data', () => {
    watched.ready = true
  })
  return watched
}
