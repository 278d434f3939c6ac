import assert from 'node:assert/strict'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { after, test } from 'node:test'
import type { Usage } from '../../model/chat.ts'
import { mutations, randomFrom } from '../mutations.ts'
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
import { geminiCli as described } from './index.ts'

const geminiCli = await withReader(described)

const machine = machineAt(path.join(import.meta.dirname, 'fixtures', 'home'))
const temp = fs.mkdtempSync(path.join(os.tmpdir(), 'recollect-gemini-'))
after(() => fs.rmSync(temp, { recursive: true, force: true }))

const REAL = '5250a192-d7f1-4519-ba4b-d6411b4ac8fd'
const REWOUND = 'aaaaaaaa-0000-4000-8000-000000000001'
const SUBAGENT = 'bbbbbbbb-0000-4000-8000-000000000002'
const MIGRATED = 'cccccccc-0000-4000-8000-000000000003'
const NAMELESS = 'dddddddd-0000-4000-8000-000000000004'

const whole = readMachine(geminiCli, machine)
const { chat, messages, texts } = lookInto(whole)

test('roots follow GEMINI_CLI_HOME and keep the usual place', () => {
  const table: [env: Record<string, string>, expected: string[]][] = [
    [{}, ['/home/me/.gemini']],
    [{ GEMINI_CLI_HOME: '/data/g' }, ['/data/g/.gemini', '/home/me/.gemini']],
    [{ GEMINI_CLI_HOME: '/home/me' }, ['/home/me/.gemini']],
  ]
  for (const platform of ['linux', 'darwin', 'win32'] as const) {
    for (const [env, expected] of table) {
      const found = geminiCli
        .roots({ platform, home: '/home/me', env, reader: 'linux' })
        .map((root) => root.path)
      assert.deepEqual(found, expected)
    }
  }
})

test('units are sessions and nothing else', () => {
  const root = { path: '/g' }
  const table: [file: string, growth: Unit['growth'] | undefined][] = [
    ['tmp/proj/chats/session-2026-11-15T01-26-5250a192.jsonl', 'append'],
    ['tmp/proj/chats/session-2025-09-01T08-00-cccccccc.json', 'whole'],
    [`tmp/proj/chats/${REWOUND}/${SUBAGENT}.jsonl`, 'append'],
    ['tmp/proj/logs.json', undefined],
    ['tmp/proj/checkpoint-x.json', undefined],
    ['projects.json', undefined],
    ['oauth_creds.json', undefined],
  ]
  for (const [file, growth] of table) assert.equal(geminiCli.unit(file, root)?.growth, growth, file)
  const entered = ['tmp', 'tmp/proj', 'tmp/proj/chats', `tmp/proj/chats/${REWOUND}`]
  for (const folder of entered) assert.equal(geminiCli.enters(folder, root), true, folder)
  for (const folder of ['history', 'tmp/proj/tool-outputs']) {
    assert.equal(geminiCli.enters(folder, root), false, folder)
  }
})

test('sessions give their requests and answers once', () => {
  assertDialogs(whole, [
    [
      REAL,
      ['USETOOL say hello', 'second question'],
      ['I will run a command.', 'All done: the answer is 42.', 'All done: the answer is 42.'],
      1,
      1,
    ],
    [
      REWOUND,
      ['Explain @src/app.py', 'Change 1 to 2', 'Undo me', 'Something better', 'Thanks'],
      ['It prints 1.', '', 'Will be undone.', 'Better.'],
      5,
      5,
    ],
    [SUBAGENT, [], ['There is one.'], 0, 0],
    [MIGRATED, ['What does this do?', 'And now?'], ['It reads a file.'], 1, 1],
    [NAMELESS, ['Hello'], [], 0, 0],
  ])
})

test('a chat knows its folder, title, times and how to go on', () => {
  assert.deepEqual(chat(REWOUND), {
    source: 'gemini-cli',
    id: REWOUND,
    title: 'Changing numbers',
    workspace: '/home/me/proj',
    createdAt: Date.parse('2026-05-04T09:00:00Z'),
    updatedAt: Date.parse('2026-05-04T09:05:00Z'),
    resume: `gemini --resume ${REWOUND}`,
    format: 'log',
  })
  assert.equal(chat(MIGRATED).workspace, '/home/me/hashed', 'by the hash of its path')
  assert.equal(chat(NAMELESS).workspace, '/home/me/elsewhere', 'by the opening context')
  assert.equal(chat(SUBAGENT).parentId, REWOUND)
  assert.equal(chat(SUBAGENT).subagent, true)
  assert.equal(chat(SUBAGENT).resume, undefined)
})

test('only what was typed is a request', () => {
  assert.deepEqual(
    messages(REAL).map((message) => message.kind),
    'injected request answer answer request answer'.split(' '),
  )
  assert.deepEqual(texts(SUBAGENT, 'delegated'), ['Look for numbers'])
  assert.deepEqual(texts(REWOUND, 'notice'), ['[API Error: quota]'])
  assert.deepEqual(texts(REWOUND, 'injected'), ['Got it. Thanks for the additional context!'])
  assert.match(texts(REWOUND, 'summary')[0] ?? '', /^<state_snapshot>/)
  const [first, second] = messages(REWOUND).filter((message) => message.kind === 'request')
  assert.deepEqual(first?.attachments, [{ name: 'app.py', type: 'file', path: 'src/app.py' }])
  assert.equal(second?.attachments?.[0]?.mimeType, 'image/png')
  assert.equal(second?.attachments?.[0]?.bytes, 30)
})

test('a session that was opened and left is no chat', () => {
  const stub = unitsOf(geminiCli, machine).find((unit) => unit.path.includes('T01-46-5250a192'))!
  const reading = gather(geminiCli.read(stub, undefined, machine))
  assert.deepEqual([reading.chats, reading.messages, reading.checkpoint], [[], {}, { offset: 0 }])
})

test('tools bring their outputs, exit codes, errors, servers and files', () => {
  const answer = messages(REWOUND).find((message) => message.toolCalls)!
  assert.deepEqual(
    answer.toolCalls?.map(({ server, tool }) => (server ? `${server}/${tool}` : tool)),
    ['replace', 'write_file', 'run_shell_command', 'wiki/lookup', 'write_file'],
  )
  assert.deepEqual(answer.toolResults, [
    { callId: 'c1', text: 'Successfully modified file' },
    { callId: 'c2', text: 'ok' },
    { callId: 'c3', text: 'Command: false\nOutput: (empty)\nExit Code: 1', exitCode: 1 },
    { callId: 'c4', text: 'no such page', error: 'no such page' },
    { callId: 'c5', text: '', error: 'cancelled' },
  ])
  assert.deepEqual(answer.files, [
    { path: '/home/me/proj/src/app.py', action: 'edit' },
    { path: '/home/me/proj/new.md', action: 'create' },
  ])
  assert.equal(
    messages(REAL).flatMap((message) => message.toolResults ?? [])[0]?.text,
    'Output: hello-from-tool\nProcess Group PGID: 20608',
  )
})

test('files are told by their whole path where the folder is known', () => {
  const calls = ['src/app.py', '../notes.md', '/etc/hosts', 'C:\\x.txt'].map((file_path) => ({
    name: 'read_file',
    args: { file_path },
    status: 'success',
  }))
  const opening = (folder: string) => `This is the Gemini CLI. We are setting up the context for our chat.
I'm currently working in the directory: ${folder}`
  const table: [context: string, files: string[]][] = [
    [opening('/w/proj'), ['/w/proj/src/app.py', '/w/notes.md', '/etc/hosts', 'C:\\x.txt']],
    [opening('D:\\w'), ['D:\\w\\src\\app.py', 'D:\\notes.md', '/etc/hosts', 'C:\\x.txt']],
    ['Hello', ['src/app.py', '../notes.md', '/etc/hosts', 'C:\\x.txt']],
  ]
  for (const [context, files] of table) {
    const records = [
      { id: 'a', type: 'user', content: context },
      { id: 'b', type: 'user', content: 'You have exceeded the time limit.' },
      { id: 'c', type: 'gemini', content: '', toolCalls: calls },
    ]
    for (const [name, text] of [
      [
        'session-1.jsonl',
        [{ sessionId: 's' }, ...records].map((record) => JSON.stringify(record)).join('\n'),
      ],
      ['session-1.json', JSON.stringify({ sessionId: 's', messages: records })],
    ] as const) {
      const file = path.join(temp, 'elsewhere', 'chats', name)
      fs.mkdirSync(path.dirname(file), { recursive: true })
      fs.writeFileSync(file, text)
      const unit: Unit = { path: file, growth: name.endsWith('l') ? 'append' : 'whole' }
      const told = gather(geminiCli.read(unit, undefined, machine)).messages.s!
      assert.deepEqual(
        told.at(-1)?.files?.map((touch) => touch.path),
        files,
        `${name} ${context}`,
      )
      assert.equal(told.at(-2)?.kind, 'request')
    }
  }
})

test('thinking, models and tokens stay with their answer, tokens once', () => {
  const sum = (id: string, key: keyof Usage) =>
    messages(id).reduce((total, message) => total + (message.usage?.[key] ?? 0), 0)
  assert.deepEqual([sum(REAL, 'input'), sum(REAL, 'output'), sum(REAL, 'reasoning')], [3600, 138, 36])
  const answer = messages(MIGRATED).find((message) => message.kind === 'answer')
  assert.equal(answer?.thinking, '**Planning**\nRead first.')
  assert.equal(answer?.model, 'gemini-2.5-pro')
})

test('what was rewound is undone; what was compressed is not, and keeps its first wording', () => {
  assert.deepEqual(
    messages(REWOUND)
      .filter((message) => message.undone)
      .map((message) => message.id),
    ['u3', 'a3'],
  )
  assert.equal(messages(REWOUND).find((message) => message.id === 'a4')?.text, 'Better.')
})

test('a rewind that arrives later starts the reading over', () => {
  const unit = copyOf('aaaaaaaa.jsonl')
  const bytes = fs.readFileSync(unit.path)
  fs.writeFileSync(unit.path, bytes.subarray(0, bytes.indexOf('{"$rewindTo"')))
  const before = gather(geminiCli.read(unit, undefined, machine))
  assert.ok(!before.messages[REWOUND]?.some((message) => message.undone))
  fs.writeFileSync(unit.path, bytes)
  const found = [...geminiCli.read(unit, before.checkpoint, machine)]
  assert.deepEqual(found[0], { restart: true })
  assert.deepEqual(gather(found, before).messages, { [REWOUND]: messages(REWOUND) })
  const again = [...geminiCli.read(unit, gather(found).checkpoint, machine)]
  assert.deepEqual(
    again.map((item) => Object.keys(item)[0]),
    ['chat', 'checkpoint'],
  )
})

test('a growing session ends as a whole reading does, wherever it was cut', () => {
  for (const name of ['T01-26-5250a192.jsonl', 'aaaaaaaa.jsonl', 'cccccccc.jsonl', `${SUBAGENT}.jsonl`]) {
    const unit = copyOf(name)
    const bytes = fs.readFileSync(unit.path)
    const random = randomFrom(11)
    const ways = [lineEnds(bytes), ...Array.from({ length: 8 }, () => anyCuts(bytes.length, 10, random))]
    const expected = gather(geminiCli.read(unit, undefined, machine))
    for (const cuts of ways) {
      assert.deepEqual(plainly(readGrowing(geminiCli, unit, machine, cuts)), plainly(expected), name)
    }
  }
})

test('a project that is written down later moves its chats there', () => {
  const unit = copyOf('T01-26-5250a192.jsonl')
  const first = gather(geminiCli.read(unit, undefined, machine))
  assert.equal(first.chats[0]?.workspace, '/home/me/proj')
  const note = path.join(path.dirname(unit.path), '..', '.project_root')
  fs.writeFileSync(note, '/home/me/moved\n')
  const again = gather(geminiCli.read(unit, first.checkpoint, machine), first)
  fs.rmSync(note)
  assert.equal(again.chats[0]?.workspace, '/home/me/moved')
})

test('a session longer than a checkpoint may remember is still read right', () => {
  const file = path.join(chatsFolder(), 'session-2026-01-01T00-00-long.jsonl')
  const line = (at: number) =>
    JSON.stringify({ id: `m${at}`, timestamp: '2026-01-01T00:00:00Z', type: 'user', content: `text ${at}` })
  const lines = [
    '{"sessionId":"long","projectHash":"x"}',
    ...Array.from({ length: 4000 }, (_, at) => line(at)),
  ]
  const unit: Unit = { path: file, growth: 'append' }
  fs.writeFileSync(file, `${lines.slice(0, 2000).join('\n')}\n`)
  const first = gather(geminiCli.read(unit, undefined, machine))
  fs.writeFileSync(file, `${lines.join('\n')}\n`)
  const second = gather(geminiCli.read(unit, first.checkpoint, machine), first)
  assert.equal(second.messages.long?.length, 4000)
  assert.ok(JSON.stringify(second.checkpoint).length < 256 * 1024)
  fs.appendFileSync(file, `${line(0).replace('text 0', 'changed')}\n`)
  const third = gather(geminiCli.read(unit, second.checkpoint, machine), second)
  assert.equal(third.messages.long?.[0]?.text, 'changed')
})

test('no damage makes the reader throw or hang', () => {
  const random = randomFrom(42)
  const folder = chatsFolder()
  for (const name of ['T01-26-5250a192.jsonl', 'aaaaaaaa.jsonl', 'cccccccc.json']) {
    const source = fs.readFileSync(copyOf(name).path)
    const unit: Unit = {
      path: path.join(folder, `session-x.${name.split('.')[1]}`),
      growth: name.endsWith('l') ? 'append' : 'whole',
    }
    let round = 0
    for (const bytes of mutations(source, 750, 42)) {
      fs.writeFileSync(unit.path, bytes)
      const reading = gather(geminiCli.read(unit, undefined, machine))
      if (unit.growth !== 'append' || round++ % 10 > 0) continue
      fs.writeFileSync(unit.path, bytes.subarray(0, Math.floor(random() * bytes.length)))
      const half = gather(geminiCli.read(unit, undefined, machine))
      fs.writeFileSync(unit.path, bytes)
      const grown = gather(geminiCli.read(unit, half.checkpoint, machine), half)
      assert.deepEqual(plainly(grown), plainly(reading))
    }
  }
})

const shared = path.resolve(import.meta.dirname, '../../../../shared/samples/public/gemini-cli')

test('samples of the older form are read', { skip: !fs.existsSync(shared) }, () => {
  const table: [file: string, requests: number, calls: number, results: number][] = [
    ['legacy-json-public/thinking_only.json', 1, 0, 0],
    ['legacy-json-public/tool_calls_with_results.json', 1, 2, 2],
  ]
  for (const [file, requests, calls, results] of table) {
    const unit: Unit = { path: path.join(shared, file), growth: 'whole' }
    const [told] = Object.values(gather(geminiCli.read(unit, undefined, machine)).messages)
    assert.equal(told?.filter((message) => message.kind === 'request').length, requests, file)
    assert.equal(told?.filter((message) => message.kind === 'answer' && message.thinking).length, 1, file)
    assert.equal(told?.flatMap((message) => message.toolCalls ?? []).length, calls, file)
    assert.equal(told?.flatMap((message) => message.toolResults ?? []).length, results, file)
  }
})

function chatsFolder(): string {
  const folder = path.join(temp, '.gemini', 'tmp', 'proj', 'chats')
  fs.mkdirSync(folder, { recursive: true })
  return folder
}

/** In a place like its own, for the folders around it say something too. */
function copyOf(name: string): Unit {
  const unit = unitsOf(geminiCli, machine).find((one) => one.path.endsWith(name))!
  const home = path.join(temp, '.gemini')
  const copy = path.join(home, path.relative(path.join(machine.home, '.gemini'), unit.path))
  fs.mkdirSync(path.dirname(copy), { recursive: true })
  fs.copyFileSync(unit.path, copy)
  fs.copyFileSync(path.join(machine.home, '.gemini', 'projects.json'), path.join(home, 'projects.json'))
  return { ...unit, path: copy }
}
