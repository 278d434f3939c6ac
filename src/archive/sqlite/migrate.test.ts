import assert from 'node:assert/strict'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'
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
  const columns = list.take()
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

test('the copy of an archive is one of it as it was, whoever brings it up to date in the middle of that', (t) => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'recollect-migrate-'))
  t.after(() => fs.rmSync(folder, { recursive: true, force: true }))
  const file = path.join(folder, 'archive.db')
  const OLD = migrations.length - 2
  const versionIn = (of: string) => {
    const db = new DatabaseSync(of)
    const version = db.prepare('PRAGMA user_version').get()!.user_version
    db.close()
    return version
  }
  const broughtUp = (...by: Array<(file: string) => void>) => {
    fs.rmSync(file, { force: true })
    const old = new DatabaseSync(file)
    createTables(old, 0, OLD)
    old.close()
    const late = new DatabaseSync(file)
    const prepare = late.prepare.bind(late)
    // What others do at the last moment before this one copies.
    late.prepare = (sql) => {
      if (sql.startsWith('VACUUM')) by.shift()?.(file)
      return prepare(sql)
    }
    migrate(late, file)
    late.close()
    assert.equal(versionIn(file), migrations.length)
    const copies = fs.readdirSync(folder).filter((name) => name !== 'archive.db')
    return copies.map((name) => [/of-schema-(\d+)-/.exec(name)?.[1], versionIn(path.join(folder, name))])
  }
  const other = (file: string) => {
    const db = new DatabaseSync(file)
    migrate(db, file)
    db.close()
  }
  const between = (file: string) => {
    const db = new DatabaseSync(file)
    createTables(db, OLD, OLD + 1)
    db.close()
  }
  assert.deepEqual(broughtUp(), [[`${OLD}`, OLD]])
  assert.deepEqual(broughtUp(other), [[`${OLD}`, OLD]])
  // One that is not as new as this one brought it halfway.
  fs.rmSync(folder, { recursive: true })
  fs.mkdirSync(folder)
  assert.deepEqual(broughtUp(between), [[`${OLD + 1}`, OLD + 1]])
})
