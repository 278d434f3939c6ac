import assert from 'node:assert/strict'
import fs from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import { withReader } from '../source.ts'
import { gather, machineAt, readMachine, unitsOf } from '../test-kit.ts'
import { opencode as described } from './index.ts'
import { CHILD, fixtures, forked, home, made, outline, PARENT, read, SESSION } from './test-database.ts'

const opencode = await withReader(described)

test('roots per system and override', () => {
  const roots = (platform: NodeJS.Platform, env: Record<string, string> = {}) =>
    opencode.roots({ platform, home: '/h', env, reader: 'linux' })
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
    {
      name: 'a.png',
      type: 'image',
      path: undefined,
      mimeType: 'image/png',
      bytes: 6000,
      data: 'A'.repeat(8000),
    },
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
