import assert from 'node:assert/strict'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { after, test } from 'node:test'
import zlib from 'node:zlib'
import type { Machine } from '../../platform/machine.ts'
import { mutations } from '../mutations.ts'
import { type Unit, withReader } from '../source.ts'
import { gather, machineAt, readMachine } from '../test-kit.ts'
import { zed as described } from './index.ts'

const zed = await withReader(described)

const FIXTURES = path.join(import.meta.dirname, 'fixtures')
const LEGACY_SCHEMA = path.join(
  import.meta.dirname,
  '../../../../shared/samples/public/zed/zed-legacy-threads.sql',
)
const home = fs.mkdtempSync(path.join(os.tmpdir(), 'zed-'))
after(() => fs.rmSync(home, { recursive: true, force: true }))
const machine = machineAt(home)

const folder = path.join(home, '.local', 'share', 'zed', 'threads')
fs.mkdirSync(folder, { recursive: true })
const unit: Unit = { path: path.join(folder, 'threads.db'), growth: 'database' }
const db = new DatabaseSync(unit.path)
after(() => db.close())
db.exec(`PRAGMA journal_mode = WAL;
  CREATE TABLE threads (id TEXT PRIMARY KEY, summary TEXT NOT NULL, updated_at TEXT NOT NULL,
    data_type TEXT NOT NULL, data BLOB NOT NULL, parent_id TEXT, folder_paths TEXT, folder_paths_order TEXT,
    created_at TEXT)`)
const insert = db.prepare('INSERT OR REPLACE INTO threads VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)')
const present = fs.readFileSync(path.join(FIXTURES, 'present.json'))
const compressed = zlib.zstdCompressSync(present)
const time = '2026-05-01T10:05:00.500+00:00'
insert.run(
  't-1',
  'Retry the webhook',
  time,
  'zstd',
  compressed,
  null,
  '/home/me/lib\n/home/me/proj',
  '1,0',
  '2026-05-01T10:00:00+00:00',
)
insert.run('t-2', 'Sub', time, 'zstd', compressed, 't-1', null, null, null)
insert.run(
  't-3',
  'Use tool_1',
  '2025-05-01T10:05:00Z',
  'json',
  fs.readFileSync(path.join(FIXTURES, 'older.json')),
  null,
  null,
  null,
  null,
)
insert.run(
  't-4',
  'Hello',
  '2025-03-01T10:05:00Z',
  'json',
  fs.readFileSync(path.join(FIXTURES, 'oldest.json')),
  null,
  null,
  null,
  null,
)
insert.run('t-5', 'Broken', time, 'zstd', Buffer.from('not zstd'), null, null, null, null)

test('a thread of the present format', () => {
  const reading = readMachine(zed, machine)
  assert.deepEqual(
    reading.chats.find(({ id }) => id === 't-1'),
    {
      source: 'zed',
      id: 't-1',
      title: 'Retry the webhook',
      workspace: '/home/me/proj',
      repository: 'https://github.com/me/proj.git',
      branch: 'main',
      createdAt: Date.parse('2026-05-01T10:00:00Z'),
      updatedAt: Date.parse('2026-05-01T10:05:00.5Z'),
      format: '0.3.0',
    },
  )
  const messages = reading.messages['t-1']!
  assert.deepEqual(
    messages.map(({ id, kind, text }) => [id, kind, text]),
    [
      ['u-1', 'request', 'Add a retry to @hook.py please'],
      ['u-1/0', 'answer', "I'll edit it."],
      ['u-1/1', 'answer', ''],
      ['u-1/2', 'answer', 'Done.'],
      ['u-2', 'request', 'Thanks'],
      ['u-2/0', 'answer', 'Welcome.'],
    ],
  )
  assert.deepEqual(
    messages[0]!.attachments?.map(({ name, type, path }) => [name, type, path]),
    [
      ['hook.py', 'file', '/home/me/proj/hook.py'],
      ['image', 'image', undefined],
    ],
  )
  assert.equal(messages[1]!.thinking, 'Simple.')
  assert.equal(messages[1]!.model, 'claude-sonnet-4.6')
  assert.deepEqual(messages[1]!.toolCalls, [{ id: 'toolu_1', tool: 'edit_file', args: { path: 'hook.py' } }])
  assert.deepEqual(messages[1]!.toolResults, [{ callId: 'toolu_1', text: 'Edited.' }])
  assert.deepEqual(messages[2]!.toolResults, [{ callId: 'toolu_2', error: '1 failed\n[image]' }])
  assert.deepEqual(messages[3]!.usage, { input: 80, output: 20, cached: 40, cacheWrite: 30 })
})

test('sub-agents, older formats and a broken thread', () => {
  const reading = readMachine(zed, machine)
  const child = reading.chats.find(({ id }) => id === 't-2')!
  assert.deepEqual([child.parentId, child.subagent], ['t-1', true])
  assert.equal(reading.messages['t-2']![0]!.kind, 'delegated')
  assert.deepEqual(
    reading.messages['t-3']!.map(({ kind, text }) => [kind, text]),
    [
      ['request', 'Use tool_1'],
      ['answer', 'I want to use a tool'],
      ['tool', ''],
      ['injected', 'Continue where you left off'],
    ],
  )
  assert.deepEqual(reading.messages['t-3']![2]!.toolResults, [{ callId: 'abc', text: 'abcdef' }])
  assert.deepEqual(
    reading.messages['t-4']!.map(({ kind, text }) => [kind, text]),
    [
      ['request', 'Hello, world!'],
      ['answer', 'Hi!'],
    ],
  )
  assert.equal(reading.problems.length, 1)
  assert.match(reading.problems[0]!.reason, /^thread t-5: /)
})

test('only threads that changed are read again', () => {
  const { checkpoint } = gather(zed.read(unit, undefined, machine))
  assert.equal(gather(zed.read(unit, checkpoint, machine)).chats.length, 0)
  insert.run(
    't-4',
    'Hello again',
    '2025-03-02T10:05:00Z',
    'json',
    fs.readFileSync(path.join(FIXTURES, 'oldest.json')),
    null,
    null,
    null,
    null,
  )
  const later = gather(zed.read(unit, checkpoint, machine))
  assert.deepEqual(
    later.chats.map(({ id, title }) => [id, title]),
    [['t-4', 'Hello again']],
  )
})

test('roots by platform', () => {
  const cases: [Machine, string[]][] = [
    [
      { platform: 'linux', home: '/home/me', env: {} },
      ['/home/me/.local/share/zed/threads', '/home/me/.var/app/dev.zed.Zed/data/zed/threads'],
    ],
    [
      { platform: 'linux', home: '/h', env: { XDG_DATA_HOME: '/d' } },
      ['/d/zed/threads', '/h/.var/app/dev.zed.Zed/data/zed/threads'],
    ],
    [
      { platform: 'darwin', home: '/Users/me', env: {} },
      ['/Users/me/Library/Application Support/Zed/threads'],
    ],
    [{ platform: 'win32', home: '/u', env: { LOCALAPPDATA: '/u/Local' } }, ['/u/Local/Zed/threads']],
  ]
  for (const [machine, expected] of cases) {
    assert.deepEqual(
      zed.roots({ ...machine, reader: 'linux' }).map((root) => root.path),
      expected,
    )
  }
  const root = { path: '/r' }
  assert.deepEqual(zed.unit('threads.db-wal', root), {
    path: '/r/threads.db',
    growth: 'database',
    beside: ['/r/threads.db-wal'],
  })
  assert.equal(zed.unit('threads-db.1.mdb', root), undefined)
})

test('the first schema, and files that are no database', { skip: !fs.existsSync(LEGACY_SCHEMA) }, () => {
  const file = path.join(home, 'legacy.db')
  const legacy = new DatabaseSync(file)
  legacy.exec(fs.readFileSync(LEGACY_SCHEMA, 'utf8'))
  legacy.prepare('INSERT INTO threads VALUES (?, ?, ?, ?, ?)').run('a', 'Retry', time, 'zstd', compressed)
  legacy.close()
  const reading = gather(zed.read({ path: file, growth: 'database' }, undefined, machine))
  assert.equal(reading.chats[0]!.workspace, '/home/me/old')
})

test('damaged threads and files are survived', () => {
  const file = path.join(home, 'damaged.db')
  const damaged = new DatabaseSync(file)
  damaged.exec(
    'PRAGMA synchronous = OFF; CREATE TABLE threads (id TEXT, summary TEXT, updated_at TEXT, data_type TEXT, data BLOB)',
  )
  const add = damaged.prepare('INSERT INTO threads VALUES (?, ?, ?, ?, ?)')
  damaged.exec('BEGIN')
  for (const name of ['present', 'older']) {
    const original = fs.readFileSync(path.join(FIXTURES, `${name}.json`))
    for (const bytes of mutations(original, 2000)) add.run('a', 'b', time, 'json', bytes)
    for (const bytes of mutations(zlib.zstdCompressSync(original), 200))
      add.run('a', 'b', time, 'zstd', bytes)
  }
  damaged.exec('COMMIT')
  damaged.close()
  const whole: Unit = { path: file, growth: 'database' }
  assert.ok(gather(zed.read(whole, undefined, machine)).checkpoint)
  const small = fs.readFileSync(file).subarray(0, 40_960)
  for (const bytes of mutations(small, 100)) {
    fs.writeFileSync(file, bytes)
    gather(zed.read(whole, undefined, machine))
  }
})
