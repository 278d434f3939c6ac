import assert from 'node:assert/strict'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { after, test } from 'node:test'
import type { Attachment, Usage } from '../../model/chat.ts'
import { randomFrom } from '../mutations.ts'
import { type Unit, withReader } from '../source.ts'
import {
  anyCuts,
  assertDialogs,
  gather,
  lineEnds,
  lookInto,
  machineAt,
  plainly,
  readGrowing,
  readMachine,
  unitsOf,
} from '../test-kit.ts'
import { codex as described } from './index.ts'

const codex = await withReader(described)

const fixtures = path.join(import.meta.dirname, 'fixtures', 'home')
const temp = fs.mkdtempSync(path.join(os.tmpdir(), 'recollect-codex-'))
after(() => fs.rmSync(temp, { recursive: true, force: true }))

const machine = machineAt('/nowhere', { CODEX_HOME: fixtures })
const PAGINATED = '01a1dccd-8094-71c2-a4f1-30524e959215'
const ARCHIVED = '01a1dcce-f1b7-7c41-972e-1351ee61ac0d'
const LEGACY = '019a4a10-0000-7000-8000-00000000000a'
const FORK = '019a4b00-0000-7000-8000-00000000000f'
const SUBAGENT = '019a4b10-0000-7000-8000-0000000000d1'
const PAGINATED_FORK = '019a4b20-0000-7000-8000-0000000000e1'
const BARE = '5973b6c0-94b8-487b-a530-2aeb6098ae0e'
const FIRST = '11111111-2222-4333-8444-555555555555'

const whole = readMachine(codex, machine)
const { chat, messages, texts } = lookInto(whole)

test('roots follow CODEX_HOME and keep the usual place', () => {
  const table: [home: string, env: Record<string, string>, expected: string[]][] = [
    ['/home/me', {}, ['/home/me/.codex']],
    ['/home/me', { CODEX_HOME: '/data/codex' }, ['/data/codex', '/home/me/.codex']],
    ['/home/me', { CODEX_HOME: '/home/me/.codex' }, ['/home/me/.codex']],
  ]
  for (const platform of ['linux', 'darwin', 'win32'] as const) {
    for (const [home, env, expected] of table) {
      const found = codex.roots({ platform, home, env, reader: 'linux' }).map((root) => root.path)
      assert.deepEqual(found, expected)
    }
  }
})

test('units are rollouts, the index, the prompts and the state database, and nothing secret', () => {
  const root = { path: '/c' }
  const table: [file: string, growth: Unit['growth'] | undefined][] = [
    [`sessions/2026/11/15/rollout-2026-11-15T01-23-37-${PAGINATED}.jsonl`, 'append'],
    [`sessions/2026/11/15/rollout-2026-11-15T01-23-37-${PAGINATED}.jsonl.zst`, 'whole'],
    [`sessions/2026/11/15/rollout-2026-11-15T01-23-37-${PAGINATED}.jsonl.tmp`, undefined],
    [`archived_sessions/rollout-2026-11-15T01-25-12-${ARCHIVED}.jsonl`, 'append'],
    [`sessions/rollout-2025-05-01-${FIRST}.json`, 'whole'],
    ['session_index.jsonl', 'whole'],
    ['state_5.sqlite', 'database'],
    ['state_5.sqlite-wal', 'database'],
    ['logs_2.sqlite', undefined],
    ['auth.json', undefined],
    ['history.jsonl', 'whole'],
    ['config.toml', undefined],
  ]
  for (const [file, growth] of table) assert.equal(codex.unit(file, root)?.growth, growth, file)
  assert.equal(codex.unit('state_5.sqlite-wal', root)?.path, path.join('/c', 'state_5.sqlite'))
  assert.equal(codex.enters('sessions/2026', root), true)
  assert.equal(codex.enters('log', root), false)
})

test('every form of rollout gives its requests and answers once', () => {
  assertDialogs(whole, [
    [
      PAGINATED,
      ['USETOOL say hello', 'after resume question', 'again'],
      ['', ...Array(3).fill('All done: the answer is 42.')],
      1,
      1,
    ],
    [ARCHIVED, ['USETASK delegate'], ['All done: the answer is 42.'], 0, 0],
    [
      LEGACY,
      [
        'Rename greet to hello',
        'Make it look like this',
        'Now add a test',
        'And a second one',
        'Now add docs',
      ],
      [
        '',
        '',
        '',
        'Renamed `greet` to `hello`.',
        'I will start with',
        'Added a test.',
        'Added another.',
        'Added docs.',
      ],
      5,
      4,
    ],
    [FORK, ['Rename it to welcome instead'], ['Done.'], 0, 0],
    [PAGINATED_FORK, ['<environment_context> is what? Explain the tag.'], ['It names your folder.'], 0, 0],
    [BARE, ['List the files'], ['', 'Only a.txt.'], 1, 1],
    [FIRST, ['What is in here?'], ['', 'b.txt'], 1, 1],
    [SUBAGENT, [], ['There are none.'], 0, 0],
  ])
})

test('a chat knows its folder, repository, times and how to go on', () => {
  assert.deepEqual(chat(LEGACY), {
    source: 'codex',
    id: LEGACY,
    title: 'Rename greet',
    workspace: '/home/me/proj',
    repository: 'https://github.com/me/proj.git',
    branch: 'main',
    createdAt: Date.parse('2025-11-03T09:59:59.500Z'),
    updatedAt: Date.parse('2025-11-03T10:04:02.001Z'),
    resume: `codex resume ${LEGACY}`,
    status: 'cancelled',
    format: '0.53.0',
  })
  assert.deepEqual(
    [PAGINATED, BARE, FIRST].map((id) => chat(id).format),
    ['paginated 0.166.0', undefined, 'json'],
  )
  assert.equal(chat(BARE).workspace, '/home/me/old')
  assert.equal(chat(BARE).createdAt, Date.parse('2025-07-02T08:00:00Z'))
})

test('forks and sub-agents point to where they came from', () => {
  assert.equal(chat(FORK).forkOf, LEGACY)
  assert.equal(chat(PAGINATED_FORK).forkOf, PAGINATED)
  assert.equal(chat(SUBAGENT).parentId, FORK)
  assert.equal(chat(SUBAGENT).subagent, true)
  assert.equal(chat(SUBAGENT).resume, undefined)
  assert.deepEqual(texts(SUBAGENT, 'delegated'), ['Find all callers of welcome'])
})

test('what Codex adds is not a request, not even when it is new to us', () => {
  assert.deepEqual(
    messages(LEGACY)
      .filter((message) => message.kind === 'injected')
      .map((message) => [message.role, message.text.slice(0, 21)]),
    [
      ['system', '# AGENTS.md instructi'],
      ['system', '<environment_context>'],
      ['system', '<brand_new_context>\nS'],
    ],
  )
  assert.deepEqual(
    messages(PAGINATED).map((message) => message.kind),
    'injected injected request answer tool answer request answer injected request answer'.split(' '),
  )
})

test('tools bring their arguments, outputs, exit codes, servers and files', () => {
  const calls = messages(LEGACY).flatMap((message) => message.toolCalls ?? [])
  assert.deepEqual(
    calls.map(({ server, tool }) => (server ? `${server}/${tool}` : tool)),
    ['shell', 'apply_patch', 'tickets/close_ticket', 'shell_command', 'web_search'],
  )
  assert.deepEqual(calls[2]?.args, { id: 7 })
  const clean = JSON.parse(JSON.stringify(messages(LEGACY).flatMap((message) => message.toolResults ?? [])))
  assert.deepEqual(clean, [
    { callId: 'call_1', text: 'def greet(): pass\n', exitCode: 0, durationMs: 200 },
    {
      callId: 'call_2',
      text: 'Success. Updated the following files:\nM src/app.py\n',
      exitCode: 0,
      durationMs: 0,
    },
    { callId: 'call_3', text: 'closed', durationMs: 1500 },
    { callId: 'call_4', text: 'make: *** No rule\n', exitCode: 2, durationMs: 700 },
  ])
  assert.deepEqual(
    messages(LEGACY).flatMap((message) => message.files ?? []),
    [
      { path: '/home/me/proj/src/app.py', action: 'edit' },
      { path: '/home/me/proj/docs/notes.md', action: 'create' },
      { path: '/home/me/proj/old.py', action: 'delete' },
    ],
  )
  const ran = messages(PAGINATED).flatMap((message) => message.toolResults ?? [])[0]
  assert.deepEqual(
    { ...ran },
    { callId: 'call_fake_581601', text: 'hello-from-tool\n', exitCode: 0, durationMs: 0 },
  )
})

test('images are kept', () => {
  const [prompt] = messages(LEGACY).filter((message) => message.text === 'Make it look like this')
  const [{ data, ...image }] = prompt!.attachments as [Attachment]
  assert.deepEqual(image, { name: 'image', type: 'image', mimeType: 'image/png', bytes: 75 })
  assert.match(data!, /^iVBORw0KGgoA{89}$/)
})

test('tokens are counted once per response', () => {
  const sum = (id: string, key: keyof Usage) =>
    messages(id).reduce((total, message) => total + (message.usage?.[key] ?? 0), 0)
  assert.equal(sum(PAGINATED, 'input'), 4800)
  assert.equal(sum(PAGINATED, 'output'), 136)
  assert.equal(sum(LEGACY, 'input'), 1000 + 3 * 1110 + 620 + 1100)
  assert.equal(sum(FORK, 'input'), 1100)
  assert.equal(messages(LEGACY).find((message) => message.kind === 'summary')?.usage?.input, 620)
})

test('answers know their model, thinking, duration and how they ended', () => {
  const answers = messages(LEGACY).filter((message) => message.kind === 'answer')
  assert.equal(answers[0]?.thinking, '**Looking at the file**')
  assert.equal(answers[0]?.model, 'gpt-5-codex')
  assert.equal(answers[4]?.model, 'gpt-5-codex-mini')
  assert.equal(answers[4]?.outcome, 'cancelled')
  assert.equal(messages(PAGINATED).find((message) => message.latencyMs)?.latencyMs, 335)
  const [failed] = messages(PAGINATED_FORK).filter((message) => message.outcome)
  assert.equal(failed?.outcome, 'failed')
  assert.deepEqual(failed?.citations, [{ url: 'https://example.org/tags', title: 'Tags' }])
  assert.deepEqual(texts(PAGINATED_FORK, 'notice'), ['stream disconnected'])
})

test('turns that were rolled back are undone, and only those', () => {
  assert.deepEqual(
    messages(LEGACY)
      .filter((message) => message.undone)
      .map((message) => message.text),
    ['Now add a test', 'Added a test.', 'And a second one', 'Added another.'],
  )
})

test('a rollback that arrives later starts the reading over', () => {
  const unit = copyOf(LEGACY)
  const bytes = fs.readFileSync(unit.path)
  const cut = bytes.indexOf('{"timestamp":"2025-11-03T10:03:20.000Z"')
  fs.writeFileSync(unit.path, bytes.subarray(0, cut))
  const before = gather(codex.read(unit, undefined, machine))
  fs.writeFileSync(unit.path, bytes)
  const found = [...codex.read(unit, before.checkpoint, machine)]
  assert.deepEqual(found[0], { restart: true })
  assert.deepEqual(gather(found, before).messages, { [LEGACY]: messages(LEGACY) })
  const again = [...codex.read(unit, gather(found).checkpoint, machine)]
  assert.ok(!again.some((item) => 'restart' in item))
})

test('a growing rollout ends as a whole reading does, wherever it was cut', () => {
  for (const id of [PAGINATED, LEGACY, FORK, SUBAGENT, PAGINATED_FORK, BARE]) {
    const unit = copyOf(id)
    const bytes = fs.readFileSync(unit.path)
    const random = randomFrom(7)
    const ways = [lineEnds(bytes), ...Array.from({ length: 6 }, () => anyCuts(bytes.length, 12, random))]
    const expected = gather(codex.read(unit, undefined, machine))
    for (const cuts of ways) {
      const grown = readGrowing(codex, unit, machine, cuts)
      assert.deepEqual(plainly(grown), plainly(expected), id)
    }
  }
})

test('titles come from the newest state database, for threads that still have a rollout', () => {
  const home = path.join(temp, 'titled')
  fs.cpSync(fixtures, home, { recursive: true })
  const write = (name: string, rows: [id: string, name: string | null, title: string, first: string][]) => {
    const db = new DatabaseSync(path.join(home, name))
    db.exec('CREATE TABLE threads (id TEXT PRIMARY KEY, name TEXT, title TEXT, first_user_message TEXT)')
    for (const row of rows) db.prepare('INSERT INTO threads VALUES (?, ?, ?, ?)').run(...row)
    db.close()
  }
  write('state_4.sqlite', [[PAGINATED, 'Outdated', '', '']])
  write('state_5.sqlite', [
    [PAGINATED, 'Given by hand', 'USETOOL say hello', 'USETOOL say hello'],
    [ARCHIVED, null, 'USETASK delegate', 'USETASK delegate'],
    [BARE, null, 'Files of the old project', 'List the files'],
    ['gone', 'Its rollout is gone', '', ''],
  ])
  const there = machineAt('/nowhere', { CODEX_HOME: home })
  const reading = readMachine(codex, there)
  const titles = Object.fromEntries(reading.chats.map(({ id, title }) => [id, title]))
  assert.equal(titles[PAGINATED], 'Given by hand')
  assert.equal(titles[ARCHIVED], undefined)
  assert.equal(titles[BARE], 'Files of the old project')
  assert.ok(!('gone' in titles))

  const unit = unitsOf(codex, there).find(({ path: file }) => file.endsWith('state_5.sqlite'))!
  const first = gather(codex.read(unit, undefined, there))
  assert.equal(first.chats.length, 2)
  assert.deepEqual(gather(codex.read(unit, first.checkpoint, there)).chats, [])
  fs.writeFileSync(unit.path, 'no database')
  assert.equal(gather(codex.read(unit, undefined, there)).problems.length, 1)
})

const shared = path.resolve(import.meta.dirname, '../../../../shared/samples')

test('samples of real versions are read', { skip: !fs.existsSync(shared) }, () => {
  const table: [file: string, requests: number, answers: number, calls: number][] = [
    ['public/codex/legacy-public/standard_session.jsonl', 1, 1, 0],
    ['public/codex/legacy-public/function_calls.jsonl', 1, 1, 2],
    [
      'made-here/codex/0.166.0-zst/rollout-2026-11-15T01-23-37-01a1dccd-8094-71c2-a4f1-30524e959215.jsonl.zst',
      3,
      4,
      1,
    ],
  ]
  for (const [file, requests, answers, calls] of table) {
    const unit: Unit = { path: path.join(shared, file), growth: 'whole' }
    const [told] = Object.values(gather(codex.read(unit, undefined, machine)).messages)
    assert.equal(told?.filter((message) => message.kind === 'request').length, requests, file)
    assert.equal(told?.filter((message) => message.kind === 'answer').length, answers, file)
    assert.equal(told?.flatMap((message) => message.toolCalls ?? []).length, calls, file)
  }
})

function copyOf(id: string): Unit {
  const unit = unitsOf(codex, machine).find((one) => one.path.includes(id))!
  const copy = path.join(temp, path.basename(unit.path))
  fs.copyFileSync(unit.path, copy)
  return { ...unit, path: copy }
}
