import assert from 'node:assert/strict'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { after, test } from 'node:test'
import { diceFrom, mutatedJson } from '../mutations.ts'
import type { Checkpoint, Found } from '../source.ts'
import { countingRows, gather, machineAt, type Reading, readMachine, unitsOf } from '../test-kit.ts'
import { opencode } from './index.ts'

const fixtures = path.join(import.meta.dirname, 'fixtures')
const sql = fs.readFileSync(path.join(fixtures, 'opencode.sql'), 'utf8')
const forked = fs.readFileSync(path.join(fixtures, 'forked.sql'), 'utf8')
const temp = fs.mkdtempSync(path.join(os.tmpdir(), 'recollect-opencode-'))
after(() => fs.rmSync(temp, { recursive: true, force: true }))

let folders = 0
function home(): { home: string; data: string; file: string } {
  const place = path.join(temp, String(++folders))
  const data = path.join(place, '.local', 'share', 'opencode')
  fs.mkdirSync(data, { recursive: true })
  return { home: place, data, file: path.join(data, 'opencode.db') }
}

function made(file: string, more = ''): DatabaseSync {
  const db = new DatabaseSync(file)
  db.exec(`BEGIN; ${sql} ${more} COMMIT`)
  return db
}

const read = (file: string, from?: Checkpoint) =>
  opencode.read({ path: file, growth: 'database' }, from, machineAt(temp))

const SESSION = 'ses_e2330902fffeeAoLCwdv2NOi87'
const PARENT = 'ses_e232ff74bffe4fdsgD7wBUH6TX'
const CHILD = 'ses_e232fd681ffeleIKlpSh6Yo5TA'

const outline = (reading: Reading, chat: string) =>
  reading.messages[chat]!.map((message) => [message.role, message.kind, message.text])

test('roots per system and override', () => {
  const roots = (platform: NodeJS.Platform, env: Record<string, string> = {}) =>
    opencode.roots({ platform, home: '/h', env })
  for (const platform of ['linux', 'darwin', 'win32'] as const)
    assert.deepEqual(roots(platform), [{ path: '/h/.local/share/opencode' }])
  assert.deepEqual(roots('linux', { XDG_DATA_HOME: '/d' }), [{ path: '/d/opencode' }])
  assert.deepEqual(roots('linux', { XDG_DATA_HOME: 'relative' }), [{ path: '/h/.local/share/opencode' }])
  assert.deepEqual(roots('linux', { OPENCODE_DB: '/x/mine.db' })[1], { path: '/x', label: 'mine.db' })
  assert.deepEqual(roots('linux', { OPENCODE_DB: 'mine.db' })[1], {
    path: '/h/.local/share/opencode',
    label: 'mine.db',
  })
  assert.equal(roots('linux', { OPENCODE_DB: ':memory:' }).length, 1)
  assert.equal(roots('linux', { OPENCODE_DB: 'opencode-beta.db' }).length, 1)
})

test('units are decided from the path alone', () => {
  const root = { path: '/d' }
  const unit = (file: string) => opencode.unit(file, root)
  for (const file of ['opencode.db', 'opencode.db-wal']) {
    assert.deepEqual(unit(file), {
      path: '/d/opencode.db',
      growth: 'database',
      beside: ['/d/opencode.db-wal'],
    })
  }
  assert.equal(unit('opencode-prod.db')?.path, '/d/opencode-prod.db')
  assert.equal(unit('storage/message/ses_1/msg_1.json')?.rank, -1)
  assert.equal(unit('storage/session/p/ses_1.json')?.growth, 'whole')
  for (const file of [
    'opencode.db-shm',
    'auth.json',
    'storage/part/msg_1/prt_1.json',
    'storage/project/p.json',
  ])
    assert.equal(unit(file), undefined)
  assert.equal(opencode.unit('storage/message/s/m.json', { path: '/d', label: 'mine.db' }), undefined)
  assert.ok(opencode.enters('storage/message/ses_1', root))
  assert.ok(!opencode.enters('storage/part', root) && !opencode.enters('log', root))
})

test('the database of 1.18', () => {
  const { home: at, file } = home()
  made(file).close()
  const reading = readMachine(opencode, machineAt(at))
  assert.deepEqual(reading.problems, [])
  assert.deepEqual(
    reading.chats.find((chat) => chat.id === SESSION),
    {
      source: 'opencode',
      id: SESSION,
      title: 'All done: the answer is 42.',
      workspace: '/home/me/proj',
      createdAt: 1794705944537,
      updatedAt: 1794705957757,
      resume: `opencode -s ${SESSION}`,
      format: '1.18.33',
    },
  )
  const child = reading.chats.find((chat) => chat.id === CHILD)!
  assert.deepEqual([child.parentId, child.subagent, child.resume], [PARENT, true, undefined])
  assert.deepEqual(outline(reading, SESSION), [
    ['user', 'request', '"USETOOL say hello"'],
    ['assistant', 'answer', 'I will run a command.'],
    ['assistant', 'answer', 'All done: the answer is 42.'],
  ])
  assert.deepEqual(outline(reading, CHILD)[0], ['user', 'delegated', 'USETOOL sub job'])
  const answer = reading.messages[SESSION]![1]!
  assert.equal(answer.thinking, 'Let me think about it.')
  assert.deepEqual(answer.toolCalls, [
    {
      id: 'call_fake_593602',
      tool: 'bash',
      args: { command: 'echo hello-from-tool', description: 'Say hello' },
    },
  ])
  assert.deepEqual(answer.toolResults, [
    { callId: 'call_fake_593602', text: 'hello-from-tool\n', exitCode: 0, durationMs: 1104 },
  ])
  assert.deepEqual(answer.usage, {
    input: 1200,
    output: 34,
    cached: 1000,
    cacheWrite: 0,
    reasoning: 12,
    cost: 0.000368,
  })
  assert.deepEqual([answer.model, answer.latencyMs], ['fake-model', 8039])
  assert.ok(!JSON.stringify(reading).includes('sk-never'))
})

test('the JSON files of 1.0', () => {
  const { home: at, data } = home()
  fs.cpSync(path.join(fixtures, 'storage'), path.join(data, 'storage'), { recursive: true })
  const reading = readMachine(opencode, machineAt(at))
  const id = 'ses_e2321cbe1ffeKfDaK7UcBSU6M0'
  assert.deepEqual(reading.problems, [])
  assert.deepEqual(
    reading.chats.map((chat) => [chat.id, chat.title, chat.workspace, chat.updatedAt, chat.format]),
    [[id, 'All done: the answer is 42.', '/home/me/proj', 1794706913432, 'storage 1.0.185']],
  )
  assert.deepEqual(outline(reading, id), [
    ['user', 'request', '"USETOOL say hello"\n'],
    ['assistant', 'answer', 'I will run a command.'],
    ['assistant', 'answer', 'All done: the answer is 42.'],
  ])
  const answer = reading.messages[id]![1]!
  assert.equal(answer.toolResults?.[0]?.text, 'hello-from-tool\n')
  assert.deepEqual([answer.usage?.input, answer.usage?.output, answer.usage?.cached], [1200, 34, 1000])
  assert.equal(unitsOf(opencode, machineAt(at)).length, 4)
})

test('a fork repeats messages under the ids of their originals, and names its origin', () => {
  const { file } = home()
  const db = made(file, forked)
  const [original, fork] = ['ses_e226be717ffeRlboy5AgCmX5D7', 'ses_e226bc569ffe4jQXsN6UNc3c31']
  const reading = gather(read(file))
  const forkOf = (id: string) => reading.chats.find((chat) => chat.id === id)?.forkOf
  assert.deepEqual(outline(reading, fork), [
    ['user', 'request', 'Please do two things.'],
    ['assistant', 'answer', 'Both at once.'],
    ['assistant', 'answer', ''],
    ['assistant', 'answer', 'One was missing.'],
    ['user', 'request', 'Please go on there.'],
    ['assistant', 'answer', 'Went on in the fork.'],
  ])
  assert.deepEqual(reading.messages[fork]!.slice(0, 4), reading.messages[original])
  assert.deepEqual([forkOf(fork), forkOf(original), forkOf(SESSION)], [original, undefined, undefined])

  db.exec(
    `DELETE FROM session WHERE id = '${original}'; DELETE FROM message WHERE session_id = '${original}'`,
  )
  const orphan = gather(read(file))
  assert.equal(orphan.messages[fork]!.length, 6)
  assert.equal(orphan.chats.find((chat) => chat.id === fork)?.forkOf, undefined)
  db.close()
})

test('a turn that failed in part, or was broken off, tells so', () => {
  const { file } = home()
  made(file, forked).close()
  const reading = gather(read(file))
  const [, both, unknown] = reading.messages.ses_e226be717ffeRlboy5AgCmX5D7!
  assert.deepEqual(
    both!.toolResults!.map((result) => result.exitCode),
    [2, undefined],
  )
  assert.match(unknown!.toolResults![0]!.error!, /unavailable tool 'no_such_tool'/)
  assert.deepEqual(outline(reading, 'ses_e226b994affeQ1aKA34pUrmrgc'), [
    ['user', 'request', 'Start the long build.'],
    ['assistant', 'answer', 'Building.'],
  ])
})

test('what is not a plain prompt or answer gets its own kind', () => {
  const rows: [id: string, info: object, parts: object[]][] = [
    [
      '1',
      { role: 'user' },
      [
        { type: 'text', text: 'Look at @a.ts' },
        { type: 'text', text: 'Called the Read tool', synthetic: true },
        {
          type: 'file',
          mime: 'image/png',
          filename: 'a.png',
          url: `data:image/png;base64,${'A'.repeat(8000)}`,
        },
      ],
    ],
    ['2', { role: 'user' }, [{ type: 'text', text: 'Continue if you have next steps', synthetic: true }]],
    ['3', { role: 'user' }, [{ type: 'compaction', auto: true }]],
    ['4', { role: 'assistant', summary: true }, [{ type: 'text', text: 'We did things.' }]],
    ['5', { role: 'assistant', error: { name: 'MessageAbortedError', data: { message: 'Aborted' } } }, []],
    [
      '6',
      { role: 'assistant', error: { name: 'APIError', data: { message: 'Overloaded' } } },
      [{ type: 'text', text: 'I will' }],
    ],
    [
      '7',
      { role: 'assistant' },
      [
        {
          type: 'tool',
          tool: 'write',
          callID: 'c1',
          state: {
            status: 'completed',
            input: { filePath: '/p/new.ts' },
            output: 'ok',
            metadata: { exists: false },
          },
        },
        {
          type: 'tool',
          tool: 'invalid',
          callID: 'c2',
          state: { status: 'completed', output: 'bad arguments' },
        },
        { type: 'tool', tool: 'bash', callID: 'c3', state: { status: 'running' } },
        { type: 'patch', files: ['/p/new.ts', '/p/old.ts'] },
      ],
    ],
    ['8', { role: 'user' }, [{ type: 'subtask', prompt: 'Review it', agent: 'general', command: 'review' }]],
  ]
  const more = rows
    .map(([id, info, parts]) => {
      const at = 1794706000000 + Number(id)
      const message = JSON.stringify({ ...info, time: { created: at, completed: at } })
      return `INSERT INTO message VALUES ('msg_${id}', '${SESSION}', ${at}, ${at}, '${message}');${parts
        .map(
          (part, place) =>
            `INSERT INTO part VALUES ('prt_${id}_${place}', 'msg_${id}', '${SESSION}', ${at}, ${at}, '${JSON.stringify(part)}');`,
        )
        .join('')}`
    })
    .join('')
  const { file } = home()
  made(file, more).close()
  const messages = gather(read(file)).messages[SESSION]!.slice(3)
  assert.deepEqual(
    messages.map((message) => [message.id.slice(4), message.kind, message.text, message.outcome]),
    [
      ['1', 'request', 'Look at @a.ts', undefined],
      ['2', 'injected', 'Continue if you have next steps', undefined],
      ['4', 'summary', 'We did things.', undefined],
      ['5', 'notice', 'Aborted', 'cancelled'],
      ['6', 'answer', 'I will', 'failed'],
      ['7', 'answer', '', undefined],
      ['8', 'command', 'Review it', undefined],
    ],
  )
  assert.deepEqual(messages[0]!.attachments, [
    { name: 'a.png', type: 'image', path: undefined, mimeType: 'image/png', bytes: 6000 },
  ])
  assert.deepEqual(messages[5]!.files, [
    { path: '/p/new.ts', action: 'create' },
    { path: '/p/old.ts', action: 'edit' },
  ])
  assert.deepEqual(
    messages[5]!.toolResults?.map((result) => result.error ?? result.text),
    ['ok', 'bad arguments'],
  )
})

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
  assert.match(gather(read(file)).problems[0]!.reason, /not an opencode database/)
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
