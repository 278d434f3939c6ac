import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { after } from 'node:test'
import { type Checkpoint, withReader } from '../source.ts'
import { machineAt, type Reading } from '../test-kit.ts'
import { opencode as described } from './index.ts'

const opencode = await withReader(described)

export const fixtures = path.join(import.meta.dirname, 'fixtures')
const sql = fs.readFileSync(path.join(fixtures, 'opencode.sql'), 'utf8')
export const forked = fs.readFileSync(path.join(fixtures, 'forked.sql'), 'utf8')
const temp = fs.mkdtempSync(path.join(os.tmpdir(), 'recollect-opencode-'))
after(() => fs.rmSync(temp, { recursive: true, force: true }))

let folders = 0
/** A home folder with a place for the database. */
export function home(): { home: string; data: string; file: string } {
  const place = path.join(temp, String(++folders))
  const data = path.join(place, '.local', 'share', 'opencode')
  fs.mkdirSync(data, { recursive: true })
  return { home: place, data, file: path.join(data, 'opencode.db') }
}

/** A database as opencode 1.18 leaves it, and `more`. */
export function made(file: string, more = ''): DatabaseSync {
  const db = new DatabaseSync(file)
  db.exec(`BEGIN; ${sql} ${more} COMMIT`)
  return db
}

export const read = (file: string, from?: Checkpoint) =>
  opencode.read({ path: file, growth: 'database' }, from, machineAt(temp))

export const SESSION = 'ses_e2330902fffeeAoLCwdv2NOi87'
export const PARENT = 'ses_e232ff74bffe4fdsgD7wBUH6TX'
export const CHILD = 'ses_e232fd681ffeleIKlpSh6Yo5TA'

export const outline = (reading: Reading, chat: string) =>
  reading.messages[chat]!.map((message) => [message.role, message.kind, message.text])
