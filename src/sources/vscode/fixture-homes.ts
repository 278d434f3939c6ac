import fs from 'node:fs'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { fixturesOf } from '../fixture-kit.ts'

const { copied, fixture, made } = fixturesOf(import.meta.dirname)

const SESSIONS = '.config/Code/User/workspaceStorage/w1/chatSessions'

export const homes = [
  copied('User', '.config/Code/User'),
  copied('old/v1.json', `${SESSIONS}/v1.json`),
  copied('old/v2.json', `${SESSIONS}/v2.json`),
  copied('every-part.json', `${SESSIONS}/every-part.json`),
  made('interactive.sessions', oldestSessions),
]

/** Before 1.99, VS Code kept the chats of a workspace as one value. */
function oldestSessions(home: string): void {
  const folder = path.join(home, '.config/Code/User/workspaceStorage/w2')
  fs.mkdirSync(folder, { recursive: true })
  const db = new DatabaseSync(path.join(folder, 'state.vscdb'))
  db.exec('CREATE TABLE ItemTable (key TEXT UNIQUE ON CONFLICT REPLACE, value BLOB)')
  const sessions = fs.readFileSync(fixture('old', 'interactive-sessions.json'))
  db.prepare("INSERT INTO ItemTable VALUES ('interactive.sessions', ?)").run(sessions)
  db.close()
}
