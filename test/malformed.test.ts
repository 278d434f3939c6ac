import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import readline from 'node:readline'
import { after, before, describe, test } from 'node:test'
import { type Answer, environment, type Served, sampleMachine, served, until } from './mcp-kit.ts'
import { recollect } from './run-cli.ts'

const HELLO = {
  protocolVersion: '2025-06-18',
  capabilities: {},
  clientInfo: { name: 'raw', version: '1' },
}
const METHODS = ['tools/list', 'tools/call', 'resources/read', 'prompts/get', 'ping', 'no/such']

/** What is sent, which id the answer has, and its code. */
const CASES: [what: string, sent: unknown, id: string | number | null, code: number][] = [
  ...['text', 5, null, [], [1], true].flatMap((params, at) =>
    METHODS.map((method, i): [string, unknown, number, number] => [
      `params ${JSON.stringify(params)} for ${method}`,
      { jsonrpc: '2.0', id: 100 + at * 10 + i, method, params },
      100 + at * 10 + i,
      -32_602,
    ]),
  ),
  [
    'a uri that is a number',
    { jsonrpc: '2.0', id: 'u', method: 'resources/read', params: { uri: 5 } },
    'u',
    -32_602,
  ],
  ['no uri', { jsonrpc: '2.0', id: 'n', method: 'resources/subscribe', params: {} }, 'n', -32_602],
  ['a prompt without a name', { jsonrpc: '2.0', id: 'p', method: 'prompts/get', params: {} }, 'p', -32_602],
  [
    'arguments as text',
    { jsonrpc: '2.0', id: 'a', method: 'tools/call', params: { name: 'list_chats', arguments: 'x' } },
    'a',
    -32_602,
  ],
  ['a method that is a number', { jsonrpc: '2.0', id: 'm', method: 5 }, 'm', -32_600],
  ['another version', { jsonrpc: '1.0', id: 'v', method: 'ping' }, 'v', -32_600],
  ['an id that is an object', { jsonrpc: '2.0', id: {}, method: 'ping' }, null, -32_600],
  ['an id too large to be counted', '{"jsonrpc":"2.0","id":9007199254740993,"method":"ping"}', null, -32_600],
  ['text', 'text', null, -32_600],
  ['nothing', null, null, -32_600],
  ['an empty list', [], null, -32_600],
  ['no JSON', '{"jsonrpc": ', null, -32_700],
]

const textOf = (sent: unknown) =>
  typeof sent === 'string' && sent.startsWith('{') ? sent : JSON.stringify(sent)

describe('malformed messages are answered with the right code', () => {
  const alex = sampleMachine()
  let server: Served
  let token: string
  const children: ChildProcess[] = []
  before(async () => {
    token = (await alex.run(['token', 'create', 'raw'])).out.trim()
    server = await served(alex, ['--http', '0', '--no-sync'])
  })
  after(() => {
    for (const child of [...children, server.child]) child.kill('SIGKILL')
    alex.remove()
  })

  test('over stdio, each of them, and the next good one is answered', async () => {
    const child = spawn(process.execPath, [recollect, 'mcp', '--no-sync'], {
      cwd: alex.project,
      env: environment(alex),
      stdio: ['pipe', 'pipe', 'ignore'],
    })
    children.push(child)
    const answers: Answer[] = []
    readline.createInterface({ input: child.stdout! }).on('line', (line) => answers.push(JSON.parse(line)))
    const say = (text: string) => child.stdin!.write(`${text}\n`)
    say(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params: HELLO }))
    await until('it greets', () => answers.some(({ id }) => id === 1))
    for (const [, sent] of CASES) say(textOf(sent))
    // A notification is never answered, whatever is wrong with it.
    say(JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized', params: 'x' }))
    say('')
    say(JSON.stringify({ jsonrpc: '2.0', id: 'last', method: 'ping' }))
    await until('all is answered', () => answers.length >= CASES.length + 2)
    for (const [what, , id, code] of CASES) {
      const at = answers.findIndex((answer) => answer.id === id && answer.error?.code === code)
      assert.ok(at >= 0, `${what}: no ${code} for ${id}`)
      answers.splice(at, 1)
    }
    assert.deepEqual(answers.map(({ id }) => id).toSorted(), [1, 'last'])
  })

  test('over HTTP, each of them', async () => {
    const headers = {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
    }
    const post = async (body: string, more: Record<string, string> = {}) =>
      await fetch(server.url, { method: 'POST', headers: { ...headers, ...more }, body })
    const hello = await post(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params: HELLO }))
    const session = { 'mcp-session-id': hello.headers.get('mcp-session-id') ?? '' }
    await hello.text()
    for (const [what, sent, id, code] of CASES) {
      const response = await post(textOf(sent), session)
      const text = await response.text()
      const answer = JSON.parse(/^data: (.*)$/m.exec(text)?.[1] ?? text)
      assert.deepEqual({ id: answer.id, code: answer.error?.code }, { id, code }, `${what}: ${text}`)
    }
    const again = await post(JSON.stringify({ jsonrpc: '2.0', id: 'last', method: 'ping' }), session)
    assert.match(await again.text(), /"result":\{\}/)
  })
})
