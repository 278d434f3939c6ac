import assert from 'node:assert/strict'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { type TestContext, test } from 'node:test'
import { Worker } from 'node:worker_threads'
import { segmentSum } from './checksums.ts'
import { MessageListWriter } from './index-docs.ts'
import { createTables, migrate } from './migrate.ts'
import { oldListOf } from './old-message-list.ts'
import { migrations } from './schema.ts'

/** All that is in a file: how each table, index and trigger is made, and every row. */
function everythingIn(db: DatabaseSync) {
  const made = db.prepare('SELECT type, name, tbl_name, sql FROM sqlite_schema ORDER BY type, name').all()
  const rows = made
    .filter(({ type }) => type === 'table')
    .map(({ name }) => [name, db.prepare(`SELECT * FROM "${name}"`).all()])
  return { made, rows, version: db.prepare('PRAGMA user_version').get() }
}

function withoutKey(db: DatabaseSync): number {
  const { value } = db.prepare(`SELECT value FROM setting WHERE name = 'secretKey'`).get()!
  db.exec(`UPDATE setting SET value = 0 WHERE name = 'secretKey'`)
  return Number(value)
}

test('tables that are made at once are those that each migration makes of the one before', () => {
  const stepwise = new DatabaseSync(':memory:')
  for (let version = 0; version < migrations.length; version++) createTables(stepwise, version, version + 1)
  const keys = [withoutKey(stepwise)]
  const expected = everythingIn(stepwise)
  assert.ok(expected.made.length > 100)
  // The first of a process by the migrations, later ones by what those came to.
  for (const _ of ['first', 'second', 'third']) {
    const db = new DatabaseSync(':memory:')
    createTables(db)
    keys.push(withoutKey(db))
    assert.deepEqual(everythingIn(db), expected)
    db.close()
  }
  assert.equal(new Set(keys).size, keys.length, 'each archive draws a key of its own')
  stepwise.close()
})

test('lists of messages are brought into columns, and one that is damaged stays noticeably so', () => {
  const BEFORE_COLUMNS = 11
  const list = new MessageListWriter()
  for (let key = 5; key < 40; key++) list.add(key, 1 + Math.floor(key / 10), 17, 1_700_000_000 + key, 3, 0, 9)
  const [columns] = list.take() as [Uint8Array]
  const old = oldListOf(columns)
  const none = new Uint8Array(0)
  const sum = segmentSum(5, 35, old, none)
  const db = new DatabaseSync(':memory:')
  createTables(db, 0, BEFORE_COLUMNS)
  const add = db.prepare(
    'INSERT INTO word_segment (newest, messages, base, documents, titles, sum) VALUES (?, 35, 5, ?, ?, ?)',
  )
  for (const [newest, told] of [sum, sum ^ 1, null].entries()) add.run(newest, old, none, told)
  createTables(db, BEFORE_COLUMNS)
  const rows = db.prepare('SELECT documents, sum FROM word_segment ORDER BY newest').all()
  assert.deepEqual(
    rows.map((row) => ({ documents: Buffer.from(row.documents as Uint8Array), sum: row.sum })),
    [
      { documents: Buffer.from(columns), sum: null },
      { documents: Buffer.from(old), sum: sum ^ 1 },
      { documents: Buffer.from(columns), sum: null },
    ],
  )
  assert.equal(db.prepare(`SELECT value FROM setting WHERE name = 'sumsMissing'`).get()?.value, 1)
  db.close()
})

test('numbers that are too large to be read are taken out of an older archive', () => {
  const BEFORE = 12
  const db = new DatabaseSync(':memory:')
  createTables(db, 0, BEFORE)
  db.exec(`INSERT INTO chat (key, source, id, created_at, updated_at) VALUES (1, 's', 'a', 1747000000000000000, 7);
    INSERT INTO chat_message (key, chat, id, generation, rank, hash, position, place, role, kind, created_at, text, input_tokens)
      VALUES (1, 1, 'm', 1, 0, 1, 0, 0, 'user', 'request', 1e308, '', 9300000000000000),
        (2, 1, 'n', 1, 0, 1, 1, 1, 'user', 'request', 5, '', 12)`)
  createTables(db, BEFORE)
  const read = (sql: string) =>
    db
      .prepare(sql)
      .all()
      .map((row) => ({ ...row }))
  assert.deepEqual(read('SELECT created_at, updated_at FROM chat'), [{ created_at: null, updated_at: 7 }])
  assert.deepEqual(read('SELECT created_at, input_tokens FROM chat_message'), [
    { created_at: null, input_tokens: null },
    { created_at: 5, input_tokens: 12 },
  ])
  db.close()
})

const OLD = migrations.length - 2

/** Brings an older archive up to date while others do so, and says which versions the copies beside it are of. */
function broughtUp(folder: string, hook: (late: DatabaseSync, file: string) => void) {
  const file = path.join(folder, 'archive.db')
  fs.rmSync(file, { force: true })
  const old = new DatabaseSync(file)
  createTables(old, 0, OLD)
  old.close()
  const late = new DatabaseSync(file)
  hook(late, file)
  migrate(late, file)
  late.close()
  const versionIn = (of: string) => {
    const db = new DatabaseSync(of)
    const version = db.prepare('PRAGMA user_version').get()!.user_version
    db.close()
    return version
  }
  assert.equal(versionIn(file), migrations.length)
  const copies = fs.readdirSync(folder).filter((name) => name !== 'archive.db')
  return copies.map((name) => [/of-schema-(\d+)-/.exec(name)?.[1], versionIn(path.join(folder, name))])
}

function temporary(t: TestContext): string {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'recollect-migrate-'))
  t.after(() => fs.rmSync(folder, { recursive: true, force: true }))
  return folder
}

test('the copy of an archive is one of it as it was, whoever brings it up to date before it is made', (t) => {
  const atLast =
    (others?: (db: DatabaseSync, file: string) => void) => (late: DatabaseSync, file: string) => {
      const prepare = late.prepare.bind(late)
      late.prepare = (sql) => {
        if (sql.startsWith('VACUUM') && others) {
          const db = new DatabaseSync(file)
          others(db, file)
          db.close()
          others = undefined
        }
        return prepare(sql)
      }
    }
  assert.deepEqual(broughtUp(temporary(t), atLast()), [[`${OLD}`, OLD]])
  assert.deepEqual(broughtUp(temporary(t), atLast(migrate)), [[`${OLD}`, OLD]])
  // One that is not as new as this one brought it halfway.
  const halfway = (db: DatabaseSync) => createTables(db, OLD, OLD + 1)
  assert.deepEqual(broughtUp(temporary(t), atLast(halfway)), [[`${OLD + 1}`, OLD + 1]])
})

test('two threads of a process that copy an archive at once are not in the way of each other', (t) => {
  const copies = broughtUp(temporary(t), (late, file) => {
    const prepare = late.prepare.bind(late)
    let isCopied = false
    late.prepare = (sql) => {
      const statement = prepare(sql)
      // Asked for the version after it has copied, and answered with the old one: now the other begins.
      if (isCopied && sql === 'PRAGMA user_version') {
        isCopied = false
        const row = statement.get()
        migrateInThread(file)
        return { get: () => row } as unknown as typeof statement
      }
      isCopied ||= sql.startsWith('VACUUM')
      return statement
    }
  })
  assert.deepEqual(copies, [[`${OLD}`, OLD]])
})

/** Waits for a thread that does it. */
function migrateInThread(file: string): void {
  const done = new Int32Array(new SharedArrayBuffer(4))
  const code = `
    const { workerData: { file, module, done } } = require('node:worker_threads')
    const { DatabaseSync } = require('node:sqlite')
    import(module).then(({ migrate }) => {
      const db = new DatabaseSync(file)
      migrate(db, file)
      db.close()
      Atomics.store(done, 0, 1)
    }).catch(() => Atomics.store(done, 0, 2)).finally(() => Atomics.notify(done, 0))`
  const module = new URL('migrate.ts', import.meta.url).href
  new Worker(code, { eval: true, workerData: { file, module, done } }).unref()
  Atomics.wait(done, 0, 0, 60_000)
  assert.equal(done[0], 1)
}
