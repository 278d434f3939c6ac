import assert from 'node:assert/strict'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { after, test } from 'node:test'
import type { Machine } from '../../platform/machine.ts'
import { mutations } from '../mutations.ts'
import { type Unit, withReader } from '../source.ts'
import { gather, machineAt, readMachine } from '../test-kit.ts'
import { goose as described } from './index.ts'

const goose = await withReader(described)

const LEGACY = path.join(import.meta.dirname, 'fixtures', '20250601_140100.jsonl')
const home = fs.mkdtempSync(path.join(os.tmpdir(), 'goose-'))
after(() => fs.rmSync(home, { recursive: true, force: true }))

/** What the legacy fixture holds, by eye; the database tests use the same messages. */
const EXPECTED = [
  ['request', 'Add a retry'],
  ['answer', 'I look.'],
  ['tool', ''],
  ['answer', ''],
  ['tool', ''],
  ['answer', 'Done.'],
  ['notice', 'Compacting…'],
]
const [, ...records] = fs
  .readFileSync(LEGACY, 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line))

test('a session of the time before the database', () => {
  const machine = machineWith('legacy')
  fs.copyFileSync(LEGACY, path.join(sessionsOf(machine), '20250601_140100.jsonl'))
  const reading = readMachine(goose, machine)
  assert.deepEqual(reading.chats, [
    {
      source: 'goose',
      id: '20250601_140100',
      title: 'Retry the webhook',
      workspace: '/home/me/proj',
      createdAt: new Date(2025, 5, 1, 14, 1).getTime(),
      updatedAt: 1748786475000,
      format: 'jsonl',
    },
  ])
  const messages = reading.messages['20250601_140100']!
  assert.deepEqual(
    messages.map(({ kind, text }) => [kind, text]),
    EXPECTED,
  )
  assert.deepEqual(messages[0]!.attachments, [
    { name: 'image', type: 'image', mimeType: 'image/png', bytes: 8, data: 'iVBORw0KGgo=' },
  ])
  assert.equal(messages[1]!.thinking, 'Look first.')
  assert.deepEqual(messages[1]!.toolCalls, [
    { id: 'call_1', server: 'developer', tool: 'shell', args: { command: 'ls' } },
  ])
  assert.deepEqual(messages[2]!.toolResults, [{ callId: 'call_1', text: 'hook.py' }])
  assert.deepEqual(messages[4]!.toolResults, [{ callId: 'call_2', error: 'no such file' }])
})

test('the ledger of model calls is counted, each call once, whenever it is read', () => {
  const machine = machineWith('ledger')
  const { db, add, unit } = databaseOf(machine, 15)
  db.exec(`CREATE TABLE usage_ledger (id INTEGER PRIMARY KEY AUTOINCREMENT, session_id TEXT NOT NULL,
    created_timestamp INTEGER NOT NULL, model TEXT NOT NULL, input_tokens INTEGER, output_tokens INTEGER,
    total_tokens INTEGER, cache_read_tokens INTEGER, cache_write_tokens INTEGER, cost REAL, cost_source TEXT,
    is_compaction BOOLEAN)`)
  const call = db.prepare(`INSERT INTO usage_ledger (session_id, created_timestamp, model, input_tokens,
    output_tokens, cache_read_tokens, cost) VALUES ('s', ?, ?, ?, ?, ?, ?)`)
  const text = (words: string) => [{ type: 'text', text: words }]
  addSession(db, 's', 'Count', 'user')
  add('s', { role: 'user', created: 1_780_000_000, content: text('How many?') }, 'a')
  add('s', { role: 'assistant', created: 1_780_000_001, content: text('Ten.') }, 'b')
  call.run(1_780_000_001, 'claude-sonnet-4', 100, 20, 30, 0.25)
  const first = gather(goose.read(unit, undefined, machine))
  call.run(1_780_000_009, 'claude-sonnet-4', 10, 2, null, 0.5)
  call.run(1_780_000_010, 'gpt-5', 7, 1, 0, null)
  call.run(1_780_100_000, 'gpt-5', 5, 1, 0, null)
  const grown = gather(goose.read(unit, first.checkpoint, machine), first)
  const whole = gather(goose.read(unit, undefined, machine))
  assert.deepEqual(grown.messages, whole.messages)
  assert.deepEqual(
    whole.messages.s!.map(({ kind, text, model, usage }) => (usage ? [kind, model, usage] : [kind, text])),
    [
      ['request', 'How many?'],
      ['answer', 'Ten.'],
      ['notice', 'claude-sonnet-4', { input: 110, output: 22, cached: 30, cost: 0.75 }],
      ['notice', 'gpt-5', { input: 7, output: 1 }],
      ['notice', 'gpt-5', { input: 5, output: 1 }],
    ],
  )
  db.close()
})

test('what was filled in for a tool is a request, and its pictures are kept', () => {
  const machine = machineWith('asked')
  const { db, add, unit } = databaseOf(machine, 9)
  addSession(db, 's', 'Ask', 'user')
  const action = { actionType: 'elicitationResponse', id: 'e1', user_data: { city: 'Riga', nights: 2 } }
  add('s', { role: 'user', created: 1_780_000_000, content: [{ type: 'actionRequired', data: action }] }, 'a')
  const image = { type: 'image', mimeType: 'image/png', data: 'iVBORw0KGgo=' }
  const result = { status: 'success', value: { content: [{ type: 'text', text: 'a map' }, image] } }
  add(
    's',
    {
      role: 'user',
      created: 1_780_000_001,
      content: [{ type: 'toolResponse', id: 'c', toolResult: result }],
    },
    'b',
  )
  db.close()
  const [said, shown] = gather(goose.read(unit, undefined, machine)).messages.s!
  assert.deepEqual([said?.kind, said?.via, said?.text], ['request', 'answer', 'Riga\n2'])
  assert.deepEqual(shown?.attachments, [
    { name: 'image', type: 'image', mimeType: 'image/png', bytes: 8, data: 'iVBORw0KGgo=' },
  ])
})

test('the database; an old file it took over is not read twice', () => {
  const machine = machineWith('database')
  const { db, add } = databaseOf(machine, 5)
  addSession(db, '20250601_140100', 'Retry the webhook', 'user')
  for (const record of records) add('20250601_140100', record)
  addSession(db, '20260101_1', 'CLI Session', 'sub_agent')
  add('20260101_1', {
    role: 'user',
    created: 1767225600,
    content: [{ type: 'text', text: 'Find the tests' }],
  })
  addSession(db, '20260101_2', 'x', 'hidden')
  add('20260101_2', { role: 'user', created: 1767225600, content: [{ type: 'text', text: 'Name this' }] })
  db.close()
  fs.copyFileSync(LEGACY, path.join(sessionsOf(machine), '20250601_140100.jsonl'))

  const reading = readMachine(goose, machine)
  assert.deepEqual(
    reading.chats.map(({ id, title, subagent }) => [id, title, subagent]),
    [
      ['20250601_140100', 'Retry the webhook', undefined],
      ['20260101_1', undefined, true],
    ],
  )
  const [chat] = reading.chats
  assert.deepEqual(
    [chat!.workspace, chat!.createdAt, chat!.resume, chat!.format],
    [
      '/home/me/proj',
      Date.UTC(2026, 0, 1),
      'goose session --resume --session-id 20250601_140100',
      'database v5',
    ],
  )
  const messages = reading.messages['20250601_140100']!
  assert.deepEqual(
    messages.map(({ kind, text }) => [kind, text]),
    EXPECTED,
  )
  assert.equal(messages[1]!.createdAt, 1748786465000)
  assert.deepEqual([messages[0]!.id, messages[2]!.id], ['m0', 'm2/results'])
  assert.equal(reading.messages['20260101_1']![0]!.kind, 'delegated')
})

test('reading row by row ends as one whole reading does, in old schemas and new', () => {
  for (const schema of [5, 9]) {
    const machine = machineWith(`growing-${schema}`)
    const { db, add, unit } = databaseOf(machine, schema)
    let growing = gather(goose.read(unit, undefined, machine))
    for (const [index, record] of records.entries()) {
      if (index < 2) addSession(db, `s-${index}`, `Session ${index}`, 'user')
      add(`s-${index % 2}`, record, `msg-${index}`)
      growing = gather(goose.read(unit, growing.checkpoint, machine), growing)
    }
    const piece = (text: string) => ({
      role: 'assistant',
      created: 1748786480,
      content: [{ type: 'text', text }],
    })
    for (const text of ['An answer ', 'in pie', 'ces.']) {
      add('s-0', piece(text), 'msg-p')
      growing = gather(goose.read(unit, growing.checkpoint, machine), growing)
    }
    db.exec("UPDATE sessions SET name = 'Renamed', updated_at = datetime('now', '+1 day') WHERE id = 's-1'")
    growing = gather(goose.read(unit, growing.checkpoint, machine), growing)
    db.close()
    const whole = gather(goose.read(unit, undefined, machine))
    assert.deepEqual(growing, whole)
    assert.equal(whole.chats[1]!.title, 'Renamed')
    const last = whole.messages['s-0']!.at(-1)!
    assert.equal(last.text, schema === 9 ? 'An answer in pieces.' : 'ces.')
  }
})

test('a session that gets another name is told, though the clock of one before ran ahead', () => {
  const machine = machineWith('ahead')
  const { db, add, unit } = databaseOf(machine, 9)
  for (const id of ['s-0', 's-1']) {
    addSession(db, id, 'Session', 'user')
    add(id, records[0]!)
  }
  db.exec("UPDATE sessions SET updated_at = datetime('now', '+1 year') WHERE id = 's-0'")
  const { checkpoint } = gather(goose.read(unit, undefined, machine))
  db.exec("UPDATE sessions SET name = 'Renamed', updated_at = datetime('now', '+5 seconds') WHERE id = 's-1'")
  const { chats } = gather(goose.read(unit, checkpoint, machine))
  db.close()
  assert.equal(chats.find(({ id }) => id === 's-1')?.title, 'Renamed')
})

test('a compacted session is told anew under the same ids, with its summary', () => {
  const machine = machineWith('compacted')
  const { db, add, unit } = databaseOf(machine, 5)
  addSession(db, 's', 'Session', 'user')
  for (const record of records.slice(0, 2)) add('s', record)
  const before = gather(goose.read(unit, undefined, machine))
  db.exec("DELETE FROM messages WHERE session_id = 's'")
  for (const record of records.slice(0, 2))
    add('s', record, undefined, { userVisible: true, agentVisible: false })
  const summary = { role: 'user', created: 1748786480, content: [{ type: 'text', text: 'So far: a retry.' }] }
  add('s', summary, undefined, { userVisible: false, agentVisible: true })
  const now = gather(goose.read(unit, before.checkpoint, machine), before)
  db.close()
  assert.deepEqual(
    now.messages.s!.map(({ id, kind }) => [id, kind]),
    [
      ['m0', 'request'],
      ['m1', 'answer'],
      ['m2', 'summary'],
    ],
  )
})

test('a database that was put back to an earlier state is read from the start', () => {
  const machine = machineWith('restored')
  const { db, add, unit } = databaseOf(machine, 5)
  addSession(db, 's', 'Session', 'user')
  add('s', records[0])
  db.close()
  const found = [...goose.read(unit, { offset: 99, state: { changedAt: 9e9 } }, machine)]
  assert.deepEqual(found[0], { restart: true })
  assert.equal(gather(found).chats.length, 1)
})

test('roots by platform and environment', () => {
  const cases: [Machine, string][] = [
    [{ platform: 'linux', home: '/home/me', env: {} }, '/home/me/.local/share/goose/sessions'],
    [{ platform: 'darwin', home: '/Users/me', env: {} }, '/Users/me/.local/share/goose/sessions'],
    [{ platform: 'linux', home: '/h', env: { XDG_DATA_HOME: '/d' } }, '/d/goose/sessions'],
    [
      { platform: 'win32', home: '/u', env: { APPDATA: '/u/Roaming' } },
      '\\u\\Roaming\\Block\\goose\\data\\sessions',
    ],
    [{ platform: 'linux', home: '/h', env: { GOOSE_PATH_ROOT: '/g' } }, '/g/data/sessions'],
  ]
  for (const [machine, expected] of cases) assert.deepEqual(goose.roots(machine), [{ path: expected }])
  const root = { path: '/r' }
  assert.equal(goose.unit('sessions.db-wal', root)?.path, '/r/sessions.db')
  assert.equal(goose.unit('sessions.db-shm', root), undefined)
  assert.equal(goose.unit('backups/a.jsonl', root), undefined)
})

test('damaged files and rows are survived', () => {
  const machine = machineWith('damaged')
  const file = path.join(sessionsOf(machine), 'a.jsonl')
  for (const bytes of mutations(fs.readFileSync(LEGACY), 2000)) {
    fs.writeFileSync(file, bytes)
    gather(goose.read({ path: file, growth: 'whole' }, undefined, machine))
  }
  const { db, unit } = databaseOf(machine, 9)
  addSession(db, 's', 'Session', 'user')
  const insert = db.prepare(
    'INSERT INTO messages (session_id, role, content_json, created_timestamp, metadata_json) VALUES (?, ?, ?, ?, ?)',
  )
  db.exec('BEGIN')
  for (const { role, content } of records) {
    for (const bytes of mutations(Buffer.from(JSON.stringify(content)), 400)) {
      insert.run('s', role, bytes.toString('utf8'), 1, '[')
    }
  }
  insert.run('s', 'user', Buffer.from([0xff]), -5, null)
  db.exec('COMMIT')
  db.close()
  assert.ok(gather(goose.read(unit, undefined, machine)).problems.length > 100)
  const small = fs.readFileSync(unit.path).subarray(0, 40_960)
  for (const bytes of mutations(small, 100)) {
    fs.writeFileSync(unit.path, bytes)
    gather(goose.read(unit, undefined, machine))
  }
})

function machineWith(name: string): Machine {
  const machine = machineAt(path.join(home, name))
  fs.mkdirSync(sessionsOf(machine), { recursive: true })
  return machine
}

function sessionsOf(machine: Machine): string {
  return goose.roots(machine)[0]!.path
}

interface Stored {
  role: string
  created: number
  content: unknown
}

/** The tables as Goose makes them; later schemas gave messages an id. */
function databaseOf(machine: Machine, schema: number) {
  const unit: Unit = { path: path.join(sessionsOf(machine), 'sessions.db'), growth: 'database' }
  const db = new DatabaseSync(unit.path)
  db.exec(`CREATE TABLE sessions (id TEXT PRIMARY KEY, name TEXT NOT NULL DEFAULT '',
      description TEXT NOT NULL DEFAULT '', user_set_name BOOLEAN DEFAULT FALSE,
      session_type TEXT NOT NULL DEFAULT 'user', working_dir TEXT NOT NULL,
      created_at TIMESTAMP DEFAULT CURRENT_TIMESTAMP, updated_at TIMESTAMP DEFAULT CURRENT_TIMESTAMP);
    CREATE TABLE messages (id INTEGER PRIMARY KEY AUTOINCREMENT, ${schema >= 9 ? 'message_id TEXT,' : ''}
      session_id TEXT NOT NULL, role TEXT NOT NULL, content_json TEXT NOT NULL,
      created_timestamp INTEGER NOT NULL, timestamp TIMESTAMP DEFAULT CURRENT_TIMESTAMP, tokens INTEGER,
      metadata_json TEXT);
    CREATE INDEX idx_messages_session ON messages(session_id);
    CREATE TABLE schema_version (version INTEGER PRIMARY KEY, applied_at TIMESTAMP DEFAULT CURRENT_TIMESTAMP);
    INSERT INTO schema_version (version) VALUES (1), (${schema})`)
  const columns = ['session_id', 'role', 'content_json', 'created_timestamp', 'metadata_json']
  if (schema >= 9) columns.push('message_id')
  const insert = db.prepare(
    `INSERT INTO messages (${columns.join(', ')}) VALUES (${columns.map(() => '?').join(', ')})`,
  )
  const add = (session: string, record: Stored, id = 'msg', metadata?: unknown) => {
    const values = [
      session,
      record.role,
      JSON.stringify(record.content),
      record.created,
      JSON.stringify(metadata) ?? null,
    ]
    insert.run(...values, ...(schema >= 9 ? [id] : []))
  }
  return { db, add, unit }
}

function addSession(db: DatabaseSync, id: string, name: string, type: string): void {
  db.prepare(
    'INSERT INTO sessions (id, name, session_type, working_dir, created_at) VALUES (?, ?, ?, ?, ?)',
  ).run(id, name, type, '/home/me/proj', '2026-01-01 00:00:00')
}
