import assert from 'node:assert/strict'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { after, test } from 'node:test'
import { diceFrom } from '../mutations.ts'
import { type Found, type Unit, withReader } from '../source.ts'
import { countingRows, gather, machineAt, readMachine, unitsOf } from '../test-kit.ts'
import { readChatWiseExport } from './export.ts'
import { chatwise as described } from './index.ts'

const chatwise = await withReader(described)

const fixtures = path.join(import.meta.dirname, 'fixtures')
const sql = fs.readFileSync(path.join(fixtures, 'app.sql'), 'utf8')
const temp = fs.mkdtempSync(path.join(os.tmpdir(), 'recollect-chatwise-'))
after(() => fs.rmSync(temp, { recursive: true, force: true }))

let folders = 0
function home(): { home: string; file: string } {
  const place = path.join(temp, String(++folders))
  const file = path.join(place, '.config', 'app.chatwise', 'app.db')
  fs.mkdirSync(path.dirname(file), { recursive: true })
  return { home: place, file }
}

function made(file: string, script = sql): DatabaseSync {
  const db = new DatabaseSync(file)
  db.exec(script)
  return db
}

const unitOf = (file: string): Unit => ({ path: file, growth: 'database', beside: [`${file}-wal`] })
const read = (file: string, from?: Parameters<typeof chatwise.read>[1]) =>
  chatwise.read(unitOf(file), from, machineAt(temp))

test('roots per system and override', () => {
  const paths = (platform: NodeJS.Platform, env: Record<string, string> = {}) =>
    chatwise.roots({ platform, home: '/h', env, reader: 'linux' }).map((root) => root.path)
  assert.deepEqual(paths('darwin'), ['/h/Library/Application Support/app.chatwise'])
  assert.deepEqual(paths('linux'), ['/h/.config/app.chatwise', '/h/.local/share/app.chatwise'])
  assert.deepEqual(paths('linux', { XDG_CONFIG_HOME: '/c', XDG_DATA_HOME: '/d' }), [
    '/c/app.chatwise',
    '/d/app.chatwise',
  ])
  assert.deepEqual(paths('win32', { APPDATA: '/roaming' }), ['/roaming/app.chatwise'])
  assert.deepEqual(chatwise.roots({ platform: 'linux', home: '/h', env: { CHATWISE_DB_PATH: '/x/my.db' } }), [
    { path: '/x', label: 'my.db' },
  ])
  assert.equal(chatwise.unit('my.db-wal', { path: '/x', label: 'my.db' })?.path, '/x/my.db')
  assert.equal(chatwise.unit('other.db', { path: '/x', label: 'my.db' }), undefined)
  assert.equal(chatwise.unit('files/a.png', { path: '/x' }), undefined)
})

test('both generations of chats are read', () => {
  const { home: at, file } = home()
  made(file).close()
  const reading = readMachine(chatwise, machineAt(at))
  assert.deepEqual(
    reading.chats.map((chat) => [chat.id, chat.title, chat.workspace, chat.createdAt, chat.updatedAt]),
    [
      ['0137tidb28', 'Rust async', '/home/me/proj', 1770000000000, 1770000060000],
      ['02zz9k1m0q', 'Seconds and parts', undefined, 1769990000000, 1769990100000],
    ],
  )
  assert.deepEqual([...new Set(reading.chats.map((chat) => chat.format))], ['database with agents'])
  const [m1, m2, m3] = reading.messages['0137tidb28']!
  assert.deepEqual([m1!.id, m1!.kind, m1!.text], ['m1', 'request', 'What changed in Rust 1.90?'])
  assert.deepEqual([m2!.id, m2!.kind, m2!.thinking], ['m2', 'answer', 'I should use the search tool.'])
  assert.deepEqual(m2!.toolCalls, [
    { id: 'm2:use_mcp_tool', server: 'web', tool: 'search', args: { query: 'Rust 1.90' } },
  ])
  assert.deepEqual(m2!.toolResults, [{ callId: 'm2:use_mcp_tool', text: 'LLD is the default linker.' }])
  assert.deepEqual([m3!.text, m3!.thinking], ['LLD is the default linker.', 'Read the notes.'])
  assert.deepEqual(m3!.toolCalls?.[0], {
    id: 'toolu_01',
    server: undefined,
    tool: 'fetch',
    args: { url: 'https://example.org/notes' },
  })
  assert.equal(m3!.toolResults?.[0]?.text, 'Release notes')
  const [n0, n1] = reading.messages['02zz9k1m0q']!
  assert.equal(n0!.kind, 'injected')
  assert.equal(n1!.createdAt, 1769990001000)
  assert.deepEqual(
    n1!.attachments?.map((file) => [file.name, file.path, file.bytes]),
    [
      ['pic.png', '/home/me/pic.png', undefined],
      ['notes.txt', '/home/me/notes.txt', 12],
    ],
  )
  assert.deepEqual(
    reading.problems.map((problem) => problem.reason),
    ['not understood: meta.parts of another shape, meta.latency'],
  )
  assert.ok(!JSON.stringify(reading).includes('sk-never'))
})

test('an exported chat is read', () => {
  const document = JSON.parse(fs.readFileSync(path.join(fixtures, 'chat-0137tidb28.json'), 'utf8'))
  const reading = gather(readChatWiseExport(document))
  assert.deepEqual(
    reading.messages['0137tidb28']!.map((message) => [message.id, message.kind, message.text]),
    [
      ['0137tidb28:system', 'injected', 'Be brief.'],
      ['m1', 'request', 'What changed in Rust 1.90?'],
      ['m3', 'answer', 'LLD is the default linker.'],
    ],
  )
  const { updatedAt, format } = reading.chats[0]!
  assert.deepEqual([updatedAt, format], [Date.parse('2026-02-02T02:41:00.000Z'), 'export'])
  assert.match([...readChatWiseExport([1])].map((item) => JSON.stringify(item)).join(), /not a chat exported/)
})

test('backups count only when the database is gone, and only the newest', () => {
  const { home: at, file } = home()
  made(file).close()
  fs.mkdirSync(path.join(path.dirname(file), 'backups'))
  for (const day of ['2026-03-01', '2026-03-02'])
    fs.copyFileSync(file, path.join(path.dirname(file), 'backups', `app-${day}.db`))
  const machine = machineAt(at)
  const units = unitsOf(chatwise, machine)
  assert.deepEqual(units.map((unit) => unit.rank ?? 0).sort(), [-1, -1, 0])
  const told = () =>
    units.filter(
      (unit) => fs.existsSync(unit.path) && [...chatwise.read(unit, undefined, machine)].length > 0,
    )
  assert.deepEqual(
    told().map((unit) => path.basename(unit.path)),
    ['app.db'],
  )
  fs.rmSync(file)
  assert.deepEqual(
    told().map((unit) => path.basename(unit.path)),
    ['app-2026-03-02.db'],
  )
})

test('unknown columns are reported once, missing ones make the database unreadable', () => {
  const { file } = home()
  const db = made(file, `${sql} ALTER TABLE chat ADD COLUMN pinned INTEGER;`)
  const first = gather(read(file))
  assert.match(first.problems[0]!.reason, /chat\.pinned/)
  db.exec(
    "INSERT INTO message (id, chatId, role, content, createdAt) VALUES ('m9', '0137tidb28', 'user', 'x', 1770000070000)",
  )
  assert.equal(gather(read(file, first.checkpoint)).problems.length, 0)
  db.close()

  const other = home().file
  made(other, 'CREATE TABLE chat (id TEXT); CREATE TABLE message (id TEXT)').close()
  assert.match(gather(read(other)).problems[0]!.reason, /not a ChatWise database: no message\.chatId/)
})

test('what comes later is read alone: new rows, filled rows, answered chats, renamed chats', () => {
  const { file } = home()
  const db = made(file, `PRAGMA journal_mode = WAL; ${sql}`)
  let reading = gather(read(file))
  const news = () => {
    const found = [...read(file, reading.checkpoint)]
    reading = gather(found, reading)
    return found.flatMap((item) =>
      'message' in item ? item.message.id : 'chat' in item ? item.chat.title : [],
    )
  }
  assert.deepEqual(news(), [])
  db.exec(
    "INSERT INTO message (id, chatId, role, content, createdAt) VALUES ('m4', '0137tidb28', 'user', 'And async?', 1770000070000)",
  )
  assert.deepEqual(news(), ['m4'])
  db.exec(
    "INSERT INTO message (id, chatId, role, content, createdAt) VALUES ('m5', '0137tidb28', 'assistant', '', 1770000071000)",
  )
  assert.deepEqual(news(), ['m5'])
  db.exec("UPDATE message SET content = 'Yes.' WHERE id = 'm5'")
  assert.deepEqual(news(), ['m5'])
  db.exec("UPDATE chat SET title = 'Rust' WHERE id = '0137tidb28'")
  assert.deepEqual(news(), ['Rust'])
  db.close()
  assert.deepEqual(reading, {
    ...gather(read(file)),
    problems: reading.problems,
    checkpoint: reading.checkpoint,
  })
})

test('a large database is read in steps, and one new row costs one row', () => {
  const { file } = home()
  const db = made(file, sql)
  db.exec(`
    WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1000)
      INSERT INTO chat SELECT 'c' || i, 'Chat ' || i, NULL, 1771000000000 + i, 1771000000000 + i, NULL, NULL FROM n;
    WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 20000)
      INSERT INTO message SELECT 'x' || i, 'c' || (1 + i % 1000), iif(i % 2, 'user', 'assistant'), hex(randomblob(1250)), NULL,
        1771000000000 + i, NULL, NULL, NULL FROM n;
    CREATE INDEX by_chat ON message (chatId);`)
  let most = 0
  let checkpoint: Parameters<typeof chatwise.read>[1]
  const ids = new Set<string>()
  const start = process.memoryUsage().rss
  // Interrupted half-way, as when the machine goes to sleep, and taken up again.
  for (let messages = 0; ; messages = 0) {
    let interrupted = false
    for (const item of read(file, checkpoint)) {
      if ('checkpoint' in item) checkpoint = JSON.parse(JSON.stringify(item.checkpoint))
      if ('message' in item) {
        ids.add(item.message.id)
        if (++messages % 1000 === 0) most = Math.max(most, process.memoryUsage().rss - start)
        if (messages === 12_345 && ids.size < 15_000) {
          interrupted = true
          break
        }
      }
    }
    if (!interrupted) break
  }
  assert.equal(ids.size, 20_006)
  assert.ok(JSON.stringify(checkpoint).length < 256 * 1024)
  assert.ok(most < 64 * 1024 * 1024, `grew by ${most >> 20} MB`)

  db.exec(`INSERT INTO message (id, chatId, role, content, createdAt) VALUES ('new', 'c7', 'user', 'One more', 1772000000000);
    UPDATE chat SET lastReplyAt = 1772000000000 WHERE id = 'c7'`)
  db.close()
  const { result, rows } = countingRows(() => [...read(file, checkpoint)])
  const messages = result.flatMap((item: Found) => ('message' in item ? item.message.id : []))
  assert.ok(messages.includes('new'))
  assert.equal(messages.length, 21, 'the answered chat and no other')
  assert.ok(rows < 1002 + 64 + 25 + 5, `${rows} rows`)
})

test('a locked or damaged database gives one problem', () => {
  const { file } = home()
  fs.writeFileSync(file, 'SQLite format 3\0 but not really')
  assert.deepEqual(gather(read(file)).problems.length, 1)
  fs.writeFileSync(file, '')
  assert.equal(gather(read(file)).problems.length, 1)
  fs.rmSync(file)
  assert.equal(gather(read(file)).problems.length, 1)
  const db = made(file)
  assert.deepEqual([...read(file, { offset: 7, state: 'nonsense' })][0], { restart: true })
  db.close()
})

test('no damage to the file or to its JSON makes it throw', () => {
  const { file } = home()
  made(file).close()
  const bytes = fs.readFileSync(file)
  const random = diceFrom(42)
  for (let round = 0; round < 700; round++) {
    const hurt = Buffer.from(bytes)
    for (let flips = 1 + random(20); flips > 0; flips--) hurt[random(hurt.length)] = random(256)
    fs.writeFileSync(file, round % 7 === 0 ? hurt.subarray(0, random(hurt.length)) : hurt)
    gather(read(file))
  }

  fs.writeFileSync(file, bytes)
  const db = new DatabaseSync(file)
  db.exec('PRAGMA synchronous = OFF; PRAGMA journal_mode = MEMORY')
  const update = db.prepare(
    'UPDATE message SET content = ?, meta = ?, files = ?, role = ?, createdAt = ? WHERE rowid = 3',
  )
  const meta =
    '{"toolCall":{"use_mcp_tool":{"server_name":"web","arguments":"{}"}},"toolResult":"{}","parts":{"a":{"name":"x","input":{},"result":[{"text":"y"}]}}}'
  const values = [
    null,
    1,
    -1.5,
    2n ** 62n,
    'text',
    '{"__proto__":{"x":1}}',
    '['.repeat(5000),
    new Uint8Array([0xff, 0, 0x80]),
    '',
  ]
  const any = () => values[random(values.length)]!
  for (let round = 0; round < 1500; round++) {
    const cut = random(meta.length)
    const replaced =
      meta.slice(0, cut) + ['null', '[]', '{}', '"', '7', '[['][random(6)] + meta.slice(cut + random(12))
    update.run(
      any() as string,
      round % 3 ? replaced : (any() as string),
      any() as string,
      any() as string,
      any() as string,
    )
    const reading = gather(read(file))
    assert.ok(reading.messages['0137tidb28']!.length >= 2)
  }
  db.close()
  for (const value of values)
    gather(readChatWiseExport({ id: 'x', messages: [{ content: value, meta: value, files: [value] }] }))
})
