import assert from 'node:assert/strict'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { after, test } from 'node:test'
import type { Lease } from '../archive.ts'
import { dice, readingOf } from './damage-kit.ts'
import { openSqliteArchive } from './index.ts'

const temp = fs.mkdtempSync(path.join(os.tmpdir(), 'recollect-wipe-'))
after(() => fs.rmSync(temp, { recursive: true, force: true }))

const TITLE = 'About the quincunx'

/** An archive of two chats, and somebody who reads its state of now. */
async function readArchive(name: string) {
  const folder = path.join(temp, name)
  const archive = openSqliteArchive(folder)
  const lease = (await archive.takeLease('test')) as Lease
  const random = dice(5)
  const reading = readingOf(0, random)
  await archive.write(
    [{ ...reading, chats: [{ ...reading.chats[0]!, title: TITLE }] }, readingOf(1, random)],
    lease,
  )
  await archive.markSynced(lease)
  await archive.releaseLease(lease)
  const reader = new DatabaseSync(path.join(folder, 'archive.db'), { readOnly: true })
  reader.exec('BEGIN')
  reader.prepare('SELECT count(*) FROM chat').get()
  return { folder, archive, reader }
}

function holding(folder: string): string[] {
  return fs.readdirSync(folder).filter((name) => fs.readFileSync(path.join(folder, name)).includes(TITLE))
}

test('who forgets does not wait for who reads, and what is left is wiped when they are done', async () => {
  const { folder, archive, reader } = await readArchive('forget')
  let turns = 0
  const others = setInterval(() => turns++, 5)
  const { pending } = await archive.forget([await archive.resolveChat('claude-code:chat-0')])
  clearInterval(others)
  assert.equal(pending, true)
  assert.ok(turns > 5, `others had ${turns} turns`)
  assert.equal(await archive.chatCount(), 1)
  assert.notDeepEqual(holding(folder), [], 'the reader still has its pages')
  const lease = (await archive.takeLease('test')) as Lease
  await archive.finishForgetting(lease)
  assert.notDeepEqual(holding(folder), [])

  reader.exec('COMMIT')
  reader.close()
  await archive.finishForgetting(lease)
  assert.deepEqual(holding(folder), [])
  assert.deepEqual(await archive.check({ deep: true }), [])
  await archive.close()
})

test('a reader who is done within a moment leaves nothing to be done', async () => {
  const { folder, archive, reader } = await readArchive('moment')
  setTimeout(() => reader.close(), 30)
  const { pending } = await archive.forget([await archive.resolveChat('claude-code:chat-0')])
  assert.equal(pending, false)
  assert.deepEqual(holding(folder), [])
  await archive.close()
})
