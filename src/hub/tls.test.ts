import assert from 'node:assert/strict'
import { once } from 'node:events'
import fs from 'node:fs'
import net from 'node:net'
import os from 'node:os'
import path from 'node:path'
import { after, before, test } from 'node:test'
import { type Address, parseUrl } from './address.ts'
import { invite, setUp } from './admin.ts'
import { connect } from './database.ts'
import { readInvitation, written } from './invitation.ts'
import { openLink } from './link.ts'
import { join } from './membership.ts'
import { joinedHub } from './settings.ts'
import { noCertificates, testAuthority, testCertificates } from './test-certificates.ts'
import { freePort, noServer, serverUser, type TestServer, testServer } from './test-kit.ts'

/** A real server with a certificate for `localhost` of an authority that nobody knows. */
const skip =
  noServer() ?? (process.env.RECOLLECT_TEST_PG ? 'needs a server of its own' : (noCertificates() ?? false))
const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'recollect-tls-'))
const ca = path.join(folder, 'ca.crt')
let server: TestServer
let port = 0

before(async () => {
  if (skip) return
  const { cert, key } = testCertificates(folder, 'DNS:localhost')
  testAuthority(folder, 'other')
  const { uid } = serverUser()
  if (uid) for (const file of [folder, key, cert]) fs.chownSync(file, uid, uid)
  port = await freePort()
  server = await testServer({
    ...{ ssl: 'on', ssl_cert_file: cert, ssl_key_file: key },
    ...{ listen_addresses: '127.0.0.1', port: String(port) },
  })
})
after(async () => {
  await server?.end()
  fs.rmSync(folder, { recursive: true, force: true })
})

const url = (host: string, query: string) => `postgres://postgres@${host}:${port}/postgres${query}`

async function tlsOf(given: string): Promise<string | null> {
  const { address, login } = parseUrl(given)
  const database = await connect(address, login)
  try {
    const [row] = await database.query<{ version: string | null }>(
      'SELECT version FROM pg_stat_ssl WHERE pid = pg_backend_pid()',
    )
    return row!.version
  } finally {
    await database.close()
  }
}

for (const mode of ['require', 'verify-ca', 'verify-full']) {
  test(`sslmode=${mode}: a certificate of the named authority for this name, and no other`, {
    skip,
  }, async () => {
    const trusting = `?sslmode=${mode}&sslrootcert=${encodeURIComponent(ca)}`
    assert.equal(await tlsOf(url('localhost', trusting)), 'TLSv1.3')
    await assert.rejects(
      tlsOf(url('127.0.0.1', trusting)),
      (error: Error & { code: string; hint: string }) => {
        assert.equal(error.code, 'HUB_INSECURE')
        assert.match(error.message, /cannot prove who it is: .*127\.0\.0\.1 is not in the cert's list/)
        assert.match(error.hint, /a certificate for the name you use; .*--ca <file>/)
        return true
      },
    )
    for (const unknown of ['', `&sslrootcert=${encodeURIComponent(at('other.crt'))}`]) {
      await assert.rejects(tlsOf(url('localhost', `?sslmode=${mode}${unknown}`)), {
        code: 'HUB_INSECURE',
        message: /cannot prove who it is: (unable to verify|self-signed|unable to get local issuer)/,
      })
    }
  })
}

test('a name of this machine goes without TLS unless it is asked for; another one never does', {
  skip,
}, async () => {
  assert.equal(await tlsOf(url('127.0.0.1', '')), null)
  assert.equal(await tlsOf(url('localhost', '?sslmode=disable')), null)
  assert.throws(() => parseUrl('postgres://a@db.example.com/x?sslmode=disable'), { code: 'HUB_INSECURE' })
  assert.throws(() => parseUrl('postgres://a@localhost/x?sslmode=verify_full'), {
    code: 'INVALID_ARGUMENT',
    message: /sslmode=verify_full/,
  })
})

test('a server without TLS is refused where it was asked for', { skip }, async () => {
  // What a server says to a request for TLS when it has none.
  const plain = net.createServer((socket) => socket.once('data', () => socket.end('N')))
  plain.listen(0, '127.0.0.1')
  await once(plain, 'listening')
  const { address, login } = parseUrl(url('127.0.0.1', ''))
  const over: Address = { ...address, port: (plain.address() as net.AddressInfo).port, tls: true }
  await assert.rejects(connect(over, login), { code: 'HUB_INSECURE', message: /does not support SSL/ })
  plain.close()
})

test('who is invited gets the authority and the demand for TLS along', { skip }, async () => {
  const { address, login } = parseUrl(url('localhost', '?sslmode=verify-full'), { ca })
  const admin = await connect(address, login)
  const home = fs.mkdtempSync(path.join(os.tmpdir(), 'recollect-tls-home-'))
  try {
    await setUp(admin)
    const invitation = written(await invite(admin, address, 'Ada', 'laptop'))
    await assert.rejects(join({ ...readInvitation(invitation), ca: undefined }, { folder: home }), {
      code: 'HUB_INSECURE',
    })
    await join(invitation, { folder: home, label: 'laptop' })
    const { database } = await openLink(joinedHub(home))
    const [row] = await database.query<{ ssl: boolean }>(
      'SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()',
    )
    await database.close()
    assert.equal(row!.ssl, true)
  } finally {
    await admin.close()
    fs.rmSync(home, { recursive: true, force: true })
  }
})

function at(name: string): string {
  return path.join(folder, name)
}
