import assert from 'node:assert/strict'
import fs from 'node:fs'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'
import { diceFrom, mutatedJson } from '../mutations.ts'
import { type Checkpoint, type Found, withReader } from '../source.ts'
import { countingRows, gather, machineAt, unitsOf } from '../test-kit.ts'
import { opencode as described } from './index.ts'
import { CHILD, fixtures, forked, home, made, read, SESSION } from './test-database.ts'

const opencode = await withReader(described)

test('later readings tell what changed, and end as one whole reading does', () => {
  const { file } = home()
  const db = made(file)
  db.exec('PRAGMA journal_mode = WAL')
  let reading = gather(read(file))
  const news = () => {
    const found = [...read(file, reading.checkpoint)]
    reading = gather(found, reading)
    return new Set(found.flatMap((item) => ('message' in item ? item.message.text : [])))
  }
  let now = Date.now() - 1_800_000
  const message = db.prepare('INSERT INTO message VALUES (?, ?, ?, ?, ?)')
  const part = db.prepare('INSERT INTO part VALUES (?, ?, ?, ?, ?, ?)')
  assert.ok(!news().has('"USETOOL say hello"'), 'only what is within the slack')

  now += 10_000
  message.run('msg_a', SESSION, now, now, JSON.stringify({ role: 'user', time: { created: now } }))
  part.run('prt_a', 'msg_a', SESSION, now, now, '{"type":"text","text":"One more thing"}')
  assert.ok(news().has('One more thing'))

  now += 10_000
  const running = { role: 'assistant', time: { created: now } }
  message.run('msg_b', SESSION, now, now, JSON.stringify(running))
  part.run(
    'prt_b',
    'msg_b',
    SESSION,
    now,
    now,
    '{"type":"tool","tool":"task","callID":"c","state":{"status":"running"}}',
  )
  news()
  // A sub-agent works meanwhile: far more rows than are looked at again.
  for (let i = 0; i < 600; i++) {
    now += 100
    message.run(
      `msg_c${i}`,
      CHILD,
      now,
      now,
      JSON.stringify({ role: 'assistant', time: { created: now, completed: now } }),
    )
    part.run(`prt_c${i}`, `msg_c${i}`, CHILD, now, now, `{"type":"text","text":"step ${i}"}`)
  }
  assert.ok(news().has('step 599'))
  now += 10_000
  db.prepare("UPDATE part SET data = ?, time_updated = ? WHERE id = 'prt_b'").run(
    '{"type":"tool","tool":"task","callID":"c","state":{"status":"completed","output":"done"}}',
    now,
  )
  news()
  assert.equal(reading.messages[SESSION]!.at(-1)!.toolResults?.[0]?.text, 'done')

  now += 10_000
  const revert = db.prepare('UPDATE session SET revert = ?, time_updated = ? WHERE id = ?')
  revert.run('{"messageID":"msg_a"}', now, SESSION)
  news()
  assert.deepEqual(
    reading.messages[SESSION]!.map((m) => m.undone ?? false),
    [false, false, false, true, true],
  )
  now += 10_000
  revert.run(null, now, SESSION)
  assert.ok(news().has('One more thing'))

  const whole = gather(read(file))
  assert.deepEqual(reading.messages, whole.messages)
  assert.deepEqual(new Set(reading.chats), new Set(whole.chats))
  db.close()
})

test('a large database is read in steps and one new row costs a few', () => {
  const { file } = home()
  const at = Date.now() - 3_600_000
  const db = made(
    file,
    `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 400)
      INSERT INTO session (id, project_id, slug, directory, title, version, time_created, time_updated)
        SELECT 'ses_' || i, 'p', '', '/p', 'S' || i, '1', ${at}, ${at} FROM n;
    WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 8000)
      INSERT INTO message SELECT 'msg_x' || i, 'ses_' || (1 + i % 400), ${at}, ${at}, '{"role":"assistant","time":{"created":' || (${at} + i) || ',"completed":1}}' FROM n;
    WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 16000)
      INSERT INTO part SELECT 'prt_x' || i, 'msg_x' || (1 + i / 2), 'ses_' || (1 + i % 400), ${at}, ${at},
        '{"type":"text","text":"' || hex(randomblob(1600)) || ' ."}' FROM n;
    UPDATE session SET time_updated = ${at} WHERE time_updated > ${at}; UPDATE part SET time_updated = ${at}; UPDATE message SET time_updated = ${at};
    INSERT INTO session (id, project_id, slug, directory, title, version, time_created, time_updated)
      VALUES ('ses_last', 'p', '', '/p', 'Last', '1', ${at + 60_000}, ${at + 60_000})`.concat(';'),
  )
  const ids = new Set<string>()
  let checkpoint: Checkpoint | undefined
  let most = 0
  const start = process.memoryUsage().rss
  for (let interrupted = true; interrupted; ) {
    interrupted = false
    let messages = 0
    for (const item of read(file, checkpoint)) {
      if ('checkpoint' in item) checkpoint = JSON.parse(JSON.stringify(item.checkpoint))
      if (!('message' in item)) continue
      ids.add(item.message.id)
      if (++messages % 500 === 0) most = Math.max(most, process.memoryUsage().rss - start)
      if (messages === 5000) {
        interrupted = true
        break
      }
    }
  }
  assert.equal(ids.size, 8009)
  assert.ok(most < 64 * 1024 * 1024, `grew by ${most >> 20} MB`)
  assert.ok(JSON.stringify(checkpoint).length < 64 * 1024)

  const now = Date.now()
  db.exec(`INSERT INTO message VALUES ('msg_new', 'ses_7', ${now}, ${now}, '{"role":"user","time":{"created":${now}}}');
    INSERT INTO part VALUES ('prt_new', 'msg_new', 'ses_7', ${now}, ${now}, '{"type":"text","text":"new"}');
    UPDATE session SET time_updated = ${now} WHERE id = 'ses_7'`)
  db.close()
  const { result, rows } = countingRows(() => [...read(file, checkpoint)])
  assert.deepEqual(
    result.flatMap((item: Found) => ('message' in item ? item.message.text : [])),
    ['new'],
  )
  assert.ok(rows < 40, `${rows} rows`)
})

test('a damaged, foreign or missing database gives one problem', () => {
  const { file } = home()
  assert.equal(gather(read(file)).problems.length, 1)
  fs.writeFileSync(file, 'SQLite format 3\0 but not really')
  assert.equal(gather(read(file)).problems.length, 1)
  fs.rmSync(file)
  const db = new DatabaseSync(file)
  db.exec('CREATE TABLE session (id)')
  assert.match(gather(read(file)).problems[0]!.reason, /not a database of opencode/)
  db.close()
  fs.rmSync(file)
  made(file).close()
  assert.deepEqual([...read(file, { offset: 3, state: [] })][0], { restart: true })
})

test('no damage makes it throw', () => {
  const random = diceFrom(7)
  const { home: at, file, data } = home()
  made(file, forked).close()
  const bytes = fs.readFileSync(file)
  for (let round = 0; round < 500; round++) {
    const hurt = Buffer.from(bytes)
    for (let flips = 1 + random(30); flips > 0; flips--) hurt[random(hurt.length)] = random(256)
    fs.writeFileSync(file, round % 7 === 0 ? hurt.subarray(0, random(hurt.length)) : hurt)
    gather(read(file))
  }
  fs.writeFileSync(file, bytes)

  const db = new DatabaseSync(file)
  db.exec('PRAGMA synchronous = OFF; PRAGMA journal_mode = MEMORY')
  const stored = db
    .prepare('SELECT data FROM part')
    .all()
    .map((row) => String(row.data))
  const infos = db
    .prepare('SELECT data FROM message')
    .all()
    .map((row) => String(row.data))
  const part = db.prepare('UPDATE part SET data = ?, time_updated = ? WHERE rowid = ?')
  const message = db.prepare('UPDATE message SET data = ?, time_created = time_created + ? WHERE rowid = ?')
  for (let round = 0; round < 500; round++) {
    for (let times = 0; times < 3; times++) {
      part.run(
        mutatedJson(stored[random(stored.length)]!, random),
        [1, -1.5, 'x', 2n ** 62n][random(4)]!,
        1 + random(30),
      )
      message.run(
        mutatedJson(infos[random(infos.length)]!, random),
        [0, -1e6, 1e18][random(3)]!,
        1 + random(20),
      )
    }
    if (round % 5 === 0)
      db.prepare('UPDATE session SET revert = ?, title = ?').run(
        random(9),
        mutatedJson('{"messageID":"a"}', random),
      )
    gather(read(file))
  }
  db.close()
  fs.rmSync(file)

  fs.cpSync(path.join(fixtures, 'storage'), path.join(data, 'storage'), { recursive: true })
  const files = fs
    .readdirSync(path.join(data, 'storage'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.name.endsWith('.json'))
  const machine = machineAt(at)
  const units = unitsOf(opencode, machine)
  for (let round = 0; round < 400; round++) {
    const target = files[random(files.length)]!
    const place = path.join(target.parentPath, target.name)
    const good = fs.readFileSync(place, 'utf8')
    fs.writeFileSync(place, mutatedJson(good, random))
    for (const unit of units) gather(opencode.read(unit, undefined, machine))
    fs.writeFileSync(place, good)
  }
})
