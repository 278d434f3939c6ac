import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { brotliDecompressSync } from 'node:zlib'
import { bundledModules } from '../scripts/bundle.ts'
import type { Archive, Lease } from '../src/archive/archive.ts'
import { openSqliteArchive } from '../src/archive/sqlite/index.ts'
import { searchConversations } from '../src/search/search.ts'
import { sources } from '../src/sources/index.ts'
import { syncOnce } from '../src/sync/once.ts'

/** Made by version 0.1.0: parts of the sample home, a rewound chat, its fork, and a chat that was forgotten. */
const FIXTURE = path.join(import.meta.dirname, '../src/archive/sqlite/fixtures/archive-0.1.0.db.br')
const KILLS = 40
/** Of each chat, so that there are many steps: enough for all kills of a round. */
const COPIES = 12

const temp = fs.mkdtempSync(path.join(os.tmpdir(), 'recollect-migration-'))
after(() => fs.rmSync(temp, { recursive: true, force: true }))
/** As it is shipped, in one file: half of the time of a killed process would be spent loading it. */
const SCRIPT = path.join(temp, 'bundle', 'pack.js')
before(async () => {
  await bundledModules({ dir: path.dirname(SCRIPT), input: { pack: 'test/pack-process.ts' } })
})

/** A folder with an archive as version 0.1.0 left it. */
function oldArchive(change?: (db: DatabaseSync) => void): string {
  const folder = fs.mkdtempSync(path.join(temp, 'archive-'))
  fs.writeFileSync(path.join(folder, 'archive.db'), brotliDecompressSync(fs.readFileSync(FIXTURE)))
  if (change) {
    const db = new DatabaseSync(path.join(folder, 'archive.db'))
    change(db)
    db.close()
  }
  return folder
}

/** What version 0.1.0 knew, read from its own tables. */
function knownBefore(file: string): unknown[] {
  const db = new DatabaseSync(file)
  const rows = db
    .prepare(
      `SELECT chat.id AS chat, place, message.id, role, kind, message.created_at AS at, undone, copy_of IS NOT NULL AS copy,
         text, detail, input_tokens AS input FROM message JOIN chat ON chat.key = message.chat ORDER BY chat.id, place`,
    )
    .all()
    .map((row) => ({ ...row, detail: JSON.parse(String(row.detail ?? '{}')) }))
  db.close()
  return rows
}

async function knownNow(archive: Archive): Promise<unknown[]> {
  const chats = await archive.listChats({ subagents: true }, { limit: 1_000_000 })
  chats.sort((a, b) => (a.id < b.id ? -1 : 1))
  const rows: unknown[] = []
  for (const chat of chats) {
    for (const message of await archive.messages(chat)) {
      const {
        key: _,
        index,
        id,
        order: __,
        role,
        kind,
        createdAt,
        text,
        model: ___,
        usage,
        latencyMs: ____,
        ...rest
      } = message
      const { undone, copy, ...detail } = rest
      rows.push({
        ...{ chat: chat.id, place: index, id, role, kind, at: createdAt ?? null },
        ...{
          undone: Number(undone ?? false),
          copy: Number(copy ?? false),
          text,
          detail,
          input: usage?.input ?? null,
        },
      })
    }
  }
  return rows
}

async function packed(folder: string): Promise<void> {
  const archive = openSqliteArchive(folder)
  const lease = (await archive.takeLease('test')) as Lease
  await archive.pack(lease)
  await archive.releaseLease(lease)
  await archive.close()
}

test('an archive of the first edition is read at once, and the same after it was packed', async () => {
  const folder = oldArchive()
  const before = knownBefore(path.join(folder, 'archive.db'))
  assert.equal(before.length, 58)
  const archive = openSqliteArchive(folder)
  assert.deepEqual(await knownNow(archive), before)
  const found = async () => {
    const { results } = (await searchConversations(archive, { intent_query: 'marmalade' })) as {
      results: unknown[]
    }
    return results.length
  }
  assert.equal(await found(), 1)
  const days = async () => (await archive.usage({}, 'day')).rows
  const daysBefore = await days()
  const told: number[] = []
  const lease = (await archive.takeLease('test')) as Lease
  await archive.pack(lease, { onProgress: ({ done }) => told.push(done) })
  assert.deepEqual(told, [58])
  assert.deepEqual(await knownNow(archive), before)
  assert.deepEqual(await days(), daysBefore)
  assert.equal(await found(), 1)
  assert.ok((await archive.usage({}, 'tool')).tools.length > 0)
  assert.deepEqual(await archive.check(), [])
  assert.ok(await archive.isForgotten('copilot-cli', '11d22106-a816-4cce-886d-1987be44d879'))
  await archive.forget([await archive.resolveChat('rewound-1')])
  assert.equal(await found(), 0)
  await archive.close()
})

test('a copy as it was lies beside it, private, and the first edition can go on with it', async () => {
  const folder = oldArchive()
  const before = knownBefore(path.join(folder, 'archive.db'))
  await packed(folder)
  await packed(folder)
  const names = fs.readdirSync(folder).filter((name) => name.startsWith('archive-of'))
  assert.equal(names.length, 1)
  assert.match(names[0]!, /^archive-of-0\.1\.0-\d{4}-\d\d-\d\d\.db$/)
  const copy = path.join(folder, names[0]!)
  if (process.platform !== 'win32') assert.equal(fs.statSync(copy).mode & 0o777, 0o600)
  assert.deepEqual(knownBefore(copy), before)
  const db = new DatabaseSync(copy)
  assert.equal(db.prepare('PRAGMA user_version').get()!.user_version, 2)
  db.close()
})

test('a program of the first edition that is still running fails; it does not show messages without words', () => {
  const folder = oldArchive()
  const running = new DatabaseSync(path.join(folder, 'archive.db'))
  const read = running.prepare('SELECT * FROM message')
  const write = running.prepare(`UPDATE message SET text = 'changed'`)
  assert.equal(read.all().length, 58)
  void openSqliteArchive(folder).close()
  assert.throws(() => read.all(), /no such table: message/)
  assert.throws(() => write.run(), /no such table: message/)
  running.close()
})

test('several processes that open it at once all get it, and one copy is made', async () => {
  const folder = oldArchive()
  const processes = Array.from({ length: 4 }, () => start(folder))
  const codes = await Promise.all(processes.map(async (child) => (await once(child, 'exit'))[0]))
  // One of them packs; the others may find the lease taken.
  assert.ok(codes.includes(0), `exit codes ${codes}`)
  const names = fs.readdirSync(folder).filter((name) => name.startsWith('archive-of'))
  assert.equal(names.length, 1, names.join(' '))
  const archive = openSqliteArchive(folder)
  assert.deepEqual(await knownNow(archive), knownBefore(path.join(folder, names[0]!)))
  await archive.close()
})

test(`killed ${KILLS} times at random points it ends as if undisturbed`, async () => {
  // Enough messages for many steps: copies of the chats under other ids.
  const many = (db: DatabaseSync) => {
    const columns = (table: string, but: string[]) =>
      db
        .prepare('SELECT name FROM pragma_table_info(?)')
        .all(table)
        .map(({ name }) => String(name))
        .filter((name) => !but.includes(name))
        .join(', ')
    const chat = columns('chat', ['key', 'id'])
    const message = columns('message', ['key', 'chat', 'copy_of'])
    for (let n = 1; n <= COPIES; n++) {
      db.exec(`INSERT INTO chat (key, id, ${chat}) SELECT key + ${n * 1000}, id || '-${n}', ${chat} FROM chat WHERE key < 1000;
        INSERT INTO message (key, chat, ${message}) SELECT key + ${n * 10_000}, chat + ${n * 1000}, ${message} FROM message WHERE key < 10000`)
    }
  }
  const undisturbed = oldArchive(many)
  const made = fs.readFileSync(path.join(undisturbed, 'archive.db'))
  const before = knownBefore(path.join(undisturbed, 'archive.db'))
  assert.equal(before.length, 58 * (COPIES + 1))
  // How long all of it takes: the quickest so far, as the machine may be busy. Kills come in the first half of it.
  let whole = Infinity
  let seed = 5
  const isKilled = async (folder: string, isFirst: boolean) => {
    const child = start(folder)
    const exited = once(child, 'exit')
    await Promise.race([once(child.stdout!, 'data'), exited])
    const began = performance.now()
    const ending = new AbortController()
    exited.then(() => ending.abort())
    seed = (seed * 16807) % 2147483647
    await sleep(whole === Infinity ? 600_000 : (seed / 2147483647) * whole * 0.5, undefined, {
      signal: ending.signal,
    }).catch(() => {})
    child.kill('SIGKILL')
    await exited
    if (child.signalCode === 'SIGKILL') return true
    assert.equal(child.exitCode, 0)
    if (isFirst) whole = Math.min(whole, performance.now() - began)
    return false
  }
  assert.equal(await isKilled(undisturbed, true), false)
  let killed = 0
  for (let round = 0; killed < KILLS && round < KILLS * 4; round++) {
    const folder = fs.mkdtempSync(path.join(temp, 'archive-'))
    fs.writeFileSync(path.join(folder, 'archive.db'), made)
    for (let kills = 0; await isKilled(folder, kills === 0); kills++) {
      killed++
      const archive = openSqliteArchive(folder)
      assert.deepEqual(await knownNow(archive), before, `after kill ${killed}`)
      await archive.close()
    }
    const archive = openSqliteArchive(folder)
    assert.deepEqual(await knownNow(archive), before)
    assert.deepEqual(await archive.check(), [])
    await archive.close()
    assert.deepEqual(
      fs.readdirSync(folder).filter((name) => name.includes('.part')),
      [],
    )
    fs.rmSync(folder, { recursive: true })
  }
  assert.ok(killed >= KILLS)
})

test('what is still on disk is read again, what is gone stays as it was', async () => {
  const home = path.join(temp, 'home')
  const project = '.claude/projects/-home-alex-shop'
  fs.cpSync(path.join(import.meta.dirname, '../sample', project), path.join(home, project), {
    recursive: true,
  })
  const folder = oldArchive((db) => {
    db.prepare(`UPDATE unit SET path = replace(path, '/home/alex', ?)`).run(home)
  })
  const shop = 'f5583a58-122a-4eb6-8f8d-14456ae1d130'
  const archive = openSqliteArchive(folder)
  const before = await archive.messages(await archive.resolveChat(shop))
  const gone = await archive.messages(await archive.resolveChat('rewound-1'))
  const result = await syncOnce({ archive, sources, machine: { platform: 'linux', home, env: {} } })
  assert.ok('read' in result && result.read > 0)
  const now = await archive.messages(await archive.resolveChat(shop))
  assert.deepEqual(
    now.filter((message) => !message.undone).map((message) => [message.kind, message.text]),
    before.filter((message) => !message.undone).map((message) => [message.kind, message.text]),
  )
  assert.deepEqual(await archive.messages(await archive.resolveChat('rewound-1')), gone)
  const again = await syncOnce({ archive, sources, machine: { platform: 'linux', home, env: {} } })
  assert.ok('read' in again && again.read === 0)
  await archive.close()
})

function start(folder: string): ChildProcess {
  const env = { ...process.env, NODE_COMPILE_CACHE: path.join(temp, 'compiled') }
  return spawn(process.execPath, [SCRIPT, folder], { stdio: ['ignore', 'pipe', 'ignore'], env })
}
