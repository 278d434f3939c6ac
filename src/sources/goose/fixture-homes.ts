import fs from 'node:fs'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { fixturesOf } from '../fixture-kit.ts'

const { copied, fixture, made } = fixturesOf(import.meta.dirname)

export const homes = [
  copied('20250601_140100.jsonl', '.local/share/goose/sessions/20250601_140100.jsonl'),
  made('sessions.db', gooseSessions),
]

function gooseSessions(home: string): void {
  const folder = path.join(home, '.local/share/goose/sessions')
  fs.mkdirSync(folder, { recursive: true })
  const db = new DatabaseSync(path.join(folder, 'sessions.db'))
  db.exec(`CREATE TABLE sessions (id TEXT PRIMARY KEY, name TEXT NOT NULL DEFAULT '',
      description TEXT NOT NULL DEFAULT '', session_type TEXT NOT NULL DEFAULT 'user', working_dir TEXT NOT NULL,
      created_at TIMESTAMP, updated_at TIMESTAMP);
    CREATE TABLE messages (id INTEGER PRIMARY KEY AUTOINCREMENT, message_id TEXT, session_id TEXT NOT NULL,
      role TEXT NOT NULL, content_json TEXT NOT NULL, created_timestamp INTEGER NOT NULL, metadata_json TEXT);
    CREATE TABLE schema_version (version INTEGER PRIMARY KEY);
    INSERT INTO schema_version VALUES (9);
    INSERT INTO sessions VALUES ('20260501_1', 'Retry', '', 'user', '/home/me/proj',
      '2026-05-01 10:00:00', '2026-05-01 10:05:00')`)
  const lines = fs.readFileSync(fixture('20250601_140100.jsonl'), 'utf8').trim().split('\n')
  const insert =
    db.prepare(`INSERT INTO messages (message_id, session_id, role, content_json, created_timestamp)
    VALUES (?, '20260501_1', ?, ?, ?)`)
  for (const [at, line] of lines.slice(1).entries()) {
    const { role, content, created } = JSON.parse(line)
    insert.run(`msg_${at}`, role, JSON.stringify(content), created)
  }
  db.close()
}
