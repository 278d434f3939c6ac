import fs from 'node:fs'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import zlib from 'node:zlib'
import { fixturesOf } from '../fixture-kit.ts'

const { fixture, made } = fixturesOf(import.meta.dirname)

export const homes = [made('threads', zedThreads)]

function zedThreads(home: string): void {
  const folder = path.join(home, '.local/share/zed/threads')
  fs.mkdirSync(folder, { recursive: true })
  const db = new DatabaseSync(path.join(folder, 'threads.db'))
  db.exec(`CREATE TABLE threads (id TEXT PRIMARY KEY, summary TEXT NOT NULL, updated_at TEXT NOT NULL,
    data_type TEXT NOT NULL, data BLOB NOT NULL)`)
  const insert = db.prepare('INSERT INTO threads VALUES (?, ?, ?, ?, ?)')
  for (const [at, name] of ['present', 'older', 'oldest'].entries()) {
    const bytes = fs.readFileSync(fixture(`${name}.json`))
    const isPacked = name === 'present'
    insert.run(
      `t-${at}`,
      name,
      `2026-05-0${at + 1}T10:00:00Z`,
      isPacked ? 'zstd' : 'json',
      isPacked ? zlib.zstdCompressSync(bytes) : bytes,
    )
  }
  db.close()
}
