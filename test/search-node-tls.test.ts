import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import fs from 'node:fs'
import http from 'node:http'
import https from 'node:https'
import type { AddressInfo } from 'node:net'
import os from 'node:os'
import path from 'node:path'
import { after, before, test } from 'node:test'
import type { Lease } from '../src/archive/archive.ts'
import { openSqliteArchive } from '../src/archive/sqlite/index.ts'
import { keepHub } from '../src/hub/settings.ts'
import { noCertificates, type TestCertificates, testCertificates } from '../src/hub/test-certificates.ts'
import { createToken } from '../src/platform/tokens.ts'
import { environment, sampleMachine, until } from './mcp-kit.ts'
import { recollect, runCommand } from './run-cli.ts'

/** A search node over HTTPS: with a certificate of its own, and with something in front of it that does TLS. */
const skip = noCertificates() ?? false
const alex = sampleMachine()
const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'recollect-node-tls-'))
const NAME = 'node.example.com'
let files: TestCertificates
let token: string
const ends: (() => void)[] = []

before(async () => {
  if (skip) return
  files = testCertificates(folder, `DNS:localhost,DNS:${NAME},IP:127.0.0.1`)
  const archive = openSqliteArchive(alex.archive)
  const lease = (await archive.takeLease('test', 'hub')) as Lease
  const message = { id: 'm1', order: 0, role: 'user', kind: 'request', text: 'About redwine' } as const
  const chat = { source: 'codex', id: 'abcdef12-0000', title: 'About redwine' }
  const chats = [{ author: 'anna', machine: 'desk', chat, messages: [message] }]
  await archive.applyRemote({ space: 'red', kind: 'team', from: 0, to: 1, chats }, lease)
  await archive.releaseLease(lease)
  await archive.close()
  const space = { id: 1, name: 'red', kind: 'team' as const, sealed: false, answers: false, shares: [] }
  keepHub(alex.archive, {
    ...{ hub: 'nowhere', login: { user: 'x' }, person: 'node', label: 'node', spaces: [space] },
    address: { host: '127.0.0.1', port: 1, database: 'x', insecure: true },
  })
  token = createToken(alex.archive, 'anna', { spaces: ['red'] }).token
})
after(() => {
  for (const end of ends) end()
  alex.remove()
  fs.rmSync(folder, { recursive: true, force: true })
})

/** The address of a node that was started with these. */
async function node(...args: string[]): Promise<URL> {
  const command = [recollect, 'serve', '--hub', '--json', '--no-open', '--port', '0', ...args]
  const child = spawn(process.execPath, command, { cwd: alex.project, env: environment(alex) })
  ends.push(() => child.kill())
  let [out, err] = ['', '']
  child.stdout.on('data', (data) => {
    out += data
  })
  child.stderr.on('data', (data) => {
    err += data
  })
  await until('it serves', () => out.includes('\n') || child.exitCode !== null)
  assert.ok(out, err)
  return new URL(JSON.parse(out).url)
}

function visit(url: URL, env: Record<string, string> = { NODE_EXTRA_CA_CERTS: files.ca }) {
  const visitor = path.join(import.meta.dirname, 'tls-visitor.ts')
  return runCommand(process.execPath, [visitor, String(url), token], { HOME: alex.home, ...env })
}

const SEEN = {
  ...{ form: 401, opened: 303, isSecureCookie: true },
  ...{ page: ['abcdef12-0000@anna'], rest: ['abcdef12-0000@anna'], mcp: true },
}

test('with a certificate of its own: page, REST and MCP, for who knows its authority', { skip }, async () => {
  const url = await node('--host', '127.0.0.1', '--tls-cert', files.cert, '--tls-key', files.key)
  assert.equal(url.protocol, 'https:')
  const { out, err } = await visit(url)
  assert.deepEqual(JSON.parse(out || err), SEEN)
  const stranger = await visit(url, {})
  assert.match(stranger.err, /UNABLE_TO_VERIFY|unable to verify|self-signed/)
})

test('with TLS in front, under the name that others use', { skip }, async () => {
  const { port } = await node('--insecure')
  const front = https.createServer(
    { cert: fs.readFileSync(files.cert), key: fs.readFileSync(files.key) },
    (request, response) => {
      const headers = { ...request.headers, host: NAME, 'x-forwarded-proto': 'https' }
      const origin = request.headers.origin && { origin: `https://${NAME}` }
      const { method, url: at } = request
      const passed = http.request(
        { port, method, path: at, headers: { ...headers, ...origin } },
        (answer) => {
          response.writeHead(answer.statusCode ?? 500, answer.headers)
          answer.pipe(response)
        },
      )
      request.pipe(passed)
    },
  )
  ends.push(() => {
    front.closeAllConnections()
    front.close()
  })
  front.listen(0, '127.0.0.1')
  await once(front, 'listening')
  const { out, err } = await visit(new URL(`https://localhost:${(front.address() as AddressInfo).port}`))
  assert.deepEqual(JSON.parse(out || err), SEEN)
})

test('a certificate that cannot be used is said so, and nothing is served without it', { skip }, async () => {
  const serve = (...args: string[]) =>
    alex.run(['serve', '--hub', '--json', '--no-open', '--port', '0', ...args])
  for (const [args, reason] of [
    [['--tls-cert', files.cert], /both --tls-cert and --tls-key/],
    [['--tls-cert', path.join(folder, 'none'), '--tls-key', files.key], /cannot be used: ENOENT/],
    [['--tls-cert', files.ca, '--tls-key', files.key], /cannot be used: .*mismatch/],
  ] as const) {
    const { code, out } = await serve(...args)
    assert.notEqual(code, 0)
    assert.match(JSON.parse(out).error.message, reason)
  }
})
