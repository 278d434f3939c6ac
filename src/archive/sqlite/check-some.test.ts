import assert from 'node:assert/strict'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { test } from 'node:test'
import type { Lease } from '../archive.ts'
import { checkSome, foundDamage } from './check-some.ts'
import { connect } from './connection.ts'
import { makeArchive } from './damage-kit.ts'
import { openSqliteArchive } from './index.ts'
import { takeLease } from './lease.ts'

test('a little is checked at a time, by and by all of it, and damage is said until it is repaired', async () => {
  const home = fs.mkdtempSync(path.join(os.tmpdir(), 'recollect-idle-'))
  try {
    await makeArchive(home, 16)
    /** Checks one piece a turn, until a round is over. */
    const round = (): number => {
      const connection = connect(home)
      const lease = takeLease(connection, 'test') as Lease
      for (let turn = 1; ; turn++) {
        checkSome(connection, lease, 0)
        if (connection.prepare(`SELECT 1 FROM setting WHERE name = 'checkCursor'`).get()) continue
        connection.prepare('DELETE FROM lease').run()
        connection.close()
        return turn
      }
    }
    const turns = round()
    assert.ok(turns > 50, `${turns}`)
    let connection = connect(home)
    assert.deepEqual(foundDamage(connection), {})
    const { texts } = connection.prepare('SELECT texts FROM block WHERE key = 3').get()!
    const bytes = Buffer.from(texts as Uint8Array)
    bytes.fill(7, 40, 60)
    connection.prepare('UPDATE block SET texts = ? WHERE key = 3').run(bytes)
    connection.close()
    round()
    const archive = openSqliteArchive(home)
    const { damage } = await archive.overview()
    assert.match(String(damage), /claude-code:chat-/)
    await archive.close()
    connection = connect(home)
    connection.prepare('UPDATE block SET texts = ? WHERE key = 3').run(texts as Uint8Array)
    connection.close()
    round()
    connection = connect(home)
    assert.deepEqual(foundDamage(connection), {})
    connection.close()
  } finally {
    fs.rmSync(home, { recursive: true, force: true })
  }
})

test('a turn takes its time and no more', async () => {
  const home = fs.mkdtempSync(path.join(os.tmpdir(), 'recollect-idle-'))
  try {
    await makeArchive(home, 16)
    const archive = openSqliteArchive(home)
    const lease = (await archive.takeLease('test')) as Lease
    const before = process.cpuUsage()
    await archive.checkSome(lease)
    const { user, system } = process.cpuUsage(before)
    // Twenty milliseconds and the last piece; a generous bound, for it is told in time of this process only.
    assert.ok(user + system < 500_000, `${user + system} µs`)
    await archive.close()
  } finally {
    fs.rmSync(home, { recursive: true, force: true })
  }
})
