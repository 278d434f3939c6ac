import assert from 'node:assert/strict'
import fs from 'node:fs'
import path from 'node:path'
import { after, before, test } from 'node:test'
import { TEST_SERVER, variable } from './agent-kit.ts'
import { type ScriptedModel, startScriptedModel } from './real/scripted-model.ts'
import { machine } from './run-cli.ts'

const alex = machine()
let model: ScriptedModel
let env: Record<string, string>

before(async () => {
  model = await startScriptedModel([
    {
      when: 'which bird',
      turns: [
        { text: 'Let me look.', calls: [{ tool: 'search_conversations', args: { query: 'bird' } }] },
        { text: 'A kingfisher, last May.' },
      ],
    },
    {
      when: 'begin a context file',
      turns: [{ calls: [{ tool: 'init_context', args: { workspace: alex.home } }] }, { text: 'Begun.' }],
    },
    { when: 'refused', turns: [{ text: 'x', fault: { status: 401, message: 'invalid x-api-key' } }] },
    { when: 'first', turns: [{ text: 'One.' }] },
    { when: 'second', turns: [{ text: 'Two.' }] },
    { when: 'my token', turns: [{ text: 'It is ghp_Zq7Rt2Xw9Lk4Mv6Bn8Cp3Ds5Fg1Hj0AaEeYy, as you said.' }] },
  ])
  env = { ANTHROPIC_API_KEY: 'test-key', ANTHROPIC_BASE_URL: model.url }
})
after(async () => {
  await model.close()
  alex.remove()
})

test('ask: the answer goes to standard output, tools beside it, and the run is found at once', async () => {
  const { code, out, err } = await alex.run(['ask', 'which', 'bird?'], { env })
  assert.equal(code, 0, err)
  assert.equal(out, 'Let me look.\nA kingfisher, last May.\n')
  assert.match(err, /→ search_conversations \{"query":"bird"\}/)
  assert.match(
    err,
    /claude-sonnet-5 · 2,400 tokens in, 68 out · \$0\.\d+ · --session [0-9a-f]{8} continues it/,
  )
  const found = JSON.parse((await alex.run(['search', 'kingfisher', '--json'])).out)
  assert.equal(found.results[0].source, 'recollect-agent')
  assert.equal(
    (await alex.run(['resume', found.results[0].chatId])).out.trim(),
    `recollect chat --session ${found.results[0].chatId}`,
  )
})

test('ask: a secret in an answer is masked as it comes', async () => {
  const { out } = await alex.run(['ask', 'what is my token?'], { env })
  assert.equal(out, 'It is [redacted: GitHub token], as you said.\n')
})

test('ask --json: one document, and a question from standard input', async () => {
  const { out } = await alex.run(['ask', '--json'], { env, input: 'which bird was it?' })
  const { message, status, toolResults, usage, provider } = JSON.parse(out)
  assert.deepEqual(
    { message, status, provider, steps: usage.steps, tools: toolResults.length },
    { message: 'A kingfisher, last May.', status: 'done', provider: 'anthropic', steps: 2, tools: 1 },
  )
})

test('ask: what a person would have to allow is denied without a terminal, unless it was allowed', async () => {
  const file = path.join(alex.home, 'context.md')
  const denied = await alex.run(['ask', 'begin a context file'], { env })
  assert.match(
    denied.err,
    /not allowed: recollect\/init_context\. To allow it, add --allow recollect\/init_context/,
  )
  assert.equal(fs.existsSync(file), false)
  const other = await alex.run(['ask', 'begin a context file', '--allow', 'append_*'], { env })
  assert.match(other.err, /not allowed/)
  // Allowed or not, a model writes only in the folder that the person works in, or named.
  await alex.run(['ask', 'begin a context file', '--allow', 'init_*'], { env })
  assert.equal(fs.existsSync(file), false)
  const named = { ...env, WORKSPACE: alex.home }
  const allowed = await alex.run(['ask', 'begin a context file', '--allow', 'init_*'], { env: named })
  assert.equal(allowed.code, 0, allowed.err)
  assert.equal(fs.existsSync(file), true)
})

test('ask: problems are a sentence and a next step', async () => {
  const none = await alex.run(['ask', 'hello'], { env: { OLLAMA_HOST: '127.0.0.1:9' } })
  assert.equal(none.code, 2)
  assert.match(none.err, /error: There is no model to ask yet\.\nRun `recollect models set anthropic`/)
  const wrong = await alex.run(['ask', 'refused', '--json'], { env })
  const { error } = JSON.parse(wrong.out)
  assert.equal(error.code, 'WRONG_KEY')
  assert.match(error.hint, /ANTHROPIC_API_KEY/)
  assert.match(error.sessionId, /^[0-9a-f-]{36}$/)
  assert.equal(wrong.out.includes('test-key'), false)
})

test('chat without a model says what to do, and ends as wrong use', async () => {
  for (const input of ['', 'hello\n']) {
    const { out, err, code } = await alex.run(['chat'], { env: { OLLAMA_HOST: '127.0.0.1:9' }, input })
    assert.deepEqual([code, out], [2, ''], err)
    assert.match(err, /There is no model to ask yet\.[\s\S]*recollect models set anthropic/)
  }
})

test('chat: lines of a pipe are messages of one dialog', async () => {
  const { out, err, code } = await alex.run(['chat'], { env, input: 'first\nsecond\n/exit\nnever asked\n' })
  assert.equal(code, 0, err)
  assert.equal(out, 'One.\nTwo.\n')
  const said = model.requests.at(-1)!.said.filter(({ by }) => by !== 'system')
  assert.deepEqual(
    said.map(({ text }) => text),
    ['first', 'One.', 'second'],
  )
})

test('forget erases a run for good, its own file too', async () => {
  const { out } = await alex.run(['ask', '--json', 'first'], { env })
  const { sessionId } = JSON.parse(out)
  const file = path.join(alex.archive, 'runs', `${sessionId}.jsonl`)
  assert.equal(fs.existsSync(file), true)
  const forgot = await alex.run(['forget', sessionId, '--yes'])
  assert.equal(forgot.code, 0, forgot.err)
  assert.equal(fs.existsSync(file), false)
})

test('mcp-servers: list, test, tools and allow', async () => {
  assert.match((await alex.run(['mcp-servers'])).out, /No MCP servers are set up/)
  fs.writeFileSync(
    path.join(alex.archive, 'mcp-servers.json'),
    JSON.stringify({
      mcpServers: {
        test: { command: process.execPath, args: [TEST_SERVER], env: { SECRET: 'hidden-value' } },
        broken: { command: 'no-such-command-anywhere' },
        needy: { command: 'x', args: [variable('NOT_SET_ANYWHERE'), '--password', 'Kumquat77xylo'] },
      },
    }),
  )
  const listed = await alex.run(['mcp-servers', 'list', '--json'])
  for (const { out } of [listed, await alex.run(['mcp-servers'])]) {
    assert.doesNotMatch(out, /hidden-value|Kumquat77xylo/)
    assert.ok(out.includes(variable('NOT_SET_ANYWHERE')), out)
  }
  assert.deepEqual(
    JSON.parse(listed.out).servers.map(({ id, enabled }: { id: string; enabled: boolean }) => [id, enabled]),
    [
      ['test', true],
      ['broken', true],
      ['needy', false],
    ],
  )
  const tested = await alex.run(['mcp-servers', 'test'])
  assert.equal(tested.code, 3)
  assert.match(tested.out, /✓ test +7 tools/)
  assert.match(tested.out, /✗ broken +failed: There is no command "no-such-command-anywhere"/)
  assert.match(tested.out, /○ needy +disabled: .*NOT_SET_ANYWHERE/)
  assert.equal((await alex.run(['mcp-servers', 'test', 'test'])).code, 0)
  const tools = JSON.parse((await alex.run(['mcp-servers', 'tools', 'test', '--json'])).out).tools
  assert.ok(
    tools.some(
      ({ name, approval }: { name: string; approval: string }) => name === 'wait' && approval === 'ask',
    ),
  )
  assert.equal((await alex.run(['mcp-servers', 'allow'])).code, 1)
  assert.equal((await alex.run(['mcp-servers', 'dance'])).code, 2)
})
