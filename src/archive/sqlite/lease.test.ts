import assert from 'node:assert/strict'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { after, beforeEach, test } from 'node:test'
import type { Lease } from '../archive.ts'
import { type Connection, connect } from './connection.ts'
import { assertLease, leaseHolder, releaseLease, renewLease, takeLease } from './lease.ts'

const temp = fs.mkdtempSync(path.join(os.tmpdir(), 'recollect-lease-'))
let folder: string
let holder: Connection
let other: Connection
let lease: Lease
after(() => fs.rmSync(temp, { recursive: true, force: true }))
beforeEach(() => {
  folder = fs.mkdtempSync(path.join(temp, 'archive-'))
  holder = connect(folder)
  other = connect(folder)
  lease = takeLease(holder, 'test') as Lease
})

const signs = () => fs.readdirSync(folder).filter((name) => name.startsWith('lease-'))
const sign = () => path.join(folder, `lease-${lease.holder}`)
/** As if so many milliseconds had gone by for the row. */
const age = (ms: number) => holder.prepare('UPDATE lease SET expires_at = expires_at - ?').run(ms)
const close = () => {
  holder.close()
  other.close()
}

test('renewing a lease writes nothing to the archive, so nobody forgets what was read', () => {
  const version = () => other.prepare('PRAGMA data_version').get()!.data_version
  const before = version()
  assert.equal(renewLease(holder, lease), true)
  holder.transaction(() => assertLease(holder, lease))
  assert.equal(version(), before)
  age(60_000)
  assert.equal(leaseHolder(other)?.pid, process.pid, 'the file says that its holder is there')
  assert.ok('pid' in takeLease(other, 'too'))
  assert.deepEqual(signs(), [`lease-${lease.holder}`])
  assert.equal(fs.statSync(sign()).mode & 0o777, process.platform === 'win32' ? 0o666 : 0o600)
  releaseLease(holder, lease)
  assert.deepEqual(signs(), [])
  assert.equal(leaseHolder(other), undefined)
  close()
})

test('who was not heard of for five seconds loses the lease, and cannot write beside the next', () => {
  renewLease(holder, lease)
  age(60_000)
  fs.utimesSync(sign(), 0, Date.now() / 1000 - 6)
  const next = takeLease(other, 'next') as Lease
  assert.ok('holder' in next)
  assert.throws(() => holder.transaction(() => assertLease(holder, lease)), { code: 'LEASE_LOST' })
  assert.equal(renewLease(holder, lease), false)
  assert.equal(renewLease(other, next), true)
  assert.deepEqual(signs(), [`lease-${next.holder}`], 'what the former left is removed')
  releaseLease(holder, lease)
  assert.equal(leaseHolder(holder)?.purpose, 'next')
  close()
})

test('a holder of this machine that is dead is replaced at once, and what it left is removed', () => {
  renewLease(holder, lease)
  holder.prepare('UPDATE lease SET pid = ?').run(2 ** 22 + 1)
  const next = takeLease(other, 'next') as Lease
  assert.ok('holder' in next)
  assert.deepEqual(signs(), [])
  close()
})

test('a file that a holder could not take away, as the disk failed, goes with the next lease', (t) => {
  renewLease(holder, lease)
  const removing = t.mock.method(fs, 'rmSync', () => {
    throw Object.assign(new Error('disk I/O error'), { code: 'EIO' })
  })
  releaseLease(holder, lease)
  removing.mock.restore()
  assert.deepEqual(signs(), [`lease-${lease.holder}`])
  const next = takeLease(other, 'next') as Lease
  assert.ok('holder' in next)
  assert.deepEqual(signs(), [])
  close()
})

test('where no file can be written beside the archive, the row is renewed', (t) => {
  for (const name of ['utimesSync', 'writeFileSync'] as const)
    t.mock.method(fs, name, () => {
      throw Object.assign(new Error('no room'), { code: 'ENOSPC' })
    })
  age(60_000)
  assert.equal(leaseHolder(other), undefined)
  assert.equal(renewLease(holder, lease), true)
  assert.equal(leaseHolder(other)?.pid, process.pid)
  close()
})
