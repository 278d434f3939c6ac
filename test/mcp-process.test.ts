import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import fs from 'node:fs'
import path from 'node:path'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import type { CallToolResult } from '@modelcontextprotocol/client'
import {
  answerOf,
  claudeFile,
  claudeLine,
  clientOf,
  closeAll,
  connected,
  ERAS,
  environment,
  sampleMachine,
  until,
} from './mcp-kit.ts'
import { BREAK_KEY, recollect, root } from './run-cli.ts'

const alex = sampleMachine()
before(async () => {
  assert.equal((await alex.run(['sync'])).code, 0)
})
after(async () => {
  await closeAll()
  alex.remove()
})

test('a set of tools can be chosen, and an unknown one is refused', async () => {
  const client = await connected(alex, 'legacy', { args: ['--tools', 'search,recall'] })
  const { tools } = await client.listTools()
  assert.ok(tools.some(({ name }) => name === 'search_conversations'))
  assert.ok(!tools.some(({ name }) => name === 'append_context'))
  await client.close()
  const { code, err } = await alex.run(['mcp', '--tools', 'everything'])
  assert.equal(code, 2)
  assert.match(err, /recall, search, context, export, all/)
})

test('each client gets what it is known to take', async () => {
  const session = '30000000-0000-4000-8000-000000000000'
  fs.writeFileSync(
    claudeFile(alex, session),
    claudeLine(session, 'so many words '.repeat(9_000), alex.project),
  )
  const sizes: [name: string, least: number, most: number][] = [
    ['codex-mcp-client', 8_000, 10_000],
    ['github-copilot-developer', 16_000, 20_000],
    ['gemini-cli-mcp-client', 35_000, 40_000],
    ['claude-code', 35_000, 40_000],
    ['somebody', 8_000, 10_000],
  ]
  for (const [name, least, most] of sizes) {
    const client = await connected(alex, 'legacy', { name, args: ['--no-sync'] })
    const result = (await client.callTool({
      name: 'get_request',
      arguments: { index: 1, sessionId: session },
    })) as CallToolResult
    const { length } = (result.content[0] as { text: string }).text
    assert.ok(length >= least && length <= most, `${name}: ${length}`)
    await client.close()
  }
})

test('a client that counts bytes gets as many, whatever the script', async () => {
  const session = '31000000-0000-4000-8000-000000000000'
  fs.writeFileSync(
    claudeFile(alex, session),
    claudeLine(session, 'много русских слов '.repeat(4_000), alex.project),
  )
  const client = await connected(alex, 'legacy', { name: 'copilot-cli', args: ['--no-sync'] })
  const result = (await client.callTool({
    name: 'get_request',
    arguments: { index: 1, sessionId: session },
  })) as CallToolResult
  const bytes = Buffer.byteLength((result.content[0] as { text: string }).text)
  assert.ok(bytes > 12_000 && bytes <= 20_000, `${bytes} bytes`)
  await client.close()
})

for (const era of ERAS) {
  test(`a client that offers roots works in the first of them, ${era}`, async () => {
    const folder = path.join(alex.home, `rooted-${era}`)
    fs.mkdirSync(folder)
    fs.writeFileSync(path.join(folder, 'context.md'), '# Rooted\n')
    let asked = 0
    const client = clientOf(era, 'a client', { roots: {} })
    client.setRequestHandler('roots/list', async () => {
      asked++
      return { roots: [{ uri: pathToFileURL(folder).href }] }
    })
    await connected(alex, era, { client })
    const read = async (args: Record<string, string> = {}) =>
      answerOf((await client.callTool({ name: 'read_context', arguments: args })) as CallToolResult)
    assert.equal((await read({ workspace: alex.project })).code, 'FILE_NOT_FOUND')
    assert.match((await read()).content, /# Rooted/)
    const { contents } = await client.readResource({ uri: 'context://current' })
    assert.match((contents[0] as { text: string }).text, /# Rooted/)
    const { messages } = await client.getPrompt({ name: 'read_and_continue' })
    assert.match((messages[0]!.content as { text: string }).text, /# Rooted/)
    assert.equal(asked, 1)
    await client.close()
  })

  test(`a client may write in each of its roots, and nowhere else, ${era}`, async () => {
    const [first, second, third] = ['first', 'second', 'third'].map((name) => {
      const folder = path.join(alex.home, `${name}-of-${era}`)
      fs.mkdirSync(folder)
      fs.writeFileSync(path.join(folder, 'context.md'), '# Notes\n')
      return folder
    }) as [string, string, string]
    const client = clientOf(era, 'a client', { roots: {} })
    client.setRequestHandler('roots/list', async () => ({
      roots: [first, second].map((folder) => ({ uri: pathToFileURL(folder).href })),
    }))
    await connected(alex, era, { client })
    const append = async (workspace: string) =>
      answerOf(
        (await client.callTool({
          name: 'append_context',
          arguments: { content: 'Done.', workspace },
        })) as CallToolResult,
      )
    assert.equal((await append(second)).success, true)
    assert.equal((await append(first)).success, true)
    assert.equal((await append(third)).code, 'FORBIDDEN')
    assert.equal(fs.readFileSync(path.join(third, 'context.md'), 'utf8'), '# Notes\n')
    await client.close()
  })

  test(`a client that offers roots and has none works where it was started, ${era}`, async () => {
    const client = clientOf(era, 'a client', { roots: {} })
    client.setRequestHandler('roots/list', async () => ({ roots: [] }))
    await connected(alex, era, { client })
    const result = (await client.callTool({ name: 'read_context', arguments: {} })) as CallToolResult
    assert.ok(answerOf(result).message.includes(alex.project))
    await client.close()
  })
}

test("in a plugin's own folder, the shell's folder is the one worked in", async () => {
  const folder = path.join(alex.home, 'of-the-shell')
  const plugin = fs.realpathSync(alex.project)
  const client = await connected(alex, 'modern', { env: { PLUGIN_ROOT: plugin, PWD: folder } })
  const result = (await client.callTool({ name: 'read_context', arguments: {} })) as CallToolResult
  assert.ok(answerOf(result).message.includes(folder))
  await client.close()
})

test('a fresh machine answers at once, and its first search waits for the first sync', async () => {
  const fresh = sampleMachine()
  const client = await connected(fresh, 'legacy')
  const search = () =>
    client.callTool({
      name: 'search_conversations',
      arguments: { query: 'deadlock' },
    }) as Promise<CallToolResult>
  let result = await search()
  // On a busy machine the sync takes longer than a client would wait: that is said, never "nothing found".
  while (result.isError) {
    assert.match(JSON.stringify(result.content), /The first sync is running: try again in a moment/)
    result = await search()
  }
  assert.match(answerOf(result).results[0].title, /Deadlock/)
  await client.close()
  fresh.remove()
})

test('a call in the same breath as the greeting is answered as any other', async () => {
  const lines = (...messages: object[]) => messages.map((each) => `${JSON.stringify(each)}\n`).join('')
  // What is said of the sync depends on the moment.
  const answers = (out: string) =>
    out
      .replaceAll(/[^";]* chats of [^"\\]*/g, 'coverage')
      .split('\n')
      .filter(Boolean)
  const calls = {
    '2024-11-05': { name: 'search_conversations', arguments: { query: 'deadlock Überprüfung' } },
    '2025-03-26': { name: 'search_conversations', arguments: { query: ['deadlock'], limit: 'many' } },
    '2025-06-18': { name: 'read_context' },
    '2025-11-25': { name: 'no_such_tool', arguments: {} },
  }
  for (const [protocolVersion, params] of Object.entries(calls)) {
    const greeting = { ...INITIALIZE, params: { ...INITIALIZE.params, protocolVersion } }
    const call = { jsonrpc: '2.0', id: 'a call', method: 'tools/call', params }
    const ping = { jsonrpc: '2.0', id: 3, method: 'ping' }
    const [atOnce, later] = [started(), started()]
    atOnce.child.stdin.write(lines(greeting, { jsonrpc: '2.0', method: 'notifications/initialized' }, call))
    later.child.stdin.write(lines(greeting, ping))
    for (const { out } of [atOnce, later]) await until('two answers', () => answers(out()).length === 2)
    atOnce.child.stdin.write(lines(ping))
    later.child.stdin.write(lines(call))
    for (const { out } of [atOnce, later]) await until('all answers', () => answers(out()).length === 3)
    assert.deepEqual(answers(atOnce.out()).sort(), answers(later.out()).sort())
    for (const { child, ended } of [atOnce, later]) {
      child.stdin.end()
      await ended
    }
  }
})

test('an answer is one line for whoever reads lines, whatever was said', async () => {
  const session = '50000000-0000-4000-8000-000000000000'
  const said = 'one\u2028two\u2029three'
  fs.writeFileSync(claudeFile(alex, session), claudeLine(session, said, alex.project))
  const call = (id: number) => ({
    ...{ jsonrpc: '2.0', id, method: 'tools/call' },
    params: { name: 'get_request', arguments: { sessionId: session, index: 1 } },
  })
  const heard = { jsonrpc: '2.0', method: 'notifications/initialized' }
  const { child, out } = started()
  // The first call is answered before the library is loaded.
  child.stdin.write([INITIALIZE, heard, call(2)].map((each) => `${JSON.stringify(each)}\n`).join(''))
  await until('the first call', () => out().split('\n').length === 3)
  child.stdin.write(`${JSON.stringify(call(3))}\n`)
  await until('the second call', () => out().split('\n').length === 4)
  child.stdin.end()
  const answers = out()
    .trim()
    .split(/[\n\u2028\u2029]/)
    .map((line) => JSON.parse(line))
  assert.deepEqual(
    answers.slice(1).map(({ result }) => result.structuredContent.request),
    [said, said],
  )
})

test('many calls at once are answered, and nothing is complained about', async () => {
  const server = started({ LOG_LEVEL: 'error' })
  await server.greet()
  const params = { name: 'list_chats', arguments: { limit: 100 } }
  const calls = Array.from({ length: 60 }, (_, i) => ({
    jsonrpc: '2.0',
    id: i + 2,
    method: 'tools/call',
    params,
  }))
  server.child.stdin.write(calls.map((each) => `${JSON.stringify(each)}\n`).join(''))
  await until('all answers', () => server.out().split('\n').length === 62)
  server.child.stdin.end()
  await server.ended
  assert.equal(server.err(), '')
})

test('what was asked before the client closed its side is answered', async () => {
  const call = { jsonrpc: '2.0', id: 2, method: 'tools/call', params: { name: 'list_chats', arguments: {} } }
  const heard = { jsonrpc: '2.0', method: 'notifications/initialized' }
  const ping = { jsonrpc: '2.0', id: 3, method: 'ping' }
  for (const messages of [
    [INITIALIZE, heard, call],
    [INITIALIZE, heard, call, ping],
    [INITIALIZE, heard, { ...call, params: { name: 'usage_metrics', arguments: {} } }, ping],
  ]) {
    const { child, out, err, ended } = started()
    child.stdin.end(messages.map((each) => `${JSON.stringify(each)}\n`).join(''))
    const [code] = await ended
    assert.deepEqual({ code, err: err() }, { code: 0, err: '' })
    const answered = out()
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line).id)
    assert.deepEqual(
      answered.sort(),
      messages.flatMap((each) => ('id' in each ? [each.id] : [])),
    )
  }
})

test('in a checkout, compiled code that a server keeps is not in the way of that of commands', async () => {
  const command = path.join(root, 'bin', 'recollect')
  const folder = fs.mkdtempSync(path.join(alex.home, 'compiled-'))
  const kept = { TMPDIR: folder, TEMP: folder }
  const serve = async (env: Record<string, string>) => {
    const { child, greet, err, ended } = started({ ...kept, ...env }, command)
    await greet()
    child.stdin.end()
    await ended
    return err()
  }
  const list = async (env: Record<string, string>) =>
    (await alex.run(['list'], { command, env: { ...kept, ...env } })).err
  const told = { NODE_DEBUG_NATIVE: 'COMPILE_CACHE' }
  await serve({})
  await list({})
  for (const said of [await serve(told), await list(told)]) {
    assert.match(said, /code cache for .* was accepted/)
    assert.doesNotMatch(said, /was rejected/)
  }
})

/** The server as a client starts it, with all that it writes. */
function started(env: Record<string, string> = {}, command = recollect) {
  const child = spawn(process.execPath, [command, 'mcp'], {
    cwd: alex.project,
    env: environment(alex, env),
  })
  let [out, err] = ['', '']
  child.stdout.on('data', (data) => {
    out += data
  })
  child.stderr.on('data', (data) => {
    err += data
  })
  child.stdin.on('error', () => {})
  const greet = async () => {
    child.stdin.write(`${JSON.stringify(INITIALIZE)}\n`)
    await until('the greeting', () => out.includes('\n'))
  }
  return { child, greet, out: () => out, err: () => err, ended: once(child, 'close') }
}

const INITIALIZE = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'raw', version: '1' } },
}

const endings: [how: string, end: (server: ReturnType<typeof started>) => void][] = [
  ['stdin is closed', ({ child }) => child.stdin.end()],
  ['SIGINT comes', ({ child }) => child.kill('SIGINT')],
  ['SIGTERM comes', ({ child }) => child.kill('SIGTERM')],
  ['Ctrl-Break is pressed on Windows', ({ child }) => child.kill('SIGUSR2')],
  [
    'nobody reads any more',
    ({ child }) => {
      child.stdout.destroy()
      child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id: 2, method: 'tools/list' })}\n`)
    },
  ],
]
for (const [how, end] of endings) {
  test(`it ends when ${how}, quietly, while the thread syncs`, async () => {
    const server = started({ NODE_OPTIONS: BREAK_KEY })
    await server.greet()
    await sleep(900)
    end(server)
    const [code] = await Promise.race([server.ended, sleep(60_000, ['it still runs'], { ref: false })])
    assert.equal(code, 0)
    assert.equal(server.err(), '')
  })
}

test('nothing but the protocol is written to stdout, whatever comes in', async () => {
  const server = started({ LOG_LEVEL: 'debug' })
  await server.greet()
  for (const line of [
    'not json',
    '{"jsonrpc":"2.0"}',
    '[]',
    '{"jsonrpc":"2.0","id":5,"method":"no/such"}',
    '\u0000',
  ])
    server.child.stdin.write(`${line}\n`)
  server.child.stdin.write(
    `${JSON.stringify({ jsonrpc: '2.0', id: 6, method: 'tools/call', params: { name: 'list_chats', arguments: {} } })}\n`,
  )
  await until('the answer', () => /"id":6.*\n/.test(server.out()))
  for (const line of server.out().trim().split('\n')) assert.equal(JSON.parse(line).jsonrpc, '2.0')
  server.child.stdin.end()
  await server.ended
})
