import assert from 'node:assert/strict'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Archive, Lease } from '../archive/archive.ts'
import { makeArchive } from '../archive/sqlite/damage-kit.ts'
import { openSqliteArchive } from '../archive/sqlite/index.ts'
import { aider } from '../sources/aider/index.ts'
import { type WatchOptions, watch } from './watch.ts'

/** What whoever watches does while no file changes. */

const temp = fs.mkdtempSync(path.join(os.tmpdir(), 'recollect-idle-'))
after(() => fs.rmSync(temp, { recursive: true, force: true }))

async function watching(
  archive: Archive,
  checkMs: number,
  until: () => Promise<boolean>,
  others: Partial<WatchOptions> = {},
): Promise<void> {
  const ending = new AbortController()
  const machine = { platform: process.platform, home: temp, env: {} }
  const watched = watch({ archive, sources: [], machine, signal: ending.signal, checkMs, ...others })
  try {
    while (!(await until())) await sleep(20)
  } finally {
    ending.abort()
    await watched
  }
}

test('a little of the archive is checked at a time, and what is damaged is said without anybody asking', async () => {
  const folder = path.join(temp, 'checked')
  await makeArchive(folder, 16)
  const db = new DatabaseSync(path.join(folder, 'archive.db'))
  const cursor = () => db.prepare(`SELECT value FROM setting WHERE name = 'checkCursor'`).get()?.value
  const { texts } = db.prepare('SELECT texts FROM block WHERE key = 3').get()!
  const bytes = Buffer.from(texts as Uint8Array)
  bytes.fill(7, 40, 60)
  db.prepare('UPDATE block SET texts = ? WHERE key = 3').run(bytes)
  const archive = openSqliteArchive(folder)
  let looks = 0
  const { checkSome } = archive
  archive.checkSome = async (lease) => {
    looks++
    await checkSome(lease)
  }
  await watching(archive, 3_600_000, async () => (await archive.leaseHolder()) !== undefined && looks === 0)
  assert.equal(cursor(), undefined, 'not before its time')
  await watching(archive, 0, async () => (await archive.overview()).damage !== undefined)
  assert.ok(looks > 0)
  assert.match(String((await archive.overview()).damage), /claude-code:chat-/)
  db.prepare('UPDATE block SET texts = ? WHERE key = 3').run(texts as Uint8Array)
  await watching(archive, 0, async () => (await archive.overview()).damage === undefined)
  await archive.close()
  db.close()
})

test('what no sync has looked through for secrets is looked through while nothing changes', async () => {
  const folder = path.join(temp, 'secrets')
  await makeArchive(folder, 4)
  const db = new DatabaseSync(path.join(folder, 'archive.db'))
  const left = () => Number(db.prepare('SELECT count(*) AS n FROM secret_todo').get()!.n)
  db.exec('INSERT OR REPLACE INTO secret_todo SELECT key, 0 FROM chat')
  const archive = openSqliteArchive(folder)
  const lease = (await archive.takeLease('test')) as Lease
  await archive.markSynced(lease, { isUnchanged: true })
  await archive.releaseLease(lease)
  assert.ok(left() > 0, 'a sync that read nothing does not wait for it')
  await watching(archive, 0, async () => left() === 0)
  await archive.close()
  db.close()
})

test('what waits to be summed up is, while nothing changes', async () => {
  const folder = path.join(temp, 'summed')
  await makeArchive(folder, 4)
  const db = new DatabaseSync(path.join(folder, 'archive.db'))
  db.exec('INSERT OR REPLACE INTO unsummed (range) VALUES (0)')
  const left = () => Number(db.prepare('SELECT count(*) AS n FROM unsummed').get()!.n)
  assert.equal(left(), 1)
  const archive = openSqliteArchive(folder)
  await watching(archive, 0, async () => left() === 0)
  await archive.close()
  db.close()
})

test('what somebody who read was in the way of is wiped when they are done', async () => {
  const folder = path.join(temp, 'wiped')
  await makeArchive(folder, 8)
  const archive = openSqliteArchive(folder)
  const chat = await archive.resolveChat('claude-code:chat-0')
  const holding = () =>
    fs.readdirSync(folder).filter((name) => fs.readFileSync(path.join(folder, name)).includes(chat.title!))
  const reader = new DatabaseSync(path.join(folder, 'archive.db'), { readOnly: true })
  reader.exec('BEGIN')
  reader.prepare('SELECT count(*) FROM chat').get()
  assert.equal((await archive.forget([chat])).pending, true)
  assert.notDeepEqual(holding(), [])
  reader.close()
  await watching(archive, 3_600_000, async () => holding().length === 0)
  await archive.close()
})

test('what a process that was killed left half done is gone after a sync', async () => {
  const folder = path.join(temp, 'left')
  await makeArchive(folder, 8)
  const left = ['archive.repairing-999999999', 'backups/rewriting.part-999999999'].map((name) =>
    path.join(folder, name),
  )
  for (const each of left) {
    fs.mkdirSync(each, { recursive: true })
    fs.writeFileSync(path.join(each, 'archive.db'), 'what was said')
  }
  const used = path.join(folder, 'backups', `rewriting.part-${process.ppid}`)
  fs.mkdirSync(used)
  const archive = openSqliteArchive(folder)
  await watching(archive, 3_600_000, async () => left.every((each) => !fs.existsSync(each)))
  assert.ok(fs.existsSync(used), 'another process is at work there')
  await archive.close()
})

test('a folder that is too wide to be watched is looked at now and then', async () => {
  const home = path.join(temp, 'wide')
  const project = path.join(home, 'project')
  fs.mkdirSync(project, { recursive: true })
  const archive = openSqliteArchive(path.join(temp, 'wide-archive'))
  const write = () =>
    fs.writeFileSync(
      path.join(project, '.aider.chat.history.md'),
      '\n# aider chat started at 2026-02-09 10:15:00\n\n#### why does the pool run dry\n\nIt is too small.\n',
    )
  await watching(archive, 3_600_000, async () => (await archive.overview()).chats === 1, {
    sources: [aider],
    machine: { platform: process.platform, home, env: {} },
    unheardMs: 50,
    // When the first look at everything is over.
    onSynced: ({ added }) => added === 0 && write(),
  })
  await archive.close()
})
