import assert from 'node:assert/strict'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { after, test } from 'node:test'
import { diceFrom, mutatedJson } from '../mutations.ts'
import { type Checkpoint, type Found, withReader } from '../source.ts'
import {
  countingRows,
  gather,
  machineAt,
  type Reading,
  readGrowing,
  readMachine,
  unitsOf,
} from '../test-kit.ts'
import { cursor as described } from './index.ts'

const cursor = await withReader(described)

const fixtures = path.join(import.meta.dirname, 'fixtures')
const fixture = (name: string) => fs.readFileSync(path.join(fixtures, name), 'utf8')
const sql = fixture('global.sql')
const temp = fs.mkdtempSync(path.join(os.tmpdir(), 'recollect-cursor-'))
after(() => fs.rmSync(temp, { recursive: true, force: true }))

const [CHAT, INLINE, CHILD, DRAFT] = ['1', '2', '3', 'd'].map(
  (end) => `1c2d3e4f-0000-4000-8000-00000000000${end}`,
) as [string, string, string, string]

let folders = 0
function home() {
  const place = path.join(temp, String(++folders))
  const user = path.join(place, '.config', 'Cursor', 'User')
  const file = path.join(user, 'globalStorage', 'state.vscdb')
  fs.mkdirSync(path.dirname(file), { recursive: true })
  return { machine: machineAt(place), place, user, file }
}

function made(file: string, script = sql): DatabaseSync {
  fs.mkdirSync(path.dirname(file), { recursive: true })
  const db = new DatabaseSync(file)
  db.exec(`PRAGMA synchronous = OFF; BEGIN; ${script} COMMIT`)
  return db
}

function madeTranscript(place: string, name: string): string {
  const file = path.join(place, '.cursor', 'projects', 'home-me-proj', 'agent-transcripts', name)
  fs.mkdirSync(path.dirname(file), { recursive: true })
  fs.writeFileSync(file, fixture('transcript.jsonl'))
  return file
}

const read = (file: string, from?: Checkpoint) =>
  cursor.read({ path: file, growth: 'database' }, from, machineAt(temp))
const outline = (reading: Reading, chat: string) =>
  reading.messages[chat]!.map((message) => [message.id, message.kind, message.text])

test('roots per system', () => {
  const paths = (platform: NodeJS.Platform, env: Record<string, string> = {}) =>
    cursor.roots({ platform, home: '/h', env, reader: 'linux' }).map((root) => root.path)
  assert.deepEqual(paths('linux'), ['/h/.config/Cursor/User', '/h/.cursor/projects', '/h/.cursor/chats'])
  assert.deepEqual(paths('darwin'), [
    '/h/Library/Application Support/Cursor/User',
    '/h/.cursor/projects',
    '/h/.cursor/chats',
  ])
  assert.deepEqual(paths('win32', { APPDATA: '/roaming' })[0], '/roaming/Cursor/User')
})

test('units are decided from the path alone', () => {
  const [user, projects] = cursor.roots(machineAt('/h')) as [{ path: string }, { path: string }]
  const global = '/h/.config/Cursor/User/globalStorage/state.vscdb'
  for (const file of ['globalStorage/state.vscdb', 'globalStorage/state.vscdb-wal'])
    assert.deepEqual(cursor.unit(file, user), { path: global, growth: 'database', beside: [`${global}-wal`] })
  for (const file of ['state.vscdb', 'state.vscdb-wal', 'workspace.json'])
    assert.equal(
      cursor.unit(`workspaceStorage/0a/${file}`, user)?.path,
      '/h/.config/Cursor/User/workspaceStorage/0a/state.vscdb',
    )
  for (const file of [
    'globalStorage/state.vscdb.backup',
    'workspaceStorage/0a/state.vscdb-shm',
    'settings.json',
  ])
    assert.equal(cursor.unit(file, user), undefined)
  for (const name of ['x.jsonl', 'x/x.jsonl', 'x/subagents/y.jsonl'])
    assert.equal(cursor.unit(`p/agent-transcripts/${name}`, projects)?.growth, 'append')
  assert.equal(cursor.unit('p/agent-tools/x.jsonl', projects), undefined)
  assert.ok(
    cursor.enters('p/agent-transcripts/x/subagents', projects) && !cursor.enters('p/terminals', projects),
  )
  assert.ok(cursor.enters('workspaceStorage/0a', user) && !cursor.enters('History', user))
})

test('chats with rows of their own, chats kept inside, sub-agents and drafts', () => {
  const { machine, file } = home()
  made(file).close()
  const reading = readMachine(cursor, machine)
  assert.deepEqual(reading.problems, [])
  assert.deepEqual(
    reading.chats.map((chat) => [
      chat.id,
      chat.title,
      chat.workspace,
      chat.createdAt,
      chat.updatedAt,
      chat.parentId,
      chat.format,
    ]),
    [
      [
        CHAT,
        'Fix the failing test',
        '/home/me/proj',
        1770000000000,
        1770000060000,
        undefined,
        'composer v10',
      ],
      [INLINE, undefined, undefined, 1730000000000, 1730000010000, undefined, 'composer v1'],
      [CHILD, 'Find imports', '/home/me/proj', 1770000030000, 1770000040000, CHAT, 'composer v16'],
    ],
  )
  assert.ok(!reading.chats.some((chat) => chat.id === DRAFT))
  assert.deepEqual(outline(reading, CHAT), [
    ['b1', 'request', 'Fix the failing test'],
    ['b2', 'answer', ''],
    ['b3', 'answer', ''],
    ['b4', 'answer', ''],
    ['b5', 'answer', 'Fixed.'],
  ])
  const [b1, b2, b3, b4, b5] = reading.messages[CHAT]!
  assert.deepEqual(b1!.attachments, [{ name: 'a.test.ts', type: 'file', path: '/home/me/proj/a.test.ts' }])
  assert.deepEqual(b2!.toolCalls, [{ id: 'tool_1', tool: 'run_terminal_cmd', args: { command: 'npm test' } }])
  assert.deepEqual(b2!.toolResults, [{ callId: 'tool_1', text: '1 failing', exitCode: 1 }])
  assert.deepEqual(b3!.toolCalls, [{ id: 'tool_2', server: 'docs', tool: 'lookup', args: { q: 'import' } }])
  assert.equal(b3!.toolResults?.[0]?.error, 'server is gone')
  assert.deepEqual(b4!.files, [{ path: '/home/me/proj/a.ts', action: 'edit' }])
  assert.deepEqual(
    [b5!.thinking, b5!.model, b5!.latencyMs, b5!.usage],
    ['The import is wrong.', 'claude-4.6-sonnet', 10_000, { input: 1200, output: 34 }],
  )
  assert.deepEqual(outline(reading, CHILD)[0], ['s1', 'delegated', 'Find every import of a.ts'])
  assert.equal(reading.messages[CHILD]![0]!.createdAt, Date.parse('2026-02-02T02:40:30.000Z'))
  const inline = reading.messages[INLINE]!
  assert.deepEqual(
    inline.map((message) => message.kind),
    ['request', 'answer'],
  )
  assert.deepEqual(
    [inline[1]!.toolCalls?.[0]?.tool, inline[1]!.files],
    ['read_file', [{ path: 'sort.ts', action: 'read' }]],
  )
  assert.ok(!JSON.stringify(reading).includes('never-read'))
})

test('a window’s database places chats in its folder and holds the oldest ones', () => {
  const { machine, user, file } = home()
  made(file).close()
  const folder = path.join(user, 'workspaceStorage', '0a1b2c')
  made(path.join(folder, 'state.vscdb'), fixture('workspace.sql')).close()
  fs.writeFileSync(path.join(folder, 'workspace.json'), '{"folder":"file:///home/me/my%20proj"}')
  const reading = readMachine(cursor, machine)
  assert.equal(reading.chats.find((chat) => chat.id === INLINE)!.workspace, '/home/me/my proj')
  assert.ok(!reading.chats.some((chat) => chat.id === DRAFT || chat.id === 'unknown' || chat.id === 'empty'))
  const old = reading.chats.find((chat) => chat.id === '9f-tab')!
  assert.deepEqual(
    [old.title, old.workspace, old.updatedAt, old.format],
    ['Old question', '/home/me/my proj', 1690000000000, 'tabs'],
  )
  assert.deepEqual(outline(reading, '9f-tab'), [
    ['u1', 'request', 'How do I sort?'],
    ['a1', 'answer', 'Use sort().'],
  ])
  const unit = unitsOf(cursor, machine).find((unit) => unit.path.includes('workspaceStorage'))!
  const { checkpoint } = gather(cursor.read(unit, undefined, machine))
  assert.deepEqual(
    [...cursor.read(unit, checkpoint, machine)].map((item) => Object.keys(item)),
    [['checkpoint']],
  )
})

test('transcripts are read for chats that the database does not have', () => {
  const { machine, place, file } = home()
  made(file).close()
  madeTranscript(place, `${CHAT}/${CHAT}.jsonl`)
  madeTranscript(place, 'cli-1/cli-1.jsonl')
  madeTranscript(place, 'cli-1/subagents/sub-1.jsonl')
  const reading = readMachine(cursor, machine)
  assert.equal(reading.messages[CHAT]!.length, 5)
  assert.deepEqual(
    reading.messages['cli-1']!.map((message) => [message.kind, message.text, message.toolCalls?.[0]?.tool]),
    [
      ['request', 'Fix the failing test', undefined],
      ['answer', 'I will run the tests.', 'Shell'],
      ['injected', '<system_reminder>\nStay brief.\n</system_reminder>', undefined],
      ['answer', 'It passes now.', undefined],
    ],
  )
  // The command-line agent does not have it, so it cannot go on with it.
  assert.equal(reading.chats.find((chat) => chat.id === 'cli-1')!.resume, undefined)
  const sub = reading.chats.find((chat) => chat.id === 'sub-1')!
  assert.deepEqual(
    [sub.parentId, sub.subagent, sub.resume, sub.format],
    ['cli-1', true, undefined, 'transcript'],
  )
  assert.equal(reading.messages['sub-1']![0]!.kind, 'delegated')
})

test('a growing transcript ends as a whole reading does', () => {
  const { machine, place } = home()
  const file = madeTranscript(place, 'cli-2.jsonl')
  const [unit] = unitsOf(cursor, machine)
  const whole = gather(cursor.read(unit!, undefined, machine))
  const bytes = fs.readFileSync(file)
  const lines = [...bytes.entries()].filter(([, byte]) => byte === 10).map(([place]) => place + 1)
  const random = diceFrom(3)
  const cuttings = [
    lines,
    ...Array.from({ length: 30 }, () => [random(bytes.length), random(bytes.length)].sort((a, b) => a - b)),
  ]
  for (const cuts of cuttings) {
    const grown = readGrowing(cursor, unit!, machine, cuts)
    assert.deepEqual(
      [grown.messages, grown.problems, grown.checkpoint],
      [whole.messages, [], whole.checkpoint],
    )
  }
})

test('later readings tell what was written since, whatever was replaced or deleted', () => {
  const { file } = home()
  const db = made(file)
  db.exec('PRAGMA journal_mode = WAL')
  let reading = gather(read(file))
  const news = () => {
    const found = [...read(file, reading.checkpoint)]
    reading = gather(found, reading)
    return found.flatMap((item) => ('message' in item ? item.message.id : 'restart' in item ? 'restart' : []))
  }
  const put = db.prepare('INSERT INTO cursorDiskKV VALUES (?, ?)')
  const bubble = (chat: string, id: string, type: number, text: string) =>
    put.run(`bubbleId:${chat}:${id}`, JSON.stringify({ bubbleId: id, type, text }))
  const composer = (chat: string, ids: string[]) =>
    put.run(
      `composerData:${chat}`,
      JSON.stringify({ fullConversationHeadersOnly: ids.map((bubbleId) => ({ bubbleId })) }),
    )
  assert.deepEqual(news(), [])

  const ids = Array.from({ length: 40 }, (_, place) => `n${place}`)
  for (const id of ids) bubble('new', id, 2, `text of ${id}`)
  assert.deepEqual(news(), [], 'the chat that names them is not there yet')
  composer('new', ids)
  assert.deepEqual(news(), ids)
  bubble('new', 'n3', 2, 'changed')
  assert.deepEqual(news().slice(0, 1), ['n3'])
  assert.equal(reading.messages.new![3]!.text, 'changed')

  db.exec('DELETE FROM cursorDiskKV WHERE rowid > (SELECT max(rowid) - 12 FROM cursorDiskKV)')
  for (const id of ids.slice(28)) bubble('new', id, 2, `again ${id}`)
  composer('new', ids)
  bubble('new', 'n3', 2, 'changed')
  assert.ok(!news().includes('restart'))
  assert.equal(reading.messages.new![39]!.text, 'again n39')

  db.exec(`UPDATE cursorDiskKV SET value = '{"type":2,"text":"in place"}' WHERE key = 'bubbleId:${CHAT}:b5';
    UPDATE composerHeaders SET lastUpdatedAt = 1770000070000 WHERE composerId = '${CHAT}'`)
  assert.ok(news().includes('b5'))
  assert.deepEqual(reading.messages, gather(read(file)).messages)

  db.exec(
    'CREATE TABLE copy AS SELECT * FROM cursorDiskKV ORDER BY key DESC; DELETE FROM cursorDiskKV; INSERT INTO cursorDiskKV SELECT * FROM copy',
  )
  assert.equal(news()[0], 'restart')
  assert.deepEqual(reading.messages, gather(read(file)).messages)
  assert.deepEqual(news(), [])
  db.close()
})

test('a large database is read in steps, other rows are left alone, one new row costs a few', () => {
  const { file } = home()
  const db = made(
    file,
    `${sql}
    WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 16000)
      INSERT INTO cursorDiskKV SELECT 'bubbleId:chat' || (1 + i % 200) || ':b' || i,
        '{"type":2,"text":"' || hex(randomblob(1600)) || ' ."}' FROM n;
    WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 200)
      INSERT INTO cursorDiskKV SELECT 'composerData:chat' || i, json_object('fullConversationHeadersOnly',
        (SELECT json_group_array(json_object('bubbleId', 'b' || (j.value * 200 + i - 1))) FROM json_each('[${Array.from({ length: 80 }, (_, place) => place)}]') j)) FROM n;
    WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 4000)
      INSERT INTO cursorDiskKV SELECT 'agentKv:blob:' || i, randomblob(2000) FROM n;`,
  )
  const ids = new Set<string>()
  let checkpoint: Checkpoint | undefined
  let most = 0
  const start = process.memoryUsage().rss
  const firstReading = countingRows(() => {
    for (let interrupted = true; interrupted; ) {
      interrupted = false
      let messages = 0
      for (const item of read(file, checkpoint)) {
        if ('checkpoint' in item) checkpoint = JSON.parse(JSON.stringify(item.checkpoint))
        if (!('message' in item)) continue
        ids.add(`${item.chatId} ${item.message.id}`)
        if (++messages % 1000 === 0) most = Math.max(most, process.memoryUsage().rss - start)
        if (messages === 9000) {
          interrupted = true
          break
        }
      }
    }
  })
  assert.equal(ids.size, 15_999 + 9)
  assert.ok(most < 64 * 1024 * 1024, `grew by ${most >> 20} MB`)
  assert.ok(JSON.stringify(checkpoint).length < 64 * 1024)
  assert.ok(firstReading.rows < 16_000 + 3000, `${firstReading.rows} rows`)

  db.exec(`INSERT INTO cursorDiskKV VALUES ('bubbleId:chat7:b6', '{"type":1,"text":"new"}')`)
  const { result, rows } = countingRows(() => [...read(file, checkpoint)])
  const told = result.flatMap((item: Found) => ('message' in item ? item.message.text.slice(0, 3) : []))
  assert.equal(told[0], 'new')
  assert.ok(told.length <= 9 && rows < 60, `${told.length} told, ${rows} rows`)
  db.close()
})

test('a damaged, foreign or missing database gives at most one problem', () => {
  const { file } = home()
  assert.equal(gather(read(file)).problems.length, 1)
  fs.writeFileSync(file, 'SQLite format 3\0 but not really')
  assert.equal(gather(read(file)).problems.length, 1)
  fs.rmSync(file)
  made(file, 'CREATE TABLE ItemTable (key TEXT, value BLOB);').close()
  assert.deepEqual([...read(file)], [])
  fs.rmSync(file)
  made(file).close()
  assert.deepEqual([...read(file, { offset: 3, state: 7 })][0], { restart: true })
})

test('no damage makes it throw', () => {
  const random = diceFrom(11)
  const { machine, place, user, file } = home()
  made(file).close()
  const window = path.join(user, 'workspaceStorage', '0a', 'state.vscdb')
  made(window, fixture('workspace.sql')).close()
  fs.writeFileSync(path.join(path.dirname(window), 'workspace.json'), '{"folder":"file:///home/me/proj"}')
  const transcript = madeTranscript(place, 'cli-3.jsonl')
  const units = unitsOf(cursor, machine)
  assert.equal(units.length, 3)
  const all = () => {
    for (const unit of units) gather(cursor.read(unit, undefined, machine))
  }

  for (const target of [file, window]) {
    const good = fs.readFileSync(target)
    for (let round = 0; round < 250; round++) {
      const hurt = Buffer.from(good)
      for (let flips = 1 + random(30); flips > 0; flips--) hurt[random(hurt.length)] = random(256)
      fs.writeFileSync(target, round % 7 === 0 ? hurt.subarray(0, random(hurt.length)) : hurt)
      all()
    }
    fs.writeFileSync(target, good)
  }

  for (const [target, table] of [
    [file, 'cursorDiskKV'],
    [window, 'ItemTable'],
  ] as const) {
    const db = new DatabaseSync(target)
    db.exec('PRAGMA synchronous = OFF; PRAGMA journal_mode = MEMORY')
    const stored = db.prepare(`SELECT key, value FROM ${table}`).all()
    const put = db.prepare(`INSERT INTO ${table} VALUES (?, ?)`)
    for (let round = 0; round < 400; round++) {
      for (let times = 0; times < 3; times++) {
        const { key, value } = stored[random(stored.length)]!
        put.run(key!, mutatedJson(String(value), random))
      }
      all()
      if (round % 3 === 0) for (const { key, value } of stored) put.run(key!, value!)
    }
    db.close()
  }

  const good = fs.readFileSync(transcript, 'utf8')
  for (let round = 0; round < 500; round++) {
    const lines = good.split('\n')
    const [a, b] = [random(lines.length), random(lines.length)]
    if (round % 3 === 0) [lines[a], lines[b]] = [lines[b]!, lines[a]!]
    else if (round % 3 === 1) lines.splice(a, 1, lines[b]!)
    fs.writeFileSync(transcript, mutatedJson(lines.join('\n'), random))
    gather(cursor.read(units.find((unit) => unit.path === transcript)!, undefined, machine))
  }
})
