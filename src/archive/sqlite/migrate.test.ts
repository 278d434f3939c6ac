import assert from 'node:assert/strict'
import { DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'
import { createTables } from './migrate.ts'
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
