import fs from 'node:fs'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import zlib from 'node:zlib'

/** A home folder as one assistant leaves it, made of a source's fixtures. */
export interface FixtureHome {
  /** Of the source. */
  id: string
  name: string
  /** Lays the files out below a home folder. */
  put(home: string): void
}

const SOURCES = import.meta.dirname
const fixture = (...parts: string[]) => path.join(SOURCES, ...parts)

/** Every fixture of every source, where its assistant would keep it. */
export const fixtureHomes: FixtureHome[] = [
  copied('claude-code', 'projects', '.claude/projects'),
  copied('codex', 'home', '.codex'),
  copied('codex', 'real', '.codex'),
  copied('copilot-cli', 'copilot', '.copilot'),
  copied('gemini-cli', 'home/.gemini', '.gemini'),
  copied('gemini-cli', 'real/.gemini', '.gemini'),
  copied('vscode', 'User', '.config/Code/User'),
  copied('vscode', 'old/v1.json', '.config/Code/User/workspaceStorage/w1/chatSessions/v1.json'),
  copied('vscode', 'old/v2.json', '.config/Code/User/workspaceStorage/w1/chatSessions/v2.json'),
  copied('vscode', 'every-part.json', '.config/Code/User/workspaceStorage/w1/chatSessions/every-part.json'),
  copied('cline', 'vscode', '.config/Code/User/globalStorage/saoudrizwan.claude-dev'),
  copied('cline', 'cli', '.cline/data'),
  { ...copied('cline', 'roo', '.config/Code/User/globalStorage/rooveterinaryinc.roo-cline'), id: 'roo-code' },
  copied('continue', 'sessions', '.continue/sessions'),
  copied('aider', 'history.md', 'proj/.aider.chat.history.md'),
  copied('aider', 'trimmed.md', 'proj/.aider.chat.history.md'),
  copied('goose', '20250601_140100.jsonl', '.local/share/goose/sessions/20250601_140100.jsonl'),
  copied('lm-studio', 'conversations', '.lmstudio/conversations'),
  copied('recollect-agent', 'runs', '.local/share/recollect/runs'),
  copied('opencode', 'storage', '.local/share/opencode/storage'),
  database('opencode', 'opencode.sql', '.local/share/opencode/opencode.db'),
  database('opencode', 'opencode.sql', '.local/share/opencode/opencode.db', 'forked.sql'),
  database('cursor', 'global.sql', '.config/Cursor/User/globalStorage/state.vscdb'),
  database('cursor', 'workspace.sql', '.config/Cursor/User/workspaceStorage/w1/state.vscdb'),
  copied(
    'cursor',
    'transcript.jsonl',
    `.cursor/projects/home-me-proj/agent-transcripts/${'a'.repeat(8)}.jsonl`,
  ),
  database('chatwise', 'app.sql', '.config/app.chatwise/app.db'),
  { id: 'zed', name: 'zed threads', put: zedThreads },
  { id: 'goose', name: 'goose sessions.db', put: gooseSessions },
  { id: 'vscode', name: 'vscode interactive.sessions', put: oldestSessions },
  { id: 'codex', name: 'codex rollout.jsonl.zst', put: packedRollout },
]

function copied(id: string, from: string, to: string): FixtureHome {
  return {
    id,
    name: `${id} ${from}`,
    put(home) {
      fs.mkdirSync(path.dirname(path.join(home, to)), { recursive: true })
      fs.cpSync(fixture(id, 'fixtures', from), path.join(home, to), { recursive: true })
    },
  }
}

function database(id: string, script: string, to: string, ...more: string[]): FixtureHome {
  const scripts = [script, ...more].map((name) => fixture(id, 'fixtures', name))
  return {
    id,
    name: `${id} ${[script, ...more].join(' and ')}`,
    put: (home) => makeDatabase(scripts, path.join(home, to)),
  }
}

function makeDatabase(scripts: string[], file: string): void {
  fs.mkdirSync(path.dirname(file), { recursive: true })
  const db = new DatabaseSync(file)
  for (const script of scripts) db.exec(fs.readFileSync(script, 'utf8'))
  db.close()
}

function zedThreads(home: string): void {
  const folder = path.join(home, '.local/share/zed/threads')
  fs.mkdirSync(folder, { recursive: true })
  const db = new DatabaseSync(path.join(folder, 'threads.db'))
  db.exec(`CREATE TABLE threads (id TEXT PRIMARY KEY, summary TEXT NOT NULL, updated_at TEXT NOT NULL,
    data_type TEXT NOT NULL, data BLOB NOT NULL)`)
  const insert = db.prepare('INSERT INTO threads VALUES (?, ?, ?, ?, ?)')
  for (const [at, name] of ['present', 'older', 'oldest'].entries()) {
    const bytes = fs.readFileSync(fixture('zed', 'fixtures', `${name}.json`))
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
  const lines = fs
    .readFileSync(fixture('goose', 'fixtures', '20250601_140100.jsonl'), 'utf8')
    .trim()
    .split('\n')
  const insert =
    db.prepare(`INSERT INTO messages (message_id, session_id, role, content_json, created_timestamp)
    VALUES (?, '20260501_1', ?, ?, ?)`)
  for (const [at, line] of lines.slice(1).entries()) {
    const { role, content, created } = JSON.parse(line)
    insert.run(`msg_${at}`, role, JSON.stringify(content), created)
  }
  db.close()
}

/** Before 1.99, VS Code kept the chats of a workspace as one value. */
function oldestSessions(home: string): void {
  const folder = path.join(home, '.config/Code/User/workspaceStorage/w2')
  fs.mkdirSync(folder, { recursive: true })
  const db = new DatabaseSync(path.join(folder, 'state.vscdb'))
  db.exec('CREATE TABLE ItemTable (key TEXT UNIQUE ON CONFLICT REPLACE, value BLOB)')
  const sessions = fs.readFileSync(fixture('vscode', 'fixtures', 'old', 'interactive-sessions.json'))
  db.prepare("INSERT INTO ItemTable VALUES ('interactive.sessions', ?)").run(sessions)
  db.close()
}

function packedRollout(home: string): void {
  const [name] = fs.globSync('sessions/2026/11/15/rollout-*4e959215.jsonl', {
    cwd: fixture('codex', 'fixtures', 'home'),
  })
  const file = path.join(home, '.codex', `${name}.zst`)
  fs.mkdirSync(path.dirname(file), { recursive: true })
  fs.writeFileSync(file, zlib.zstdCompressSync(fs.readFileSync(fixture('codex', 'fixtures', 'home', name!))))
}
