import assert from 'node:assert/strict'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'
import { columnsOf, openForeignDatabase } from './foreign-db.ts'

test('no number is too large to be read, and no view is taken for a table', () => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'recollect-foreign-'))
  const file = path.join(folder, 'a.db')
  const made = new DatabaseSync(file)
  made.exec(`CREATE TABLE Kept (id INTEGER, name TEXT, data BLOB);
    INSERT INTO Kept VALUES (1700000000000000000, 'large', x'00'), (7, 'small', NULL);
    CREATE VIEW endless AS WITH RECURSIVE c (id) AS (SELECT 1 UNION ALL SELECT id + 1 FROM c) SELECT id FROM c`)
  made.close()
  const db = openForeignDatabase(file)
  try {
    const rows = db.prepare('SELECT * FROM kept WHERE name <> ? ORDER BY id').all('none')
    assert.deepEqual(
      rows.map(({ id, name }) => [id, name]),
      [
        [7, 'small'],
        [1.7e18, 'large'],
      ],
    )
    const one = db.prepare('SELECT id FROM kept WHERE name = ?')
    assert.equal(one.get('large')?.id, 1.7e18)
    assert.equal(one.get('none'), undefined)
    assert.deepEqual(
      [...db.prepare('SELECT id FROM kept').iterate()].map(({ id }) => id),
      [1.7e18, 7],
    )
    assert.deepEqual(columnsOf(db, 'kept'), ['id', 'name', 'data'])
    assert.deepEqual(columnsOf(db, 'endless'), [])
    assert.deepEqual(columnsOf(db, 'nowhere'), [])
  } finally {
    db.close()
    fs.rmSync(folder, { recursive: true })
  }
})
