import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import fs from 'node:fs'
import net, { type AddressInfo } from 'node:net'
import path from 'node:path'
import { after, before, describe, test } from 'node:test'
import { McpServer } from '../src/agent/mcp-server.ts'
import type { ServerConfig } from '../src/agent/server-config.ts'
import type { Person } from '../src/agent/tool.ts'
import { APIS, type Api, agentBench, type Bench, everything, testServer } from './agent-kit.ts'
import { until } from './mcp-kit.ts'
import { root } from './run-cli.ts'

const EVERYTHING = path.join(root, 'node_modules/@modelcontextprotocol/server-everything/dist/index.js')
const one = (when: string, tool: string, args: unknown, text = 'Done.') => ({
  when,
  turns: [{ calls: [{ tool, args }] }, { text }],
})
const SCRIPTS = [
  one('say it', 'echo', { message: 'are you there?' }),
  one('picture', 'get-tiny-image', {}, 'A small logo.'),
  one('link', 'get-resource-links', { count: 1 }),
  one('take long', 'trigger-long-running-operation', { duration: 1, steps: 2 }),
  one('want to know', 'trigger-elicitation-request', {}),
  one('borrow the model', 'trigger-sampling-request', { prompt: 'what is seven times six?', maxTokens: 50 }),
  { when: 'seven times six', turns: [{ text: 'Forty-two.' }] },
  one('look', 'look', {}),
  one('die', 'die', {}),
]

async function bench(setup: Omit<Parameters<typeof agentBench>[0], 'scripts'>): Promise<Bench> {
  const made = await agentBench({ scripts: SCRIPTS, ...setup, config: { approvals: { '*': 'always' } } })
  open.push(made)
  return made
}

const open: { close(): Promise<unknown> }[] = []
after(() => Promise.all(open.map((each) => each.close())))

describe('what a server gives and asks', () => {
  const asked: unknown[] = []
  const person: Person = {
    async fill(question) {
      asked.push(question)
      return { name: 'Ada', check: true }
    },
    async allowSampling(request) {
      asked.push(request)
      return request.prompt.includes('seven times six')
    },
  }
  let place: Bench
  before(async () => {
    place = await bench({ servers: [everything()], person })
    // What it offers depends on the client, and comes later.
    await until('all tools are there', async () =>
      (await place.agent.tools()).some(({ name }) => name === 'trigger-sampling-request'),
    )
  })

  test('a form is filled in by the person', async () => {
    const { toolResults } = await place.run('want to know')
    const [{ fields, server }] = asked.splice(0) as [
      { server: string; fields: { name: string; type: string; required: boolean; choices?: string[] }[] },
    ]
    assert.equal(server, 'everything')
    assert.deepEqual(fields.find(({ name }) => name === 'name')?.required, true)
    assert.ok(fields.some(({ type }) => type === 'boolean') && fields.some(({ choices }) => choices))
    assert.match(toolResults[0]!.result, /Name: Ada/)
  })

  test('the model answers a server, once the person allowed it', async () => {
    const spentBefore = await spentToday(place)
    const { toolResults, usage } = await place.run('borrow the model')
    assert.match(toolResults[0]!.result, /Forty-two\./)
    const ownTokens = (usage.input ?? 0) + (usage.output ?? 0)
    assert.ok((await spentToday(place)) - spentBefore > ownTokens, 'what it cost is counted too')
    assert.deepEqual((asked.splice(0)[0] as { server: string }).server, 'everything')
    const sampled = place.model.requests.find(({ said }) =>
      said.some(({ by, text }) => by === 'user' && text.includes('seven times six')),
    )
    assert.deepEqual(sampled?.tools, [], 'without tools, and without the dialog')
    assert.ok(!JSON.stringify(sampled?.body).includes('borrow the model'))
  })

  test('nobody there: a server is told no', async () => {
    const alone = await bench({ servers: [everything()] })
    await until('all tools are there', async () =>
      (await alone.agent.tools()).some(({ name }) => name === 'trigger-sampling-request'),
    )
    assert.match((await alone.run('want to know')).toolResults[0]!.result, /declined/i)
    assert.match((await alone.run('borrow the model')).toolResults[0]!.result, /did not allow/)
  })

  test('progress is told while it comes, and a link brings what it leads to', async () => {
    const { events } = await place.run('take long')
    const steps = events.flatMap((event) => (event.type === 'progress' ? [[event.done, event.total]] : []))
    // The last of them may come together with the result.
    assert.deepEqual(steps[0], [1, 2])
    assert.match(
      (await place.run('link')).toolResults[0]!.result,
      /\[resource .*\][\s\S]*Resource 1|\[resource .*bytes\]/,
    )
  })
})

describe('pictures reach models that take them', () => {
  for (const api of Object.keys(APIS) as Api[]) {
    test(api, async () => {
      const place = await bench({ servers: [everything()], api })
      const { message, toolResults } = await place.run('picture')
      assert.equal(message, 'A small logo.')
      assert.match(toolResults[0]!.result, /\[image image\/png, \d+ bytes\]/)
      const sent = JSON.stringify(place.model.requests.at(-1)!.body)
      // Of one that is only like OpenAI nobody knows.
      assert.equal(sent.includes('iVBORw0KGgo'), api !== 'openai-compatible')
      assert.ok(!/"text":"[^"]*iVBORw0KGgo/.test(sent), 'not as text')
    })
  }
})

test('one that is only like OpenAI gets pictures where it is said to take them', async () => {
  const place = await agentBench({
    scripts: SCRIPTS,
    servers: [everything()],
    api: 'openai-compatible',
    config: { approvals: { '*': 'always' } },
  })
  open.push(place)
  const file = path.join(place.folder, 'config.json')
  const config = JSON.parse(fs.readFileSync(file, 'utf8'))
  config.agent.providers.local.images = true
  fs.writeFileSync(file, JSON.stringify(config))
  assert.equal((await place.run('picture')).message, 'A small logo.')
  assert.match(JSON.stringify(place.model.requests.at(-1)!.body), /data:image\/png;base64,iVBORw0KGgo/)
})

test('a server that dies is started again, and what only reads is called once more', async () => {
  const place = await bench({})
  const mark = path.join(place.folder, 'died')
  const servers = [testServer('test', { DIES_ONCE: mark })]
  fs.writeFileSync(path.join(place.folder, 'mcp-servers.json'), JSON.stringify({ servers }))
  const { toolResults } = await place.run('look')
  assert.deepEqual(toolResults, [{ toolName: 'look', success: true, result: 'looked' }])
  assert.ok(fs.existsSync(mark))
  const died = await place.run('die')
  assert.match(
    died.toolResults[0]!.result,
    /was lost while die ran.*Whether die was carried out is not known/,
  )
})

describe('what a server asks while calls of two runs are answered', () => {
  /** Who was asked by a call of the first run, while one of the second, begun after it, still runs. */
  async function askedBy(config: Partial<ServerConfig>): Promise<string[]> {
    const server = new McpServer({ id: 'asks', ...config } as ServerConfig, '', () => {})
    open.push(server)
    await server.settled()
    await until('it can ask', () => server.tools.some(({ name }) => name === 'trigger-elicitation-request'))
    const asked: string[] = []
    const person = (name: string, isThere: boolean): Person => ({
      async fill(_, until) {
        asked.push(name)
        if (!isThere) await new Promise((resolve) => until?.addEventListener('abort', resolve))
        return isThere ? { name, check: true } : undefined
      },
      allowSampling: async () => false,
    })
    const end = new AbortController()
    const context = { signal: end.signal, timeoutMs: 60_000 }
    const first = server.call(
      'trigger-elicitation-request',
      {},
      { ...context, person: person('first', true) },
    )
    const long = { duration: 60, steps: 1 }
    const second = server.call('trigger-long-running-operation', long, {
      ...context,
      person: person('second', false),
    })
    assert.match((await first).text, /Name: first/)
    end.abort()
    await assert.rejects(second)
    return asked
  }

  test('over HTTP goes to the run that it is about', async () => {
    const port = await freePort()
    const web = await started('streamableHttp', port)
    open.push({ close: async () => web.kill('SIGKILL') })
    const url = `http://127.0.0.1:${port}/mcp`
    assert.deepEqual(await askedBy({ transport: 'http', url, headers: {} }), ['first'])
  })

  test('where nothing tells which, goes to both, and the first answer counts', async () => {
    const { command, args } = everything()
    assert.deepEqual(await askedBy({ transport: 'stdio', command, args, env: {} }), ['first', 'second'])
  })
})

for (const [kind, transport, at] of [
  ['streamableHttp', 'http', '/mcp'],
  ['sse', 'sse', '/sse'],
  ['sse', undefined, '/sse'],
] as const) {
  test(`${kind}${transport ? '' : ' found by trying'}: a server that is killed and started again knows no session; the call is made all the same`, async () => {
    const port = await freePort()
    let server = await started(kind, port)
    open.push({ close: async () => server.kill('SIGKILL') })
    const place = await bench({ servers: [{ id: 'web', transport, url: `http://127.0.0.1:${port}${at}` }] })
    const status = (await place.agent.servers()).find(({ id }) => id === 'web')
    assert.equal(status?.status, 'ready', status?.problem)
    assert.match((await place.run('say it')).toolResults[0]!.result, /are you there\?/)
    server.kill('SIGKILL')
    await new Promise((resolve) => server.once('exit', resolve))
    server = await started(kind, port)
    const { toolResults } = await place.run('say it')
    assert.deepEqual(
      [toolResults[0]?.success, /are you there\?/.test(toolResults[0]?.result ?? '')],
      [true, true],
      toolResults[0]?.result,
    )
  })
}

async function started(kind: string, port: number): Promise<ChildProcess> {
  const child = spawn(process.execPath, [EVERYTHING, kind], {
    env: { PATH: process.env.PATH, PORT: String(port) },
    stdio: 'ignore',
  })
  await until(`port ${port} answers`, async () => {
    try {
      const answer = await fetch(`http://127.0.0.1:${port}/none`, { signal: AbortSignal.timeout(1_000) })
      await answer.body?.cancel()
      return true
    } catch {
      return false
    }
  })
  return child
}

async function spentToday({ agent }: Bench): Promise<number> {
  return (await agent.spent()).providers.reduce((sum, { tokens }) => sum + tokens, 0)
}

async function freePort(): Promise<number> {
  const server = net.createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return port
}
