import assert from 'node:assert/strict'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { after, test } from 'node:test'
import zlib from 'node:zlib'
import { diceFrom, mutatedJson, mutations } from '../mutations.ts'
import { withReader } from '../source.ts'
import { gather, machineAt, plainly, readMachine, unitsOf } from '../test-kit.ts'
import { homes } from './fixture-homes.ts'
import { openclaw as described } from './index.ts'

const openclaw = await withReader(described)

const temp = fs.mkdtempSync(path.join(os.tmpdir(), 'recollect-openclaw-'))
after(() => fs.rmSync(temp, { recursive: true, force: true }))
let made = 0
const homeOf = (at: number) => {
  const home = path.join(temp, String(++made))
  homes[at]!.put(home)
  return home
}
const FILE = '0939d409-b801-4946-9e56-71c982e6d8f3'
const ROW = '469df502-41ca-4f08-95e1-027fc32448b3'
const SAID = [
  ['request', 'Please read README.md and tell me the name of the shop.'],
  ['answer', ''],
  ['tool', ''],
  ['answer', 'The shop is called Corner Shop.'],
  ['request', 'Thanks. Which port does it use?'],
  ['answer', 'It listens on port 8080.'],
]

test('a file of 2026.6 and a database of 2026.9 tell the same', () => {
  for (const [at, id] of [FILE, ROW].entries()) {
    const { chats, messages, problems } = readMachine(openclaw, machineAt(homeOf(at)))
    assert.deepEqual(problems, [])
    assert.deepEqual(
      chats.map((chat) => [chat.id, chat.workspace, chat.format]),
      [[id, '/home/me/shop', at === 0 ? 'v3' : 'v4']],
    )
    assert.deepEqual(
      messages[id]?.map(({ kind, text }) => [kind, text]),
      SAID,
    )
    assert.equal(messages[id]![1]!.usage?.reasoning, 5)
    assert.equal(messages[id]![1]!.toolCalls?.[0]?.tool, 'read')
  }
})

const EVENT = 'INSERT INTO transcript_events VALUES (?, ?, ?, ?, NULL, 1794740300000)'

test('rows that come later, packed ones, and a branch', () => {
  const machine = machineAt(homeOf(1))
  const [unit] = unitsOf(openclaw, machine)
  let reading = gather(openclaw.read(unit!, undefined, machine))
  const add = (seq: number, event: object, isPacked = false) => {
    const db = new DatabaseSync(unit!.path)
    const text = JSON.stringify(event)
    db.prepare(EVENT).run(ROW, seq, isPacked ? null : text, isPacked ? zlib.zstdCompressSync(text) : null)
    db.close()
    reading = gather(openclaw.read(unit!, reading.checkpoint, machine), reading)
    assert.deepEqual(plainly(reading), plainly(gather(openclaw.read(unit!, undefined, machine))))
  }
  const last = reading.messages[ROW]!.at(-1)!.id
  const user = (id: string, parentId: string, content: string) => ({
    type: 'message',
    id,
    parentId,
    timestamp: '2026-11-15T11:00:00Z',
    message: { role: 'user', content },
  })
  add(12, user('n1', last, 'Is it open on Sundays?'), true)
  add(13, user('n2', last, 'Is it open today?'))
  const texts = reading.messages[ROW]!.slice(-2).map(({ text, undone }) => [text, undone])
  assert.deepEqual(texts, [
    ['Is it open on Sundays?', true],
    ['Is it open today?', undefined],
  ])
})

test('what it is called, and who started it', () => {
  const machine = machineAt(homeOf(1))
  const [unit] = unitsOf(openclaw, machine)
  const db = new DatabaseSync(unit!.path)
  db.exec(`INSERT INTO session_nodes VALUES ('agent:main:sub', 'sub-1', 'Look it up', NULL, NULL, 'agent:main:main', NULL, 1);
    INSERT INTO session_windows VALUES ('sub-1', 'agent:main:sub', 1794740300000, 1794740300000, NULL, NULL)`)
  db.prepare(EVENT).run('sub-1', 0, '{"type":"session","version":4,"id":"sub-1","cwd":"/home/me/shop"}', null)
  db.close()
  const { chats } = gather(openclaw.read(unit!, undefined, machine))
  const chat = chats.find(({ id }) => id === 'sub-1')!
  assert.deepEqual([chat.title, chat.parentId, chat.subagent], ['Look it up', ROW, true])
})

test('no damage makes it throw', () => {
  const machine = machineAt(homeOf(0))
  const [unit] = unitsOf(openclaw, machine)
  for (const bytes of mutations(fs.readFileSync(unit!.path), 2000)) {
    fs.writeFileSync(unit!.path, bytes)
    gather(openclaw.read(unit!, undefined, machine))
  }
  const below = diceFrom(5)
  const database = unitsOf(openclaw, machineAt(homeOf(1)))[0]!
  const db = new DatabaseSync(database.path)
  const rows = db.prepare('SELECT rowid AS row, event_json AS event FROM transcript_events').all()
  for (let round = 0; round < 300; round++) {
    db.exec('BEGIN')
    for (const { row, event } of rows)
      if (below(3) === 0)
        db.prepare('UPDATE transcript_events SET event_json = ? WHERE rowid = ?').run(
          mutatedJson(String(event), below),
          Number(row),
        )
    db.exec('COMMIT')
    gather(openclaw.read(database, undefined, machine))
  }
  db.close()
})

test('where it is looked for', () => {
  const paths = (env: Record<string, string>) =>
    openclaw.roots(machineAt('/home/me', env)).map((root) => root.path)
  assert.deepEqual(paths({}), [
    '/home/me/.openclaw',
    '/home/me/.clawdbot',
    '/home/me/.moltbot',
    '/home/me/.moldbot',
  ])
  assert.equal(paths({ OPENCLAW_STATE_DIR: '/data/claw' })[0], '/data/claw')
  const unit = (file: string) => openclaw.unit(file, { path: '/r' })
  assert.equal(unit('agents/main/sessions/a.jsonl')?.standsIn, true)
  assert.equal(
    unit('agents/main/agent/openclaw-agent.sqlite-wal')?.path,
    '/r/agents/main/agent/openclaw-agent.sqlite',
  )
  for (const name of ['a.trajectory.jsonl', 'a.jsonl.reset.1', 'sessions.json'])
    assert.equal(unit(`agents/main/sessions/${name}`), undefined)
  assert.ok(openclaw.enters('agents/main/sessions', { path: '/r' }))
  assert.ok(!openclaw.enters('state', { path: '/r' }))
})
