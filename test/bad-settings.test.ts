import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import fs from 'node:fs'
import path from 'node:path'
import { after, beforeEach, describe, test } from 'node:test'
import { connected, environment, sampleMachine } from './mcp-kit.ts'
import { recollect } from './run-cli.ts'

const alex = sampleMachine()
const config = path.join(alex.archive, 'config.json')
after(() => alex.remove())
beforeEach(() => {
  fs.rmSync(config, { recursive: true, force: true })
  fs.mkdirSync(alex.archive, { recursive: true })
})

/** Starts a server, says hello to it, and waits for its end: only one that refuses to start has any. */
async function refused(args: string[], env: Record<string, string> = {}) {
  const child = spawn(process.execPath, [recollect, ...args], {
    cwd: alex.project,
    env: environment(alex, env),
    stdio: ['pipe', 'pipe', 'pipe'],
    timeout: 120_000,
    killSignal: 'SIGKILL',
  })
  let err = ''
  child.stderr.on('data', (data) => {
    err += data
  })
  child.stdout.resume()
  const params = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'x', version: '1' } }
  child.stdin.on('error', () => {})
  child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params })}\n`)
  const [code] = await once(child, 'close')
  return { code, err }
}

const SERVERS: [what: string, args: string[]][] = [
  ['mcp over stdio', ['mcp', '--no-sync']],
  ['mcp over HTTP', ['mcp', '--http', '0', '--no-sync']],
  ['serve', ['serve', '--no-open', '--port', '0', '--no-sync']],
]

const BAD: [what: string, put: () => void, told: RegExp][] = [
  ['no JSON', () => fs.writeFileSync(config, '{"sources": {"claude-code": false'), /is not valid JSON/],
  ['a folder', () => fs.mkdirSync(config), /could not be read: it is a folder/],
  ['empty', () => fs.writeFileSync(config, ''), /is not valid JSON/],
  ['an unknown setting', () => fs.writeFileSync(config, '{"source":{"aider":false}}'), /source/],
  ['an unknown assistant', () => fs.writeFileSync(config, '{"sources":{"clippy":false}}'), /clippy/],
]

describe('config.json', () => {
  for (const [server, args] of SERVERS)
    for (const [what, put, told] of BAD)
      test(`${what}: ${server} does not start, and says why`, async () => {
        put()
        const { code, err } = await refused(args)
        assert.equal(code, 2, err)
        assert.match(err, told)
      })

  test('a file that cannot be read is not an empty one: what was switched off stays unread', async () => {
    fs.mkdirSync(config)
    const { code, err } = await alex.run(['sync'])
    assert.equal(code, 2)
    assert.match(err, /config\.json could not be read/)
    fs.rmSync(config, { recursive: true })
    fs.writeFileSync(config, '\ufeff{"sources":{"claude-code":false}}')
    assert.equal((await alex.run(['sync'])).code, 0)
    const { sources } = JSON.parse((await alex.run(['status', '--json'])).out)
    assert.ok(sources.some(({ source }: { source: string }) => source === 'copilot-cli'))
    assert.ok(!sources.some(({ source }: { source: string }) => source === 'claude-code'))
  })
})

describe('CONTEXT_FILE_NAME', () => {
  for (const name of [
    '../x.md',
    'a/b.md',
    'NUL',
    'nul.md',
    'Com1.txt',
    'LPT²',
    'context.md.',
    'a\u0007b',
    'c:x',
  ])
    test(`${JSON.stringify(name)} is an error at the start, and says what is allowed`, async () => {
      for (const [, args] of name === 'NUL' ? SERVERS : SERVERS.slice(0, 1)) {
        const { code, err } = await refused(args, { CONTEXT_FILE_NAME: name })
        assert.equal(code, 2, err)
        assert.match(err, /CONTEXT_FILE_NAME is .*, which is /)
        assert.match(err, /such as context\.md/)
      }
    })

  test('a good one serves its tools', async () => {
    const client = await connected(alex, 'legacy', { env: { CONTEXT_FILE_NAME: 'null.md' } })
    assert.ok((await client.listTools()).tools.length > 10)
    await client.close()
  })
})

describe('WORKSPACE', () => {
  for (const address of ['file://elsewhere/home/alex/shop', 'file:///home/alex/100%'])
    test(`${address} is an error at the start, and says what to write`, {
      skip: process.platform === 'win32',
    }, async () => {
      for (const [, args] of SERVERS) {
        const { code, err } = await refused(args, { WORKSPACE: address })
        assert.equal(code, 2, err)
        assert.ok(err.includes(`"${address}" is not the address of a folder`), err)
        assert.match(err, /by its path/)
      }
    })
})
